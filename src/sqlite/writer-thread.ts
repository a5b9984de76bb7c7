// The writer: the one thread with a read-write connection. Messages that arrive while a commit
// waits for the disk make the next batch, so that one fsync serves many of them (group commit)
// without any of them waiting on a timer. What is acknowledged outside was committed here before.

import type { MessagePort } from "node:worker_threads";
import type { Act, By } from "../bwts/audit.ts";
import { codeOf, Failure, messageOf } from "../errors.ts";
import { storedTokens } from "./audited-writes.ts";
import { beforeSchemaFile, makeBackup } from "./backup.ts";
import { problemOf, type WorkerRole, type WriterCall, type WriterReply } from "./calls.ts";
import { openDiskFloor } from "./disk-floor.ts";
import type { DecodeImported, ImportedReading, ImportResult, Refused } from "./import.ts";
import type { BatchResult } from "./ingest.ts";
import { unpackMessages, type Waiting } from "./message-pack.ts";
import { migrate } from "./migrate.ts";
import { type Connection, databaseFile, openWriter, prepare } from "./open.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";
import { newestTime } from "./timeline.ts";

/** The most messages and bytes that share one commit: about a tenth of a second of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** How often the clocks are looked at, and what is known of them is told. */
const CLOCK_MS = 1000;

/** How what comes from outside is read: given from above, where the MQTT side is known. */
interface Doors {
  readonly decode: StoreOptions["decode"];
  readonly decodeImported: DecodeImported;
}

