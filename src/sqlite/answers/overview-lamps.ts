// The sixteen lamps of the overview: their newest values, and the newest forecast of each, made
// aboard or received over MQTT.

import type { LampConfig, StoredForecast } from "../../bwts/lamps/outlook.ts";
import { lampStatusOf } from "../../bwts/plc-word.ts";
import type { Prediction } from "../../bwts/prediction.ts";
import { lampCondition } from "../../bwts/present/lamp-condition.ts";
import type { OverviewAnswer } from "../../bwts/present/overview.ts";
import { asNumber, asText } from "../../bwts/reading.ts";
import { indexOfLampTag, LAMP_NUMBERS, type LampField } from "../../bwts/tags.ts";
import { printTime } from "../../ground/clock.ts";
import { conditionsSince } from "../derived/lamp-condition.ts";
import type { NewestValues } from "../derived/newest-values.ts";
import { newestReceived, storedAt } from "../derived/predictions.ts";
import { withoutDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { lampHours } from "./lamp-hours.ts";

type OverviewLamps = OverviewAnswer["lamps"];

interface LampsAsked {
  readonly end_ms: number;
  /** The newest forecasts made aboard; none while forecasts are suspended. */
  readonly forecasts: readonly StoredForecast[];
  readonly isSuspended: boolean;
  readonly areCountersFast: boolean;
  readonly config: LampConfig;
}

export function overviewLamps(
  db: Connection,
  found: NewestValues | null,
  asked: LampsAsked,
): OverviewLamps {
  const { end_ms, forecasts, isSuspended, areCountersFast: areFast, config } = asked;
  const since = conditionsSince(db, forecasts, config);
  const received = () =>
    newestReceived(db, forecasts, { start_ms: EVER.start_ms, end_ms }).flatMap(
      (key) => storedAt(db, key) ?? [],
    );
  const told = isSuspended ? [] : (withoutDamage(db, received) ?? []);
  // Newest first; at equal times those made aboard come first.
  const all = [...forecasts, ...told].sort((one, other) => other.at_ms - one.at_ms);
  const hours = found === null || isSuspended ? [] : lampHours(db, found, { forecasts, areFast });
  return LAMP_NUMBERS.map((number, lamp) => {
    const at = (field: LampField) => found?.values[indexOfLampTag(lamp, field)] ?? null;
    const fields: readonly LampField[] = ["STATUS", "EFFICIENCY", "RUNTIME", "POWER"];
    const times = fields.flatMap((field) => found?.times[indexOfLampTag(lamp, field)] ?? []);
    const status = at("STATUS");
    const state = lampStatusOf(status);
    const forecast = all.find(({ component_id }) => component_id === `LAMP_${number}`);
    const condition = lampCondition(state, forecast);
    return {
      ...{ lamp: lamp + 1, state, status: asText(status), condition },
      past_life: condition === "past_life" ? since[lamp].past : null,
      no_light_since: condition === "failed" ? null : since[lamp].no_light,
      efficiency_percent: asNumber(at("EFFICIENCY")),
      runtime_hours: hours[lamp] ?? null,
      power_w: asNumber(at("POWER")),
      timestamp: times.length === 0 ? null : printTime(Math.min(...times)),
      forecast: forecast === undefined ? null : forecastOf(forecast),
    };
  });
}

function forecastOf({ at_ms, predictions }: Prediction): OverviewLamps[number]["forecast"] {
  const { remaining_useful_life_hours: hours } = predictions;
  return {
    timestamp: printTime(at_ms),
    remaining_hours: asNumber(hours),
    remaining_hours_p05: asNumber(predictions.remaining_useful_life_hours_p05),
    remaining_hours_p95: asNumber(predictions.remaining_useful_life_hours_p95),
    remaining_operations: asNumber(predictions.remaining_operations),
    basis: asText(predictions.basis),
  };
}
