// The writer's side of alerts: ballastd's own, and the treatment system's, which follow from its
// events. An alert that is raised again is the same one with a count. Of ballastd's own the active
// ones are also a set in memory, so that a message costs nothing while none is active.

import { type Event, LINK_LOST } from "../../bwts/event.ts";
import type { PartReceipt } from "../../bwts/merge.ts";
import { needsAcknowledgement, type OwnCode } from "../../bwts/present/alert.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, mirrored, prepare } from "../file/open.ts";
import { AGAIN_MS, judgeAgain, keepPast, notePlantAlarm } from "./plant-alarms.ts";

/** An alarm by its code, and by its object if there can be several. */
export interface AlarmKey {
  readonly code: string;
  readonly about: string;
}

export interface AlarmStore {
  /** Raises an alarm by its event; false if it was already active with this text. */
  raise(event: Event, about: string): boolean;
  /** Clears the alarm; false if it wasn't active. */
  end(alarm: AlarmKey, at_ms: number): boolean;
  /** Clears every alarm of a code; returns how many were active. */
  endAll(code: string, at_ms: number): number;
  /** Notes an alarm of the treatment system, or its end, that is being stored; returns its row. */
  received(
    event: Event,
    receipt: Pick<PartReceipt, "received_ms" | "clock_trusted">,
  ): number | null;
  /** Judges again those that were taken for history, once the PLC's clock is known. */
  judgeAgain(now_ms: number): void;
  /** Notes a publisher's last will; returns the event to store, null for a repetition. */
  loseLink(event: Event, publisher: string): Event | null;
  /** Clears the lost links of `publishers`, null: of all; returns the number still lost. */
  endLinks(publishers: readonly string[] | null, at_ms: number): number;
}

/**
 * Maximum number of alarms of lost links in 24 hours, each with an event; further publishers share
 * one alarm. So a client that connects under ever new names can't flood the events.
 */
const LINKS_A_DAY_MAX = 24;

/**
 * Maximum number of publishers remembered for the shared alarm; the links of others don't clear it.
 */
const SHARERS_MAX = 1000;

/** Codes of alerts whose text and value people act on: a changed text raises the alert again. */
const RETOLD: ReadonlySet<string> = new Set<OwnCode>(["LAMP_COUNTERS_FAST"]);

/** The publisher's name for all beyond LINKS_A_DAY_MAX, and for the broker in client mode. */
const OTHERS = "";

const keyOf = (code: string, about: string): string => JSON.stringify([code, about]);

/**
 * Opens the alarms; all methods run in the caller's transaction. `plcOffset` is the PLC's clock
 * minus the box's, ms; 0 while it is unknown.
 */
