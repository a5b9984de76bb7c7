// What a batch of messages does to the database: one transaction in which readings, buckets,
// events, records and quarantine are written together or not at all. Runs in the writer's thread;
// nothing here is asynchronous, so nothing can come between begin and commit.

import type { HealthRecord } from "../bwts/health-record.ts";
import type { Receipt } from "../bwts/merge.ts";
import type { Decode, Decoded, Message, Reject } from "../bwts/message.ts";
import type { NewPlant, PlantSaved } from "../bwts/plant.ts";
import type { ReadingPart } from "../bwts/reading.ts";
import { printTime } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Connection, prepare } from "./open.ts";
import { openQuarantine, type QuarantineStore } from "./quarantine.ts";
import { openReadingStore, type ReadingStore } from "./readings.ts";
import { openReceipts, type ReceiptStore } from "./receipts.ts";
import { healthColumns, openRecordStore, type RecordStore } from "./records.ts";

/** How the store reads and judges messages. */
export interface StoreOptions {
  readonly decode: Decode;
  readonly prefix: string;
  readonly system_id: string;
  readonly merge_ms: number;
  readonly quarantine_max_bytes: number;
  /** The clock isn't trusted before this. */
  readonly built_ms: number;
}

/** What a batch came to. */
export interface BatchResult {
  readonly readings: number;
  readonly quarantined: number;
  readonly repeated: number;
  readonly events: number;
  readonly clock_trusted: boolean;
  /** The time of the batch's newest reading; null when it has none. */
  readonly newest_ms: number | null;
}

/** A slot that was scored: what to store, and which state of the readings it was scored from. */
export interface ScoredSlot {
  readonly start_ms: number;
  readonly revision: number;
  readonly record: HealthRecord | null;
}

export interface JobRun {
  readonly job: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly result: string;
}

export interface Store {
  /**
   * Stores a batch in one transaction. Throws, with nothing changed, when it can't be committed.
   */
  commit(messages: readonly Message[]): BatchResult;
  /** Whether the clock can be right: not before this build, nor before the newest receipt. */
  trustsClock(now_ms: number): boolean;
  savePlant(plant: NewPlant): PlantSaved;
  saveHealth(slots: readonly ScoredSlot[]): void;
  recordJob(run: JobRun): void;
  /** Empties the write-ahead log, and forgets what is no longer needed. */
  tidy(now_ms: number): void;
}

const NEWEST_RECEIPT = "newest_receipt_ms";

export function openStore(db: Connection, options: StoreOptions): Store {
  const readings = openReadingStore(db);
  const receipts = openReceipts(db);
  const quarantine = openQuarantine(db, options.quarantine_max_bytes);
  const ingest = openIngest({ readings, receipts, quarantine, records: openRecordStore(db) });
  const markAt = prepare<object, { value: number }>(db, "mark.at");
  const putMark = prepare<object, never>(db, "mark.put");
  let newest_receipt_ms = markAt.get({ name: NEWEST_RECEIPT })?.value ?? 0;

  const trustsClock = (now_ms: number) => now_ms >= Math.max(options.built_ms, newest_receipt_ms);

  const commitBatch = db.transaction((messages: readonly Message[]): BatchResult => {
    const total = { quarantined: 0, repeated: 0, events: 0, clock_trusted: true };
    for (const message of messages) {
      const { received_ms } = message;
      const clock_trusted = trustsClock(received_ms);
      const result = ingest(message, { ...options, clock_trusted });
      total.quarantined += result.quarantined;
      total.repeated += result.repeated;
      total.events += result.events;
      total.clock_trusted = clock_trusted;
      newest_receipt_ms = Math.max(newest_receipt_ms, received_ms);
    }
    const stored = readings.flush();
    putMark.run({ name: NEWEST_RECEIPT, value: newest_receipt_ms });
    return { ...total, ...stored };
  });

  return {
    trustsClock,
    commit(messages) {
      const before_ms = newest_receipt_ms;
      try {
        return commitBatch(messages);
      } catch (error) {
        readings.forget();
        quarantine.forget();
        newest_receipt_ms = before_ms;
        throw error;
      }
    },
    ...openSmallWrites(db),
    tidy(now_ms) {
      receipts.prune(now_ms);
      prepare<object, unknown>(db, "state.checkpoint").get({});
    },
  };
}

