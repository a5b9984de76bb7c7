// A reader: a thread with a read-only connection. Several answers are in progress at a time, each
// one advancing by a chunk on request, so that a slow client costs one suspended generator and no
// growing memory. All write into one buffer, from which a chunk is copied before another answer
// goes on.

import type { MessagePort } from "node:worker_threads";
import { JsonWriter } from "../../codec/json-writer.ts";
import { messageOf } from "../../ground/errors.ts";
import { answer, type Steps } from "../answers/answers.ts";
import { proveAfter } from "../care/proving.ts";
import { findGaps, operationNow } from "../derived/gaps.ts";
import { runLamps } from "../derived/lamp-tracking.ts";
import { limitsNow } from "../derived/limits-now.ts";
import { scoreSlots } from "../derived/scoring.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, databaseFile, openReader } from "../file/open.ts";
import { problemOf, type ReaderCall, type ReaderReply, type WorkerRole } from "./calls.ts";

/** A chunk is sent once it has this many bytes: few messages, and little for a slow client. */
const CHUNK_BYTES = 128 * 1024;

type ReaderRole = Extract<WorkerRole, { role: "reader" }>;

/** Runs a reader on `port`, from the message that opens the database to the one that closes it. */
export function runReader(port: MessagePort, role: ReaderRole): void {
  port.once("message", () => serve(port, role));
}

function serve(port: MessagePort, role: ReaderRole): void {
  const db = openReader(databaseFile(role.dir));
  const out = new JsonWriter(2 * CHUNK_BYTES);
  const open = new Map<number, Steps>();
  const reply = (message: ReaderReply) =>
    port.postMessage(message, message.kind === "chunk" ? [message.bytes.buffer] : []);
  reply({ kind: "ready" });

  port.on("message", (call: Exclude<ReaderCall, { kind: "open" }>) => {
    if (call.kind === "close") {
      db.close();
      port.close();
      return;
    }
    try {
      carryOut(db, call, { open, out, reply, role });
    } catch (error) {
      out.clear();
      open.delete(call.seq);
      if (isDamage(error)) damageOf(db).note(messageOf(error));
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
    const problems = damageOf(db).take();
    if (problems.length > 0) reply({ kind: "damage", problems });
  });
}

interface ReaderState {
  /** Answers in progress. */
  readonly open: Map<number, Steps>;
  readonly out: JsonWriter;
  readonly reply: (message: ReaderReply) => void;
  readonly role: ReaderRole;
}

function carryOut(
  db: Connection,
  call: Exclude<ReaderCall, { kind: "open" | "close" }>,
  state: ReaderState,
): void {
  const { open, out, reply } = state;
  const { limits } = state.role;
  const { seq } = call;
  switch (call.kind) {
    case "ask": {
      const steps = answer(db, call.query, { out, limits: state.role });
      if (steps === null) {
        reply({ kind: "nothing", seq });
        return;
      }
      open.set(seq, steps);
      advance(seq, steps, state);
      return;
    }
    case "more": {
      const steps = open.get(seq);
      if (steps !== undefined) advance(seq, steps, state);
      return;
    }
    case "stop":
      open.get(seq)?.return(undefined);
      open.delete(seq);
      return;
    case "ping":
      reply({ kind: "nothing", seq });
      return;
    case "score":
      reply({ kind: "scored", seq, slots: scoreSlots(db, call.slots, limits) });
      return;
    case "lamps":
      reply({ kind: "tracked", seq, run: runLamps(db, call.call, state.role) });
      return;
    case "find_gaps":
      reply({ kind: "found_gaps", seq, days: findGaps(db, call.days, limits) });
      return;
    case "prove":
      reply({ kind: "proven", seq, proven: proveAfter(db, call.after) });
      return;
    case "operation":
      reply({ kind: "operation", seq, operation: operationNow(db, limits) });
      return;
    case "limits":
      reply({ kind: "limits", seq, limits: limitsNow(db, limits) });
  }
}

function advance(seq: number, steps: Steps, { open, out, reply }: ReaderState): void {
  let last = false;
  while (!last && out.end < CHUNK_BYTES) last = steps.next().done === true;
  if (last) open.delete(seq);
  const bytes = new Uint8Array(out.written);
  out.clear();
  reply({ kind: "chunk", seq, bytes, last });
}
