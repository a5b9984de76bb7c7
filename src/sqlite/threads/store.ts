// Commits a batch of messages: readings, events, records and quarantine are written in one
// transaction, or not at all. The sums of hours and days aren't included: they change when readings
// are sealed (src/sqlite/sealed/sums.ts). Runs in the writer's thread. All calls are synchronous,
// so nothing can happen between begin and commit.

import type { Act } from "../../bwts/audit.ts";
import type { Message } from "../../bwts/message.ts";
import { type Spans, spansOf } from "../../bwts/plausible.ts";
import type { Reading } from "../../bwts/reading.ts";
import { type BoxClocks, boxClocks } from "../../ground/clock.ts";
import type { ImportedReading, RefusedLine } from "../../payload/import.ts";
import { openDueList } from "../derived/due.ts";
import { rejectOf, takeHalving } from "../file/faults.ts";
import type { Connection } from "../file/open.ts";
import { write } from "../file/open.ts";
import { openAlarms } from "../records/alarms.ts";
import { openClockTrust } from "../records/clock-trust.ts";
import { openClockWatch } from "../records/clock-watch.ts";
import { openQuarantine, type QuarantineRoom } from "../records/quarantine.ts";
import { openReceipts } from "../records/receipts.ts";
import { openRecordStore } from "../records/records.ts";
import { type FlushResult, openReadingStore } from "../sealed/readings.ts";
import { type ExpiryResult, expireReadings, type KeepResult } from "../sealed/retention.ts";
import { openSealer } from "../sealed/seal.ts";
import { openTagNames } from "../sealed/tag-names.ts";
import { rawFrom } from "../sealed/timeline.ts";
import { isVoided, voidedSpans } from "../sealed/voids.ts";
import { asideOf } from "./aside.ts";
import { openBucketRepair } from "./bucket-repair.ts";
import { type ImportBatch, openImport } from "./import.ts";
import {
  type BatchResult,
  countsOf,
  type IngestOptions,
  type IngestResult,
  openIngest,
  type Taking,
} from "./ingest.ts";
import { type Operations, openOperations } from "./operations.ts";
import {
  openReplay,
  PAGE_ENTRIES,
  type ReplayChoice,
  type ReplayContext,
  type ReplayStep,
} from "./replay.ts";
import type { EntryProgress } from "./replay-entry.ts";
import { changeSpans } from "./span-change.ts";
import type { StepLimits } from "./steps.ts";
import { openVoidWrites } from "./void-writes.ts";
import { openVoiding, type Voiding } from "./voiding.ts";

/** The store's settings. */
export interface StoreOptions extends IngestOptions {
  readonly quarantine_max_bytes: number;
  /** Time of this build; before it the clock isn't trusted. */
  readonly built_ms: number;
  /** The clocks to watch; the machine's by default. */
  readonly clocks?: BoxClocks;
  /** The plausible values of each field; by default the catalogue's. */
  readonly spans?: Spans;
}

/** The result of a step of a replay, with its counts as a commit. */
export interface ReplayResult extends ReplayStep {
  readonly batch: BatchResult;
}

/** The result of a step: the number of finished messages, and the position in the next one. */
export interface CommitStep extends Pick<IngestResult, "done" | "progress"> {
  readonly result: BatchResult;
}

export interface Store extends Operations {
  /**
   * Stores as many messages of a batch as fit until `isLate`, in one transaction. Throws, with
   * nothing changed, if it can't be committed.
   */
  commitUntil(isLate: () => boolean, batch: readonly Taking[]): CommitStep;
  /** Quarantines a message on which `commitUntil` failed with `error`. */
  setAside(message: Message, error: unknown): BatchResult;
  /** True if the clock can be right: not before this build, nor before the newest receipt. */
  trustsClock(now_ms: number): boolean;
  /** Time of the newest receipt; null before the first. */
  newestReceipt(): number | null;
  /** Stores readings of a file in one transaction. */
  importReadings(batch: readonly (ImportedReading | RefusedLine)[], now_ms: number): ImportBatch;
  /** Replays the next quarantine entries in one transaction; a long entry in part. */
  replay(asked: ReplayChoice, act: Act, progress?: EntryProgress | null): ReplayResult;
  /** Returns the result that `replay` would have, and changes nothing. */
  tryReplay(asked: ReplayChoice, act: Act, progress?: EntryProgress | null): ReplayResult;
  readonly voiding: Voiding;
  /** Seals a segment if there are enough readings, or repairs; true if there may be more. */
  sealFull(): boolean;
  /** Seals a segment of readings that were hot for 24 hours; true if there are more. */
  sealOld(now_ms: number): boolean;
  /** The reason why sealing is stuck; null while it isn't. */
  sealing(): string | null;
  /** Number of stored names of unknown tags. */
  tagNames(): number;
  quarantineRoom(): QuarantineRoom;
  /** Expires raw readings older than `months` before the newest; null when there are none. */
  expire(months: number): Generator<void, ExpiryResult | KeepResult | null>;
}

