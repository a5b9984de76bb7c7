// The alerts of the overview: those open now or at a moment of the past, each in its state of that
// moment. All are counted and ranked by a few columns, since each may be the most urgent; texts are
// read for the most urgent only.

import { type AlertStanding, alertStateOf } from "../../bwts/present/alarm.ts";
import { aboutAlert } from "../../bwts/present/alert.ts";
import { byRank, type RankedAlert } from "../../bwts/present/priority.ts";
import { type Connection, prepare } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { storedAlarm } from "../records/alarm-acts.ts";
import { shownAnswer } from "./alarms.ts";

/** Maximum number of alerts in an answer. */
const ALERTS_MAX = 50;

/**
 * Maximum length of a code or a unit, in characters: a plant may send 16,384, and 50 alerts are
 * requested often.
 */
const NAME_MAX = 200;

const beginning = (name: string | null) => name?.slice(0, NAME_MAX).toWellFormed() ?? null;

/** An alert that is open, or was at the requested moment, in its state of that moment. */
export interface OpenPlace extends AlertStanding {
  readonly id: number;
  /** The stored row of a past state that applied at the moment; null: the alert's own row. */
  readonly past_id: number | null;
  readonly code: string;
  readonly last_ms: number;
  /** Null for a moment of the past, of which shelving isn't known. */
  readonly shelved_until_ms: number | null;
}

/** All alerts that were open at a moment; `at_ms` is null for now. */
export function openPlaces(db: Connection, at_ms: number | null): readonly OpenPlace[] {
  if (at_ms === null) {
    const rows = prepare<"alarm.open", Omit<OpenPlace, "past_id">>(db, "alarm.open").all({});
    return rows.map((row) => ({ ...row, past_id: null }));
  }
  const rows = prepare<"alarm.open_at", PastRow>(db, "alarm.open_at").all({ at_ms });
  return rows.map((row) => {
    const cleared_ms = until(row.cleared_ms, at_ms);
    const acknowledged_ms = until(row.acknowledged_ms, at_ms);
    return { ...row, cleared_ms, acknowledged_ms, is_open: 1, shelved_until_ms: null };
  });
}

type PastRow = Omit<OpenPlace, "is_open" | "shelved_until_ms">;

/** `time_ms` if it isn't after the moment; else null. */
const until = (time_ms: number | null, moment_ms: number) =>
  time_ms !== null && time_ms > moment_ms ? null : time_ms;

interface AskedMoment {
  readonly at_ms: number | null;
  readonly now_ms: number;
}

/** The most urgent of `places` with all members of the overview, at most ALERTS_MAX. */
export function mostUrgent(db: Connection, places: readonly OpenPlace[], moment: AskedMoment) {
  const ranked = places.map((place) => ({ place, ...rankOf(place, moment.now_ms) })).sort(byRank);
  const first = ranked.slice(0, ALERTS_MAX);
  return first.flatMap(({ place }) => toldOf(db, place, moment.at_ms) ?? []);
}

function rankOf(place: OpenPlace, now_ms: number): RankedAlert {
  const { source, code, last_ms, shelved_until_ms } = place;
  const isShelved = shelved_until_ms !== null && shelved_until_ms > now_ms;
  const { priority } = aboutAlert(source, code);
  return { priority, state: alertStateOf(place), isShelved, last_ms };
}

/** An alert as it was at the moment; null if it isn't stored any more. */
function toldOf(db: Connection, place: OpenPlace, at_ms: number | null) {
  const { id, past_id, cleared_ms, acknowledged_ms } = place;
  const moment_ms = at_ms ?? EVER.end_ms;
  const stored = storedAlarm(db, id);
  if (stored === null) return null;
  const past = past_id === null ? undefined : prepare(db, "alarm.past").get({ id: past_id });
  const row = { ...stored, ...past, cleared_ms, acknowledged_ms, is_open: 1 };
  const told = shownAnswer(db, row, moment_ms);
  const { id: name, description, source, priority, alert_state } = told;
  const { since, lamp, value, limit, action } = told;
  // The alert's own row also counts rises after the moment.
  const isLater = past_id === null && stored.last_ms > moment_ms;
  const count = isLater ? null : told.count;
  const names = { code: beginning(told.code), unit: beginning(told.unit) };
  const facts = { since, count, lamp, value, limit, action };
  const { shelved_until_ms } = stored;
  const known = { description, source, priority, alert_state, ...facts, shelved_until_ms };
  return { id: name, ...names, ...known };
}

/**
 * Code of the alert about hour counters that run too fast. Without a value, the forecast of lamp
 * life is suspended; with one, counters are divided by it.
 */
const SUSPENDING = "LAMP_COUNTERS_FAST";

/** The state of the lamps' hour counters, from all open alerts. */
export function lampCounters(db: Connection, places: readonly OpenPlace[], at_ms: number | null) {
  const fast = places.filter(({ source, code, cleared_ms }) => {
    return source === "ballastd" && code === SUSPENDING && cleared_ms === null;
  });
  return {
    areCountersFast: fast.length > 0,
    isSuspended: fast.some((place) => toldOf(db, place, at_ms)?.value === null),
  };
}
