// Writes the record of a judged operation: times as text, values with their units, the findings as
// reasons and parts with their volumes. Pure.

import { printTime, SECOND_MS } from "../../ground/clock.ts";
import { type ClockStep, stepAnswer } from "../clock-step.ts";
import type {
  JudgedOperation,
  JudgingContext,
  OperationSpan,
  UsualCadence,
} from "../operations/judging.ts";
import type { OperationReason, OperationVerdict, Remark } from "../operations/operation.ts";
import { OPERATION_FIELDS } from "../operations/operation-words.ts";
import { RULES_VERSION, type RuleId } from "../operations/rules.ts";
import { plcRange, type SteadyTime } from "../operations/steady-time.ts";
import type { TagName } from "../tags.ts";
import { backflushesOf, lampsOut, limitTimes, spreadOf, unitOf } from "./counted.ts";
import { type RuleFinding, ruleOf, type UntoldTime } from "./findings.ts";
import { edgeGaps, type Followed, firstTold, MODES, type SeenReadings } from "./followed.ts";
import type { FoundIndication } from "./indications.ts";
import type { MeasuredVolume } from "./measured-volume.ts";
import { operationParts } from "./parts.ts";
import { frozenAt, isValveContradicted } from "./sensors.ts";
import { isTrickling } from "./trickle.ts";

/** An operation after it was judged. */
export interface JudgedWhole {
  readonly span: OperationSpan;
  readonly around: JudgingContext;
  readonly seen: SeenReadings;
  readonly steady: SteadyTime;
  /** The steps of both clocks while it lasted. */
  readonly clock_steps: readonly ClockStep[];
  /** Its readings without hidden ones. */
  readonly visible: Followed;
  readonly type: string | null;
  readonly isCleaning: boolean;
  /** Hours since the last cleaning, from the PLC or, without them, from the stored cleaning. */
  readonly hours_since_cip: number | null;
  readonly volume: MeasuredVolume;
  /** True if copies in quarantine contradict readings of it. */
  readonly isContradicted: boolean;
  readonly findings: readonly RuleFinding[];
  readonly untold: UntoldTime;
  /** Findings with hidden readings included; none without a void. */
  readonly withHidden: readonly RuleFinding[];
  readonly verdict: OperationVerdict | null;
  readonly verdictWithHidden: OperationVerdict | null;
  readonly indications: readonly FoundIndication[];
}

interface JudgedInterval {
  readonly start_ms: number;
  readonly end_ms: number;
}

export function judgedRecord(whole: JudgedWhole): JudgedOperation {
  const { span, around, seen, visible, steady, clock_steps, volume, type, isCleaning } = whole;
  const time = timesBy(steady);
  const told = plcRange(span, clock_steps);
  const parts = isCleaning ? [] : operationParts(whole.findings, seen);
  const voids = around.voids.filter((one) => isTouching(one, told));
  const bypasses = parts.filter(({ part }) => part === "bypassed");
  return {
    ...{
      operation_type: type,
      location: span.location ?? firstTold(seen.all, seen.isHidden, "location"),
    },
    start: printTime(span.start_ms),
    end: span.end_ms === null ? null : printTime(span.end_ms),
    ...{ known_by: span.known_by, remarks: remarksOf(whole), verdict: whole.verdict },
    verdict_with_hidden: voids.length === 0 ? null : whole.verdictWithHidden,
    reasons: reasonsOf(whole, time),
    indications: whole.indications.map(({ indication, evidence, ...of }) => ({
      indication,
      ...ends(of, time),
      evidence,
    })),
    parts: parts.map(({ part, ...of }) => ({
      part,
      ...interval(of, time),
      volume_m3: volume.between(of.start_ms, of.end_ms),
    })),
    not_recorded: {
      seconds: whole.untold.untold_ms / SECOND_MS,
      of_seconds: whole.untold.of_ms / SECOND_MS,
    },
    ...{ volume_m3: volume.volume_m3, volume_source: volume.source },
    ...{ volume_totaliser_m3: volume.totaliser_m3, volume_flow_m3: volume.flow_m3 },
    volume_difference_percent: volume.difference_percent,
    mode: modeOf(visible),
    limits: limitTimes(visible, time),
    limits_source: sourcesOf(visible),
    ...{ rules_version: RULES_VERSION, readings: visible.count },
    readings_hidden: seen.all.count - visible.count,
    values: valuesOf(visible, isCleaning),
    lamps_out: lampsOut(visible).map(({ lamp, ...of }) => ({ lamp, ...interval(of, time) })),
    backflushes: backflushesOf(visible),
    bypass_seconds: bypasses.reduce((sum, one) => sum + secondsOf(one), 0),
    hours_since_cip: whole.hours_since_cip,
    alerts: around.alerts
      .filter(({ raised_ms }) => isTouching({ start_ms: raised_ms, end_ms: raised_ms }, told))
      .map(({ id, code, source, raised_ms }) => ({
        ...{ id, code, source, raised: printTime(raised_ms) },
      })),
    gaps: gapsIn(seen, around.usualCadence).map((of) => interval(of, time)),
    clock_steps: clock_steps.map((step) => {
      const { at, clock, seconds } = stepAnswer(step);
      return { at, clock, seconds };
    }),
    voids: voids.map(({ id, start_ms, end_ms, reason }) => ({
      ...{ id, start: printTime(start_ms), end: printTime(end_ms), reason },
      readings: readingsIn(seen, steady, { start_ms, end_ms }),
    })),
  };
}

