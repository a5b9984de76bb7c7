// Lamp lives and forecasts, derived from all readings: a run resumes from the newest saved state,
// and decodes only newer readings, and of those only the tracker's fields. While readings arrive it
// runs every few minutes of their own time, so that a file of two years is tracked as it is
// imported. It runs at once when no more arrive, and after the engineer's statement.

import { openIdleWatch, type ReceivedCounts } from "../../bwts/idle-plant.ts";
import { MODEL_VERSION } from "../../bwts/lamps/model-version.ts";
import { isOutputKnown } from "../../bwts/lamps/newest-light.ts";
import {
  LAMP_FORECAST_EVERY_H,
  type LampConfig,
  predictionsOf,
  type StoredForecast,
} from "../../bwts/lamps/outlook.ts";
import { countersProblem, isPaceKnown, mayBeHours } from "../../bwts/lamps/pace.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import { bookSight } from "../../bwts/lamps/tracker.ts";
import { areCountersUnknown } from "../../bwts/lamps/unit.ts";
import { wordsInForce } from "../../bwts/lamps/word.ts";
import {
  COUNTER_TAGS,
  counterInOtherUnit,
  openSightReader,
  SIGHT_TAGS,
} from "../../bwts/light/lamp-fields.ts";
import type { Value } from "../../bwts/reading.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { RECOGNISED_BY, type RecognisedLamp, takeRecognised } from "../records/lamp-spares.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";
import type { Derivation, DerivationContext, DerivedProblem } from "./derivation.ts";
import {
  FORECAST_KEY,
  forecastPlaces,
  forgetStates,
  isForecastAgain,
  isStateAgain,
  lampWords,
  newestState,
  type PackedState,
  packState,
  putForecasts,
  putStates,
  STATE_KEY,
} from "./lamp-rows.ts";
import { putScores, SCORE_KEY, type ScoreChanges, scoreLives } from "./lamp-scores.ts";

/** Interval between runs while readings arrive, in the readings' own time. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export const LAMPS: Derivation<LampRun> = {
  name: "lamps",
  every_ms: 5 * SECOND_MS,
  tables: {
    forecast: { key: FORECAST_KEY, places: forecastPlaces, isMadeAgain: isForecastAgain },
    lamp_state: { key: STATE_KEY, isMadeAgain: isStateAgain },
    lamp_score: { key: SCORE_KEY, isMadeAgain: () => true },
  },
  made_of: { readings: 0, lamp_words: 0 },
  piece_ms: null,
  open_ms: 0,
  // All of time is one piece.
  pieces_max: Number.POSITIVE_INFINITY,
  few: 0,
  counted: "lamps forecast",
  alarm: { code: "LAMP_COUNTERS_FAST", parameter: "LAMP_XX_RUNTIME" },
  openPace() {
    let looked: ReceivedCounts | null = null;
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
  contradict(db, range) {
    forgetStates(db, range);
    forgetLateRun(db, range);
  },
  compute(db, starts, around) {
    const run = runLamps(db, around);
    const { states, mark, predictions, scores, problem } = run;
    const changes = [states, scores.put, scores.removed];
    const isNews = mark !== null || changes.some(({ length }) => length > 0);
    return {
      found: isNews ? run : null,
      // While readings still arrive, a forecast may be missing.
      done: around.isIdle && !scores.isMore ? starts : [],
      damaged: [],
      count: predictions.length,
      isMore: scores.isMore,
      problem,
    };
  },
  save(db, { states, predictions, mark, scores, recognised }, since) {
    const { changed_from_ms, append, now_ms } = since;
    putStates(
      db,
      states.filter(({ through_ms }) => through_ms < changed_from_ms),
    );
    putForecasts(db, predictions);
    putScores(db, scores);
    if (mark !== null) prepare(db, "lamp.put_run").run({ ...mark });
    takeRecognised(db, append, { lamps: recognised, at_ms: now_ms });
  },
};

/**
 * Has forecasts made anew if data before their last hour changed; that hour may still be completed.
 */
function forgetLateRun(db: Connection, { start_ms }: ClosedRange): void {
  const last = prepare(db, "lamp.run").get({});
  if (last !== undefined && start_ms < last.at_ms - OPEN_MS) prepare(db, "lamp.forget_run").run({});
}

/** Time before the newest reading in which partial messages may still complete readings. */
const OPEN_MS = HOUR_MS;

/** The result of tracking and forecasting. */
interface LampRun {
  readonly states: readonly PackedState[];
  readonly predictions: readonly StoredForecast[];
  /** The mark of the forecasts; null if none were due. */
  readonly mark: ForecastMark | null;
  /** Changes to the scores of forecasts for lamps that have ended. */
  readonly scores: ScoreChanges;
  /** Lamps that by the readings were replaced without a statement. */
  readonly recognised: readonly RecognisedLamp[];
  /** A warning that counters run faster than the clock; null if they don't. */
  readonly problem: DerivedProblem | null;
}

/** The latest forecasts: their reading, operating hours, and lamp signature. */
interface ForecastMark {
  readonly at_ms: number;
  readonly hours: number;
  readonly signature: string;
}

/**
 * Tracks readings since the newest state, makes forecasts if they are due, and scores those of
 * ended lamps.
 */
