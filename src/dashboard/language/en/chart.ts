// English texts of a chart and its table: the source and the type of its translations. They
// come with that script.

import { area } from "../area.ts";

export const chartWords = area("chart", {
  no_cursor: "Point at the curve to read its values; a click holds them",
  band: "{value} ({min} to {max})",
  readings: "Readings of this time: {n}, the first of them with their evidence.",
  in_trends: "In Trends",
  operation: "Operation",
  alert: "Alert",
  cleaning: "Cleaning",
  replacement: "Lamp replaced",
  outside_limits: "Outside limits",
  cannot_tell: "Cannot tell",
  time: "Time, {clock}",
  value: "Value",
  mean: "Mean",
  least: "Least",
  greatest: "Greatest",
  rows: { one: "{n} row", other: "{n} rows" },
  earlier: "Earlier rows",
  later: "Later rows",
  page: "page {page} of {pages}",
  key_back: "curves: back in time",
  key_on: "curves: forward in time",
  key_in: "curves: closer",
  key_out: "curves: wider",
  key_cursor_back: "cursor: back",
  key_cursor_on: "cursor: forward",
});
