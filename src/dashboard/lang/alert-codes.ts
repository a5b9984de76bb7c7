// English texts of ballastd's own alerts, taken from the table of alerts: by the code its meaning,
// by `CODE.action` what to do. They come with the pages that list alerts.

import { ALERTS, aboutAlert } from "../../bwts/present/alert.ts";
import { area } from "./area.ts";

export const alertCodesWords = area<Readonly<Record<string, string>>>("alert_codes", {
  ...Object.fromEntries(
    Object.entries(ALERTS).flatMap(([code, { meaning, action }]) => [
      [code, meaning],
      [`${code}.action`, action],
    ]),
  ),
  PAST_LIFE: "A lamp is past its life.",
  "PAST_LIFE.action": "Change the lamp now; then tell ballastd of the new lamp.",
  "PLANT.action": aboutAlert("plc", null).action,
  "OTHER.action": aboutAlert("ballastd", null).action,
});
