// The active alarms that ballastd itself raised: on disk with their events, and in memory as a set,
// so that a message costs nothing as long as no alarm is active.

import { type Event, LINK_LOST } from "../../bwts/event.ts";
import { DAY_MS, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, mirrored, prepare } from "../file/open.ts";

/** An alarm by its code, and by its object if there can be several. */
export interface AlarmKey {
  readonly code: string;
  readonly about: string;
}

export interface AlarmStore {
  /** Notes that `event`, an alarm, rose; false if it was active already. */
  raise(event: Event, about: string): boolean;
  /** Notes that the alarm cleared; false if it wasn't active. */
  end(alarm: AlarmKey, at_ms: number): boolean;
  /** Notes a publisher's last will; returns the event to store, null for a repetition. */
  loseLink(event: Event, publisher: string): Event | null;
  /** Clears the lost links of `publishers`, null: of all; returns the number still lost. */
  endLinks(publishers: readonly string[] | null, at_ms: number): number;
}

/** A link lost again within this time continues its alarm, without another event. */
const LINK_AGAIN_MS = HOUR_MS;

/**
 * Most alarms of lost links in 24 hours, each with an event; further publishers share one alarm. A
 * client that connects under ever new names can't fill the events of the day.
 */
const LINKS_A_DAY_MAX = 24;

/** Most names remembered for the shared alarm; the links of other publishers don't clear it. */
const SHARERS_MAX = 1000;

/** Stands for all publishers beyond LINKS_A_DAY_MAX, and for the broker in client mode. */
const OTHERS = "";

const keyOf = (code: string, about: string): string => JSON.stringify([code, about]);

/** All methods run in the caller's transaction. */
export function openAlarms(db: Connection): AlarmStore {
  const activeNow = mirrored(db, () => new Set(activeOnDisk(db)));
  /** Publishers of the shared alarm, which clears when all are back. Unknown after a rollback. */
  const sharersNow = mirrored(db, () => new Set<string>());

  const raise: AlarmStore["raise"] = ({ at_ms, description, data }, about) => {
    const active = activeNow();
    const code = String(data.code);
    if (active.has(keyOf(code, about))) return false;
    const row = { code, about, raised_ms: at_ms, description, data: JSON.stringify(data) };
    prepare(db, "alarm.raise").run(row);
    active.add(keyOf(code, about));
    return true;
  };
  const end: AlarmStore["end"] = ({ code, about }, at_ms) => {
    const active = activeNow();
    if (active.size === 0 || !active.delete(keyOf(code, about))) return false;
    prepare(db, "alarm.clear").run({ code, about, cleared_ms: at_ms });
    return true;
  };
  /** False if the link isn't lost now, and wasn't within the last `within_ms`. */
  const repeatLink = (
    about: string,
    { at_ms, within_ms }: { at_ms: number; within_ms: number },
  ) => {
    const active = activeNow();
    const alarm = { code: LINK_LOST, about };
    if (active.has(keyOf(LINK_LOST, about)))
      return prepare(db, "alarm.again").run(alarm).changes > 0;
    const span = { ...alarm, since_ms: at_ms - within_ms, until_ms: at_ms };
    if (prepare(db, "alarm.resume").run(span).changes === 0) return false;
    active.add(keyOf(LINK_LOST, about));
    return true;
  };
  return {
    raise,
    end,
    loseLink(event, publisher) {
      const { at_ms } = event;
      if (repeatLink(publisher, { at_ms, within_ms: LINK_AGAIN_MS })) return null;
      const day = { code: LINK_LOST, since_ms: at_ms - DAY_MS, until_ms: at_ms };
      const { count } = prepare(db, "alarm.count").get(day) ?? NONE;
      if (count < LINKS_A_DAY_MAX) return raise(event, publisher) ? event : null;
      const sharers = sharersNow();
      if (sharers.size < SHARERS_MAX) sharers.add(publisher);
      if (repeatLink(OTHERS, { at_ms, within_ms: DAY_MS })) return null;
      const others = { ...event, data: { ...event.data, client: null } };
      return raise(others, OTHERS) ? others : null;
    },
    endLinks(publishers, at_ms) {
      if (publishers === null) {
        prepare(db, "alarm.clear_all").run({ code: LINK_LOST, cleared_ms: at_ms });
        const active = activeNow();
        active.clear();
        for (const key of activeOnDisk(db)) active.add(key);
        sharersNow().clear();
      } else {
        const sharers = sharersNow();
        for (const about of publishers) {
          end({ code: LINK_LOST, about }, at_ms);
          sharers.delete(about);
        }
        if (sharers.size === 0) end({ code: LINK_LOST, about: OTHERS }, at_ms);
      }
      return prepare(db, "alarm.active_count").get(LOST)?.count ?? 0;
    },
  };
}

function activeOnDisk(db: Connection): readonly string[] {
  return prepare(db, "alarm.active")
    .all({})
    .map(({ code, about }) => keyOf(code, about));
}

const NONE = { count: 0 };
const LOST = { code: LINK_LOST };
