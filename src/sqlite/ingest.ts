// What messages do, inside the batch's transaction: decoded, merged, stored or set aside, one after
// the other, in the order in which they came.

import type { Receipt } from "../bwts/merge.ts";
import type { Decode, DecodeContext, Decoded, Message, Reject } from "../bwts/message.ts";
import type { ReadingPart } from "../bwts/reading.ts";
import { printTime } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { ClockTrust } from "./clock-trust.ts";
import type { QuarantineStore } from "./quarantine.ts";
import type { ReadingStore } from "./readings.ts";
import type { ReceiptStore } from "./receipts.ts";
import type { RecordStore } from "./records.ts";

/** Where what was decoded goes. */
export interface IngestParts {
  readonly readings: ReadingStore;
  readonly receipts: ReceiptStore;
  readonly quarantine: QuarantineStore;
  readonly records: RecordStore;
  readonly clock: ClockTrust;
}

/** How messages are read and judged. */
export interface IngestOptions extends Omit<DecodeContext, "clock_trusted"> {
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
  const { clock } = parts;
  return (messages, raw_from_ms) => {
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
    return total;
  };
}

interface Context extends DecodeContext {
  readonly decode: Decode;
  readonly raw_from_ms: number;
}

function ingest(
  message: Message,
  { readings, receipts, quarantine, records }: IngestParts,
  context: Context,
): Omit<Ingested, "clock_trusted"> {
  const { received_ms } = message;
  const { clock_trusted, system_id } = context;
  const receipt: Receipt = { received_ms, clock_trusted, system_id };
  const decoded = decodeSafely(message, context);
  if (decoded.timed_by_receipt && receipts.isRedelivery(message))
    return { quarantined: 0, repeated: 1, events: 0 };
  const rejects = [...decoded.rejects];
  for (const part of decoded.readings)
    rejects.push(
      ...(part.at_ms < context.raw_from_ms
        ? expired(part, context.raw_from_ms)
        : contradictions(readings, part, receipt)),
    );
  const added = decoded.events.filter((event) => records.addEvent(event, receipt).isNew);
  const differing = [
    ...decoded.health.map((record) => records.addHealth(record)),
    ...decoded.predictions.map((prediction) => records.addPrediction(prediction)),
  ];
  for (const detail of differing) if (detail !== null) rejects.push({ reason: "conflict", detail });
  if (rejects.length > 0) quarantine.add(message, rejects, receipt);
  return { quarantined: rejects.length > 0 ? 1 : 0, repeated: 0, events: added.length };
}

function expired(part: ReadingPart, raw_from_ms: number): readonly Reject[] {
  const from = printTime(raw_from_ms);
  return [
    { reason: "expired", detail: `${printTime(part.at_ms)}: readings before ${from} have expired` },
  ];
}

function contradictions(
  readings: ReadingStore,
  part: ReadingPart,
  receipt: Receipt,
): readonly Reject[] {
  const { conflicts, clock_repeat } = readings.merge(part, receipt);
  if (conflicts.length === 0) return [];
  const reason = clock_repeat ? "clock_repeat" : "conflict";
  return [{ reason, detail: `${printTime(part.at_ms)}: ${conflicts.join(", ")}` }];
}

/**
 * Decoding promises not to throw. If it does all the same, the fault is ours, but the message must
 * not come back for ever: it goes to quarantine with what was thrown.
 */
function decodeSafely(message: Message, context: Context): Decoded {
  try {
    return context.decode(message, context);
  } catch (error) {
    const rejects: Reject[] = [
      { reason: "bad_value", detail: `decoding failed: ${messageOf(error)}` },
    ];
    const nothing = { readings: [], events: [], health: [], predictions: [] };
    return { timed_by_receipt: false, ...nothing, rejects };
  }
}