type IngestOptions = StoreOptions & { readonly clock_trusted: boolean };

interface Ingested {
  readonly quarantined: number;
  readonly repeated: number;
  readonly events: number;
}

/** What one message does, inside the batch's transaction. */
function openIngest(stores: {
  readonly readings: ReadingStore;
  readonly receipts: ReceiptStore;
  readonly quarantine: QuarantineStore;
  readonly records: RecordStore;
}): (message: Message, options: IngestOptions) => Ingested {
  const { readings, receipts, quarantine, records } = stores;
  const mergeRejects = (part: ReadingPart, receipt: Receipt): readonly Reject[] => {
    const { conflicts, clock_repeat } = readings.merge(part, receipt);
    if (conflicts.length === 0) return [];
    const reason = clock_repeat ? "clock_repeat" : "conflict";
    return [{ reason, detail: `${printTime(part.at_ms)}: ${conflicts.join(", ")}` }];
  };
  return (message, options) => {
    const { received_ms } = message;
    const { clock_trusted, system_id } = options;
    const receipt: Receipt = { received_ms, clock_trusted, system_id };
    const decoded = decodeSafely(message, options);
    if (decoded.timed_by_receipt && receipts.isRedelivery(message))
      return { quarantined: 0, repeated: 1, events: 0 };
    const rejects = [...decoded.rejects];
    for (const part of decoded.readings) rejects.push(...mergeRejects(part, receipt));
    const added = decoded.events.filter((event) => records.addEvent(event, receipt).isNew);
    const contradictions = [
      ...decoded.health.map((record) => records.addHealth(record)),
      ...decoded.predictions.map((prediction) => records.addPrediction(prediction)),
    ];
    for (const detail of contradictions)
      if (detail !== null) rejects.push({ reason: "conflict", detail });
    if (rejects.length > 0) quarantine.add(message, rejects, receipt);
    return { quarantined: rejects.length > 0 ? 1 : 0, repeated: 0, events: added.length };
  };
}

function openSmallWrites(db: Connection): Pick<Store, "savePlant" | "saveHealth" | "recordJob"> {
  const plantAt = prepare<object, { name: string; tag: string | null }>(db, "plant.at");
  const addPlant = prepare<object, never>(db, "plant.add");
  const putHealth = prepare<object, never>(db, "health.put");
  const removeHealth = prepare<object, never>(db, "health.remove");
  const settle = prepare<object, { changes: number }>(db, "health.settle");
  const recordJob = prepare<object, never>(db, "job.record");

  return {
    savePlant(plant) {
      const stored = plantAt.get({ id: plant.id });
      if (stored === undefined) {
        addPlant.run({ id: plant.id, name: plant.name, tag: plant.tag });
        return "stored";
      }
      return stored.name === plant.name && stored.tag === plant.tag ? "same" : "different";
    },
    saveHealth: db.transaction((slots: readonly ScoredSlot[]) => {
      for (const { start_ms, revision, record } of slots) {
        if (record === null) removeHealth.run({ at_ms: start_ms });
        else putHealth.run({ at_ms: start_ms, source: record.source, ...healthColumns(record) });
        settle.run({ start_ms, revision });
      }
    }),
    recordJob(run) {
      recordJob.run(run);
    },
  };
}

/**
 * Decoding promises not to throw. If it does all the same, the fault is ours, but the message must
 * not come back for ever: it goes to quarantine with what was thrown.
 */
function decodeSafely(message: Message, context: IngestOptions): Decoded {
  try {
    return context.decode(message, context);
  } catch (error) {
    const rejects: Reject[] = [
      { reason: "bad_value", detail: `decoding failed: ${messageOf(error)}` },
    ];
    const nothing = { readings: [], events: [], health: [], predictions: [] };
    return { timed_by_receipt: false, ...nothing, rejects };
  }
}
