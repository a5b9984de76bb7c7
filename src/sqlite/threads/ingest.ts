// Ingests messages inside the batch's transaction: decodes, merges, and stores or quarantines them,
// in the order of arrival. An array of readings can take seconds, a writer's step only some 60 ms:
// so a slice of a message's items is decoded at a time, its records are stored one by one, and a
// position between two steps says where to continue. Replay shares this.

import type { QuarantinedReason } from "../../bwts/aside-watch.ts";
import { type Event, isPlantAlarm, LINK_LOST } from "../../bwts/event.ts";
import type { PartReceipt } from "../../bwts/merge.ts";
import type { Message, Reject } from "../../bwts/message.ts";
import type { Reading, ReadingPart } from "../../bwts/reading.ts";
import { tellsPlant } from "../../bwts/treating.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { printTime } from "../../ground/clock.ts";
import type { DecodeContext, DecodedMessage } from "../../payload/decoded.ts";
import { type DueList, eventChange } from "../derived/due.ts";
import type { AlarmStore } from "../records/alarms.ts";
import type { ClockTrust } from "../records/clock-trust.ts";
import type { ClockWatch } from "../records/clock-watch.ts";
import type { QuarantineStore } from "../records/quarantine.ts";
import type { ReceiptStore } from "../records/receipts.ts";
import type { RecordStore } from "../records/records.ts";
import type { FlushResult, MergedPart, ReadingStore } from "../sealed/readings.ts";
import { tooManyTags } from "../sealed/tag-names.ts";
import { alarmsOf, asideOf, countAside } from "./aside.ts";
import {
  BEGINNING,
  type IngestContext,
  type Position,
  type StepLimits,
  type StoreResult,
  step,
} from "./steps.ts";

/** The stores for decoded data. */
export interface IngestParts {
  readonly readings: ReadingStore;
  readonly receipts: ReceiptStore;
  readonly quarantine: QuarantineStore;
  readonly records: RecordStore;
  readonly clock: ClockTrust;
  readonly watch: ClockWatch;
  readonly alarms: AlarmStore;
  readonly due: DueList;
}

/** The settings of decoding. */
export type IngestOptions = Pick<
  DecodeContext,
  "prefix" | "system_id" | "merge_ms" | "plc_offset_ms" | "map"
>;

/** Counts of a batch, beside its readings. */
export interface IngestCounts {
  readonly quarantined: number;
  readonly repeated: number;
  readonly events: number;
  /** Messages that went to quarantine, by reason. */
  readonly aside: readonly QuarantinedReason[];
  /** Trust in the clock at the last message. */
  readonly clock_trusted: boolean;
}

/** The result of a batch as a commit. */
export interface BatchResult extends IngestCounts {
  readonly readings: number;
  /** Time of the batch's newest reading; null if it has none. */
  readonly newest_ms: number | null;
  /** True if a reading of the batch shows the plant's state. */
  readonly tellsPlant: boolean;
}

/** The counts of a batch's readings. */
export function countsOf(
  { new_count, touched }: FlushResult,
  isVisible: (reading: Reading) => boolean,
): Pick<BatchResult, "readings" | "newest_ms" | "tellsPlant"> {
  const newest_ms = touched.findLast(isVisible)?.at_ms ?? null;
  return { readings: new_count, newest_ms, tellsPlant: touched.some(tellsPlant) };
}

/** The position in a message, and facts about it that all steps share. */
export interface MessageProgress extends Position {
  /** True if something in it has the time of receipt. */
  readonly timed_by_receipt: boolean;
  /** Trust in the clock at the first step, used for the whole message. */
  readonly clock_trusted: boolean;
}

/** A message to be ingested, and its position after an earlier step. */
export interface Taking {
  readonly message: Message;
  readonly progress: MessageProgress | null;
}

/** The result of a step: the number of finished messages, and the position in the next one. */
export interface IngestResult {
  readonly ingested: IngestCounts;
  readonly done: number;
  readonly progress: MessageProgress | null;
}

/** Returns a function that ingests messages until it is late, at least one record. */
export function openIngest(parts: IngestParts, options: IngestOptions) {
  const { clock, watch } = parts;
  return (batch: readonly Taking[], limits: StepLimits): IngestResult => {
    watch.look();
    const ingested = { quarantined: 0, repeated: 0, events: 0, clock_trusted: true };
    const aside = new Map<string, QuarantinedReason>();
    let done = 0;
    let progress: MessageProgress | null = null;
    for (const taking of batch) {
      const { received_ms } = taking.message;
      const clock_trusted = taking.progress?.clock_trusted ?? clock.trusts(received_ms);
      const result = ingest(taking, parts, { ...options, clock_trusted, ...limits });
      ingested.quarantined += result.quarantined;
      ingested.repeated += result.repeated;
      ingested.events += result.events;
      if (result.aside !== null) countAside(aside, result.aside);
      ingested.clock_trusted = clock_trusted;
      clock.received(received_ms);
      ({ progress } = result);
      if (progress !== null) break;
      done += 1;
      if (limits.isLate()) break;
    }
    parts.receipts.prune();
    return { ingested: { ...ingested, aside: [...aside.values()] }, done, progress };
  };
}

