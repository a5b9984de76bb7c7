// Health records scored aboard, one row a day: each column as differences from the slot before,
// deflated. A row for each slot took six times as much, more than a fifth of the readings' size.

import { overallScore } from "../../bwts/health.ts";
import { type HealthComponents, type HealthRecord, riskLevel } from "../../bwts/health-record.ts";
import { ByteReader, ByteWriter, DamagedError } from "../../codec/bytes.ts";
import { compressShort, decompressShort } from "../../codec/frame.ts";
import { DAY_MS, floorTo, monthOf } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isWhole, proven, withChecksum } from "../file/row-checksum.ts";

/** A slot and its record; null if no water was treated in it. */
export interface ScoredHealth {
  readonly start_ms: number;
  readonly record: HealthRecord | null;
}

export interface DayRow {
  readonly day_ms: number;
  readonly records: Uint8Array;
}

const FORMAT = 1;
/** Limit of a day in bytes. More would be a record each millisecond of a tenth of a day. */
const DAY_BYTES_MAX = 2 ** 24;
/** Scores are stored in tenths, their components in ten-thousandths, as they are rounded. */
const SCORE_FACTOR = 10;
const COMPONENT_FACTOR = 1e4;
const COMPONENTS = ["uv_health", "lamp_health", "power_efficiency", "thermal_health"] as const;

/**
 * Stores records in place of those of the same slots, inside a transaction. Returns the days whose
 * other records were damaged, which must be scored again.
 */
export function saveHealthOf(db: Connection, slots: readonly ScoredHealth[]): readonly number[] {
  const lost: number[] = [];
  for (const [day_ms, ofDay] of Map.groupBy(slots, ({ start_ms }) => floorTo(start_ms, DAY_MS))) {
    const stored = prepare<object, DayRow>(db, "health.day").get({ day_ms });
    const isLost = stored !== undefined && !isWhole(stored.records, String(day_ms));
    if (isLost) lost.push(day_ms);
    const kept = stored === undefined || isLost ? [] : decodeDay(stored);
    const records = new Map(kept.map((record) => [record.at_ms, record]));
    for (const { start_ms, record } of ofDay)
      if (record === null) records.delete(start_ms);
      else records.set(start_ms, record);
    const inOrder = [...records.values()].sort((one, other) => one.at_ms - other.at_ms);
    if (inOrder.length === 0) prepare(db, "health.remove_day").run({ day_ms });
    else prepare(db, "health.put_day").run({ day_ms, records: encodeDay(day_ms, inOrder) });
  }
  return lost;
}

/** The records of a range, newest first, fetched day by day. */
export function* healthBackwards(
  db: Connection,
  range: { readonly start_ms: number; readonly end_ms: number },
): Generator<HealthRecord> {
  const from_ms = floorTo(range.start_ms, DAY_MS);
  const newestDay = prepare<object, DayRow>(db, "health.newest_day");
  let before_ms = range.end_ms + 1;
  for (;;) {
    const day = newestDay.get({ from_ms, before_ms });
    if (day === undefined) return;
    for (const record of decodeDay(day).reverse())
      if (record.at_ms >= range.start_ms && record.at_ms <= range.end_ms) yield record;
    before_ms = day.day_ms;
  }
}

// Packs the ascending records of one day.
function encodeDay(day_ms: number, records: readonly HealthRecord[]): Buffer {
  const plain = new ByteWriter();
  plain.varint(records.length);
  writeSteps(
    plain,
    records.map(({ at_ms }) => at_ms - day_ms),
  );
  for (const name of COMPONENTS)
    writeSteps(
      plain,
      records.map(({ components }) => coded(components[name], COMPONENT_FACTOR)),
    );
  for (const { overall_score, components } of records)
    plain.signed(coded(overall_score, SCORE_FACTOR) - expectedScore(components));
  const bytes = plain.finish();
  const day = new ByteWriter();
  day.byte(FORMAT);
  day.varint(bytes.length);
  day.bytes(compressShort(bytes));
  return withChecksum(day.finish(), String(day_ms));
}

/** A day's records, ascending. Throws a DamagedError if they aren't what was stored. */
export function decodeDay({ day_ms, records }: DayRow): HealthRecord[] {
  const from = new ByteReader(proven(records, "health_day", String(day_ms)));
  const format = from.byte();
  if (format !== FORMAT) throw new DamagedError(`health format ${format}: expected ${FORMAT}`);
  const length = from.varint();
  if (length > DAY_BYTES_MAX) throw new DamagedError(`health of ${length} bytes in a day`);
  const plain = new ByteReader(decompressShort(from.bytes(from.left), length));
  const count = plain.varint();
  if (count > length) throw new DamagedError(`${count} health records in ${length} bytes`);
  const times_ms = readSteps(plain, count);
  const [uv, lamp, power, thermal] = COMPONENTS.map(() => readSteps(plain, count));
  return times_ms.map((time_ms, row) => {
    const components = {
      uv_health: uncoded(uv[row], COMPONENT_FACTOR),
      lamp_health: uncoded(lamp[row], COMPONENT_FACTOR),
      power_efficiency: uncoded(power[row], COMPONENT_FACTOR),
      thermal_health: uncoded(thermal[row], COMPONENT_FACTOR),
    };
    const score = uncoded(plain.signed() + expectedScore(components), SCORE_FACTOR);
    const at_ms = day_ms + time_ms;
    return {
      at_ms,
      source: "ballastd",
      overall_score: score,
      risk_level: score === null ? null : riskLevel(score),
      month: monthOf(at_ms),
      components,
    };
  });
}

// The score that follows from the components, rounded: nearly always the stored score.
function expectedScore(components: HealthComponents): number {
  return coded(overallScore(components), SCORE_FACTOR);
}

function coded(score: number | null, factor: number): number {
  return score === null ? 0 : Math.round(score * factor) + 1;
}

function uncoded(code: number, factor: number): number | null {
  return code === 0 ? null : (code - 1) / factor;
}

function writeSteps(to: ByteWriter, integers: readonly number[]): void {
  let last = 0;
  for (const integer of integers) {
    to.signed(integer - last);
    last = integer;
  }
}

function readSteps(from: ByteReader, count: number): number[] {
  const integers: number[] = [];
  let last = 0;
  for (let row = 0; row < count; row += 1) {
    last += from.signed();
    integers.push(last);
  }
  return integers;
}
