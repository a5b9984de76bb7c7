// Watches the box's clock and the PLC's, and keeps each step in memory until it is written. Of the
// offset, only the value for the start of the next run is on disk, so that a commit costs no page
// for it.

import { type Act, BY_SELF } from "../../bwts/audit.ts";
import { type ClockStep, stepAnswer } from "../../bwts/clock-step.ts";
import {
  type LiveTime,
  openPlcClock,
  openTwoClocks,
  type PlcOffset,
  type TwoClocks,
} from "../../bwts/plc-clock.ts";
import { type BoxClocks, HOUR_MS, openBoxClock, printTime } from "../../ground/clock.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare, register } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { AuditLog } from "./audit.ts";
import {
  agrees,
  BOX_BACK,
  type ClockTrust,
  openLivedTime,
  wrongReceiptsReason,
} from "./clock-trust.ts";

/** The state of the PLC's and the box's clock. */
export interface ClockState {
  readonly plc: PlcOffset | null;
  /** The clocks by which readings come in turn; null if there is one. */
  readonly two: TwoClocks | null;
  /** The reason why the box's clock isn't trusted; null if it is. */
  readonly problem: string | null;
}

export interface ClockWatch {
  /** Reads the box's clock. Call it before receipts are compared with the clock. */
  look(): void;
  /** Notes the times of a live reading, in the transaction that stores it. */
  saw(live: LiveTime): void;
  /** The latest time that is certain; see LivedTime. */
  lived_ms(): number;
  /** True if `record` would write something. */
  hasNews(): boolean;
  /** Writes the steps found since the last call, in the caller's transaction. */
  record(log: AuditLog): readonly ClockStep[];
  state(): ClockState;
  /** The PLC's clock less the box's, of the run before until this one tells; null if unknown. */
  plcOffset_ms(): number | null;
}

/** Name of the mark of the PLC's settled offset, ms. */
export const PLC_OFFSET = "plc_offset_ms";
/** Mark of the PLC's offset; it is written again after a change by `within_ms`. */
const SETTLED_MARK = { name: PLC_OFFSET, within_ms: 2001 };
/** Mark of the latest certain time; it is written again after `within_ms`. */
const LIVED_MARK = { name: "lived_ms", within_ms: HOUR_MS };

const FOUND = {
  start: "at the start, against the newest receipt on disk",
  steady: "against the steady clock",
  live: "by live readings",
  since: "by live readings, against the run before: it may have been the box's clock",
} as const;

export function openClockWatch(db: Connection, trust: ClockTrust, clocks: BoxClocks): ClockWatch {
  const settledMark = openClockMark(db, SETTLED_MARK);
  const plc = openPlcClock(settledMark.stored_ms());
  const boxStep = openBoxClock(clocks);
  const livedMark = openClockMark(db, LIVED_MARK);
  const lived = openLivedTime(
    { began_ms: livedMark.stored_ms() ?? firstLived(trust, clocks), built_ms: trust.built_ms },
    clocks,
  );
  const two = openTwoClocks();
  const steps = openWaitingSteps(db, { plc, two, clocks });
  const back = openBoxBack(db, trust, plc.offset);
  const stepped = (step: ClockStep) => {
    back.stepped(step.to_ms - step.from_ms);
    steps.note(step);
  };

  /** The reason to disown receipts dated after now; null if there is none. */
  const regained = () =>
    wrongReceiptsReason({
      now_ms: clocks.now_ms(),
      built_ms: trust.built_ms,
      newest_receipt_ms: trust.newest_ms(),
      lived_ms: lived.at_ms(),
      plc: plc.offset(),
      steady_for_ms: steps.steady_for_ms(),
    });

  const behind = stepAtStart(db, trust, clocks.now_ms());
  if (behind !== null) stepped(behind);

  return {
    look() {
      const by_ms = boxStep();
      const at_ms = clocks.now_ms();
      lived.look(trust.trusts(at_ms));
      if (by_ms === 0) return back.look();
      const found = FOUND.steady;
      stepped({ at_ms, clock: "box", from_ms: at_ms - by_ms, to_ms: at_ms, found });
    },
    saw: steps.saw,
    lived_ms: lived.at_ms,
    hasNews: () =>
      steps.waiting().length > 0 ||
      settledMark.isNews(plc.settled_ms()) ||
      livedMark.isNews(lived.at_ms()) ||
      back.isNews() ||
      regained() !== null,
    record(log) {
      settledMark.put(plc.settled_ms());
      livedMark.put(lived.at_ms());
      back.put();
      const reason = regained();
      if (reason !== null)
        disownReceipts(trust, log, { ...BY_SELF, at_ms: clocks.now_ms(), reason });
      const clock_trusted = trust.trusts(clocks.now_ms());
      return steps.record(log, { clock_trusted });
    },
    plcOffset_ms: plc.settled_ms,
    state: () => {
      const problem = trust.problem(clocks.now_ms());
      return { plc: plc.offset(), two: two.now(), problem };
    },
  };
}

