// What messages do, inside the batch's transaction: decoded, merged, stored or set aside, one after
// the other, in the order in which they came.

import { LINK_LOST } from "../bwts/event.ts";
import type { Merged, Receipt } from "../bwts/merge.ts";
import type { Decode, DecodeContext, Decoded, Message, Reject } from "../bwts/message.ts";
import type { ReadingPart } from "../bwts/reading.ts";
import { printTime } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { AlarmStore } from "./alarms.ts";
import type { ClockTrust } from "./clock-trust.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { GapDue } from "./gap-due.ts";
import type { QuarantineStore } from "./quarantine.ts";
import type { ReadingStore } from "./readings.ts";
import type { ReceiptStore } from "./receipts.ts";
import type { RecordStore } from "./records.ts";
import { DamagedError } from "./segment/bytes.ts";

/** Where what was decoded goes. */
export interface IngestParts {
  readonly readings: ReadingStore;
  readonly receipts: ReceiptStore;
  readonly quarantine: QuarantineStore;
  readonly records: RecordStore;
  readonly clock: ClockTrust;
  readonly watch: ClockWatch;
  readonly alarms: AlarmStore;
  readonly gaps: GapDue;
}

/** How messages are read and judged. */
export interface IngestOptions extends Omit<DecodeContext, "clock_trusted" | "replay"> {
  readonly decode: Decode;
}

/** What a batch came to, beside its readings. */
export interface Ingested {
  readonly quarantined: number;
  readonly repeated: number;
  readonly events: number;
  /** As of the last message. */
  readonly clock_trusted: boolean;
}

/** What a batch came to, as a commit. */
export interface BatchResult extends Ingested {
  readonly readings: number;
  /** The time of the batch's newest reading; null when it has none. */
  readonly newest_ms: number | null;
}

/** Takes messages in; readings before `raw_from_ms` have expired and go to quarantine. */
export type Ingest = (messages: readonly Message[], raw_from_ms: number) => Ingested;

export function openIngest(parts: IngestParts, options: IngestOptions): Ingest {
  const { clock, watch } = parts;
  return (messages, raw_from_ms) => {
    watch.look();
    const total = { quarantined: 0, repeated: 0, events: 0, clock_trusted: true };
    for (const message of messages) {
      const clock_trusted = clock.trusts(message.received_ms);
      const context = { ...options, clock_trusted, raw_from_ms };
      const result = ingest(message, parts, context);
      total.quarantined += result.quarantined;
      total.repeated += result.repeated;
      total.events += result.events;
      total.clock_trusted = clock_trusted;
      clock.received(message.received_ms);
    }
    parts.receipts.prune();
    return total;
  };
}

/** How one message is read and judged. */
export interface IngestContext extends DecodeContext {
  readonly decode: Decode;
  readonly raw_from_ms: number;
}

function ingest(
  message: Message,
  { readings, receipts, quarantine, records, alarms, watch, gaps }: IngestParts,
  context: IngestContext,
): Omit<Ingested, "clock_trusted"> {
  const { received_ms } = message;
  const { clock_trusted, system_id } = context;
  const receipt: Receipt = { received_ms, clock_trusted, system_id };
  const decoded = decodeSafely(message, context);
  if (decoded.timed_by_receipt && receipts.isRedelivery(message))
    return { quarantined: 0, repeated: 1, events: 0 };
  const rejects = [...decoded.rejects];
  if (decoded.sent_ms !== null) watch.saw({ sent_ms: decoded.sent_ms, received_ms });
  for (const part of decoded.readings)
    rejects.push(
      ...(expired(part, context) ??
        undamaged(part, () => contradictions(readings.merge(part, receipt), part))),
    );
  if (!message.will) alarms.end({ code: LINK_LOST, about: message.client }, received_ms);
  const events = message.will
    ? decoded.events.flatMap((event) => alarms.loseLink(event, message.client) ?? [])
    : decoded.events;
  const added = events.filter((event) => records.addEvent(event, receipt).isNew);
  if (added.length > 0)
    gaps.markEvents(added.filter(({ event_type }) => event_type !== "ALARM_TRIGGERED"));
  const differing = [
    ...decoded.health.map((record) => records.addHealth(record)),
    ...decoded.predictions.map((prediction) => records.addPrediction(prediction)),
  ];
  for (const detail of differing) if (detail !== null) rejects.push({ reason: "conflict", detail });
  if (rejects.length > 0) quarantine.add(message, rejects, receipt);
  return { quarantined: rejects.length > 0 ? 1 : 0, repeated: 0, events: added.length };
}

/** Why the part comes too late; null when it doesn't. */
export function expired(
  { at_ms }: ReadingPart,
  { raw_from_ms }: IngestContext,
): readonly Reject[] | null {
  if (at_ms >= raw_from_ms) return null;
  const from = printTime(raw_from_ms);
  const detail = `${printTime(at_ms)}: readings before ${from} have expired`;
  return [{ reason: "expired", detail }];
}

/** What `take` rejects of a part; all of it where what is stored of its time is damaged. */
export function undamaged(
  { at_ms }: ReadingPart,
  take: () => readonly Reject[],
): readonly Reject[] {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return [{ reason: "damaged", detail: `${printTime(at_ms)}: ${error.message}` }];
  }
}

/** What of a part contradicts what is stored. */
export function contradictions(
  { conflicts, clock_repeat }: Merged,
  { at_ms }: ReadingPart,
): readonly Reject[] {
  if (conflicts.length === 0) return [];
  const reason = clock_repeat ? "clock_repeat" : "conflict";
  return [{ reason, detail: `${printTime(at_ms)}: ${conflicts.join(", ")}` }];
}

/**
 * Decoding promises not to throw. If it does all the same, the fault is ours, but the message must
 * not come back for ever: it goes to quarantine with what was thrown.
 */
export function decodeSafely(message: Message, context: IngestContext): Decoded {
  try {
    return context.decode(message, context);
  } catch (error) {
    const rejects: Reject[] = [
      { reason: "bad_value", detail: `decoding failed: ${messageOf(error)}` },
    ];
    const nothing = { readings: [], events: [], health: [], predictions: [] };
    return { timed_by_receipt: false, sent_ms: null, ...nothing, rejects };
  }
}
