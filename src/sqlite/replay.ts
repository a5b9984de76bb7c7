// Entries of the quarantine taken in again, with their times shifted and by the configuration of
// today. What comes of an entry is the same however often it is done: what was stored when the
// message came, or in a replay before, is found there and left alone, so that nothing of a message
// stands at two times.

import type { Act } from "../bwts/audit.ts";
import { mergePart, type Receipt } from "../bwts/merge.ts";
import type { Decoded, Message, Reject } from "../bwts/message.ts";
import { AHEAD_MAX_MS, OLDEST_MS, type ReadingPart } from "../bwts/reading.ts";
import { openAuditLog } from "./audit.ts";
import { rejectOf } from "./disk-fault.ts";
import {
  decodeSafely,
  expired,
  type IngestContext,
  type IngestOptions,
  type IngestParts,
  leftOut,
  undamaged,
} from "./ingest.ts";
import { type Connection, prepare } from "./open.ts";
import { detailOf, type QuarantineEntry } from "./quarantine.ts";
import type { ClosedRange } from "./query.ts";

/** Which entries to take in again, and how. */
export interface ReplayAsked {
  /** Null: all that wait, as far as the rest allows. */
  readonly ids: readonly number[] | null;
  readonly reason: string | null;
  /** Of the first receipt. */
  readonly received: ClosedRange;
  /** Added to every time that a message itself gives. */
  readonly shift_ms: number;
  /** Only entries after this one: the rest was done by calls before. */
  readonly after_id: number;
}

/** What became of an entry. */
export interface Replayed {
  readonly id: number;
  readonly topic: string;
  /** Readings, events and records that changed something now. */
  readonly stored: number;
  /** Why it, or part of it, is still left; null when nothing is. */
  readonly left: string | null;
  readonly detail: string;
}

/** Entries a call, bytes of payload and time, in which nothing is acknowledged. */
const PAGE_MS = 100;
export const PAGE_ENTRIES = 200;
const PAGE_BYTES = 8 * 1024 * 1024;

/** Of texts that came from outside, as much as tells what it is: all of a page must fit an answer. */
const SHOWN_MAX = 500;

interface Entry
  extends Pick<QuarantineEntry, "id" | "topic" | "reason" | "payload" | "payload_bytes"> {
  readonly first_received_ms: number;
  readonly clock_trusted: number;
  readonly replayed_ms: number | null;
  readonly shift_ms: number | null;
  readonly stored: number | null;
  readonly left_reason: string | null;
}

/** Who asks, since when readings are kept, and how many entries to take at the most. */
export interface ReplayAround {
  readonly act: Act;
  readonly raw_from_ms: number;
  readonly limit: number;
}

/** Both in the caller's transaction; none are left when they give none. */
export interface Replay {
  /** Takes the next entries in. */
  next(asked: ReplayAsked, around: ReplayAround): readonly Replayed[];
  /** Leaves the next entry where it is, on which `next` failed with `error`. */
  leave(asked: ReplayAsked, act: Act, error: unknown): readonly Replayed[];
}

export function openReplay(db: Connection, parts: IngestParts, options: IngestOptions): Replay {
  const log = openAuditLog(db);
  const put = prepare<object, never>(db, "replay.put");
  const note = (entry: Entry, { asked, act }: Asker, { stored, rejects }: TakenIn): Replayed => {
    const { shift_ms } = asked;
    const left = rejects.length === 0 ? null : rejects[0].reason;
    const detail = detailOf(rejects).slice(0, SHOWN_MAX);
    const total = (entry.stored ?? 0) + stored;
    const row = { at_ms: act.at_ms, shift_ms, stored: total, reason: left, detail };
    put.run({ quarantine_id: entry.id, ...row });
    return { ...said(entry), stored, left, detail };
  };
  const told = (done: readonly Replayed[], { asked, act }: Asker): readonly Replayed[] => {
    if (done.length === 0) return done;
    const stored = done.reduce((sum, entry) => sum + entry.stored, 0);
    const left = done.filter((entry) => entry.left !== null).length;
    const ids = { first: done[0].id, last: done[done.length - 1].id };
    const shift_seconds = asked.shift_ms / 1000;
    const detail = { entries: done.length, ...ids, shift_seconds, stored, left };
    log.add({ ...act, kind: "replay", detail }, { clock_trusted: parts.clock.trusts(act.at_ms) });
    return done;
  };
  return {
    next(asked, { act, raw_from_ms, limit }) {
      const clock_trusted = parts.clock.trusts(act.at_ms);
      const { shift_ms } = asked;
      const replay = { shift_ms, now_ms: act.at_ms };
      const context = { ...options, clock_trusted, raw_from_ms, replay };
      const take = (entry: Entry): Replayed => {
        const refusal = refusalOf(entry, shift_ms);
        if (refusal !== null) return { ...refusal, ...said(entry), stored: 0 };
        return note(entry, { asked, act }, takeIn(messageOf(entry), entry, { parts, context }));
      };
      const done: Replayed[] = [];
      const until_ms = performance.now() + PAGE_MS;
      for (const entry of nextEntries(db, asked, limit)) {
        done.push(take(entry));
        if (performance.now() >= until_ms) break;
      }
      return told(done, { asked, act });
    },
    leave(asked, act, error) {
      const rejects = [rejectOf(error)];
      const done = nextEntries(db, asked, 1).map((entry) =>
        note(entry, { asked, act }, { stored: 0, rejects }),
      );
      return told(done, { asked, act });
    },
  };
}

