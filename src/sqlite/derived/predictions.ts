// Forecasts of lamps, made aboard and received over MQTT. A record may have 16,384 characters, so
// each is read only when it is used.

import type { StoredForecast } from "../../bwts/lamps/outlook.ts";
import { type Prediction, predictionAnswer } from "../../bwts/prediction.ts";
import { lampCondition } from "../../bwts/present/lamp-condition.ts";
import { LAMP_COUNT, LAMP_NUMBERS } from "../../bwts/tags.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, closed, EVER, type Newest } from "../file/query.ts";
import { storedJson } from "../records/event-proof.ts";
import { printedTime } from "../sealed/segment-proof.ts";
import { newestForecasts } from "./lamp-rows.ts";

export interface ReceivedPrediction {
  readonly at_ms: number;
  readonly component_id: string;
  readonly predictions: string;
  readonly current_state: string;
}

/** The prediction of a row, of which only the shape is checked. Throws a DamagedError. */
export function receivedOf({ at_ms, component_id, ...json }: ReceivedPrediction) {
  if (typeof component_id !== "string")
    throw new DamagedError(`prediction ${at_ms}: is of ${component_id}, expected a component`);
  const name = `the prediction of ${printedTime(at_ms)} for ${component_id}`;
  const predictions = storedJson(json.predictions, name);
  const current_state = storedJson(json.current_state, name);
  return { at_ms, component_id, predictions, current_state };
}

export interface PredictionsQuery extends Newest {
  /** True for only the newest of each lamp, so that many of one lamp don't crowd out the others. */
  readonly isEachLamp?: boolean;
}

/** Predictions of a range, newest first, then by lamp, then those made aboard first. */
export function* predictionTexts(db: Connection, asked: PredictionsQuery): Generator<string> {
  for (const one of storedPredictions(db, asked)) yield exactJson(predictionAnswer(one));
}

/** The newest prediction of each lamp, made aboard or received. */
export function newestOfEachLamp(db: Connection): readonly Prediction[] {
  return [...storedPredictions(db, { range: EVER, limit: LAMP_COUNT, isEachLamp: true })];
}

function* storedPredictions(
  db: Connection,
  { range, limit, isEachLamp = false }: PredictionsQuery,
): Generator<Prediction> {
  const within = closed(range);
  const aboard = newestForecasts(db, isEachLamp ? LAMP_COUNT : limit, within);
  const received = isEachLamp
    ? newestReceived(db, aboard, within)
    : prepare(db, "prediction.newest").all({ ...within, limit });
  const all = [
    ...aboard.map((made) => ({ at_ms: made.at_ms, component_id: made.component_id, made })),
    ...received.map((key) => ({ ...key, made: null })),
  ].sort(
    (one, other) =>
      other.at_ms - one.at_ms ||
      String(one.component_id).localeCompare(String(other.component_id), "en"),
  );
  for (const one of (isEachLamp ? firstOfEachLamp(all) : all).slice(0, limit)) {
    const known = one.made === null ? storedAt(db, one) : withCondition(one.made);
    if (known !== null) yield known;
  }
}

/** Adds the lamp's condition by the forecast; received predictions are answered unchanged. */
function withCondition(made: StoredForecast): Prediction {
  const condition = lampCondition(null, made);
  return { ...made, current_state: { ...made.current_state, condition } };
}

/** Time and lamp of a received prediction. */
type ReceivedKey = Pick<ReceivedPrediction, "at_ms" | "component_id">;

/** Each lamp's newest received prediction, unless it is older than all `aboard`. */
export function newestReceived(
  db: Connection,
  aboard: readonly Prediction[],
  { start_ms, end_ms }: ClosedRange,
): readonly ReceivedKey[] {
  const lamps = firstOfEachLamp(aboard);
  const from_ms = lamps.length < LAMP_COUNT ? start_ms : Math.min(...lamps.map((one) => one.at_ms));
  const newest = prepare(db, "prediction.newest_of_lamp");
  return LAMP_NUMBERS.flatMap((number) => {
    const component_id = `LAMP_${number}`;
    const at_ms = newest.get({ component_id, start_ms: from_ms, end_ms })?.at_ms ?? null;
    return at_ms === null ? [] : [{ at_ms, component_id }];
  });
}

/** The first item of each lamp. */
export function firstOfEachLamp<One extends { readonly component_id: string }>(
  all: readonly One[],
): readonly One[] {
  const lamps = new Map<string, One>();
  for (const one of all) if (!lamps.has(one.component_id)) lamps.set(one.component_id, one);
  return [...lamps.values()];
}

/** A received prediction, by its key. Throws a DamagedError. */
export function storedAt(db: Connection, key: ReceivedKey): Prediction | null {
  const row = prepare(db, "prediction.at").get(key);
  return row === undefined ? null : receivedOf({ ...key, ...row });
}
