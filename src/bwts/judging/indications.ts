// Evidence that may help to explain an operation, never a finding: low UV with lamps at full power
// and a filter that clogs points to the water, low UV with falling lamps to the equipment. Pure.

import { HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import type { Indication } from "../operations/operation.ts";
import { wordOf } from "../plc-word.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import { type Breach, breachesOf } from "./breaches.ts";
import { backflushesOf, lampsOut } from "./counted.ts";
import type { RuleFinding } from "./findings.ts";
import type { Followed } from "./followed.ts";
import { type GatheredNumber, picked } from "./gathered.ts";

export interface FoundIndication extends Omit<Indication, "start" | "end"> {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Length of the time before low UV that it is compared with. */
const BEFORE_MS = HOUR_MS;
/** Minimum share of the commanded or previous power at which lamps are at full power. */
const POWER_KEPT = 0.95;
/** Loss of efficiency, in percentage points, from which lamps are failing. */
const EFFICIENCY_LOST = 2;
/** Factor by which the differential pressure of a clogging filter has risen. */
const DP_RISEN = 1.2;

interface IndicationsInput {
  readonly findings: readonly RuleFinding[];
  readonly type: string | null;
  /** Hours since the last cleaning when the operation began; null if unknown. */
  readonly hours_since_cip: number | null;
}

export function indicationsOf(
  readings: Followed,
  { findings, type, hours_since_cip }: IndicationsInput,
): readonly FoundIndication[] {
  const low = findings.filter(({ rule }) => rule === "uv_below_limit");
  const out = lampsOut(readings);
  return [
    ...low.flatMap((finding) => causeOf(readings, finding, out)),
    ...out.map(({ lamp, start_ms, end_ms }) => ({
      ...{ indication: "lamp_out" as const, start_ms, end_ms, evidence: { lamp } },
    })),
    ...(wordOf(type) === "DEBALLAST" ? [] : filterIndications(readings)),
    ...limitIndications(readings, {
      ...{ indication: "cabinet_hot", field: "LDC_AIR_TEMP", key: "cabinet_warn", unit: "degc" },
    }),
    ...cipIndications(readings, hours_since_cip),
  ].toSorted((one, other) => one.start_ms - other.start_ms);
}

type LowUv = Pick<RuleFinding, "start_ms" | "end_ms">;

/** The cause, from the means during low UV and in the hour before it. */
function causeOf(
  readings: Followed,
  low: LowUv,
  out: ReturnType<typeof lampsOut>,
): readonly FoundIndication[] {
  const during = meansIn(readings, low.start_ms, low.end_ms);
  const before = meansIn(readings, low.start_ms - BEFORE_MS, low.start_ms);
  const lamps = out.filter(
    (one) => one.start_ms < low.end_ms && one.end_ms > low.start_ms - BEFORE_MS,
  );
  const share = ratioOf(during.power, before.power) ?? ratioOf(during.power, during.setpoint);
  const lost =
    before.efficiency === null || during.efficiency === null
      ? null
      : before.efficiency - during.efficiency;
  const isFailing =
    lamps.length > 0 ||
    (share !== null && share < POWER_KEPT) ||
    (lost !== null && lost >= EFFICIENCY_LOST);
  const backflushes = backflushesIn(readings, low);
  const dp = ratioOf(during.dp, before.dp);
  const isClogging = (dp !== null && dp >= DP_RISEN) || (backflushes ?? 0) > 0;
  if (!isFailing && !(isClogging && share !== null)) return [];
  return [
    {
      indication: isFailing ? "failing_equipment" : "challenging_water",
      ...{ start_ms: low.start_ms, end_ms: low.end_ms },
      evidence: {
        intensity_mean_w_m2: tidied(during.intensity),
        power_mean_percent: tidied(during.power),
        power_mean_before_percent: tidied(before.power),
        efficiency_mean_percent: tidied(during.efficiency),
        efficiency_mean_before_percent: tidied(before.efficiency),
        dp_mean_bar: tidied(during.dp),
        dp_mean_before_bar: tidied(before.dp),
        ...{ backflushes, lamps_out: lamps.length },
      },
    },
  ];
}

const tidied = (value: number | null) => (value === null ? null : Math.round(value * 1e4) / 1e4);

function ratioOf(one: number | null, other: number | null): number | null {
  return one === null || other === null || other <= 0 ? null : one / other;
}

/** Means over readings of treated water from `start_ms` up to, not including, `end_ms`. */
function meansIn(readings: Followed, start_ms: number, end_ms: number) {
  const { at_ms, treated, count } = readings;
  const mean = (field: GatheredNumber): number | null => {
    const values = readings.numbers(field);
    let [sum, told] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      if (at_ms[index] < start_ms || at_ms[index] >= end_ms) continue;
      if (treated[index] === 0 || Number.isNaN(values[index])) continue;
      sum += values[index];
      told += 1;
    }
    return told === 0 ? null : sum / told;
  };
  return {
    intensity: mean("UVR_INTENSITY"),
    power: mean("UVR_POWER_OUTPUT"),
    setpoint: mean("UVR_POWER_SETPOINT"),
    efficiency: mean("AVG_LAMP_EFFICIENCY"),
    dp: mean("FLT_DIFF_PRESSURE"),
  };
}

function backflushesIn(readings: Followed, { start_ms, end_ms }: LowUv): number | null {
  const keep = Uint8Array.from({ length: readings.count }, (_, index) =>
    readings.at_ms[index] >= start_ms - BEFORE_MS && readings.at_ms[index] <= end_ms ? 1 : 0,
  );
  return backflushesOf(picked(readings, keep));
}

interface LimitedIndication {
  readonly indication: "cabinet_hot" | "filter_dp_high";
  readonly field: GatheredNumber;
  readonly key: "cabinet_warn" | "dp_warn";
  /** Suffix of the names of the evidence's members. */
  readonly unit: string;
}

/** Indications of a clogging filter. A backflush isn't one; a discharge bypasses the filter. */
function filterIndications(readings: Followed): readonly FoundIndication[] {
  return limitIndications(readings, {
    ...{ indication: "filter_dp_high", field: "FLT_DIFF_PRESSURE", key: "dp_warn", unit: "bar" },
  });
}

function limitIndications(
  readings: Followed,
  { indication, field, key, unit }: LimitedIndication,
): readonly FoundIndication[] {
  const sets = readings.limits.map(({ limits }) => limitAt(limits, key));
  const breaches = breachesOf(readings, {
    ...{ values: readings.numbers(field), side: "above" },
    limit: (index) => (readings.treated[index] === 1 ? sets[readings.set[index]] : null),
  });
  return breaches.filter(isTold).map((breach: Breach) => ({
    ...{ indication, start_ms: breach.start_ms, end_ms: breach.end_ms },
    evidence: {
      [`highest_${unit}`]: breach.worst,
      [`limit_${unit}`]: breach.limit?.value ?? null,
      readings: breach.readings,
    },
  }));
}

/**
 * True for a breach long enough to mention. The limit isn't a rule of the verdict, so one value
 * isn't enough.
 */
const isTold = ({ readings, covers_ms }: Breach) => readings >= 2 && covers_ms >= TOLD_MS;
const TOLD_MS = 30 * SECOND_MS;

const limitAt = (limits: ShownLimits, key: "cabinet_warn" | "dp_warn") => ({
  ...{ key: `limits.${key}`, value: limits[key] },
});

/** Indication that a cleaning was due when the operation began. */
function cipIndications(readings: Followed, hours: number | null): readonly FoundIndication[] {
  const limit_h = readings.limits[0].limits.cip_hours;
  if (hours === null || hours <= limit_h) return [];
  const { start_ms, end_ms } = readings;
  const evidence = { hours_since_cip_h: hours, limit_h };
  return [{ indication: "cip_due", start_ms, end_ms, evidence }];
}