interface Asker {
  readonly asked: ReplayAsked;
  readonly act: Act;
}

/** What became of an entry's message: what changed something, and what is left. */
interface TakenIn {
  readonly stored: number;
  readonly rejects: readonly Reject[];
}

const said = ({ id, topic }: Entry) => ({ id, topic: topic.slice(0, SHOWN_MAX) });

function nextEntries(db: Connection, asked: ReplayAsked, limit: number): readonly Entry[] {
  const { ids, reason, received, after_id } = asked;
  const rows = prepare<object, Entry>(db, "quarantine.to_replay").all({
    ...received,
    reason,
    after_id,
    ids: ids === null ? null : JSON.stringify(ids),
    limit,
  });
  let bytes = 0;
  const end = rows.findIndex(({ payload }, index) => {
    bytes += payload?.length ?? 0;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Why an entry can't be tried at all; null when it can. */
function refusalOf(entry: Entry, shift_ms: number): Pick<Replayed, "left" | "detail"> | null {
  if (entry.payload === null)
    return { left: "no_payload", detail: "the quarantine was full: only its hash is kept" };
  if (entry.replayed_ms !== null && entry.left_reason === null)
    return { left: null, detail: "it was taken before" };
  if ((entry.stored ?? 0) > 0 && entry.shift_ms !== shift_ms) {
    const seconds = (entry.shift_ms ?? 0) / 1000;
    const detail = `part of it was stored with a shift of ${seconds} s, expected the same`;
    return { left: "other_shift", detail };
  }
  return null;
}

function messageOf(entry: Entry): Message {
  return {
    topic: entry.topic,
    payload: entry.payload ?? new Uint8Array(),
    payload_bytes: entry.payload_bytes,
    received_ms: entry.first_received_ms,
    qos: 1,
    // Of what was turned away for being retained the time is still unknown.
    retain: entry.reason === "retained",
    dup: false,
    client: "",
    packet_id: null,
    will: false,
  };
}

interface Desk {
  readonly parts: IngestParts;
  readonly context: IngestContext;
}

function takeIn(message: Message, entry: Entry, { parts, context }: Desk): TakenIn {
  const { system_id } = context;
  const receipt: Receipt = {
    received_ms: message.received_ms,
    clock_trusted: entry.clock_trusted === 1,
    system_id,
  };
  const decoded = decodeSafely(message, context);
  const rejects = [...decoded.rejects];
  let stored = 0;
  for (const part of decoded.readings) {
    const late = expired(part, context);
    if (late !== null) {
      rejects.push(...late);
      continue;
    }
    const take = () => {
      const asSent = storedAsSent(parts, part, { context, receipt });
      const merged = asSent ?? parts.readings.merge(part, receipt);
      if (asSent === null && merged.reading !== null) stored += 1;
      return leftOut(merged, part);
    };
    rejects.push(...undamaged(part, take));
  }
  const records = takeRecords(decoded, parts, { context, receipt });
  return { stored: stored + records.stored, rejects: [...rejects, ...records.rejects] };
}

interface Around {
  readonly context: IngestContext;
  readonly receipt: Receipt;
}

/** Whether a time could be taken when the message came: if not, what stands there now is another's. */
function wasTimely({ at_ms }: { readonly at_ms: number }, { receipt }: Around): boolean {
  const isAhead = receipt.clock_trusted && at_ms > receipt.received_ms + AHEAD_MAX_MS;
  return at_ms >= OLDEST_MS && !isAhead;
}

const shiftOf = ({ context }: Around): number => context.replay?.shift_ms ?? 0;

/** What a merge says of a part that was stored at the time it was sent with; null when it wasn't. */
function storedAsSent({ readings }: IngestParts, part: ReadingPart, around: Around) {
  const shift_ms = part.timed_by_receipt ? 0 : shiftOf(around);
  const sent = { ...part, at_ms: part.at_ms - shift_ms };
  if (shift_ms === 0 || !wasTimely(sent, around)) return null;
  const known = readings.at(sent.at_ms);
  if (known === null) return null;
  const merged = mergePart(known, sent, around.receipt);
  return merged.reading === null && !merged.clock_repeat ? { ...merged, beyond: [] } : null;
}

function takeRecords(
  decoded: Decoded,
  { records, gaps }: IngestParts,
  around: Around,
): { readonly stored: number; readonly rejects: readonly Reject[] } {
  const shift_ms = shiftOf(around);
  const wasStored = <Timed extends { readonly at_ms: number }>(
    record: Timed,
    has: (record: Timed) => boolean,
  ): boolean => {
    const sent = { ...record, at_ms: record.at_ms - shift_ms };
    return has(record) || (shift_ms !== 0 && wasTimely(sent, around) && has(sent));
  };
  const events = decoded.events.filter((event) => !wasStored(event, records.hasEvent));
  for (const event of events) records.addEvent(event, around.receipt);
  gaps.markEvents(events);
  const health = decoded.health
    .filter((record) => !wasStored(record, records.hasHealth))
    .map((record) => records.addHealth(record));
  const predictions = decoded.predictions
    .filter((record) => !wasStored(record, records.hasPrediction))
    .map((record) => records.addPrediction(record));
  const outcomes = [...health, ...predictions];
  return {
    stored: events.length + outcomes.filter((detail) => detail === null).length,
    rejects: outcomes.flatMap((detail): Reject[] =>
      detail === null ? [] : [{ reason: "conflict", detail }],
    ),
  };
}