export function openAlarms(db: Connection, plcOffset = () => 0): AlarmStore {
  const activeNow = mirrored(db, () => new Set(activeOnDisk(db)));
  const isActive = ({ code, about }: AlarmKey) => activeNow().has(keyOf(code, about));
  const end: AlarmStore["end"] = ({ code, about }, at_ms) => {
    const active = activeNow();
    if (active.size === 0 || !active.delete(keyOf(code, about))) return false;
    const stays = needsAcknowledgement(code) ? 1 : 0;
    prepare(db, "alarm.clear").run({ code, about, cleared_ms: at_ms, stays });
    return true;
  };
  /**
   * Continues the newest alert of the key if it cleared at most `within_ms` before or after the
   * event; false if not.
   */
  const resume = (event: Event, about: string, within_ms: number): boolean => {
    const { at_ms } = event;
    const code = String(event.data.code);
    const last = prepare(db, "alarm.last").get({ code, about });
    if (last === undefined || last.cleared_ms === null) return false;
    // Before or after, because the end of one and the beginning of the next may arrive in either
    // order.
    const isSame = Math.abs(at_ms - last.cleared_ms) <= within_ms;
    if (isSame || last.is_open === 1) keepPast(db, last.id, at_ms);
    if (!isSame) {
      prepare(db, "alarm.close").run({ id: last.id });
      return false;
    }
    prepare(db, "alarm.again").run({ id: last.id, at_ms, ...textsOf(event) });
    activeNow().add(keyOf(code, about));
    return true;
  };
  const raise: AlarmStore["raise"] = (event, about) => {
    const code = String(event.data.code);
    if (isActive({ code, about })) {
      if (!RETOLD.has(code) || isToldAlready(db, event, about)) return false;
      end({ code, about }, event.at_ms);
    }
    if (resume(event, about, AGAIN_MS)) return true;
    const row = { source: "ballastd", code, about, at_ms: event.at_ms, identity: null, is_open: 1 };
    prepare(db, "alarm.raise").get({ ...row, ...textsOf(event) });
    activeNow().add(keyOf(code, about));
    return true;
  };
  return {
    raise,
    end,
    endAll(code, at_ms) {
      const own = activeOnDisk(db).map((key): readonly unknown[] => JSON.parse(key));
      const abouts = own.filter(([of]) => of === code).map(([, about]) => String(about));
      return abouts.filter((about) => end({ code, about }, at_ms)).length;
    },
    received: (event, receipt) => notePlantAlarm(db, event, { ...receipt, offset_ms: plcOffset() }),
    judgeAgain: (now_ms) => judgeAgain(db, { now_ms, offset_ms: plcOffset() }),
    ...openLinks(db, { raise, end, resume, isActive, activeNow }),
  };
}

function isToldAlready(db: Connection, { description, data }: Event, about: string): boolean {
  const last = prepare(db, "alarm.last").get({ code: String(data.code), about });
  return last?.description === description;
}

interface OwnAlarms extends Pick<AlarmStore, "raise" | "end"> {
  readonly resume: (event: Event, about: string, within_ms: number) => boolean;
  readonly isActive: (alarm: AlarmKey) => boolean;
  readonly activeNow: () => Set<string>;
}

function openLinks(
  db: Connection,
  { raise, end, resume, isActive, activeNow }: OwnAlarms,
): Pick<AlarmStore, "loseLink" | "endLinks"> {
  /** Publishers of the shared alarm, which clears when all are back; forgotten at a rollback. */
  const sharersNow = mirrored(db, () => new Set<string>());
  /**
   * Counts a repetition; false if the link isn't lost now, and wasn't within the last `within_ms`.
   */
  const repeat = (event: Event, about: string, within_ms: number): boolean => {
    const alarm = { code: LINK_LOST, about };
    if (!isActive(alarm)) return resume(event, about, within_ms);
    prepare(db, "alarm.repeat").run({ ...alarm, at_ms: event.at_ms });
    return true;
  };
  return {
    loseLink(event, publisher) {
      const { at_ms } = event;
      if (repeat(event, publisher, AGAIN_MS)) return null;
      const day = { code: LINK_LOST, since_ms: at_ms - DAY_MS, until_ms: at_ms };
      const { count } = prepare(db, "alarm.count").get(day) ?? NONE;
      if (count < LINKS_A_DAY_MAX) return raise(event, publisher) ? event : null;
      const sharers = sharersNow();
      if (sharers.size < SHARERS_MAX) sharers.add(publisher);
      const others = { ...event, data: { ...event.data, client: null } };
      if (repeat(others, OTHERS, DAY_MS)) return null;
      return raise(others, OTHERS) ? others : null;
    },
    endLinks(publishers, at_ms) {
      if (publishers === null) {
        const stays = needsAcknowledgement(LINK_LOST) ? 1 : 0;
        prepare(db, "alarm.clear_all").run({ code: LINK_LOST, cleared_ms: at_ms, stays });
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

const textsOf = ({ description, data }: Event) => ({ description, data: JSON.stringify(data) });

function activeOnDisk(db: Connection): readonly string[] {
  return prepare(db, "alarm.active")
    .all({})
    .map(({ code, about }) => keyOf(code, about));
}

const NONE = { count: 0 };
const LOST = { code: LINK_LOST };