/** Remembers a step back of the box's clock until the PLC's clock confirms that it is right. */
function openBoxBack(db: Connection, trust: ClockTrust, plc: () => PlcOffset | null) {
  const mark = openClockMark(db, { name: BOX_BACK, within_ms: 1 });
  let before_ms: number | null = null;
  // The value to store; null while the mark was never needed.
  const now_ms = () =>
    trust.back_ms() === 0 && mark.stored_ms() === null ? null : trust.back_ms();
  return {
    stepped(by_ms: number) {
      if (trust.back_ms() === 0) before_ms = plc()?.offset_ms ?? null;
      trust.boxStepped(by_ms);
    },
    look() {
      if (trust.back_ms() > 0 && agrees(plc(), before_ms)) trust.confirm();
    },
    isNews: () => mark.isNews(now_ms()),
    put: () => mark.put(now_ms()),
  };
}

/** Steps of both clocks that were found, but aren't written yet. */
function openWaitingSteps(
  db: Connection,
  {
    plc,
    two,
    clocks,
  }: {
    readonly plc: ReturnType<typeof openPlcClock>;
    readonly two: ReturnType<typeof openTwoClocks>;
    readonly clocks: BoxClocks;
  },
) {
  let steady_since_ms = clocks.steady_ms();
  const waiting: ClockStep[] = [];
  let recorded = 0;
  let seen: LiveTime[] = [];
  const note = (step: ClockStep) => {
    waiting.push(step);
    steady_since_ms = clocks.steady_ms();
    if (step.clock !== "box") return;
    for (const watch of [plc, two]) watch.boxStepped(step.to_ms - step.from_ms);
  };
  const compare = (live: LiveTime) => {
    two.saw(live);
    const step = plc.saw(live);
    if (step === null) return;
    const { isSinceLastRun, ...times } = step;
    note({ ...times, clock: "plc", found: isSinceLastRun ? FOUND.since : FOUND.live });
  };
  register(db, {
    keep() {
      waiting.splice(0, recorded);
      recorded = 0;
      for (const live of seen) compare(live);
      seen = [];
    },
    // After a rollback the messages come again, and their times with them.
    forget() {
      recorded = 0;
      seen = [];
    },
  });
  return {
    note,
    saw(live: LiveTime) {
      seen.push(live);
    },
    waiting: (): readonly ClockStep[] => waiting,
    /** Time since the last step of either clock. */
    steady_for_ms: () => clocks.steady_ms() - steady_since_ms,
    record(log: AuditLog, { clock_trusted }: { readonly clock_trusted: boolean }) {
      for (const step of waiting) {
        prepare(db, "clock.add").run(step);
        const detail = stepAnswer(step);
        log.add({ ...BY_SELF, at_ms: step.at_ms, kind: "clock_step", detail }, { clock_trusted });
      }
      recorded = waiting.length;
      return [...waiting];
    },
  };
}

/** The lived time of the first run: the newest receipt, or the clock if that is earlier. */
function firstLived(trust: ClockTrust, { now_ms }: BoxClocks): number {
  return Math.min(trust.newest_ms() || now_ms(), now_ms());
}

/** Disowns receipts after `act.at_ms`, with an entry in the audit log; returns their range. */
export function disownReceipts(
  trust: ClockTrust,
  log: AuditLog,
  { reason, ...act }: Act & { readonly reason: string },
): ClosedRange {
  const range = trust.disown({ at_ms: act.at_ms, reason });
  const detail = { from: printTime(range.start_ms), to: printTime(range.end_ms), reason };
  log.add({ ...act, kind: "disowned", detail }, { clock_trusted: trust.trusts(act.at_ms) });
  return range;
}

/**
 * The step found at the start: a clock that is behind the newest receipt was set back, or its
 * battery is empty.
 */
function stepAtStart(db: Connection, trust: ClockTrust, at_ms: number): ClockStep | null {
  const from_ms = trust.newest_ms();
  if (at_ms >= from_ms) return null;
  const known = prepare(db, "clock.newest_found");
  if (known.get({ found: FOUND.start })?.from_ms === from_ms) return null;
  return { at_ms, clock: "box", from_ms, to_ms: at_ms, found: FOUND.start };
}

export interface ClockMark {
  /** The value as of the last commit. */
  stored_ms(): number | null;
  /** True if `value_ms` differs enough from the stored value to be written. */
  isNews(value_ms: number | null): boolean;
  /** Writes the value in the caller's transaction. */
  put(value_ms: number | null): void;
}

function openClockMark(
  db: Connection,
  { name, within_ms }: { readonly name: string; readonly within_ms: number },
): ClockMark {
  const markAt = prepare(db, "mark.at");
  let stored_ms = markAt.get({ name })?.value ?? null;
  let written_ms: number | null = null;
  register(db, {
    keep() {
      stored_ms = written_ms ?? stored_ms;
      written_ms = null;
    },
    forget() {
      written_ms = null;
    },
  });
  const isNews = (value_ms: number | null): value_ms is number =>
    value_ms !== null && (stored_ms === null || Math.abs(value_ms - stored_ms) >= within_ms);
  return {
    stored_ms: () => stored_ms,
    isNews,
    put(value_ms) {
      if (!isNews(value_ms)) return;
      putMark(db, name, value_ms);
      written_ms = value_ms;
    },
  };
}