/** Counts of a commit that stores nothing. */
const NOTHING = { quarantined: 0, repeated: 0, events: 0, aside: [] } as const;

/** Rolls back a transaction whose result is still used. */
class NotForKeeps extends Error {}

/**
 * Opens the store. `floor` is called before each write and throws if none is allowed. `report` is
 * called with internal errors that were survived.
 */
export function openStore(
  db: Connection,
  options: StoreOptions,
  floor = () => {},
  report: (problem: string) => void = () => {},
): Store {
  const parts = openParts(db, options);
  changeSpans(db, options.spans ?? spansOf({ flow_max_imo: 1000 }), parts.due);
  const { clock } = parts;
  const clocks = options.clocks ?? boxClocks;
  const sealer = openSealer(db, report);
  const repair = oneByOne([openBucketRepair(db), parts.due.repair]);
  // Only this thread changes the voids, so a commit needn't read them.
  let voided = voidedSpans(db);
  const isVisible = ({ at_ms }: { readonly at_ms: number }) => !isVoided(voided, at_ms);
  const transactions = openTransactions(db, { ...parts, isVisible }, options);
  let raw_from_ms = rawFrom(db);

  /** Carries out a transaction on readings. */
  const change = <Result>(transaction: Transaction<Result>): Result => {
    floor();
    const { result, flushed } = write(db, transaction);
    if (flushed !== null) sealer.added(flushed);
    return result;
  };
  const replayed = (
    run: (transaction: Transaction<ReplayResult>) => ReplayResult,
    ...[asked, act, progress = null]: Parameters<Store["replay"]>
  ): ReplayResult =>
    takeHalving(PAGE_ENTRIES, {
      take: (limit) => run(() => transactions.replay(asked, { act, raw_from_ms, limit, progress })),
      leave: (error) => run(() => transactions.leave(asked, act, error)),
    });
  const voiding = openVoiding(openVoidWrites(db, parts), (transaction) => {
    const result = change(() => ({ result: transaction(), flushed: null }));
    voided = voidedSpans(db);
    return result;
  });

  return {
    trustsClock: clock.trusts,
    newestReceipt: () => clock.newest_ms() || null,
    commitUntil: (isLate, batch) =>
      change(() => transactions.commit(batch, { isLate, raw_from_ms })),
    setAside: (message, error) => change(() => transactions.setAside(message, error)),
    importReadings: (lines, now_ms) =>
      change(() => transactions.importReadings(lines, { now_ms, raw_from_ms })),
    replay: (...asked) => replayed(change, ...asked),
    tryReplay: (...asked) => replayed((transaction) => tried(change, transaction), ...asked),
    voiding,
    sealFull: () => sealer.sealFull() || repair(),
    sealOld: sealer.sealOld,
    sealing: sealer.problem,
    tagNames: parts.names.count,
    quarantineRoom: parts.quarantine.room,
    expire: (months) =>
      expire(db, parts, {
        clocks,
        months,
        expired(step) {
          ({ raw_from_ms } = step);
        },
      }),
    ...openOperations(db, { ...parts, floor, system_id: options.system_id }),
  };
}

/** Does a step of the first unfinished work; false when all is done. */
function oneByOne(works: (() => boolean)[]): () => boolean {
  return () => {
    while (works.length > 0 && !works[0]()) works.shift();
    return works.length > 0;
  };
}

