// Health scored aboard: a plain row for each 15-minute slot in which water was treated. A slot is
// scored after its end, and again when a reading of it arrives or changes.

import { SLOT_MS, scoreSlot } from "../../bwts/health.ts";
import type { HealthComponents, HealthRecord } from "../../bwts/health-record.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { floorTo, HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { isWholeRow, provenRow, rowProblem, withRowChecksum } from "../file/row-checksum.ts";
import { startsIn } from "../sealed/sums.ts";
import { BELIEVED, newestStored, rawFrom, readingsIn } from "../sealed/timeline.ts";
import type { Derivation, RowKey } from "./derivation.ts";

/** A slot and its record; null if no water was treated in it. */
export interface ScoredSlot {
  readonly start_ms: number;
  readonly record: HealthRecord | null;
}

const KEY = ["at_ms"];

export const HEALTH: Derivation<readonly ScoredSlot[]> = {
  name: "health",
  every_ms: 5 * SECOND_MS,
  tables: {
    health: {
      key: KEY,
      places: slotsOfReadings,
      isMadeAgain: (db, { at_ms }) => Number(at_ms) >= rawFrom(db),
      // `save` removes damaged rows of a slot. Slots ahead of the newest reading are never
      // computed.
      isReplaced: (db, { at_ms }) => Number(at_ms) <= (newestStored(db) ?? 0),
    },
  },
  made_of: { readings: 0 },
  piece_ms: SLOT_MS,
  open_ms: SLOT_MS,
  // The slots of 24 months take many calls.
  pieces_max: 200,
  few: 4,
  counted: "slots scored",
  hide(db, { start_ms, end_ms }) {
    prepare(db, "health.remove").run({ start_ms: floorTo(start_ms, SLOT_MS), end_ms });
  },
  compute(db, starts, { config }) {
    const damaged: number[] = [];
    const found = starts.flatMap((start_ms): ScoredSlot[] => {
      try {
        const slot = { start_ms, end_ms: start_ms + SLOT_MS - 1 };
        const readings = [...readingsIn(db, slot, BELIEVED)];
        return [{ start_ms, record: scoreSlot({ start_ms, readings }, config.limits) }];
      } catch (error) {
        if (!isDamage(error)) throw error;
        damageOf(db).note(messageOf(error));
        damaged.push(start_ms);
        return [];
      }
    });
    const done = found.map(({ start_ms }) => start_ms);
    return { found, done, damaged, count: starts.length, isMore: false, problem: null };
  },
  save(db, slots) {
    for (const { start_ms, record } of slots) {
      // A damaged row may have any time within its slot.
      prepare(db, "health.remove").run({ start_ms, end_ms: start_ms + SLOT_MS - 1 });
      if (record !== null) prepare(db, "health.put").run(rowOf(record));
    }
  },
};

/** The slots that have readings, or had some that have expired. */
function slotsOfReadings(db: Connection): readonly RowKey[] {
  const hours = prepare(db, "derived.hours").all({ start_ms: 0 });
  return hours.flatMap(({ start_ms }) =>
    startsIn({ start_ms, end_ms: start_ms + HOUR_MS - 1 }, SLOT_MS).map((at_ms) => ({ at_ms })),
  );
}

/** The columns of a record, also of one received over MQTT. */
export interface HealthRow extends HealthComponents {
  readonly at_ms: number;
  readonly overall_score: number | null;
  readonly risk_level: string | null;
  readonly month: number;
}

const rowOf = ({ source: _, components, ...record }: HealthRecord) =>
  withRowChecksum({
    ...{ at_ms: record.at_ms, overall_score: record.overall_score },
    ...{ risk_level: record.risk_level, month: record.month },
    ...{ uv_health: components.uv_health, lamp_health: components.lamp_health },
    power_efficiency: components.power_efficiency,
    thermal_health: components.thermal_health,
  });

/** The record of a row made aboard. Throws a DamagedError if the row is damaged. */
export function scoredHealth(row: HealthRow): HealthRecord {
  provenRow("health", KEY, row);
  const { at_ms, overall_score, risk_level, month } = row;
  const { uv_health, lamp_health, power_efficiency, thermal_health } = row;
  const components = { uv_health, lamp_health, power_efficiency, thermal_health };
  return { at_ms, source: "ballastd", overall_score, risk_level, month, components };
}

/** The records of a range, newest first. Throws a DamagedError if one is damaged. */
export function* healthBackwards(db: Connection, range: ClosedRange): Generator<HealthRecord> {
  refuseStrays(db, range);
  for (const row of prepare(db, "health.newest").iterate(range)) yield scoredHealth(row);
}

/** A score stored under another time than its own. */
interface Stray {
  readonly row: HealthRow;
  readonly own_ms: number;
}

const straysOf = new WeakMap<Connection, readonly Stray[]>();

/** Maximum rounding error of a damaged time that is read as a number. */
const ROUNDED_MS = 2048;

/** Maximum number of damaged scores whose times are searched: some 0.2 s each in 24 months. */
const SEARCHES_MAX = 20;

/**
 * Throws a DamagedError if a score of the range is stored under another time, because its key is
 * damaged: until the repair after a start moves it back, an answer would omit it silently. The
 * table is searched once per connection, 2 us per row; the nightly proof finds later damage.
 */
export function refuseStrays(db: Connection, { start_ms, end_ms }: ClosedRange): void {
  const isThere = ({ row: { at_ms } }: Stray) => {
    const reach_ms = Number.isSafeInteger(at_ms) ? 0 : ROUNDED_MS;
    const place = { start_ms: at_ms - reach_ms, end_ms: at_ms + reach_ms };
    return prepare(db, "health.newest")
      .all(place)
      .some((row) => !isWholeRow(row));
  };
  const strays = (straysOf.get(db) ?? findStrays(db)).filter(isThere);
  straysOf.set(db, strays);
  for (const { own_ms } of strays)
    if (own_ms >= start_ms && own_ms <= end_ms)
      throw new DamagedError(rowProblem("health", String(own_ms)));
}

function findStrays(db: Connection): readonly Stray[] {
  const damaged: HealthRow[] = [];
  for (const row of prepare(db, "health.all").iterate({}))
    if (damaged.length < SEARCHES_MAX && !isWholeRow(row)) damaged.push(row);
  const slots = damaged.length === 0 ? [] : slotsOfReadings(db);
  return damaged.flatMap((row): Stray[] => {
    const place = slots.find(({ at_ms }) => isWholeRow({ ...row, at_ms }));
    return place === undefined ? [] : [{ row, own_ms: place.at_ms }];
  });
}