/** Runs the writer on `port` until it is told to close. */
export function runWriter(
  port: MessagePort,
  role: Extract<WorkerRole, { role: "writer" }>,
  { decode, decodeImported }: Doors,
): void {
  const reply = (message: WriterReply) => port.postMessage(message);
  const started = start(role, decode, reply);
  if (started === null) return;
  const { db, store } = started;
  const commit = openBatches(store, newestTime(db), reply);
  const clocks = setInterval(() => watchClocks(store, reply), CLOCK_MS);

  port.on("message", (call: WriterCall) => {
    if (call.kind === "ingest") {
      commit.add(unpackMessages(call.packed));
      return;
    }
    commit.now();
    try {
      const result =
        call.kind === "import"
          ? commit.imported(
              call.records.map((record) => decodeImported(record, role.store.system_id)),
            )
          : carryOut(call, { db, store });
      if (CORRECTIONS.includes(call.kind)) commit.corrected(newestTime(db));
      reply({ kind: "done", seq: call.seq, result });
    } catch (error) {
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
    if (call.kind === "close") {
      clearInterval(clocks);
      db.close();
      port.close();
    }
  });
}

/** Calls after which another reading may be the newest. */
const CORRECTIONS: readonly WriterCall["kind"][] = ["void", "undo_void", "replay"];

/** Tells what is known of the clocks; a step that can't be written down now waits. */
function watchClocks(store: Store, reply: (message: WriterReply) => void): void {
  try {
    const steps = store.recordSteps();
    reply({ kind: "clock", clock: store.clockState(), steps });
  } catch (error) {
    if (codeOf(error) === null) throw error;
  }
}

interface Started {
  readonly db: Connection;
  readonly store: Store;
}

type SmallCall = Exclude<WriterCall, { kind: "ingest" | "import" }>;

function carryOut(call: SmallCall, { db, store }: Started): unknown {
  const act = (by: By): Act => ({ ...by, at_ms: Date.now() });
  switch (call.kind) {
    case "plant":
      return store.savePlant(call.plant, act(call.by));
    case "lamp_word":
      store.saveLampWord(call.word, act(call.by));
      return null;
    case "begin_lamps":
      return store.beginLamps();
    case "lamps":
      store.saveLamps(call.run);
      return null;
    case "audit":
      store.audit(call.entries, Date.now());
      return null;
    case "run":
      store.beginRun(call.run, Date.now());
      return null;
    case "add_token": {
      const outcome = store.addToken(call.token, act(call.by));
      return { outcome, tokens: storedTokens(db) };
    }
    case "revoke_token": {
      const outcome = store.revokeToken(call.name, act(call.by));
      return { outcome, tokens: storedTokens(db) };
    }
    case "health":
      store.saveHealth(call.slots);
      return null;
    case "job":
      store.recordJob(call.run);
      return null;
    case "due":
      return store.dueSlots(call.closed_ms);
    case "seal":
      store.sealOld(Date.now());
      return null;
    case "expire":
      return store.expire(call.months);
    case "raise":
      return store.raiseAlarm(call.event, call.about, Date.now());
    case "clear":
      return store.clearAlarm(call.alarm, Date.now());
    case "due_days":
      return store.dueDays();
    case "gaps":
      store.saveGaps(call.days);
      return null;
    case "void":
      return store.addVoid(call.given, act(call.by));
    case "undo_void":
      return store.undoVoid(call.id, act(call.by));
    case "replay": {
      const { asked, by, isTrial } = call;
      const { entries } = isTrial ? store.tryReplay(asked, act(by)) : store.replay(asked, act(by));
      return entries;
    }
    case "tidy":
    case "close":
      store.tidy(Date.now());
      return null;
  }
}

function start(
  role: Extract<WorkerRole, { role: "writer" }>,
  decode: StoreOptions["decode"],
  reply: (message: WriterReply) => void,
): Started | null {
  try {
    const db = openWriter(databaseFile(role.dir));
    const migrations = migrate(db, Date.now(), (schema) => {
      const order = role.before_migration;
      makeBackup({ ...order, output: beforeSchemaFile(order.output, schema) });
    });
    const floor = openDiskFloor(role.dir, role.free_stop_bytes);
    const report = (problem: string) => reply({ kind: "fault", problem });
    const store = openStore(db, { ...role.store, decode }, floor, report);
    const job_runs = new Map(
      prepare<object, { job: string; started_ms: number }>(db, "job.last_runs")
        .all({})
        .map(({ job, started_ms }) => [job, started_ms]),
    );
    const state = {
      migrations,
      job_runs,
      last_reading_ms: newestTime(db),
      last_received_ms: store.newestReceipt(),
      clock_trusted: store.trustsClock(Date.now()),
      clock: store.clockState(),
      tokens: storedTokens(db),
    };
    reply({ kind: "ready", state });
    return { db, store };
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    const exitCode = error instanceof Failure ? error.exitCode : null;
    reply({ kind: "refused", message: messageOf(error), exitCode });
    return null;
  }
}

const NOTHING = { readings: 0, quarantined: 0, repeated: 0, events: 0, newest_ms: null } as const;

function openBatches(
  store: Store,
  last_reading_ms: number | null,
  reply: (message: WriterReply) => void,
): {
  add(messages: readonly Waiting[]): void;
  now(): void;
  imported(batch: readonly (ImportedReading | Refused)[]): ImportResult;
  /** Readings were hidden, shown again or taken in: the newest is another. */
  corrected(newest_ms: number | null): void;
} {
  let waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let newest_ms = last_reading_ms;

  const tell = (seqs: readonly number[], result: BatchResult) => {
    newest_ms = maximum(newest_ms, result.newest_ms);
    const batch = { ...result, committed_ms: Date.now(), last_reading_ms: newest_ms };
    reply({ kind: "committed", seqs, batch });
  };

  const commitBatch = (batch: readonly Waiting[]) => {
    const seqs = batch.map(({ seq }) => seq);
    try {
      tell(seqs, store.commit(batch.map(({ message }) => message)));
    } catch (error) {
      if (codeOf(error) === null) throw error;
      reply({ kind: "withheld", seqs, problem: problemOf(error) });
    }
  };

  const now = () => {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    while (waiting.length > 0) {
      const count = batchLength(waiting);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      commitBatch(batch);
    }
    seal();
  };

  // One segment at a time, with what came in the meantime committed between two of them.
  const seal = () => {
    if (sealOne(store)) scheduled ??= setImmediate(now);
  };

  return {
    corrected(at_ms) {
      newest_ms = at_ms;
      tell([], { ...NOTHING, clock_trusted: store.trustsClock(Date.now()) });
      scheduled ??= setImmediate(now);
    },
    add(messages) {
      waiting.push(...messages);
      scheduled ??= setImmediate(now);
    },
    now,
    imported(readings) {
      const { result, batch } = store.importReadings(readings, Date.now());
      tell([], batch);
      scheduled ??= setImmediate(now);
      return result;
    },
  };
}

/** Seals one segment if there is enough for it; true if there may be more. */
function sealOne(store: Store): boolean {
  try {
    return store.sealFull();
  } catch (error) {
    if (codeOf(error) === null) throw error;
    // Hot rows stay where they are; the next commit that succeeds tries again.
    return false;
  }
}

function batchLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ message }, index) => {
    bytes += message.payload.length;
    return index > 0 && (index >= BATCH_MESSAGES_MAX || bytes > BATCH_BYTES_MAX);
  });
  return end < 0 ? waiting.length : end;
}

function maximum(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
