// The example of a comparison, for the OpenAPI document: a lamp failed, sleeves are fouled, and the
// water is more turbid than at the operation before.

const lamps = { failed: [7], dark: [], past_life: [5, 10, 12], weak: [] };

export const COMPARISON_EXAMPLE = {
  ...{ reason: null, with: "good_operation", limit: { mode: "IMO", w_m2: 252 } },
  now: {
    ...{ operation: 95, operation_type: "BALLAST", location: "Busan" },
    ...{ start: "2026-05-01T05:08:00.000Z", from: "2026-05-01T06:26:00.000Z" },
    ...{ to: "2026-05-01T06:30:00.000Z", intensity_w_m2: 230.4, readings: 5 },
  },
  before: {
    ...{ operation: 94, operation_type: "BALLAST", location: "Port Hedland" },
    ...{ start: "2026-04-24T02:00:00.000Z", from: "2026-04-24T02:10:00.000Z" },
    ...{ to: "2026-04-24T08:00:00.000Z", intensity_w_m2: 640.2, readings: 350 },
  },
  change_w_m2: -409.8,
  rows: [
    row("lamps", -148.2, "measured", [{ name: "lamp_output", unit: "%", now: 71.2, before: 90.1 }]),
    row("sleeves", -128.1, "learned", [
      { name: "CIP_HOURS_SINCE_LAST", unit: "h", now: 1464, before: 1296 },
    ]),
    row("water", -86, "measured", [
      { name: "WATER_QUALITY_FACTOR", unit: "factor", now: 0.82, before: 0.97 },
    ]),
    row("power", 0, "measured", [
      { name: "UVR_POWER_OUTPUT", unit: "% of rated", now: 80, before: 80 },
      { name: "lamp_power", unit: "W", now: 3760, before: 3760 },
    ]),
    row("sensor", 0, "no_sign", []),
    row("unexplained", -47.5, "rest", []),
  ],
  lamps,
  cleanings: {
    ...{ measured: 4, last_gain_percent: 21.5 },
    ...{ loss_percent_per_day_low: 0.31, loss_percent_per_day_high: 0.42 },
  },
  do_first: [
    {
      ...{ act: "clean_sleeves", lamps: [], gain: { low_w_m2: 48.1, high_w_m2: 67.5 } },
      reaches: "above_limit",
    },
    {
      ...{ act: "change_failed_lamps", lamps: [7], gain: { low_w_m2: 17.5, high_w_m2: 20.2 } },
      reaches: "below_limit",
    },
  ],
};

function row(cause: string, w_m2: number, basis: string, readings: readonly object[]) {
  return { cause, w_m2, basis, readings };
}