function runLamps(db: Connection, { config, isIdle }: DerivationContext): LampRun {
  const { state, states } = db.transaction(() => track(db, config))();
  const text = countersProblem(state);
  const factor = state.counter_factor;
  const { lamps: limits } = config;
  const mark = areCountersUnknown(state) ? null : dueMark(db, state, { isIdle, limits });
  const replaced_ms = mark?.at_ms ?? null;
  return {
    states,
    predictions: mark === null ? [] : predictionsOf(state, config.lamps),
    mark,
    scores: scoreLives(db, state, { limits: config.lamps, replaced_ms }),
    recognised: recognisedLamps(state),
    problem: text === null ? null : { text, value: factor === 1 ? null : factor },
  };
}

function recognisedLamps({ positions }: TrackerState): readonly RecognisedLamp[] {
  return positions.flatMap(({ lives }, position) =>
    lives
      .filter(({ began }) => RECOGNISED_BY.includes(began))
      .map(({ began_ms }) => ({ lamp: position + 1, began_ms })),
  );
}

/** The current state of the lamps, cached until the database changes. */
export function trackedLamps(db: Connection, config: LampConfig): TrackerState {
  return memo(db, "lamps", () => db.transaction(() => track(db, config).state)());
}

function track(
  db: Connection,
  { limits }: LampConfig,
): { state: TrackerState; states: readonly PackedState[] } {
  const { state, through_ms } = newestState(db);
  const words = wordsInForce(lampWords(db));
  const states: PackedState[] = [];
  const start_ms = Math.max(0, through_ms + 1);
  const range = { start_ms, end_ms: Number.MAX_SAFE_INTEGER };
  const sights = openSightReader(limits);
  const newest_ms = newestReading(db);
  let month = state.last_ms === null ? null : monthOf(state.last_ms);
  let isOpen = false;
  // Damaged readings are treated as missing ones: hour counters continue across them.
  for (const { block, from, to } of timeline(db, range, UNDAMAGED)) {
    const plain = block.believed();
    const fields: ((index: number) => Value)[] = [];
    for (const tag of SIGHT_TAGS) fields[tag] = plain.values(tag);
    for (const tag of COUNTER_TAGS) fields[tag] = countersOf(block.values(tag), fields[tag]);
    let row = from;
    const value = (tag: number) => fields[tag](row);
    for (let index = from; index < to; index += 1) {
      const at_ms = block.at_ms(index);
      const here = monthOf(at_ms);
      const opens: boolean = !isOpen && at_ms > newest_ms - OPEN_MS;
      const read_ms = state.last_ms ?? through_ms;
      if (read_ms > through_ms && (opens || (month !== null && here !== month && !isOpen)))
        states.push({ through_ms: read_ms, state: packState(state) });
      isOpen ||= opens;
      month = here;
      row = index;
      bookSight(state, sights.read(at_ms, value), words);
    }
  }
  return { state, states };
}

/** Reads an hour counter's believed value, or a value in minutes or seconds. */
function countersOf(
  raw: (index: number) => Value,
  believed: (index: number) => Value,
): (index: number) => Value {
  return (index) => believed(index) ?? counterInOtherUnit(raw(index));
}

/** Number of a time's calendar month, counted from year 0, in UTC. */
function monthOf(at_ms: number): number {
  const date = new Date(at_ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function newestReading(db: Connection): number {
  const hot_ms = prepare(db, "reading.newest").get({})?.at_ms;
  const segments = segmentsOf(db);
  segments.refresh();
  return Math.max(hot_ms ?? 0, segments.last_ms() ?? 0);
}

/** The mark of the forecasts to make; null if none are due. */
function dueMark(
  db: Connection,
  state: TrackerState,
  { isIdle, limits }: { readonly isIdle: boolean; readonly limits: LampConfig["lamps"] },
): ForecastMark | null {
  if (state.last_ms === null || (!isIdle && !isPaceKnown(state))) return null;
  const count = prepare(db, "lamp.count_words").get({})?.count ?? 0;
  const now: ForecastMark = {
    at_ms: state.last_ms,
    hours: state.hours,
    signature: `${signatureOf(state, count)} ${JSON.stringify(limits)}`,
  };
  const last = prepare(db, "lamp.run").get({});
  // By counters in minutes all lamps would be worn out. Only the first forecasts wait for the unit.
  if (last === undefined) return mayBeHours(state, limits.rated_hours) ? now : null;
  const isDue =
    last.signature !== now.signature ||
    // The latest forecasts were made from readings that are now hidden.
    now.at_ms < last.at_ms ||
    Math.abs(now.hours - last.hours) >= LAMP_FORECAST_EVERY_H ||
    // Unlit lamps don't age, so readings of an idle plant don't need new forecasts.
    (isIdle && now.hours !== last.hours);
  return isDue ? now : null;
}

/**
 * The facts whose change makes forecasts due at once, apart from the configuration: lamps begun,
 * ended, failed or without light, cleanings, statements, and the model's version.
 */
function signatureOf({ positions, cleanings_ms }: TrackerState, words: number): string {
  const lives = positions.map(({ lives: all }) => {
    const last = all.at(-1);
    const isDark = last !== undefined && !isOutputKnown(last) ? ["dark"] : [];
    const times = [last?.began_ms ?? 0, last?.failed_ms ?? 0, last?.ended_ms ?? 0];
    return [all.length, ...times, ...isDark].join(":");
  });
  const cleaned = [cleanings_ms.length, cleanings_ms.at(-1) ?? 0];
  return [...lives, ...cleaned, words, MODEL_VERSION].join(" ");
}
