// English texts of what all pages share: values, ages, times, and what is wrong with an answer. The
// source and the type of their translations.

import { area } from "../area.ts";

export const partsWords = area("parts", {
  of_rated: "% of rated",
  yes: "yes",
  no: "no",
  seconds: "{n} s",
  minutes: "{n} min",
  hours: "{n} h",
  days: { one: "{n} day", other: "{n} days" },
  utc: "UTC",
  ship_time: "ship's time UTC{offset}",
  silent: "no answer from {path}",
  odd: "unexpected answer from {path}",
  refused: "{path}: {status}, {message}",
  no_reason: "no reason given",
  broken: "This part of the page failed: {message}",
  again: "Try again",
  loading: "Asking ballastd",
  whole_text: "Whole text",
  odd_parameter: "This address names something that the page doesn't know: {names}",
  engineer_token: "This needs the token of an engineer or a maintainer.",
  engineer_continue: "Continue",
  engineer_kept:
    "It is kept in this page alone, and forgotten after 15 minutes without a touch or a key.",
  act_refused: "ballastd refused it:",
  act_silent: "No answer came from ballastd: look whether it was done before you try again.",
  lamp: "Lamp {lamp}",
  limit: "limit {limit}",
  value_limit: "{value}, limit {limit}",
  value_limit_source: "{value}, limit {limit} ({source})",
  default_source: "default, replace by the type approval certificate",
  last_known: "Last known: {headline}",
  counters_fast:
    "The PLC's hour counters of lamps run {n} times too fast. Trends and exports have them as sent; other hours of lamps are divided by {n}.",
  counters_unknown:
    "The PLC's hour counters of lamps run faster than the clock, by no plain factor: they don't show hours. Forecasts of lamp life are suspended.",
});
