// The message of one quarantine entry, taken in again: item by item, as far as the time of a step
// allows. What was stored when the message came, or in a replay before, is found there and left
// alone.

import { mergePart, type Receipt } from "../bwts/merge.ts";
import type { Decoded, Message, Reject } from "../bwts/message.ts";
import { AHEAD_MAX_MS, OLDEST_MS, type ReadingPart } from "../bwts/reading.ts";
import {
  decodeSafely,
  expired,
  type IngestContext,
  type IngestParts,
  ITEMS,
  leftOut,
  REJECTS_MAX,
  undamaged,
} from "./ingest.ts";

/** How far the steps before have come with an entry's message. */
export interface EntryProgress {
  /** The first item that isn't done, and how many things of the items from it on are. */
  readonly item: number;
  readonly done: number;
  /** Readings, events and records that changed something. */
  readonly stored: number;
  readonly rejects: readonly Reject[];
  /** What the items from `item` on say, where it is known; some megabytes. */
  readonly slice: Decoded | null;
}

/** What a step came to with an entry's message. */
export interface TakenIn extends EntryProgress {
  /** All of it is done. */
  readonly isWhole: boolean;
}

/** A message to be taken in again, and where a step before has left it. */
export interface EntryTaking {
  readonly message: Message;
  readonly clock_trusted: boolean;
  readonly progress: EntryProgress | null;
}

const BEGINNING: EntryProgress = { item: 0, done: 0, stored: 0, rejects: [], slice: null };

/** Takes a message in until it is late, at least a thing of it. */
export function takeIn(
  { message, clock_trusted, progress }: EntryTaking,
  parts: IngestParts,
  context: IngestContext & { readonly isLate: () => boolean },
): TakenIn {
  const { system_id, isLate } = context;
  const receipt: Receipt = { received_ms: message.received_ms, clock_trusted, system_id };
  const begun = progress ?? BEGINNING;
  const rejects = [...begun.rejects];
  let { item, done, stored, slice } = begun;
  for (;;) {
    const items = { from: item, to: item + ITEMS };
    const decoded: Decoded = slice ?? decodeSafely(message, { ...context, items });
    slice = decoded;
    if (done === 0) rejects.push(...decoded.rejects);
    const things = thingsOf(decoded, parts, { context, receipt });
    for (const take of things.slice(done)) {
      const taken = take();
      stored += taken.isNew ? 1 : 0;
      rejects.push(...taken.rejects);
      done += 1;
      if (isLate()) break;
    }
    rejects.splice(REJECTS_MAX);
    if (done === things.length) {
      item += ITEMS;
      done = 0;
      slice = null;
    }
    const isWhole = item >= decoded.items && slice === null;
    if (isWhole || isLate()) return { isWhole, item, done, stored, rejects, slice };
  }
}

interface Around {
  readonly context: IngestContext;
  readonly receipt: Receipt;
}

/** What became of a reading, an event or a record. */
interface Taken {
  readonly isNew: boolean;
  readonly rejects: readonly Reject[];
}

const NOTHING: Taken = { isNew: false, rejects: [] };

/** All that a message says, each to be taken in by a call, in order. */
function thingsOf(decoded: Decoded, parts: IngestParts, around: Around): readonly (() => Taken)[] {
  const { records, gaps } = parts;
  const shift_ms = shiftOf(around);
  const unlessStored = <Timed extends { readonly at_ms: number }>(
    record: Timed,
    how: { readonly has: (record: Timed) => boolean; readonly add: (record: Timed) => Taken },
  ): Taken => {
    const sent = { ...record, at_ms: record.at_ms - shift_ms };
    const wasStored =
      how.has(record) || (shift_ms !== 0 && wasTimely(sent, around) && how.has(sent));
    return wasStored ? NOTHING : how.add(record);
  };
  const differing = (detail: string | null): Taken =>
    detail === null
      ? { isNew: true, rejects: [] }
      : { isNew: false, rejects: [{ reason: "conflict", detail }] };
  const has = { event: records.hasEvent, health: records.hasHealth };
  return [
    ...decoded.readings.map((part) => () => takeReading(part, parts, around)),
    ...decoded.events.map((sent) => () => {
      const add = (event: typeof sent): Taken => {
        records.addEvent(event, around.receipt);
        gaps.markEvents([event]);
        return { isNew: true, rejects: [] };
      };
      return unlessStored(sent, { has: has.event, add });
    }),
    ...decoded.health.map((sent) => () => {
      const add = (record: typeof sent) => differing(records.addHealth(record));
      return unlessStored(sent, { has: has.health, add });
    }),
    ...decoded.predictions.map((sent) => () => {
      const add = (record: typeof sent) => differing(records.addPrediction(record));
      return unlessStored(sent, { has: records.hasPrediction, add });
    }),
  ];
}

function takeReading(part: ReadingPart, parts: IngestParts, around: Around): Taken {
  const late = expired(part, around.context);
  if (late !== null) return { isNew: false, rejects: late };
  let isNew = false;
  const rejects = undamaged(part, () => {
    const asSent = storedAsSent(parts, part, around);
    const merged = asSent ?? parts.readings.merge(part, around.receipt);
    isNew = asSent === null && merged.reading !== null;
    return leftOut(merged, part);
  });
  return { isNew, rejects };
}

/**
 * Whether a time could be taken when the message came: if not, what stands there now is another's.
 */
function wasTimely({ at_ms }: { readonly at_ms: number }, { receipt }: Around): boolean {
  const isAhead = receipt.clock_trusted && at_ms > receipt.received_ms + AHEAD_MAX_MS;
  return at_ms >= OLDEST_MS && !isAhead;
}

const shiftOf = ({ context }: Around): number => context.replay?.shift_ms ?? 0;

/**
 * What a merge says of a part that was stored at the time it was sent with; null when it wasn't.
 */
function storedAsSent({ readings }: IngestParts, part: ReadingPart, around: Around) {
  const shift_ms = part.timed_by_receipt ? 0 : shiftOf(around);
  const sent = { ...part, at_ms: part.at_ms - shift_ms };
  if (shift_ms === 0 || !wasTimely(sent, around)) return null;
  const known = readings.at(sent.at_ms);
  if (known === null) return null;
  const merged = mergePart(known, sent, around.receipt);
  return merged.reading === null && !merged.clock_repeat ? { ...merged, beyond: [] } : null;
}
