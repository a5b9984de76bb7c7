// Operations as the judge makes them, for tests of what is told of them: typical ones by default,
// any member given in their place.

import type { Operation, OperationReason } from "../../src/bwts/operations/operation.ts";
import { OPERATION_FIELDS } from "../../src/bwts/operations/operation-words.ts";

const HOUR_MS = 3_600_000;

const spread = { unit: null, readings: 160, min: 512.4, mean: 610.2, max: 700.1 };

/** An operation of eight hours within its limits. */
export function judged(id: number, start_ms: number, given: Partial<Operation> = {}): Operation {
  const [start, end] = [start_ms, start_ms + 8 * HOUR_MS].map((at) => new Date(at).toISOString());
  const fields = OPERATION_FIELDS.map((name) => [name, spread]);
  return {
    ...{ id, operation_type: id % 2 === 0 ? "DEBALLAST" : "BALLAST", location: "Singapore" },
    ...{ start, end, known_by: "events", remarks: [], verdict: "within_limits" },
    ...{ verdict_with_hidden: null, reasons: [], indications: [], parts: [], volume_m3: 5010 },
    not_recorded: { seconds: 0, of_seconds: 28_800 },
    ...{ volume_source: "totaliser", volume_totaliser_m3: 5010, volume_flow_m3: 5001 },
    ...{ volume_difference_percent: -0.2, mode: "IMO", limits_source: "certificate" },
    limits: [{ key: "limits.uv_imo", value: 252, unit: "W/m2", from: start, seconds_beyond: 0 }],
    ...{ rules_version: 1, readings: 160, readings_hidden: 0, values: Object.fromEntries(fields) },
    ...{ lamps_out: [], backflushes: 2, bypass_seconds: 0, hours_since_cip: 100, alerts: [] },
    ...{ gaps: [], clock_steps: [], voids: [], readings_root: null, version: 1 },
    versions: [
      {
        ...{ version: 1, made: end, verdict: given.verdict ?? "within_limits" },
        ...{ because: "it ended", rules_version: 1, ledger_number: id, given_out: null },
        given_out_number: null,
      },
    ],
    ...given,
  };
}

/** A reason of forty minutes in an operation, from its second hour on. */
export function reasonOf(
  { start }: Pick<Operation, "start">,
  given: Partial<OperationReason>,
): OperationReason {
  const from_ms = Date.parse(start) + HOUR_MS;
  return {
    ...{ rule: "uv_below_limit", verdict: "outside_limits", seconds: 2400, readings: 41 },
    ...{ start: new Date(from_ms).toISOString(), parameter: "UVR_INTENSITY", unit: "W/m2" },
    ...{ end: new Date(from_ms + 2_400_000).toISOString(), limit: 252, worst: 201.3 },
    ...{ limit_key: "limits.uv_imo", worst_at: null, volume_m3: 410, is_hidden: false },
    ...given,
  };
}
