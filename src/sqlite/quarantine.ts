// The quarantine: what couldn't be taken, kept with topic, payload, time and reason. One entry a
// message; the same again becomes a count. Beyond its size only hashes and counts are kept, so that
// a PLC gone mad can't fill the disk, and even then every message has left its trace.

import { createHash } from "node:crypto";
import type { Receipt } from "../bwts/merge.ts";
import type { Message, Reject } from "../bwts/message.ts";
import { type Connection, prepare } from "./open.ts";

/** An entry, as it is listed. */
export interface QuarantineEntry {
  readonly id: number;
  readonly topic: string;
  readonly reason: string;
  readonly detail: string;
  /** Null when the quarantine was full. */
  readonly payload: Uint8Array | null;
  readonly payload_bytes: number;
  readonly first_received_ms: number;
  readonly last_received_ms: number;
  readonly clock_trusted: number;
  readonly count: number;
  /** When it was taken in again, last; null: never. The following are null then too. */
  readonly replayed_ms: number | null;
  readonly shift_ms: number | null;
  /** Readings and records of it that were stored, in all. */
  readonly stored: number | null;
  /** Why it, or part of it, is still left; null when all of it was taken. */
  readonly left_reason: string | null;
  readonly left_detail: string | null;
}

export interface QuarantineStore {
  /** Sets a message aside for `rejects`, of which there is at least one. */
  add(message: Message, rejects: readonly Reject[], receipt: Receipt): void;
  /** Forgets what wasn't committed, after a rollback. */
  forget(): void;
}

/** Details beyond this are cut; the payload tells the rest. */
const DETAIL_MAX = 2000;
/** The mark of how many bytes of payload are kept. */
export const BYTES_MARK = "quarantine_bytes";

export function openQuarantine(db: Connection, max_bytes: number): QuarantineStore {
  const repeat = prepare<object, never>(db, "quarantine.repeat");
  const add = prepare<object, never>(db, "quarantine.add");
  const markAt = prepare<{ name: string }, { value: number }>(db, "mark.at");
  const putMark = prepare<object, never>(db, "mark.put");
  let bytes: number | null = null;

  return {
    add(message, rejects, receipt) {
      const [{ reason }] = rejects;
      const { topic, payload, payload_bytes } = message;
      const payload_hash = createHash("sha256")
        .update(`${payload_bytes}\n`)
        .update(payload)
        .digest();
      const { received_ms } = receipt;
      if (repeat.run({ payload_hash, topic, reason, received_ms }).changes > 0) return;
      bytes ??= markAt.get({ name: BYTES_MARK })?.value ?? 0;
      const isKept = bytes + payload.length <= max_bytes;
      add.run({
        topic,
        reason,
        detail: isKept ? detailOf(rejects) : "",
        payload: isKept ? payload : null,
        payload_bytes,
        payload_hash,
        received_ms,
        clock_trusted: receipt.clock_trusted ? 1 : 0,
      });
      if (!isKept) return;
      bytes += payload.length;
      putMark.run({ name: BYTES_MARK, value: bytes });
    },
    forget() {
      bytes = null;
    },
  };
}

/** What was wrong, as it is kept. */
export function detailOf(rejects: readonly Reject[]): string {
  const details = rejects.map(({ detail }) => detail);
  return details.join("; ").slice(0, DETAIL_MAX);
}

/** The newest entries, newest first. */
export function listQuarantine(db: Connection, limit: number): readonly QuarantineEntry[] {
  return prepare<{ limit: number }, QuarantineEntry>(db, "quarantine.list").all({ limit });
}
