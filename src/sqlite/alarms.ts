// The alarms that ballastd raised itself and that haven't cleared: on disk with the event that
// tells of each, in memory as a set, so that a message costs nothing while nothing is wrong.

import type { Event } from "../bwts/event.ts";
import { type Connection, prepare } from "./open.ts";

export interface AlarmStore {
  /** Notes that `event`, an alarm, rose; false when it has been active already. */
  begin(event: Event, about: string): boolean;
  /** Notes that it is over; false when it wasn't active. */
  end(alarm: { readonly code: string; readonly about: string }, at_ms: number): boolean;
  /** Reads again what is active, after a rollback. */
  forget(): void;
}

const keyOf = (code: string, about: string): string => JSON.stringify([code, about]);

/** All calls but `forget` belong into the caller's transaction. */
export function openAlarms(db: Connection): AlarmStore {
  const activeOnDisk = () =>
    new Set(
      prepare<object, { code: string; about: string }>(db, "alarm.active")
        .all({})
        .map(({ code, about }) => keyOf(code, about)),
    );
  let active = activeOnDisk();
  return {
    begin({ at_ms, description, data }, about) {
      const code = String(data.code);
      if (active.has(keyOf(code, about))) return false;
      const row = { code, about, raised_ms: at_ms, description, data: JSON.stringify(data) };
      prepare(db, "alarm.raise").run(row);
      active.add(keyOf(code, about));
      return true;
    },
    end({ code, about }, at_ms) {
      if (active.size === 0 || !active.delete(keyOf(code, about))) return false;
      prepare(db, "alarm.clear").run({ code, about, cleared_ms: at_ms });
      return true;
    },
    forget() {
      active = activeOnDisk();
    },
  };
}
