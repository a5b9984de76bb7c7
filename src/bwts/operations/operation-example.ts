// An operation for the documentation of the API: an uptake at Busan in which the intensity was
// below the limit for eight minutes.

const spread = (unit: string, [min, mean, max]: readonly [number, number, number]) => ({
  ...{ unit, readings: 121, min, mean, max },
});

const [START, LOW, FINE, END] = ["04:00", "04:30", "04:38", "06:00"].map(
  (time) => `2026-05-01T${time}:00.000Z`,
);

const limit = (key: string, value: number, unit: string, seconds_beyond: number | null) => ({
  ...{ key: `limits.${key}`, value, unit, from: START, seconds_beyond },
});

/** As /api/operations answers it. */
export const OPERATION_EXAMPLE = {
  ...{ id: 12, operation_type: "BALLAST", location: "Busan", start: START, end: END },
  ...{ known_by: "events", remarks: [], verdict: "outside_limits", verdict_with_hidden: null },
  reasons: [
    {
      ...{ rule: "uv_below_limit", verdict: "outside_limits", start: LOW, end: FINE, seconds: 480 },
      ...{ readings: 8, parameter: "UVR_INTENSITY", unit: "W/m2", limit: 252 },
      ...{ limit_key: "limits.uv_imo", worst: 231.5, worst_at: "2026-05-01T04:33:00.000Z" },
      ...{ volume_m3: 80, is_hidden: false },
    },
  ],
  indications: [],
  parts: [
    { part: "within_limits", start: START, end: LOW, seconds: 1800, volume_m3: 300 },
    { part: "outside_limits", start: LOW, end: FINE, seconds: 480, volume_m3: 80 },
    { part: "within_limits", start: FINE, end: END, seconds: 4920, volume_m3: 820 },
  ],
  not_recorded: { seconds: 0, of_seconds: 7200 },
  ...{ volume_m3: 1200, volume_source: "totaliser", volume_totaliser_m3: 1200 },
  ...{ volume_flow_m3: 1199.2, volume_difference_percent: -0.07, mode: "IMO" },
  limits: [
    limit("uv_imo", 252, "W/m2", 480),
    limit("flow_max_imo", 1000, "m3/h", 0),
    limit("dp_warn", 0.5, "bar", null),
  ],
  ...{ limits_source: "type approval certificate 0815", rules_version: 5 },
  ...{ readings: 121, readings_hidden: 0 },
  values: {
    UVR_INTENSITY: spread("W/m2", [231.5, 588.2, 612]),
    SYS_FLOW_RATE: spread("m3/h", [585, 600.1, 612]),
    UVR_POWER_OUTPUT: spread("%", [78, 82.4, 100]),
    SYS_PRESSURE: spread("bar", [1.8, 2, 2.1]),
    UVR_WATER_TEMP: spread("degC", [18.2, 18.9, 19.4]),
    FLT_DIFF_PRESSURE: spread("bar", [0.21, 0.24, 0.31]),
    LDC_AIR_TEMP: spread("degC", [31, 33.5, 35]),
  },
  ...{ lamps_out: [], backflushes: 1, bypass_seconds: 0, hours_since_cip: 210.5 },
  ...{ alerts: [], gaps: [], clock_steps: [], voids: [] },
  ...{ readings_root: "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", version: 1 },
  versions: [
    {
      ...{ version: 1, made: "2026-05-01T06:00:06.120Z", verdict: "outside_limits" },
      ...{ because: "the operation ended", rules_version: 5, ledger_number: 12, given_out: null },
      given_out_number: null,
    },
  ],
};
