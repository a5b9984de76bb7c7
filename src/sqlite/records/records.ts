// The writer's side of events, health records and predictions. Identities make repetitions change
// nothing, and contradictions are reported.

import type { Event } from "../../bwts/event.ts";
import type { HealthRecord } from "../../bwts/health-record.ts";
import type { PartReceipt } from "../../bwts/merge.ts";
import type { Prediction } from "../../bwts/prediction.ts";
import { printTime } from "../../ground/clock.ts";
import { exactJson, parseExact, withDigits } from "../../ground/exact-json.ts";
import { chainHead, eventHash, hashOf, moveHead } from "../file/hash-chain.ts";
import { wantHead } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";

/** Null if the record is stored now or was already, else a description of the difference. */
export type Contradiction = string | null;

export interface RecordStore {
  addEvent(event: Event, receipt: PartReceipt): { readonly isNew: boolean };
  addHealth(record: HealthRecord): Contradiction;
  addPrediction(prediction: Prediction): Contradiction;
  /** True if exactly this event is stored. */
  hasEvent(event: Event): boolean;
  hasHealth(record: HealthRecord): boolean;
  hasPrediction(prediction: Prediction): boolean;
}

export function openRecordStore(db: Connection): RecordStore {
  return { ...openEvents(db), ...openReceivedHealth(db), ...openPredictions(db) };
}

function openEvents(db: Connection): Pick<RecordStore, "addEvent" | "hasEvent"> {
  const addEvent = prepare(db, "event.add");
  const eventAt = prepare(db, "event.same");
  return {
    addEvent(event, receipt) {
      const { at_ms, event_type, description, source } = event;
      const identity = eventIdentity(event);
      const { received_ms } = receipt;
      const clock_trusted = receipt.clock_trusted ? 1 : 0;
      const text = exactJson(event.data);
      const head = chainHead(db, "event");
      const hash = eventHash({ identity, source, received_ms, clock_trusted }, head.hash);
      const added = addEvent.run({
        at_ms,
        event_type,
        description,
        data: text,
        source,
        received_ms,
        clock_trusted,
        identity,
        hash,
      });
      if (added.changes === 0) return { isNew: false };
      moveHead(db, "event", { count: head.count + 1, hash });
      if (event_type === "PROCESS_STOP") wantHead(db, "stop");
      return { isNew: true };
    },
    hasEvent: (event) => eventAt.get({ identity: eventIdentity(event) }) !== undefined,
  };
}

function openReceivedHealth(db: Connection): Pick<RecordStore, "addHealth" | "hasHealth"> {
  const healthAt = prepare(db, "health.received");
  const receiveHealth = prepare(db, "health.receive");
  /** Null if no record of that time is stored. */
  const differing = (record: HealthRecord): readonly string[] | null => {
    const stored = healthAt.get({ at_ms: record.at_ms });
    if (stored === undefined) return null;
    const columns = new Map<string, unknown>(Object.entries(healthColumns(record)));
    return Object.entries(stored)
      .filter(([name, value]) => columns.get(name) !== value)
      .map(([name]) => name);
  };
  return {
    addHealth(record) {
      const { at_ms } = record;
      const names = differing(record);
      if (names === null) receiveHealth.run({ at_ms, ...healthColumns(record) });
      return names === null || names.length === 0
        ? null
        : `health at ${printTime(at_ms)}: ${names.join(", ")} differ from the stored record`;
    },
    hasHealth: (record) => differing(record)?.length === 0,
  };
}

function openPredictions(db: Connection): Pick<RecordStore, "addPrediction" | "hasPrediction"> {
  const predictionAt = prepare(db, "prediction.at");
  const add = prepare(db, "prediction.add");
  /** Null if no prediction of that time and component is stored. */
  const isSame = (prediction: Prediction): boolean | null => {
    const { at_ms, component_id } = prediction;
    const stored = predictionAt.get({ at_ms, component_id });
    if (stored === undefined) return null;
    const kept = [parseExact(stored.predictions), parseExact(stored.current_state)];
    return (
      canonicalJson(kept) === canonicalJson([prediction.predictions, prediction.current_state])
    );
  };
  return {
    addPrediction(prediction) {
      const { at_ms, component_id } = prediction;
      const found = isSame(prediction);
      if (found === null)
        add.run({
          ...{ at_ms, component_id },
          predictions: exactJson(prediction.predictions),
          current_state: exactJson(prediction.current_state),
        });
      return found === false
        ? `prediction for ${component_id} at ${printTime(at_ms)} differs from the stored one`
        : null;
    },
    hasPrediction: (prediction) => isSame(prediction) === true,
  };
}

type IdentifiedEvent = Omit<Event, "source" | "event_type"> & { readonly event_type: string };

/** The identity of an event: a hash over its time, type, description and data. */
export const eventIdentity = (event: IdentifiedEvent) => hashOf(identityText(event));

/** The JSON text that the identity is the hash of. */
export function identityText({ at_ms, event_type, description, data }: IdentifiedEvent): string {
  return JSON.stringify([at_ms, event_type, description, canonicalJson(data)]);
}

/** The columns of a received record. */
function healthColumns(record: HealthRecord) {
  const { overall_score, risk_level, month, components } = record;
  return { overall_score, risk_level, month, ...components };
}

/** JSON with members sorted at every level, so that equal content has equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : withDigits(inner),
  );
}

/** Number of events stored in a range, hidden or not. */
export function countEvents(db: Connection, range: ClosedRange): number {
  return prepare(db, "event.count_between").get(range)?.count ?? 0;
}