type PrintedBy = (at_ms: number) => string;
const timesBy =
  ({ plc_ms }: SteadyTime): PrintedBy =>
  (at_ms) =>
    printTime(plc_ms(at_ms));

const secondsOf = ({ start_ms, end_ms }: JudgedInterval) => (end_ms - start_ms) / SECOND_MS;
const ends = ({ start_ms, end_ms }: JudgedInterval, time: PrintedBy) => ({
  start: time(start_ms),
  end: time(end_ms),
});
const interval = (of: JudgedInterval, time: PrintedBy) => ({
  ...ends(of, time),
  seconds: secondsOf(of),
});

function isTouching(
  one: JudgedInterval,
  { start_ms, end_ms }: Pick<OperationSpan, "start_ms" | "end_ms">,
): boolean {
  return one.end_ms >= start_ms && (end_ms === null || one.start_ms <= end_ms);
}

function readingsIn(
  { all }: SeenReadings,
  steady: SteadyTime,
  { start_ms, end_ms }: JudgedInterval,
): number {
  const times = all.at_ms.subarray(0, all.count).map((at_ms) => steady.plc_ms(at_ms));
  return times.filter((at_ms) => at_ms >= start_ms && at_ms <= end_ms).length;
}

function remarksOf(whole: JudgedWhole): Remark[] {
  const { span, seen, visible, volume } = whole;
  const { start_ms, end_ms } = span;
  const month = (at_ms: number) => printTime(at_ms).slice(0, 7);
  const hasRule = (...rules: readonly RuleId[]) =>
    whole.findings.some(({ rule }) => rules.includes(rule));
  const found: readonly (readonly [Remark, boolean])[] = [
    ["crosses_month", end_ms !== null && month(start_ms) !== month(end_ms)],
    ["clock_stepped", whole.clock_steps.length > 0 || span.isStopDoubted],
    ["clock_untrusted", visible.untrusted.subarray(0, visible.count).includes(1)],
    ["volume_differs", volume.differs],
    ["volume_unclear", volume.isUnclear],
    ["totaliser_reset", volume.isReset],
    ["totaliser_odd", volume.isOdd],
    ["totaliser_stands", volume.stands],
    ["trickle", !whole.isCleaning && isTrickling(visible)],
    ["implausible_values", visible.doubted.subarray(0, visible.count).some((bits) => bits !== 0)],
    [
      "sensor_frozen",
      hasRule("uv_frozen") ||
        (!whole.isCleaning && frozenAt(visible, "SYS_FLOW_RATE", visible).includes(1)),
    ],
    [
      "sensor_contradicted",
      hasRule("light_without_lamps", "flow_contradicted") ||
        (!whole.isCleaning && isValveContradicted(visible)),
    ],
    ["readings_contradicted", whole.isContradicted],
    ["readings_hidden", seen.isHidden.includes(1)],
  ];
  return [...span.remarks, ...found.flatMap(([remark, holds]) => (holds ? [remark] : []))];
}

