// English texts of the page Handover: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const handoverWords = area("handover", {
  title: "Handover",
  since: "What changed since",
  last_look: "this browser last looked",
  hours_ago: { one: "{n} hour ago", other: "{n} hours ago" },
  print: "Print",
  range: "From {from} to {to}",
  asking: "Asking ballastd",
  nothing: "Nothing changed.",
  operations: "Operations",
  alerts: "Alerts",
  lamps: "Lamps",
  condition: "Condition of the plant",
  cleanings: "Cleanings",
  data: "Data and clocks",
  operation: "Operation",
  started: "{moment}: {type} started.",
  started_at: "{moment}: {type} started, {location}.",
  ended: "{moment}: {type} ended.",
  ended_at: "{moment}: {type} ended, {location}.",
  rose: "{moment}: {priority} {name}. {about}",
  rose_again: {
    one: "{moment}: {priority} {name}, {n} time. {about}",
    other: "{moment}: {priority} {name}, {n} times, this is the last. {about}",
  },
  over: "{moment}: {name} is over.",
  acknowledged: "{moment}: {name} was acknowledged by {by}.",
  replaced: "{moment}: lamp {lamp} was replaced.",
  health: "Health: {to} of 100.",
  health_changed: "Health: from {from} to {to} of 100.",
  intensity: "UV intensity while treating: from {from} to {to}.",
  gap: "{moment}: no readings for {age} during an operation.",
  gap_lasts: "{moment}: no readings since, for {age}, during an operation.",
  plc_back: "{moment}: the PLC's clock was set back by {age}.",
  plc_forward: "{moment}: the PLC's clock was set forward by {age}.",
  box_back: "{moment}: the PC's clock was set back by {age}.",
  box_forward: "{moment}: the PC's clock was set forward by {age}.",
});
