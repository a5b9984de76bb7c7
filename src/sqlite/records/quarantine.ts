// The quarantine keeps rejected messages with topic, payload, time and reason. Each message has one
// entry, which counts its repetitions. Beyond the size limit only hashes and counts are kept, and
// beyond the entry limit only counts: so a broken PLC can't fill the disk, and still every message
// leaves a trace.

import { createHash } from "node:crypto";
import type { PartReceipt } from "../../bwts/merge.ts";
import type { Message, Reject } from "../../bwts/message.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, mirrored, prepare } from "../file/open.ts";

/** An entry of the quarantine, as it is listed. */
export interface QuarantineEntry {
  readonly id: number;
  readonly topic: string;
  readonly reason: string;
  readonly detail: string;
  /**
   * Null if the quarantine was full. An entry with an empty topic counts further messages of a
   * reason.
   */
  readonly payload: Uint8Array | null;
  readonly payload_bytes: number;
  readonly first_received_ms: number;
  readonly last_received_ms: number;
  readonly clock_trusted: number;
  readonly count: number;
  /** Time of the last replay; null, as the following members, if there was none. */
  readonly replayed_ms: number | null;
  readonly shift_ms: number | null;
  /** Number of its readings and records that were stored, in total. */
  readonly stored: number | null;
  /** The reason why it, or part of it, is still quarantined; null if all of it was stored. */
  readonly left_reason: string | null;
  readonly left_detail: string | null;
}

export interface QuarantineStore {
  /** Quarantines a message for `rejects`, which has at least one element. */
  add(message: Message, rejects: readonly Reject[], receipt: PartReceipt): void;
  room(): QuarantineRoom;
}

/** The fill of the quarantine, and the number of payloads lost because it was full. */
export interface QuarantineRoom {
  readonly bytes: number;
  readonly max_bytes: number;
  readonly entries: number;
  readonly max_entries: number;
  /** Messages of this run whose payloads weren't kept. */
  readonly lost: number;
}

/** Maximum length of a detail, in characters; the payload has the rest. */
const DETAIL_MAX = 2000;
/** Name of the mark that holds the number of bytes kept. */
export const BYTES_MARK = "quarantine_bytes";
/**
 * Characters of a topic, or of a detail, that don't count towards the limit; the rest counts like
 * payload.
 */
const TEXT_MAX = 256;
/**
 * Maximum number of entries, some 40 MB without payloads. Beyond it messages are only counted, by
 * reason.
 */
const ENTRIES_MAX = 100_000;
const COUNTED_ONLY = `beyond ${ENTRIES_MAX} entries messages are only counted, by reason`;

type MessageContent = Pick<Message, "topic" | "payload" | "payload_bytes">;

/**
 * Opens a quarantine for up to `max_bytes` of payloads, beside which each entry needs some hundred
 * bytes.
 */
export function openQuarantine(db: Connection, max_bytes: number): QuarantineStore {
  const repeat = prepare(db, "quarantine.repeat");
  const add = prepare(db, "quarantine.add");
  const filled = mirrored(db, () => fillOf(db));
  let lost = 0;

  return {
    room: () => ({ ...filled(), max_bytes, max_entries: ENTRIES_MAX, lost }),
    add(message, rejects, receipt) {
      const [{ reason }] = rejects;
      const { received_ms } = receipt;
      const clock_trusted = receipt.clock_trusted ? 1 : 0;
      const identity = identityOf(message, reason);
      if (repeat.run({ identity, received_ms }).changes > 0) return;
      const fill = filled();
      const rest = { reason, received_ms, clock_trusted };
      if (fill.entries >= ENTRIES_MAX) {
        lost += 1;
        const counted = identityOf(NO_CONTENT, reason);
        if (repeat.run({ identity: counted, received_ms }).changes > 0) return;
        add.run({ ...NO_CONTENT, ...rest, identity: counted, detail: COUNTED_ONLY, payload: null });
        return;
      }
      const { topic, payload, payload_bytes } = message;
      const detail = detailOf(rejects);
      const bytes = fill.bytes + keptBytes({ topic, payload, detail });
      const isKept = bytes <= max_bytes;
      const content = isKept
        ? { topic, payload, detail }
        : { topic: topic.slice(0, TEXT_MAX), payload: null, detail: "" };
      add.run({ ...content, ...rest, payload_bytes, identity });
      fill.entries += 1;
      if (!isKept) {
        lost += 1;
        return;
      }
      fill.bytes = bytes;
      putMark(db, BYTES_MARK, bytes);
    },
  };
}

/** The content of an entry that only counts messages. */
const NO_CONTENT: MessageContent = { topic: "", payload: new Uint8Array(), payload_bytes: 0 };

/** The key of an entry: a hash of reason, topic, length and payload. */
export function identityOf(
  { topic, payload, payload_bytes }: MessageContent,
  reason: string,
): Buffer {
  const named = JSON.stringify([reason, topic, payload_bytes]);
  return createHash("sha256").update(`${named}\n`).update(payload).digest();
}

/** The bytes of an entry that count towards the limit. */
export function keptBytes({
  topic,
  payload,
  detail,
}: Pick<MessageContent, "topic" | "payload"> & { readonly detail: string }): number {
  const beyond = (text: string) => Math.max(0, Buffer.byteLength(text) - TEXT_MAX);
  return payload.length + beyond(topic) + beyond(detail);
}

function fillOf(db: Connection): { bytes: number; entries: number } {
  const bytes = prepare(db, "mark.at").get({ name: BYTES_MARK })?.value;
  const entries = prepare(db, "quarantine.count").get({})?.count;
  return { bytes: bytes ?? 0, entries: entries ?? 0 };
}

/** The fill of the quarantine. */
export interface QuarantineFill {
  readonly entries: number;
  readonly bytes: number;
  /** Number of entries without payload, because there was no more room. */
  readonly without_payload: number;
  /** Number of messages that have no entry of their own. */
  readonly counted_only: number;
}

export function quarantineFill(db: Connection): QuarantineFill {
  const full = prepare(db, "quarantine.full").get({});
  const { count, messages } = full ?? { count: 0, messages: 0 };
  return { ...fillOf(db), without_payload: count, counted_only: messages };
}

/** Messages of one reason that aren't completely stored yet. */
export interface WaitingMessages {
  readonly reason: string;
  readonly messages: number;
  readonly first_ms: number;
  readonly last_ms: number;
  /** The problem of one of the messages. */
  readonly detail: string;
}

/** The waiting messages by reason, the most frequent first. */
export function quarantineWaiting(db: Connection): readonly WaitingMessages[] {
  return prepare<"quarantine.waiting", WaitingMessages>(db, "quarantine.waiting").all({});
}

/** The rejects' details as stored, cut to DETAIL_MAX characters. */
export function detailOf(rejects: readonly Reject[]): string {
  const details = rejects.map(({ detail }) => detail);
  return details.join("; ").slice(0, DETAIL_MAX);
}

/** The newest entries, newest first. */
export function listQuarantine(db: Connection, limit: number): readonly QuarantineEntry[] {
  return prepare(db, "quarantine.list").all({ limit });
}
