// The overview: the plant at one moment, now or in the past, from the data up to that moment. Facts
// from readings are computed once after each commit; ages follow from the time of the request.

import { healthNested } from "../../bwts/health-record.ts";
import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type MomentFacts, type OverviewQuery, overviewAnswer } from "../../bwts/present/answer.ts";
import type { HidingVoid } from "../../bwts/present/hidden.ts";
import { intensityLine } from "../../bwts/present/time-to-limit.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { frozenNow } from "../derived/frozen-now.ts";
import { operationNow, presentOperation, presentValuesEnd } from "../derived/gaps.ts";
import { failingLamps } from "../derived/lamp-condition.ts";
import {
  type NewestValues,
  newestValues,
  toldNumber,
  withoutLost,
} from "../derived/newest-values.ts";
import { operationLights } from "../derived/operation-lights.ts";
import { verdictOfLast, verdictSoFar } from "../derived/operation-so-far.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { rawFrom } from "../sealed/timeline.ts";
import { listVoids } from "../sealed/voids.ts";
import { newestHealth } from "./health.ts";
import { lampForecasts } from "./lamp-hours.ts";
import { lampCounters, mostUrgent, openPlaces } from "./overview-alerts.ts";
import { overviewLamps } from "./overview-lamps.ts";
import { fallPoints, operationUnderWay, usualVolume } from "./overview-operation.ts";

/** Length of the time that a health score covers; the score is known at its end. */
const SLOT_MS = 15 * MINUTE_MS;
const INTENSITY = indexOfTag("UVR_INTENSITY");
const FLOW = indexOfTag("SYS_FLOW_RATE");

export function overviewJson(db: Connection, asked: OverviewQuery, config: LampConfig): string {
  const { at_ms } = asked;
  const compute = () => db.transaction(() => factsAt(db, asked, config))();
  const facts = at_ms === null ? memo(db, "overview", compute) : compute();
  return exactJson(overviewAnswer(facts, asked, config.limits));
}

/**
 * All facts that don't depend on the time of the request. Only the ranking of alerts uses `now_ms`:
 * when an alert's shelving ends, the cut list is corrected with the next commit.
 */
function factsAt(
  db: Connection,
  { at_ms, now_ms }: Pick<OverviewQuery, "at_ms" | "now_ms">,
  config: LampConfig,
): MomentFacts {
  const { limits } = config;
  const end_ms = at_ms ?? EVER.end_ms;
  const present = at_ms === null ? presentOperation(db, limits) : operationNow(db, limits, end_ms);
  const { newest, running, cadence_ms, since_ms } = present;
  const silence_ms = silenceLimit(cadence_ms);
  const found = newest === null ? null : newestValues(db, presentValuesEnd(present), since_ms);
  const held = found === null ? null : withoutLost(found, silence_ms);
  const operation =
    newest === null || running === null
      ? null
      : operationUnderWay(db, running, { end_ms: newest.at_ms, silence_ms, limits });
  const places = openPlaces(db, at_ms);
  const alerts = mostUrgent(db, places, { at_ms, now_ms });
  const { areCountersFast, isSuspended } = lampCounters(db, places, at_ms);
  const forecasts = isSuspended ? [] : lampForecasts(db, end_ms);
  const scored = { ...EVER, end_ms: at_ms === null ? EVER.end_ms : at_ms - SLOT_MS };
  const [health] = withoutDamage(db, () => newestHealth(db, 1, scored)) ?? [];
  return {
    ...{ newest, silence_ms, cadence_ms, alerts, isSuspended },
    end_of_life_efficiency: config.lamps.end_of_life_efficiency,
    found:
      found === null || held === null
        ? null
        : {
            ...ofNow(found, silence_ms),
            values: held.values,
            frozen: frozenNow(db, found, operation?.since_ms ?? null),
          },
    operation: operation && { ...operation, line: intensityLine(fallPoints(operation)) },
    so_far:
      at_ms === null && operation !== null && newest !== null
        ? verdictSoFar(db, operation.since_ms, { newest, limits })
        : null,
    ended:
      at_ms === null && operation === null && newest !== null
        ? verdictOfLast(db, newest.at_ms)
        : null,
    alerts_open: places.length,
    usual: operation === null ? null : usualVolume(db, operation, silence_ms),
    hiding: hidingAfter(db, newest?.at_ms ?? null),
    lamps: overviewLamps(db, held, { end_ms, forecasts, isSuspended, areCountersFast, config }),
    failing: failingLamps(forecasts, config),
    lights: operationLights(db, { end_ms: at_ms ?? EVER.end_ms, forecasts }),
    health: health === undefined ? null : healthNested(health),
    kept_ms: rawFrom(db),
  };
}

function ofNow(found: NewestValues, silence_ms: number) {
  return {
    ...found,
    light: toldNumber(found, INTENSITY, silence_ms),
    flow: toldNumber(found, FLOW, silence_ms),
  };
}

/** The voids that hide readings after `newest_ms`. */
function hidingAfter(db: Connection, newest_ms: number | null): readonly HidingVoid[] {
  return listVoids(db).filter(
    ({ what, undone_ms, end_ms }) =>
      what === "readings" && undone_ms === null && end_ms > (newest_ms ?? EVER.start_ms),
  );
}
