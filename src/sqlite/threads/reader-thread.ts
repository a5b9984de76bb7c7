// A reader: a thread with a read-only connection. Several answers are in progress at a time, each
// advancing by a chunk on request, so that a slow client costs one suspended generator and no
// growing memory. All write into one buffer, from which a chunk is copied before another answer
// continues.

import type { MessagePort } from "node:worker_threads";
import { JsonWriter, type Steps } from "../../codec/json-writer.ts";
import { messageOf } from "../../ground/errors.ts";
import { answer, type Query } from "../answers/queries.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { databaseFile, openReader } from "../file/open.ts";
import { type CallOf, type Problem, problemOf, type Result, type WorkerRole } from "./calls.ts";
import { type ReaderCalls, type ReaderParts, readerResult } from "./reader-calls.ts";

/** A message to the thread. The first one opens the database. */
export type ToReader<Call = CallOf<ReaderCalls>> =
  | { readonly kind: "open" | "close" }
  | { readonly kind: "call"; readonly seq: number; readonly call: Call }
  /** Begins an answer; `more` continues it, `stop` ends it. */
  | { readonly kind: "ask"; readonly seq: number; readonly query: Query }
  | { readonly kind: "more" | "stop"; readonly seq: number };

export type FromReader =
  | { readonly kind: "ready" }
  /** Newly found damage; each thread reports a problem once. */
  | { readonly kind: "damage"; readonly problems: readonly string[] }
  | {
      readonly kind: "done";
      readonly seq: number;
      readonly result: Result<ReaderCalls[keyof ReaderCalls]>;
    }
  | { readonly kind: "nothing"; readonly seq: number }
  | {
      readonly kind: "chunk";
      readonly seq: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly last: boolean;
      /** Length of the whole list, sent with the first chunk of one of its pages. */
      readonly total: number | null;
    }
  | { readonly kind: "failed"; readonly seq: number; readonly problem: Problem };

/**
 * Minimum number of bytes at which a chunk is sent: few messages, and little memory for a slow
 * client.
 */
const CHUNK_BYTES = 128 * 1024;

type ReaderRole = Extract<WorkerRole, { role: "reader" }>;

/** Runs a reader on `port`, from the message that opens the database to the one that closes it. */
export function runReader(port: MessagePort, role: ReaderRole): void {
  port.once("message", () => serve(port, role));
}

function serve(port: MessagePort, config: ReaderRole): void {
  const db = openReader(databaseFile(config.dir));
  const out = new JsonWriter(2 * CHUNK_BYTES);
  const open = new Map<number, Steps>();
  const reply = (message: FromReader) =>
    port.postMessage(message, message.kind === "chunk" ? [message.bytes.buffer] : []);
  reply({ kind: "ready" });

  port.on("message", (message: Exclude<ToReader, { kind: "open" }>) => {
    if (!("seq" in message)) {
      db.close();
      port.close();
      return;
    }
    const { seq } = message;
    try {
      serveOne(message, { db, config, open, out, reply });
    } catch (error) {
      out.clear();
      open.delete(seq);
      if (isDamage(error)) damageOf(db).note(messageOf(error));
      reply({ kind: "failed", seq, problem: problemOf(error) });
    }
    const problems = damageOf(db).take();
    if (problems.length > 0) reply({ kind: "damage", problems });
  });
}

interface Serving extends ReaderParts {
  /** Answers in progress. */
  readonly open: Map<number, Steps>;
  readonly out: JsonWriter;
  readonly reply: (message: FromReader) => void;
}

function serveOne(message: Extract<ToReader, { seq: number }>, serving: Serving): void {
  const { db, config, open, out, reply } = serving;
  const { kind, seq } = message;
  switch (kind) {
    case "call":
      reply({ kind: "done", seq, result: readerResult(message.call, serving) });
      return;
    case "ask": {
      const steps = answer(db, message.query, { out, limits: config });
      if (steps === null) {
        reply({ kind: "nothing", seq });
        return;
      }
      open.set(seq, steps);
      advance(seq, steps, serving);
      return;
    }
    case "more": {
      const steps = open.get(seq);
      if (steps !== undefined) advance(seq, steps, serving);
      return;
    }
    case "stop":
      open.get(seq)?.return(undefined);
      open.delete(seq);
  }
}

function advance(seq: number, steps: Steps, { open, out, reply }: Serving): void {
  let last = false;
  while (!last && out.end < CHUNK_BYTES) last = steps.next().done === true;
  if (last) open.delete(seq);
  const bytes = new Uint8Array(out.written);
  const { total } = out;
  out.clear();
  reply({ kind: "chunk", seq, bytes, last, total });
}
