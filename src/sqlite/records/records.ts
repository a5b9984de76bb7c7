// The writer's side of events, health records and predictions. Identities prevent repetitions from
// being stored twice; a later record of the same time fills what an earlier one lacked;
// contradictions are reported.

import type { Event } from "../../bwts/event.ts";
import { type ReceivedHealth, riskLevel } from "../../bwts/health-record.ts";
import type { PartReceipt } from "../../bwts/merge.ts";
import { type Prediction, PredictionAnswer } from "../../bwts/prediction.ts";
import { monthOf, printTime } from "../../ground/clock.ts";
import { exactJson, parseExact } from "../../ground/exact-json.ts";
import { chainHead, eventHash, hashOf, moveHead } from "../file/hash-chain.ts";
import { wantHead } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { type Completion, completion, isContained, sortedJson } from "./completion.ts";

/**
 * A description of the difference from the stored record; null if the record is stored now or was
 * already.
 */
export type Contradiction = string | null;

export interface RecordStore {
  addEvent(event: Event, receipt: PartReceipt): { readonly isNew: boolean };
  addHealth(record: ReceivedHealth): Contradiction;
  addPrediction(prediction: Prediction): Contradiction;
  /** True if exactly this event is stored. */
  hasEvent(event: Event): boolean;
  hasHealth(record: ReceivedHealth): boolean;
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
  const completeHealth = prepare(db, "health.complete");
  /** Compares the record with the stored one of its time; null if there is none. */
  const compared = (record: ReceivedHealth): Completion | null => {
    const stored = healthAt.get({ at_ms: record.at_ms });
    return stored === undefined ? null : completion(stored, healthColumns(record), () => true);
  };
  return {
    addHealth(record) {
      const { at_ms, overall_score } = record;
      const time = printTime(at_ms);
      const found = compared(record);
      if (found === null) {
        const risk_level = record.risk_level ?? riskLevel(overall_score);
        const month = record.month ?? monthOf(at_ms);
        receiveHealth.run({ at_ms, ...healthColumns(record), risk_level, month });
        return null;
      }
      const { differing } = found;
      if (differing.length > 0)
        return `health at ${time}: ${differing.join(", ")} differ from the stored record`;
      if (!isContained(found)) completeHealth.run({ at_ms, ...record.components });
      return null;
    },
    hasHealth: (record) => {
      const found = compared(record);
      return found !== null && isContained(found);
    },
  };
}

/**
 * Members of a prediction that a later one may fill; unknown members aren't filled, because nothing
 * limits their total.
 */
const FILLED = new Set(
  [PredictionAnswer.shape.predictions, PredictionAnswer.shape.current_state].flatMap(({ shape }) =>
    Object.keys(shape),
  ),
);

function openPredictions(db: Connection): Pick<RecordStore, "addPrediction" | "hasPrediction"> {
  const predictionAt = prepare(db, "prediction.at");
  const add = prepare(db, "prediction.add");
  const complete = prepare(db, "prediction.complete");
  /**
   * Compares the prediction with the stored one of its time and component; null if there is none.
   */
  const compared = ({ at_ms, component_id, predictions, current_state }: Prediction) => {
    const stored = predictionAt.get({ at_ms, component_id });
    if (stored === undefined) return null;
    const part = (text: string, given: Prediction["predictions"]) => {
      const kept: typeof given = { ...parseExact(text) };
      return { kept, ...completion(kept, given, (name) => FILLED.has(name)) };
    };
    return [part(stored.predictions, predictions), part(stored.current_state, current_state)];
  };
  return {
    addPrediction(prediction) {
      const { at_ms, component_id } = prediction;
      const key = { at_ms, component_id };
      const found = compared(prediction);
      if (found === null) {
        const { predictions, current_state } = prediction;
        add.run({ ...key, ...jsonColumns(predictions, current_state) });
        return null;
      }
      if (found.some(({ differing }) => differing.length > 0))
        return `prediction for ${component_id} at ${printTime(at_ms)} differs from the stored one`;
      if (!found.every(isContained)) {
        const [predictions, current_state] = found.map(({ kept, more }) => ({ ...kept, ...more }));
        complete.run({ ...key, ...jsonColumns(predictions, current_state) });
      }
      return null;
    },
    hasPrediction: (prediction) => compared(prediction)?.every(isContained) === true,
  };
}

function jsonColumns(predictions: object, current_state: object) {
  return { predictions: exactJson(predictions), current_state: exactJson(current_state) };
}

type IdentifiedEvent = Omit<Event, "source" | "event_type"> & { readonly event_type: string };

/** The identity of an event: a hash over its time, type, description and data. */
export const eventIdentity = (event: IdentifiedEvent) => hashOf(identityText(event));

/** The JSON text that the identity is a hash of. */
export function identityText({ at_ms, event_type, description, data }: IdentifiedEvent): string {
  return JSON.stringify([at_ms, event_type, description, sortedJson(data)]);
}

/** The columns of a received health record. */
function healthColumns(record: ReceivedHealth) {
  const { overall_score, risk_level, month, components } = record;
  return { overall_score, risk_level, month, ...components };
}

/** Number of events stored in a range, hidden or not. */
export function countEvents(db: Connection, range: ClosedRange): number {
  return prepare(db, "event.count_between").get(range)?.count ?? 0;
}
