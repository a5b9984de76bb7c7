// Judged operations and the record book that fits them, for tests of the draft and of the
// reconciliation: each operation is made by a few facts, the rest is plain.

import type { Operation } from "../../src/bwts/operations/operation.ts";
import { OPERATION_FIELDS } from "../../src/bwts/operations/operation-words.ts";
import type { Random } from "./random.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const NO_SPREAD = { unit: null, readings: 0, min: null, mean: null, max: null };

/** An uptake of six hours at Singapore within its limits, with what is given in place of that. */
export function anOperation(given: Partial<Operation> = {}): Operation {
  const start = given.start ?? "2026-05-01T05:08:00.000Z";
  const end = given.end === undefined ? "2026-05-01T11:20:00.000Z" : given.end;
  const volume_m3 = given.volume_m3 === undefined ? 4960.4 : given.volume_m3;
  const seconds = end === null ? 0 : (Date.parse(end) - Date.parse(start)) / 1000;
  return {
    ...{ id: 1, operation_type: "BALLAST", location: "Singapore", start, end, known_by: "events" },
    ...{ remarks: [], verdict: "within_limits", verdict_with_hidden: null, reasons: [] },
    indications: [],
    parts: end === null ? [] : [{ part: "within_limits", start, end, seconds, volume_m3 }],
    not_recorded: { seconds: 0, of_seconds: seconds },
    ...{ volume_m3, volume_source: "totaliser", volume_totaliser_m3: volume_m3 },
    ...{ volume_flow_m3: volume_m3, volume_difference_percent: 0, mode: "IMO", limits: [] },
    ...{ limits_source: null, rules_version: 1, readings: 373, readings_hidden: 0 },
    values: valuesOf(),
    ...{ lamps_out: [], backflushes: 0, bypass_seconds: 0, hours_since_cip: null, alerts: [] },
    ...{ gaps: [], clock_steps: [], voids: [], readings_root: null, version: 1, versions: [] },
    ...given,
  };
}

function valuesOf(): Operation["values"] {
  const [uv, flow, power, pressure, water, filter, air] = OPERATION_FIELDS;
  return {
    ...{ [uv]: NO_SPREAD, [flow]: NO_SPREAD, [power]: NO_SPREAD, [pressure]: NO_SPREAD },
    ...{ [water]: NO_SPREAD, [filter]: NO_SPREAD, [air]: NO_SPREAD },
  } as const;
}

type Part = Operation["parts"][number];

/** Parts of `[name, minutes, volume]` one after the other from `start`. */
export function partsFrom(
  start: string,
  parts: readonly (readonly [Part["part"], number, number | null])[],
): Part[] {
  let at_ms = Date.parse(start);
  return parts.map(([part, minutes, volume_m3]) => {
    const from = new Date(at_ms).toISOString();
    at_ms += minutes * MINUTE_MS;
    const end = new Date(at_ms).toISOString();
    return { part, start: from, end, seconds: minutes * 60, volume_m3 };
  });
}

export const aReason = (given: Partial<Operation["reasons"][number]>) => ({
  ...{ rule: "bypass", verdict: "outside_limits" as const, start: "", end: "", seconds: 0 },
  ...{ readings: 1, parameter: null, unit: null, limit: null, limit_key: null, worst: null },
  ...{ worst_at: null, volume_m3: null, is_hidden: false },
  ...given,
});

const PORTS = ["Singapore", "Busan", "Rotterdam", "Santos", "Houston", "Yokohama"] as const;

/** Operations of some years one after the other, some with a bypass and some with a failure. */
export function someOperations(random: Random, count: number): readonly Operation[] {
  let at_ms = Date.parse("2025-03-01T06:00:00Z");
  return Array.from({ length: count }, (_, index) => {
    at_ms += random.between(14 * 60, 90 * 60) * MINUTE_MS;
    const minutes = random.between(180, 900);
    const start = new Date(at_ms).toISOString();
    at_ms += minutes * MINUTE_MS;
    const volume_m3 = minutes * random.between(10, 14);
    const isBypassed = index % 25 === 7;
    const isFailed = index % 25 === 16;
    const bypass = Math.round(minutes / 6);
    const raised = new Date(at_ms - HOUR_MS).toISOString();
    return anOperation({
      ...{ id: index + 1, start, end: new Date(at_ms).toISOString(), volume_m3 },
      operation_type: index % 2 === 0 ? "BALLAST" : "DEBALLAST",
      location: random.pick(PORTS),
      ...(isBypassed && {
        verdict: "outside_limits" as const,
        parts: partsFrom(start, [
          ["within_limits", bypass * 2, bypass * 24],
          ["bypassed", bypass, bypass * 12],
          ["within_limits", minutes - bypass * 3, volume_m3 - bypass * 36],
        ]),
      }),
      alerts: isFailed ? [{ id: index, code: "LPS_FAULT", source: "plc", raised }] : [],
    });
  });
}
