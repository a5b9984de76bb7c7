// The writer: the one thread with a read-write connection. Messages that arrive while a commit
// waits for the disk make the next batch, so that one fsync serves many of them (group commit)
// without any of them waiting on a timer. What is acknowledged outside was committed here before.

import type { MessagePort } from "node:worker_threads";
import type { Message } from "../bwts/message.ts";
import { codeOf, Failure, messageOf } from "../errors.ts";
import type { Committed, Problem, WorkerRole, WriterCall, WriterReply } from "./calls.ts";
import { migrate } from "./migrate.ts";
import { type Connection, databaseFile, openWriter, prepare } from "./open.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";

/** The most messages and bytes that share one commit: about a tenth of a second of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** Runs the writer on `port` until it is told to close. */
export function runWriter(
  port: MessagePort,
  role: Extract<WorkerRole, { role: "writer" }>,
  decode: StoreOptions["decode"],
): void {
  const reply = (message: WriterReply) => port.postMessage(message);
  const started = start(role, decode, reply);
  if (started === null) return;
  const { db, store } = started;
  const commit = openBatches(store, newestReading(db), reply);

  port.on("message", (call: WriterCall) => {
    if (call.kind === "ingest") {
      commit.add(call.messages);
      return;
    }
    commit.now();
    try {
      reply({ kind: "done", seq: call.seq, result: carryOut(call, store) });
    } catch (error) {
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
    if (call.kind === "close") {
      db.close();
      port.close();
    }
  });
}

function carryOut(call: Exclude<WriterCall, { kind: "ingest" }>, store: Store): unknown {
  switch (call.kind) {
    case "plant":
      return store.savePlant(call.plant);
    case "health":
      store.saveHealth(call.slots);
      return null;
    case "job":
      store.recordJob(call.run);
      return null;
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
): { db: Connection; store: Store } | null {
  try {
    const db = openWriter(databaseFile(role.dir));
    const migrations = migrate(db, Date.now());
    const store = openStore(db, { ...role.store, decode });
    const job_runs = new Map(
      prepare<object, { job: string; started_ms: number }>(db, "job.last_runs")
        .all({})
        .map(({ job, started_ms }) => [job, started_ms]),
    );
    const last_reading_ms = newestReading(db);
    const clock_trusted = store.trustsClock(Date.now());
    reply({ kind: "ready", state: { last_reading_ms, clock_trusted, migrations, job_runs } });
    return { db, store };
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    const exitCode = error instanceof Failure ? error.exitCode : null;
    reply({ kind: "refused", message: messageOf(error), exitCode });
    return null;
  }
}

function newestReading(db: Connection): number | null {
  return prepare<object, { at_ms: number }>(db, "reading.latest").get({})?.at_ms ?? null;
}

interface Waiting {
  readonly seq: number;
  readonly message: Message;
}

function openBatches(
  store: Store,
  last_reading_ms: number | null,
  reply: (message: WriterReply) => void,
): { add(messages: readonly Waiting[]): void; now(): void } {
  let waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let newest_ms = last_reading_ms;

  const commitBatch = (batch: readonly Waiting[]) => {
    const seqs = batch.map(({ seq }) => seq);
    try {
      const result = store.commit(batch.map(({ message }) => message));
      newest_ms = maximum(newest_ms, result.newest_ms);
      const committed: Committed = {
        ...result,
        committed_ms: Date.now(),
        last_reading_ms: newest_ms,
      };
      reply({ kind: "committed", seqs, batch: committed });
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
  };

  return {
    add(messages) {
      waiting.push(...messages);
      scheduled ??= setImmediate(now);
    },
    now,
  };
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

/** An SQLite or system error as it crosses threads. */
export function problemOf(error: unknown): Problem {
  return { message: messageOf(error), code: codeOf(error) };
}
