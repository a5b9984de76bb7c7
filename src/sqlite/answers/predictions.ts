// Forecasts of lamps, made aboard and received over MQTT. A record may have 16,384 characters, so
// each is read when its turn comes.

import { predictionAnswer } from "../../bwts/prediction.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { newestForecasts } from "../derived/lamp-rows.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { storedJson } from "../records/event-proof.ts";
import { printedTime } from "../sealed/segment-proof.ts";

export interface ReceivedPrediction {
  readonly at_ms: number;
  readonly component_id: string;
  readonly predictions: string;
  readonly current_state: string;
}

/** A row of the table, which is checked by its shape only. Throws a DamagedError. */
export function receivedOf({ at_ms, component_id, ...json }: ReceivedPrediction) {
  if (typeof component_id !== "string")
    throw new DamagedError(`prediction ${at_ms}: is of ${component_id}, expected a component`);
  const name = `the prediction of ${printedTime(at_ms)} for ${component_id}`;
  const predictions = storedJson(json.predictions, name);
  const current_state = storedJson(json.current_state, name);
  return { at_ms, component_id, predictions, current_state };
}

/** Predictions of a range, newest first, then by lamp, then those made aboard first. */
export function* predictionTexts(db: Connection, { range, limit }: Newest): Generator<string> {
  const within = closed(range);
  const received = prepare(db, "prediction.newest").all({ ...within, limit });
  const all = [...newestForecasts(db, limit, within), ...received].sort(
    (one, other) =>
      other.at_ms - one.at_ms ||
      String(one.component_id).localeCompare(String(other.component_id), "en"),
  );
  const stored = prepare(db, "prediction.at");
  for (const one of all.slice(0, limit)) {
    if ("predictions" in one) yield exactJson(predictionAnswer(one));
    else {
      const row = stored.get(one);
      if (row !== undefined) yield exactJson(predictionAnswer(receivedOf({ ...one, ...row })));
    }
  }
}
