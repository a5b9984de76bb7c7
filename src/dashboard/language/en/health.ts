// English texts of the page Health: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const healthWords = area("health", {
  title: "Health",
  about:
    "Scores of 0 to 100, newest first. Water that isn't treated isn't scored. A score stands above no limit: the limits of the certificate count.",
  step: "Each line is",
  quarter: "a quarter of an hour",
  hour: "an hour, mean",
  day: "a day, mean",
  none: "No score yet.",
  overall: "Overall",
  uv_health: "UV",
  lamp_health: "Lamps",
  power_efficiency: "Power efficiency",
  thermal_health: "Temperatures",
  weight: "{weight} % of the score",
  score_of: "Score: {part}",
  limits: "Limits: {limits}",
  tables: "Tables",
  lines: "Scores, newest first",
  chart_label: "{name}, {from} to {to}",
});
