// A judged operation as /api/operations answers it: a discharge of two hours at Busan of which 40
// minutes were below the limit, 12 bypassed and ten hidden, so that every member tells something.

import type { Operation } from "../../src/bwts/operations/operation.ts";

const MINUTE_MS = 60_000;

/** It began at `start_ms`. */
export function judgedOperation(start_ms: number): Operation {
  const at = (minute: number) => new Date(start_ms + minute * MINUTE_MS).toISOString();
  const interval = (from: number, to: number) => ({
    ...{ start: at(from), end: at(to), seconds: (to - from) * 60 },
  });
  const reason = { is_hidden: false, volume_m3: 400, readings: 40, unit: null, parameter: null };
  const unlimited = { limit: null, limit_key: null, worst: null, worst_at: null };
  const unjudged = { ...reason, ...unlimited, readings: 0, volume_m3: null };
  return {
    ...{ id: 12, operation_type: "DEBALLAST", location: "Busan", start: at(0), end: at(120) },
    ...{ known_by: "events", remarks: ["volume_differs", "readings_hidden"] },
    ...{ verdict: "outside_limits", verdict_with_hidden: "outside_limits" },
    reasons: [
      {
        ...{ ...reason, rule: "uv_below_limit", verdict: "outside_limits", ...interval(30, 70) },
        ...{ parameter: "UVR_INTENSITY", unit: "W/m2", limit: 252, limit_key: "limits.uv_imo" },
        ...{ worst: 231.5, worst_at: at(50) },
      },
      {
        ...{ ...unjudged, rule: "bypass", verdict: "outside_limits", ...interval(80, 92) },
        ...{ readings: 12, volume_m3: 120 },
      },
      { ...unjudged, rule: "hidden_readings", verdict: "cannot_tell", ...interval(100, 110) },
    ],
    indications: [
      {
        ...{ indication: "challenging_water", start: at(30), end: at(70) },
        evidence: {
          ...{ intensity_mean_w_m2: 240.2, power_mean_percent: 99.5, dp_mean_bar: 0.6 },
          ...{ power_mean_before_percent: 99, efficiency_mean_percent: null, backflushes: 4 },
        },
      },
    ],
    parts: [
      { part: "within_limits", ...interval(0, 30), volume_m3: 300 },
      { part: "outside_limits", ...interval(30, 70), volume_m3: 400 },
      { part: "within_limits", ...interval(70, 80), volume_m3: 100 },
      { part: "bypassed", ...interval(80, 92), volume_m3: 120 },
      { part: "within_limits", ...interval(92, 100), volume_m3: 80 },
      { part: "cannot_tell", ...interval(100, 110), volume_m3: null },
      { part: "within_limits", ...interval(110, 120), volume_m3: 100 },
    ],
    not_recorded: { seconds: 600, of_seconds: 7200 },
    ...{ volume_m3: 1240.5, volume_source: "totaliser", volume_totaliser_m3: 1240.5 },
    ...{ volume_flow_m3: 1200, volume_difference_percent: -3.3, mode: "IMO" },
    limits: [
      { key: "limits.uv_imo", value: 252, unit: "W/m2", from: at(0), seconds_beyond: 2_400 },
      { key: "limits.flow_max_imo", value: 1_000, unit: "m3/h", from: at(0), seconds_beyond: 0 },
      { key: "limits.dp_warn", value: 0.5, unit: "bar", from: at(0), seconds_beyond: null },
    ],
    ...{ limits_source: "TAC 2019/0042", rules_version: 1, readings: 111, readings_hidden: 10 },
    values: spreads(),
    lamps_out: [{ lamp: 7, ...interval(31, 34) }],
    ...{ backflushes: 4, bypass_seconds: 720, hours_since_cip: 300.5 },
    alerts: [{ id: 3, code: "UV_LOW", source: "plc", raised: at(31) }],
    gaps: [interval(95, 99)],
    clock_steps: [{ at: at(60), clock: "plc", seconds: -3_600 }],
    voids: [{ id: 3, start: at(100), end: at(110), reason: "sensor test", readings: 10 }],
    ...{ readings_root: "q83vEjRWeJA=", version: 2 },
    versions: versionsOf(at),
  };
}

function spreads(): Operation["values"] {
  const spread = { unit: null, readings: 111, min: 231.5, mean: 411.25, max: 640 };
  return {
    ...{ UVR_INTENSITY: { ...spread, unit: "W/m2" }, SYS_FLOW_RATE: { ...spread, unit: "m3/h" } },
    ...{ UVR_POWER_OUTPUT: spread, SYS_PRESSURE: spread, UVR_WATER_TEMP: spread },
    ...{ FLT_DIFF_PRESSURE: spread, LDC_AIR_TEMP: { ...spread, min: null, mean: null, max: null } },
  };
}

function versionsOf(at: (minute: number) => string): Operation["versions"] {
  const of = { verdict: "outside_limits", rules_version: 1 } as const;
  return [
    {
      ...{ ...of, version: 1, made: at(122), because: "the operation ended", ledger_number: 41 },
      ...{ given_out: at(130), given_out_number: 2 },
    },
    {
      ...{ ...of, version: 2, made: at(180), because: "void 3 hides 10 readings" },
      ...{ ledger_number: 44, given_out: null, given_out_number: null },
    },
  ];
}
