// A reader: a thread with a read-only connection. Several answers are under way at a time; each
// advances by a chunk when the main thread has asked for more, so that a slow client costs one
// suspended generator and no memory that grows.

import type { MessagePort } from "node:worker_threads";
import type { HealthLimits } from "../bwts/health.ts";
import { answer, type Text } from "./answers.ts";
import type { ReaderCall, ReaderReply, WorkerRole } from "./calls.ts";
import { type Connection, databaseFile, openReader } from "./open.ts";
import { scoreDue } from "./scoring.ts";
import { problemOf } from "./writer-thread.ts";

/** A chunk is sent once it has this many characters: large enough for few messages. */
const CHUNK_LENGTH = 64 * 1024;

const utf8 = new TextEncoder();

/** Runs a reader on `port` until it is told to close. */
export function runReader(port: MessagePort, role: Extract<WorkerRole, { role: "reader" }>): void {
  const db = openReader(databaseFile(role.dir));
  const open = new Map<number, Text>();
  const reply = (message: ReaderReply) =>
    port.postMessage(message, message.kind === "chunk" ? [message.bytes.buffer] : []);
  reply({ kind: "ready" });

  port.on("message", (call: ReaderCall) => {
    if (call.kind === "close") {
      db.close();
      port.close();
      return;
    }
    try {
      carryOut(db, call, { open, reply, limits: role.limits });
    } catch (error) {
      open.delete(call.seq);
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
  });
}

interface Desk {
  readonly open: Map<number, Text>;
  readonly reply: (message: ReaderReply) => void;
  readonly limits: HealthLimits;
}

function carryOut(db: Connection, call: Exclude<ReaderCall, { kind: "close" }>, desk: Desk): void {
  const { open, reply } = desk;
  const { seq } = call;
  switch (call.kind) {
    case "ask": {
      const text = answer(db, call.query);
      if (text === null) {
        reply({ kind: "nothing", seq });
        return;
      }
      open.set(seq, text);
      advance(seq, text, desk);
      return;
    }
    case "more": {
      const text = open.get(seq);
      if (text !== undefined) advance(seq, text, desk);
      return;
    }
    case "stop":
      open.get(seq)?.return(undefined);
      open.delete(seq);
      return;
    case "score":
      reply({ kind: "scored", seq, slots: scoreDue(db, call.closed_ms, desk.limits) });
  }
}

function advance(seq: number, text: Text, { open, reply }: Desk): void {
  let chunk = "";
  let last = false;
  while (!last && chunk.length < CHUNK_LENGTH) {
    const next = text.next();
    if (next.done === true) last = true;
    else chunk += next.value;
  }
  if (last) open.delete(seq);
  reply({ kind: "chunk", seq, bytes: utf8.encode(chunk), last });
}