interface StepResult
  extends Pick<IngestCounts, "quarantined" | "repeated" | "events">,
    Pick<IngestResult, "progress"> {
  readonly aside: QuarantinedReason | null;
}

function ingest(
  { message, progress }: Taking,
  parts: IngestParts,
  context: IngestContext,
): StepResult {
  const { receipts, quarantine, alarms, watch } = parts;
  const { received_ms } = message;
  const { clock_trusted, system_id } = context;
  const receipt: PartReceipt = { received_ms, clock_trusted, system_id };
  let timed_by_receipt = progress?.timed_by_receipt ?? false;
  let isRepeated = false;
  let sent_ms: number | null = null;
  let taken = 0;
  const stepped = step(progress ?? BEGINNING, { message, context }, (decoded, isFirst) => {
    isRepeated = decoded.timed_by_receipt && !timed_by_receipt && receipts.isRedelivery(message);
    if (isRepeated) return null;
    timed_by_receipt ||= decoded.timed_by_receipt;
    taken += alarmsOf(decoded);
    if (isFirst) {
      ({ sent_ms } = decoded);
      if (sent_ms !== null) watch.saw({ sent_ms, received_ms });
      if (!message.will) alarms.end({ code: LINK_LOST, about: message.client }, received_ms);
    }
    return thingsOf(decoded, message, { parts, context, receipt });
  });
  if (isRepeated) return { quarantined: 0, repeated: 1, events: 0, aside: null, progress: null };
  const { isWhole, stored: events, ...position } = stepped;
  if (!isWhole) {
    const reached = { ...position, timed_by_receipt, clock_trusted };
    return { quarantined: 0, repeated: 0, events, aside: null, progress: reached };
  }
  const { rejects } = position;
  if (timed_by_receipt) receipts.note(message);
  if (rejects.length === 0)
    return { quarantined: 0, repeated: 0, events, aside: null, progress: null };
  quarantine.add(message, rejects, receipt);
  const aside = asideOf(message, rejects, { sent_ms, taken });
  return { quarantined: 1, repeated: 0, events, aside, progress: null };
}

interface MessageContext {
  readonly parts: IngestParts;
  readonly context: IngestContext;
  readonly receipt: PartReceipt;
}

/** One call per record of the message, in order, that stores it; `isNew` counts events only. */
function thingsOf(
  decoded: DecodedMessage,
  message: Message,
  { parts, context, receipt }: MessageContext,
): readonly (() => StoreResult)[] {
  const { readings, records, alarms, due } = parts;
  const noted = (rejects: readonly Reject[]): StoreResult => ({ isNew: false, rejects });
  const differing = (detail: string | null): StoreResult =>
    noted(detail === null ? [] : [{ reason: "conflict", detail }]);
  const addEvent = (sent: Event): StoreResult => {
    const event = message.will ? alarms.loseLink(sent, message.client) : sent;
    if (event === null || !records.addEvent(event, receipt).isNew) return noted([]);
    due.changed(eventChange(event));
    if (isPlantAlarm(event)) alarms.received(event, receipt);
    return { isNew: true, rejects: [] };
  };
  return [
    ...decoded.readings.map((part) => () => {
      const late = expired(part, context);
      const take = () => leftOut(readings.merge(part, receipt), part);
      return noted(late ?? undamaged(part, take));
    }),
    ...decoded.events.map((event) => () => addEvent(event)),
    ...decoded.health.map((record) => () => differing(records.addHealth(record))),
    ...decoded.predictions.map((prediction) => () => differing(records.addPrediction(prediction))),
  ];
}

/** The rejects of a part that arrives after its time has expired; null if it hasn't. */
export function expired(
  { at_ms }: ReadingPart,
  { raw_from_ms }: IngestContext,
): readonly Reject[] | null {
  if (at_ms >= raw_from_ms) return null;
  const from = printTime(raw_from_ms);
  const detail = `${printTime(at_ms)}: readings before ${from} have expired`;
  return [{ reason: "expired", detail }];
}

/** The rejects from `take`; if stored data of its time is damaged, the whole part is rejected. */
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

/** Rejects for fields of a part that contradict stored ones, and for tag names beyond the limit. */
export function leftOut(
  { conflicts, clock_repeat, beyond }: MergedPart,
  { at_ms }: ReadingPart,
): readonly Reject[] {
  const rejects: Reject[] = [];
  const time = printTime(at_ms);
  const reason = clock_repeat ? "clock_repeat" : "conflict";
  if (conflicts.length > 0) rejects.push({ reason, detail: `${time}: ${conflicts.join(", ")}` });
  if (beyond.length > 0)
    rejects.push({ reason: "too_many_tags", detail: `${time}: ${tooManyTags(beyond)}` });
  return rejects;
}
