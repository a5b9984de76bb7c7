// What a batch of messages does to the database: one transaction in which readings, buckets,
// events, records and quarantine are written together or not at all. Runs in the writer's thread;
// nothing here is asynchronous, so nothing can come between begin and commit.

import type { Event } from "../bwts/event.ts";
import type { Message } from "../bwts/message.ts";
import { type AuditedWrites, openAuditedWrites } from "./audited-writes.ts";
import { type ClockTrust, openClockTrust } from "./clock-trust.ts";
import { saveHealthOf } from "./health-days.ts";
import { type DueSlot, type HealthDue, openHealthDue } from "./health-due.ts";
import { type Imported, type ImportedReading, openImport, type Refused } from "./import.ts";
import { type BatchResult, type IngestOptions, openIngest } from "./ingest.ts";
import { type Connection, prepare, statementText } from "./open.ts";
import { openQuarantine } from "./quarantine.ts";
import { type Flushed, openReadingStore } from "./readings.ts";
import { openReceipts } from "./receipts.ts";
import { openRecordStore, type RecordStore } from "./records.ts";
import { type Expired, expireReadings } from "./retention.ts";
import type { ScoredSlot } from "./scoring.ts";
import { openSealer } from "./seal.ts";
import { rawFrom } from "./timeline.ts";

/** How the store reads and judges messages. */
export interface StoreOptions extends IngestOptions {
  readonly quarantine_max_bytes: number;
  /** The clock isn't trusted before this. */
  readonly built_ms: number;
}

export interface JobRun {
  readonly job: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly result: string;
}

export interface Store extends AuditedWrites {
  /**
   * Stores a batch in one transaction. Throws, with nothing changed, when it can't be committed.
   */
  commit(messages: readonly Message[]): BatchResult;
  /** Whether the clock can be right: not before this build, nor before the newest receipt. */
  trustsClock(now_ms: number): boolean;
  /** Stores readings of a file in one transaction, as `commit` does messages. */
  importReadings(batch: readonly (ImportedReading | Refused)[], now_ms: number): Imported;
  /** Seals one segment if there is enough for it; true if there may be more. */
  sealFull(): boolean;
  /** Seals what has been hot for 24 hours. */
  sealOld(now_ms: number): void;
  /** Stores an event of ballastd's own. */
  addEvent(event: Event, received_ms: number): void;
  /** Expires raw readings older than `months` before the newest; null when there are none. */
  expire(months: number): Expired | null;
  /** The oldest slots to be scored that ended by `closed_ms`. */
  dueSlots(closed_ms: number): readonly DueSlot[];
  saveHealth(slots: readonly ScoredSlot[]): void;
  recordJob(run: JobRun): void;
  /** Empties the write-ahead log, gives empty pages back, and forgets what is no longer needed. */
  tidy(now_ms: number): void;
}

/** Slots scored in one go; a ship's 24 months of slots are caught up with in many. */
export const SCORED_MAX = 200;

/**
 * `floor` is called before each write and throws where nothing may be written; `report` is told of
 * faults of our own that were got around.
 */
export function openStore(
  db: Connection,
  options: StoreOptions,
  floor = () => {},
  report: (problem: string) => void = () => {},
): Store {
  const parts = {
    readings: openReadingStore(db),
    receipts: openReceipts(db),
    records: openRecordStore(db),
    quarantine: openQuarantine(db, options.quarantine_max_bytes),
    clock: openClockTrust(db, options.built_ms),
  };
  const { readings, clock } = parts;
  const due = openHealthDue(db);
  const sealer = openSealer(db, report);
  const ingest = openIngest(parts, options);
  const importAll = openImport(db, { readings, due });
  let raw_from_ms = rawFrom(db);

  const commitBatch = db.transaction((messages: readonly Message[]) => {
    const ingested = ingest(messages, raw_from_ms);
    const flushed = readings.flush();
    due.mark(flushed.touched);
    const newest_ms = flushed.touched.at(-1)?.at_ms ?? null;
    return { result: { ...ingested, readings: flushed.new_count, newest_ms }, flushed };
  });
  const importBatch = (lines: readonly (ImportedReading | Refused)[], received_ms: number) => {
    const { system_id } = options;
    const clock_trusted = clock.trusts(received_ms);
    const done = importAll(lines, { received_ms, clock_trusted, system_id, raw_from_ms });
    for (const reading of done.flushed.hot) clock.received(reading.received_ms);
    return done;
  };

  /** Carries out a transaction on readings; one that fails leaves nothing behind in memory. */
  const write = <Result>(transaction: () => { result: Result; flushed: Flushed }): Result => {
    floor();
    try {
      const { result, flushed } = transaction();
      due.keep();
      clock.keep();
      sealer.added(flushed.hot);
      return result;
    } catch (error) {
      for (const part of [readings, parts.quarantine, due, clock]) part.forget();
      throw error;
    }
  };

  return {
    trustsClock: clock.trusts,
    commit: (messages) => write(() => commitBatch(messages)),
    importReadings: (lines, now_ms) => write(() => importBatch(lines, now_ms)),
    sealFull: sealer.sealFull,
    sealOld: sealer.sealOld,
    expire(months) {
      const expired = expireReadings(db, months);
      raw_from_ms = expired?.raw_from_ms ?? raw_from_ms;
      return expired;
    },
    dueSlots: (closed_ms) => due.closed(closed_ms, SCORED_MAX),
    ...openAuditedWrites(db, { clock, floor }),
    ...openSmallWrites(db, { ...parts, due, floor, system_id: options.system_id }),
    tidy(now_ms) {
      parts.receipts.prune(now_ms);
      shrinkFiles(db);
    },
  };
}

function shrinkFiles(db: Connection): void {
  db.exec(statementText("state.shrink"));
  prepare<object, unknown>(db, "state.checkpoint").get({});
}

interface SmallWriteParts {
  readonly clock: ClockTrust;
  readonly due: HealthDue;
  readonly floor: () => void;
  readonly records: RecordStore;
  readonly system_id: string;
}

function openSmallWrites(
  db: Connection,
  { clock, due, floor, records, system_id }: SmallWriteParts,
): Pick<Store, "addEvent" | "saveHealth" | "recordJob"> {
  const recordJob = prepare<object, never>(db, "job.record");

  return {
    addEvent(event, received_ms) {
      floor();
      const clock_trusted = clock.trusts(received_ms);
      db.transaction(() => records.addEvent(event, { received_ms, clock_trusted, system_id }))();
    },
    saveHealth: db.transaction((slots: readonly ScoredSlot[]) => {
      floor();
      saveHealthOf(db, slots);
      for (const slot of slots) due.settle(slot);
    }),
    recordJob(run) {
      floor();
      recordJob.run(run);
    },
  };
}
