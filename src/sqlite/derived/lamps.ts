// Lamp lives and forecasts, made of all readings: a run goes on from the newest saved state. While
// readings come it runs every few minutes of their own time, so that a file of two years is tracked
// as it is taken in. It runs at once when no more come, and after the engineer's statement.

import { OWN_ALARMS } from "../../bwts/alarm.ts";
import { openIdleWatch, type Seen } from "../../bwts/idle-plant.ts";
import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { prepare } from "../file/open.ts";
import type { Derivation } from "./derivation.ts";
import { FORECAST_KEY, putForecasts } from "./forecasts.ts";
import { putScores, SCORE_KEY } from "./lamp-scores.ts";
import { forgetStates, putStates, STATE_KEY } from "./lamp-states.ts";
import { type LampRun, runLamps } from "./lamp-tracking.ts";

/** While readings come, lamps are tracked at this interval of the readings' own time. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export const LAMPS: Derivation<LampRun> = {
  name: "lamps",
  every_ms: 5 * SECOND_MS,
  tables: { forecast: FORECAST_KEY, lamp_state: STATE_KEY, lamp_score: SCORE_KEY },
  made_of: { readings: 0, lamp_words: 0 },
  pieceAt: () => 0,
  open_ms: 0,
  // There is only one.
  pieces_max: Number.POSITIVE_INFINITY,
  few: 0,
  counted: "lamps forecast",
  alarm: { code: OWN_ALARMS.counters, parameter: "LAMP_XX_RUNTIME" },
  openPace() {
    let looked: Seen | null = null;
    const isIdleNow = openIdleWatch(() => performance.now());
    return (now) => {
      const isIdle = isIdleNow(now);
      const { last_reading_ms } = now;
      if (last_reading_ms === null) return null;
      const isSpoken = now.corrections !== (looked?.corrections ?? 0);
      const moved_ms = Math.abs(last_reading_ms - (looked?.last_reading_ms ?? 0));
      if (!isSpoken && !isIdle && moved_ms < LOOK_EVERY_MS) return null;
      looked = now;
      return { isIdle: isIdle || isSpoken };
    };
  },
  contradict: (db, _change, { start_ms }) => forgetStates(db, start_ms),
  compute(db, starts, around) {
    const run = runLamps(db, around);
    const { states, mark, predictions, scores, problem } = run;
    const changes = [states, scores.put, scores.removed];
    const isNews = mark !== null || changes.some(({ length }) => length > 0);
    return {
      found: isNews ? run : null,
      // Until no more readings come, a forecast may be missing.
      done: around.isIdle && !scores.isMore ? starts : [],
      damaged: [],
      count: predictions.length,
      isMore: scores.isMore,
      problem,
    };
  },
  save(db, { states, predictions, mark, scores }, changed_from_ms) {
    putStates(
      db,
      states.filter(({ through_ms }) => through_ms < changed_from_ms),
    );
    putForecasts(db, predictions);
    putScores(db, scores);
    if (mark !== null) prepare(db, "lamp.put_run").run({ ...mark });
  },
};
