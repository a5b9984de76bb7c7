// The readings of an operation as columns of numbers, gathered in one pass over its runs, column by
// column. Words are converted only when they change, and no reading becomes an object: up to 6.3
// million are judged in this way. A missing or disbelieved number is NaN here. Pure.

import type { ReadingRun } from "../operations/judging.ts";
import type { Value } from "../reading.ts";
import { indexOfTag, type TagName } from "../tags.ts";
import {
  newReportedLamps,
  type RunPlace,
  type RunValues,
  reportedBits,
  takeLamps,
} from "./reported-lamps.ts";

/** The fields that are gathered as numbers. */
const NUMBERS = [
  "UVR_INTENSITY",
  "SYS_FLOW_RATE",
  "UVR_POWER_OUTPUT",
  "UVR_POWER_SETPOINT",
  "SYS_PRESSURE",
  "UVR_WATER_TEMP",
  "FLT_DIFF_PRESSURE",
  "LDC_AIR_TEMP",
  "SYS_TOTAL_BALLAST_VOL",
  "SYS_TOTAL_DEBALLAST_VOL",
  "AVG_LAMP_EFFICIENCY",
  "FLT_BACKFLUSH_COUNT",
  "CIP_HOURS_SINCE_LAST",
  "FAILED_LAMP_COUNT",
  "SYS_VALVE_POSITION",
] as const satisfies readonly TagName[];
export type GatheredNumber = (typeof NUMBERS)[number];

const MEAN_OUTPUT = NUMBERS.indexOf("AVG_LAMP_EFFICIENCY");

/** Words and flags, which seldom change. */
const WORDS = [
  "PROCESS_STATE",
  "COMPLIANCE_MODE",
  "operation_type",
  "location",
  "FLT_BACKFLUSH_ACTIVE",
] as const satisfies readonly TagName[];
export type GatheredWord = (typeof WORDS)[number];

const FIELDS: readonly (GatheredNumber | GatheredWord)[] = [...NUMBERS, ...WORDS];

/** A column per field; entries beyond `count` mean nothing. */
export interface GatheredReadings {
  readonly count: number;
  /** Ascending. */
  readonly at_ms: Float64Array;
  numbers(field: GatheredNumber): Float64Array;
  /** Positions in `told`; 0 is null, for a missing word. */
  words(field: GatheredWord): Uint16Array;
  readonly told: readonly Value[];
  /** Bit i is set if the last known status of lamp i + 1 is FAILED; an unknown word sets none. */
  readonly failed: Uint16Array;
  /** Bit i is set if the last known status of lamp i + 1 is one in which it doesn't burn. */
  readonly out: Uint16Array;
  /** 1 where too few lamps burn, by their last known powers or outputs. */
  readonly unlit: Uint8Array;
  /** Bit i is set if any reading has the power of lamp i + 1. */
  readonly powers: number;
  /** Bit i is set if any reading has the status of lamp i + 1. */
  readonly lamps: number;
  /** Bits of the fields that a reading has but that aren't believed; `doubtBit` gives them. */
  readonly doubted: Uint32Array;
  /** 1 if ballastd's clock wasn't trusted at the receipt. */
  readonly untrusted: Uint8Array;
}

/** Initial capacity: most operations have some hundred readings, and columns double when full. */
const CAPACITY = 512;
/** Maximum number of different words; further ones count as missing. A plant sends a handful. */
const TOLD_MAX = 65_535;
type GatheredColumn = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** The bit of a field in `doubted`. */
export const doubtBit = (field: GatheredNumber | GatheredWord): number =>
  1 << FIELDS.indexOf(field);

interface FieldBit {
  readonly bit: number;
  /** Returns a function that tests if a reading has the field. */
  isTold(readings: GatheredReadings): (index: number) => boolean;
}

/** The fields, each with its bit. */
export const FIELD_BITS: readonly FieldBit[] = [
  ...NUMBERS.map(
    (field): FieldBit => ({
      bit: doubtBit(field),
      isTold(readings) {
        const values = readings.numbers(field);
        return (index) => !Number.isNaN(values[index]);
      },
    }),
  ),
  ...WORDS.map(
    (field): FieldBit => ({
      bit: doubtBit(field),
      isTold(readings) {
        const words = readings.words(field);
        return (index) => words[index] !== 0;
      },
    }),
  ),
];

