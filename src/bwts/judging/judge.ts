// Judges an operation whole, from its start to its stop, by the table of rules, and measures what
// else is told of it. With a void inside, it is judged twice: without the hidden readings, and as
// if nothing were hidden. Pure; docs/operations.md says what each member means.

import type {
  JudgedOperation,
  JudgingContext,
  OperationSpan,
  ReadingRun,
} from "../operations/judging.ts";
import { type SteadyTime, steadyTime } from "../operations/steady-time.ts";
import { allowedBeyond } from "./beyond-limits.ts";
import { gapsBefore } from "./cadence.ts";
import { isRealCleaning } from "./cleaning.ts";
import { clockDoubts, clockFindings } from "./clock-doubts.ts";
import { contradictedAt, unexplained } from "./contradicted.ts";
import { firstNumber } from "./counted.ts";
import { findingsOf, operationVerdict, untoldTime } from "./findings.ts";
import { type Followed, firstTold, followed, type SeenReadings } from "./followed.ts";
import { type GatheredReadings, gathered, picked } from "./gathered.ts";
import { indicationsOf } from "./indications.ts";
import { measuredVolume } from "./measured-volume.ts";
import { judgedRecord } from "./record.ts";
import { scansOf } from "./scans.ts";

/**
 * Judges one operation. `given` are all its readings, hidden ones too, both ends included; readings
 * outside of the span are left out. While it runs (`end_ms` null) its verdict is null.
 *
 * Measured: 0.6 us of processor time a reading from columns in memory (an operation of 86,400
 * readings, Node 24), and 4.4 us with reading them from a database of 864 operations of 24 h at
 * three minutes; to find these costs 1 us more.
 */
export function judged(
  span: OperationSpan,
  given: Iterable<ReadingRun>,
  around: JudgingContext,
): JudgedOperation {
  const steady = steadyTime(around.clock_steps);
  const runs = [...given];
  const all = within(gathered(steady.runs(runs)), span);
  const doubts = clockDoubts(span, { runs, all, around, steady });
  const isHidden = hiddenOf(all, around, steady);
  const times = { ...all, scans: scansOf(all) };
  const gaps = gapsBefore(times, around.usualCadence);
  const seen: SeenReadings = { all: times, isHidden, gaps, ...endsOf(span, all) };
  const type = span.operation_type ?? firstTold(all, isHidden, "operation_type");
  const visible = followed(seen, around, type);
  const twice = unexplained(around.contradictions, around.clock_steps);
  const contradictedIn = (readings: Followed) => contradictedAt(readings, twice, steady);
  const withHidden = isHidden.includes(1)
    ? followed({ ...seen, isHidden: new Uint8Array(all.count) }, around, type)
    : null;
  // Hidden readings can show as well that it is none.
  const cleaning = isRealCleaning(type, withHidden ?? visible, allowedBeyond(visible));
  const isCleaning = cleaning === true;
  const findingsIn = (readings: Followed) =>
    findingsOf(readings, {
      isCleaningDoubted: cleaning === null,
      contradicted: contradictedIn(readings),
      clock: clockFindings(readings, doubts, around.usualCadence),
      usualCadence: around.usualCadence,
      isWaterUnseen: span.remarks.some((one) => one === "water_unseen" || one === "never_ended"),
    });
  const findings = isCleaning ? [] : findingsIn(visible);
  const volume = measuredVolume(visible, around.usualCadence);
  const hours_since_cip = firstNumber(visible, "CIP_HOURS_SINCE_LAST") ?? around.hours_since_cip;
  const isJudged = !isCleaning && span.end_ms !== null;
  const found = withHidden === null || isCleaning ? [] : findingsIn(withHidden);
  const untold = untoldTime(visible, findings);
  const verdict = isJudged ? operationVerdict(findings, untold) : null;
  return judgedRecord({
    ...{ span, around, seen, steady, visible, type, isCleaning, volume, verdict },
    isContradicted: contradictedIn(visible) !== null,
    ...{ hours_since_cip, findings, untold, withHidden: found, clock_steps: doubts.steps },
    verdictWithHidden:
      isJudged && withHidden !== null
        ? operationVerdict(found, untoldTime(withHidden, found))
        : verdict,
    indications: isCleaning ? [] : indicationsOf(visible, { findings, type, hours_since_cip }),
  });
}

function within(all: GatheredReadings, { steady }: OperationSpan): GatheredReadings {
  const { start_ms } = steady;
  const last_ms = steady.end_ms ?? Number.POSITIVE_INFINITY;
  const keep = new Uint8Array(all.count);
  for (let index = 0; index < all.count; index += 1)
    if (all.at_ms[index] >= start_ms && all.at_ms[index] <= last_ms) keep[index] = 1;
  return picked(all, keep);
}

function hiddenOf(
  all: GatheredReadings,
  { voids }: JudgingContext,
  steady: SteadyTime,
): Uint8Array {
  const isHidden = new Uint8Array(all.count);
  if (voids.length === 0) return isHidden;
  for (let index = 0; index < all.count; index += 1) {
    const at_ms = steady.plc_ms(all.at_ms[index]);
    if (voids.some(({ start_ms, end_ms }) => at_ms >= start_ms && at_ms <= end_ms))
      isHidden[index] = 1;
  }
  return isHidden;
}

function endsOf({ steady: { start_ms, end_ms } }: OperationSpan, all: GatheredReadings) {
  const last_ms = all.count > 0 ? all.at_ms[all.count - 1] : start_ms;
  return {
    start_ms,
    end_ms: end_ms === null ? last_ms : Math.max(start_ms, end_ms),
    isRunning: end_ms === null,
  };
}