function openParts(db: Connection, options: StoreOptions) {
  const clock = openClockTrust(db, options.built_ms);
  const due = openDueList(db);
  const names = openTagNames(db);
  const watch = openClockWatch(db, clock, options.clocks ?? boxClocks);
  return {
    names,
    readings: openReadingStore(db, names, (instants) => due.changed({ of: "readings", instants })),
    receipts: openReceipts(db, options.clocks ?? boxClocks),
    records: openRecordStore(db),
    quarantine: openQuarantine(db, options.quarantine_max_bytes),
    alarms: openAlarms(db, () => watch.plcOffset_ms() ?? 0),
    due,
    clock,
    watch,
  };
}

function* expire(
  db: Connection,
  { clock, watch, names }: ReturnType<typeof openParts>,
  {
    clocks,
    ...given
  }: { readonly clocks: BoxClocks } & Pick<
    Parameters<typeof expireReadings>[1],
    "months" | "expired"
  >,
): Generator<void, ExpiryResult | KeepResult | null> {
  watch.look();
  const at_ms = clocks.now_ms();
  const now_ms = clock.trusts(at_ms) ? at_ms : null;
  const expired = yield* expireReadings(db, { ...given, now_ms, lived_ms: watch.lived_ms() });
  if (expired === null || "kept" in expired) return expired;
  write(db, () => names.expire(expired.raw_from_ms));
  return expired;
}

/** The operations within a transaction on readings, and their changes to readings. */
function openTransactions(
  db: Connection,
  parts: ReturnType<typeof openParts> & { isVisible: (reading: Reading) => boolean },
  options: StoreOptions,
) {
  const { readings, quarantine, clock } = parts;
  const ingest = openIngest(parts, options);
  const importAll = openImport(parts);
  const replay = openReplay(db, parts, options);

  /** Writes the readings of a batch, and adds their counts to the result. */
  const flush = <Rest extends object>(rest: Rest) => {
    const flushed = readings.flush();
    return { result: { ...rest, ...countsOf(flushed, parts.isVisible) }, flushed };
  };
  const replayDone = (step: ReplayStep, act: Act) => {
    const { result, flushed } = flush({ ...NOTHING, clock_trusted: clock.trusts(act.at_ms) });
    return { result: { ...step, batch: result }, flushed };
  };
  return {
    commit(batch: readonly Taking[], limits: StepLimits) {
      const { ingested, done, progress } = ingest(batch, limits);
      const { result, flushed } = flush(ingested);
      return { result: { result, done, progress }, flushed };
    },
    importReadings(
      lines: readonly (ImportedReading | RefusedLine)[],
      { now_ms, raw_from_ms }: { readonly now_ms: number; readonly raw_from_ms: number },
    ) {
      const { system_id } = options;
      const context = { received_ms: now_ms, clock_trusted: clock.trusts(now_ms), system_id };
      const done = importAll(lines, { ...context, raw_from_ms });
      for (const reading of done.flushed.hot) clock.received(reading.received_ms);
      return done;
    },
    setAside(message: Message, error: unknown) {
      const { received_ms } = message;
      const clock_trusted = clock.trusts(received_ms);
      const receipt = { received_ms, clock_trusted, system_id: options.system_id };
      const rejects = [rejectOf(error)];
      quarantine.add(message, rejects, receipt);
      clock.received(received_ms);
      const aside = [asideOf(message, rejects, { sent_ms: null, taken: 0 })];
      return flush({ ...NOTHING, quarantined: 1, aside, clock_trusted });
    },
    replay: (asked: ReplayChoice, around: ReplayContext) =>
      replayDone(replay.next(asked, around), around.act),
    leave: (asked: ReplayChoice, act: Act, error: unknown) =>
      replayDone({ entries: replay.leave(asked, act, error), progress: null }, act),
  };
}

type Transaction<Result> = () => { readonly result: Result; readonly flushed: FlushResult | null };

/** The result that a transaction would have. */
function tried<Result>(
  change: (transaction: Transaction<never>) => never,
  transaction: Transaction<Result>,
): Result {
  const results: Result[] = [];
  try {
    change(() => {
      results.push(transaction().result);
      throw new NotForKeeps();
    });
  } catch (error) {
    if (!(error instanceof NotForKeeps)) throw error;
  }
  return results[0];
}