/** Gathers all readings of `runs`, which ascend. */
export function gathered(runs: Iterable<ReadingRun>): GatheredReadings {
  let columns = newColumns(CAPACITY);
  let count = 0;
  const told: Value[] = [null];
  const codes = new Map<Value, number>([[null, 0]]);
  const reported = newReportedLamps();
  const codeOf = (value: Value): number => {
    const known = codes.get(value);
    if (known !== undefined) return known;
    if (told.length > TOLD_MAX) return 0;
    codes.set(value, told.length);
    return told.push(value) - 1;
  };
  for (const run of runs) {
    columns = withRoom(columns, count, run.to - run.from);
    const { block, from, to } = run;
    takeTimes(columns, run, count);
    const believed = block.believed();
    for (const [index, field] of NUMBERS.entries()) {
      const place = { tag: indexOfTag(field), at: count };
      takeNumbers(columns.numbers[index], { block: believed, from, to }, place);
      if (believed === block) continue;
      const isTold = (at: number) => !Number.isNaN(columns.numbers[index][at]);
      takeDoubts(columns.doubted, run, { ...place, bit: doubtBit(field), isTold });
    }
    for (const [index, field] of WORDS.entries()) {
      const place = { tag: indexOfTag(field), at: count };
      takeWords(columns.words[index], { block: believed, from, to }, { ...place, codeOf });
      if (believed === block) continue;
      const isTold = (at: number) => columns.words[index][at] !== 0;
      takeDoubts(columns.doubted, run, { ...place, bit: doubtBit(field), isTold });
    }
    const means = columns.numbers[MEAN_OUTPUT].subarray(count, count + to - from);
    takeLamps(columns, { block: believed, from, to }, { at: count, lamps: reported, means });
    count += to - from;
  }
  const { lamps, powers } = reportedBits(reported);
  return gatheredOf(columns, { count, told, lamps, powers });
}

interface Columns {
  readonly at_ms: Float64Array;
  readonly numbers: readonly Float64Array[];
  readonly words: readonly Uint16Array[];
  readonly failed: Uint16Array;
  readonly out: Uint16Array;
  readonly unlit: Uint8Array;
  readonly doubted: Uint32Array;
  readonly untrusted: Uint8Array;
}

const newColumns = (capacity: number): Columns => ({
  at_ms: new Float64Array(capacity),
  numbers: NUMBERS.map(() => new Float64Array(capacity)),
  words: WORDS.map(() => new Uint16Array(capacity)),
  failed: new Uint16Array(capacity),
  out: new Uint16Array(capacity),
  unlit: new Uint8Array(capacity),
  doubted: new Uint32Array(capacity),
  untrusted: new Uint8Array(capacity),
});

function gatheredOf(
  { numbers, words, ...columns }: Columns,
  whole: Pick<GatheredReadings, "count" | "told" | "lamps" | "powers">,
): GatheredReadings {
  return {
    ...columns,
    ...whole,
    numbers: (field) => numbers[NUMBERS.indexOf(field)],
    words: (field) => words[WORDS.indexOf(field)],
  };
}

/** Columns that aren't fields. */
const BESIDE = ["failed", "out", "unlit", "doubted", "untrusted"] as const;

function withRoom(columns: Columns, count: number, more: number): Columns {
  const capacity = columns.at_ms.length;
  if (count + more <= capacity) return columns;
  const larger = newColumns(Math.max(2 * capacity, count + more));
  const copy = (from: GatheredColumn, to: GatheredColumn) => to.set(from.subarray(0, count));
  copy(columns.at_ms, larger.at_ms);
  for (const [index, column] of columns.numbers.entries()) copy(column, larger.numbers[index]);
  for (const [index, column] of columns.words.entries()) copy(column, larger.words[index]);
  for (const name of BESIDE) copy(columns[name], larger[name]);
  return larger;
}

function takeTimes(columns: Columns, { block, from, to }: ReadingRun, at: number): void {
  for (let index = from; index < to; index += 1) {
    columns.at_ms[at + index - from] = block.at_ms(index);
    columns.untrusted[at + index - from] = block.clock_trusted(index) ? 0 : 1;
  }
}

function takeNumbers(column: Float64Array, { block, from, to }: RunValues, place: RunPlace): void {
  const values = block.values(place.tag);
  const shift = place.at - from;
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    column[index + shift] = typeof value === "number" ? value : Number.NaN;
  }
}

/** Marks the readings that have a value that isn't believed. */
function takeDoubts(
  doubted: Uint32Array,
  { block, from, to }: ReadingRun,
  { tag, at, bit, isTold }: RunPlace & { readonly bit: number; isTold(at: number): boolean },
): void {
  const values = block.values(tag);
  const shift = at - from;
  for (let index = from; index < to; index += 1)
    if (!isTold(index + shift) && values(index) !== null) doubted[index + shift] |= bit;
}

function takeWords(
  column: Uint16Array,
  { block, from, to }: RunValues,
  place: RunPlace & { codeOf(value: Value): number },
): void {
  const values = block.values(place.tag);
  const shift = place.at - from;
  let [last, code]: [Value, number] = [null, 0];
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    if (value !== last) [last, code] = [value, place.codeOf(value)];
    column[index + shift] = code;
  }
}

/** The readings for which `keep` is 1; `all` itself if that is every reading. */
export function picked(all: GatheredReadings, keep: Uint8Array): GatheredReadings {
  let count = 0;
  for (let index = 0; index < all.count; index += 1) count += keep[index];
  if (count === all.count) return all;
  const columns = newColumns(count);
  const pick = (from: GatheredColumn, to: GatheredColumn) => {
    let at = 0;
    for (let index = 0; index < all.count; index += 1)
      if (keep[index] === 1) to[at++] = from[index];
  };
  pick(all.at_ms, columns.at_ms);
  for (const [index, field] of NUMBERS.entries()) pick(all.numbers(field), columns.numbers[index]);
  for (const [index, field] of WORDS.entries()) pick(all.words(field), columns.words[index]);
  for (const name of BESIDE) pick(all[name], columns[name]);
  const { told, lamps, powers } = all;
  return gatheredOf(columns, { count, told, lamps, powers });
}
