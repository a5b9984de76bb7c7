// Replays the message of one quarantine entry, as far as the time of a step allows. Records stored
// when the message arrived, or in an earlier replay, are recognised and left unchanged.

import { isPlantAlarm } from "../../bwts/event.ts";
import { mergePart, type PartReceipt } from "../../bwts/merge.ts";
import type { Message } from "../../bwts/message.ts";
import { AHEAD_MAX_MS, OLDEST_MS, type ReadingPart } from "../../bwts/reading.ts";
import type { DecodedMessage } from "../../payload/decoded.ts";
import { eventChange } from "../derived/due.ts";
import { expired, type IngestParts, leftOut, undamaged } from "./ingest.ts";
import { BEGINNING, type IngestContext, type Position, type StoreResult, step } from "./steps.ts";

/** The position in an entry's message between two steps. */
export interface EntryProgress extends Position {
  /** Readings, events and records that changed something, in all steps so far. */
  readonly stored: number;
}

/** The result of a step with an entry's message. */
export interface TakenIn extends EntryProgress {
  /** True if the whole message is done. */
  readonly isWhole: boolean;
}

/** A message to be replayed, and its position after an earlier step. */
export interface EntryTaking {
  readonly message: Message;
  readonly clock_trusted: boolean;
  readonly progress: EntryProgress | null;
}

/** Replays a message until `isLate`, at least one record of it. */
export function takeIn(
  { message, clock_trusted, progress }: EntryTaking,
  parts: IngestParts,
  context: IngestContext,
): TakenIn {
  const { system_id } = context;
  const receipt: PartReceipt = { received_ms: message.received_ms, clock_trusted, system_id };
  const stepped = step(progress ?? BEGINNING, { message, context }, (decoded) =>
    thingsOf(decoded, parts, { context, receipt }),
  );
  return { ...stepped, stored: (progress?.stored ?? 0) + stepped.stored };
}

interface EntryContext {
  readonly context: IngestContext;
  readonly receipt: PartReceipt;
}

const NOTHING: StoreResult = { isNew: false, rejects: [] };

/** The calls that store the message's records, one for each, in order. */
function thingsOf(
  decoded: DecodedMessage,
  parts: IngestParts,
  around: EntryContext,
): readonly (() => StoreResult)[] {
  const { alarms, records, due } = parts;
  const shift_ms = shiftOf(around);
  const unlessStored = <Timed extends { readonly at_ms: number }>(
    record: Timed,
    how: { readonly has: (record: Timed) => boolean; readonly add: (record: Timed) => StoreResult },
  ): StoreResult => {
    const sent = { ...record, at_ms: record.at_ms - shift_ms };
    const wasStored =
      how.has(record) || (shift_ms !== 0 && wasTimely(sent, around) && how.has(sent));
    return wasStored ? NOTHING : how.add(record);
  };
  const differing = (detail: string | null): StoreResult =>
    detail === null
      ? { isNew: true, rejects: [] }
      : { isNew: false, rejects: [{ reason: "conflict", detail }] };
  const has = { event: records.hasEvent, health: records.hasHealth };
  return [
    ...decoded.readings.map((part) => () => takeReading(part, parts, around)),
    ...decoded.events.map((sent) => () => {
      const add = (event: typeof sent): StoreResult => {
        records.addEvent(event, around.receipt);
        due.changed(eventChange(event));
        if (isPlantAlarm(event)) alarms.received(event, around.receipt);
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

function takeReading(part: ReadingPart, parts: IngestParts, around: EntryContext): StoreResult {
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
 * True if the time was acceptable when the message arrived. If not, a record at that time isn't
 * from this message.
 */
function wasTimely({ at_ms }: { readonly at_ms: number }, { receipt }: EntryContext): boolean {
  const isAhead = receipt.clock_trusted && at_ms > receipt.received_ms + AHEAD_MAX_MS;
  return at_ms >= OLDEST_MS && !isAhead;
}

const shiftOf = ({ context }: EntryContext): number => context.replay?.shift_ms ?? 0;

/** The merge of a part that was stored at its original time; null if it wasn't. */
function storedAsSent({ readings }: IngestParts, part: ReadingPart, around: EntryContext) {
  const shift_ms = part.timed_by_receipt ? 0 : shiftOf(around);
  const sent = { ...part, at_ms: part.at_ms - shift_ms };
  if (shift_ms === 0 || !wasTimely(sent, around)) return null;
  const known = readings.at(sent.at_ms);
  if (known === null) return null;
  const merged = mergePart(known, sent, around.receipt);
  return merged.reading === null && !merged.clock_repeat ? { ...merged, beyond: [] } : null;
}