/** Reasons by visible readings, and those for which hidden readings are needed. */
function reasonsOf(whole: JudgedWhole, time: PrintedBy): OperationReason[] {
  const { findings, withHidden, volume } = whole;
  const isShown = (one: RuleFinding) =>
    findings.some(
      (other) =>
        other.rule === one.rule && other.start_ms <= one.start_ms && other.end_ms >= one.end_ms,
    );
  const hidden = withHidden.filter(
    (one) => ruleOf(one).verdict === "outside_limits" && !isShown(one),
  );
  return [
    ...findings.map((finding) => ({ finding, is_hidden: false })),
    ...hidden.map((finding) => ({ finding, is_hidden: true })),
  ]
    .toSorted((one, other) => one.finding.start_ms - other.finding.start_ms)
    .map(({ finding, is_hidden }) => {
      const { rule, verdict, parameter } = ruleOf(finding);
      const { worst, worst_ms, limit, readings, start_ms, end_ms } = finding;
      return {
        ...{ rule, verdict, ...ends(finding, time), seconds: finding.covers_ms / SECOND_MS },
        ...{ readings, parameter },
        unit: parameter === null ? null : unitOf(parameter),
        ...{ limit: limit?.value ?? null, limit_key: limit?.key ?? null, worst },
        worst_at: worst_ms === null || worst === null ? null : time(worst_ms),
        ...{ volume_m3: volume.between(start_ms, end_ms), is_hidden },
      };
    });
}

/** The mode of most readings while water was treated. */
function modeOf({ treated, mode, count }: Followed) {
  const counts = MODES.map(() => 0);
  for (let index = 0; index < count; index += 1) if (treated[index] === 1) counts[mode[index]] += 1;
  const most = Math.max(...counts.slice(1));
  return most === 0 ? null : MODES[counts.indexOf(most, 1)];
}

function sourcesOf({ limits }: Followed): string {
  return [...new Set(limits.map((one) => one.limits.source))].join("; then ");
}

/** Values of the treatment itself: over treated water only; of a cleaning, over all of it. */
const WHILE_TREATING: readonly TagName[] = ["UVR_INTENSITY", "SYS_FLOW_RATE", "UVR_POWER_OUTPUT"];

function valuesOf(visible: Followed, isCleaning: boolean): JudgedOperation["values"] {
  const [UVR_INTENSITY, SYS_FLOW_RATE, UVR_POWER_OUTPUT, ...others] = OPERATION_FIELDS.map(
    (field) => spreadOf(visible, field, !isCleaning && WHILE_TREATING.includes(field)),
  );
  const [SYS_PRESSURE, UVR_WATER_TEMP, FLT_DIFF_PRESSURE, LDC_AIR_TEMP] = others;
  return {
    ...{ UVR_INTENSITY, SYS_FLOW_RATE, UVR_POWER_OUTPUT },
    ...{ SYS_PRESSURE, UVR_WATER_TEMP, FLT_DIFF_PRESSURE, LDC_AIR_TEMP },
  };
}

/** Distances without a reading, hidden or not. */
function gapsIn(seen: SeenReadings, usualCadence: UsualCadence): readonly JudgedInterval[] {
  const { all, gaps, start_ms, end_ms, isRunning } = seen;
  const { count, at_ms } = all;
  const edges = edgeGaps(seen, usualCadence);
  const found: JudgedInterval[] = [];
  if (edges.atStart) found.push({ start_ms, end_ms: count > 0 ? at_ms[0] : end_ms });
  for (const [index, gap] of gaps.entries())
    if (gap === 1) found.push({ start_ms: at_ms[index - 1], end_ms: at_ms[index] });
  if (edges.atEnd && !isRunning) found.push({ start_ms: at_ms[count - 1], end_ms });
  return found;
}
