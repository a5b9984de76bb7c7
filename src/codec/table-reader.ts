// Reads tables that table.ts wrote. Opening reads the directory and finds the place of each column;
// a column is decoded on its first use, and kept. Any bytes give a column or a DamagedError.

import { ByteReader, DamagedError } from "./bytes.ts";
import {
  type Column,
  KIND,
  KINDS,
  NO_DOUBLES,
  NO_INTEGERS,
  PLAIN,
  pick,
  rowsOf,
} from "./column.ts";
import { type Allocate, ownMemory } from "./column-memory.ts";
import { type Decimal, SCALE_MAX } from "./decimal.ts";
import { decompressShort, FRAME, FrameReader, type Place } from "./frame.ts";
import { type IntegerPlan, type Integers, placesOf, readIntegers, readPlan } from "./integers.ts";
import { type ComputedColumn, REFERENCE, SINGLE_FLAG } from "./table.ts";
import { readWords } from "./words.ts";

export interface Table {
  readonly count: number;
  readonly columns: number;
  /** Decodes column `index`, and the columns that it refers to. Throws a DamagedError. */
  column(index: number): Column;
}

/** Largest directory in bytes. A larger one is damaged. */
const DIRECTORY_BYTES_MAX = 16 * 1024 * 1024;

const ZEROS = new Int32Array(8192);

interface IntegersAt {
  readonly plan: IntegerPlan;
  readonly count: number;
  readonly places: readonly Place[];
}

interface ColumnPlan {
  readonly kind: number | null;
  readonly kinds: Place | null;
  /** Number of rows of each kind. */
  readonly held: readonly number[];
  readonly decimal: Decimal;
  readonly integers: IntegersAt | null;
  readonly doubles: { readonly count: number; readonly places: readonly Place[] } | null;
  readonly words: {
    readonly count: number;
    readonly place: Place;
    readonly codes: IntegersAt;
  } | null;
}

/** A stored table, and the facts that its reader needs. */
export interface StoredTable {
  readonly count: number;
  readonly columns: number;
  readonly directory: Uint8Array;
  readonly payload: Uint8Array;
  /** Memory for the columns; separate memory by default. */
  readonly allocate?: Allocate;
}

/** Opens a table. Throws a DamagedError if the directory can't be right. */
export function openTable(stored: StoredTable, computed: ComputedColumn | null): Table {
  const { count, columns, allocate = ownMemory(count) } = stored;
  const { frames, plans } = readDirectory(stored);
  const decoded: (Column | null)[] = new Array<Column | null>(columns).fill(null);

  const column = (index: number): Column => {
    const plan = plans[index];
    if (plan === undefined) throw new DamagedError(`column ${index}: expected 0 to ${columns - 1}`);
    const ready = decoded[index];
    if (ready !== null) return ready;
    const made = decode(index, plan);
    decoded[index] = made;
    return made;
  };

  // A column follows one before it, or is computed from columns that follow none: never a circle.
  const referenced = (index: number, plan: IntegerPlan, decimal: Decimal): Integers | null => {
    if (plan.reference === REFERENCE.none) return null;
    const other = plan.reference - REFERENCE.column;
    const isComputed = plan.reference === REFERENCE.computed;
    const isAllowed = isComputed ? index === computed?.column : other < index;
    if (!isAllowed || computed?.from.includes(index) === true)
      throw new DamagedError(`column ${index}: reference ${plan.reference}`);
    const integers =
      isComputed && computed !== null
        ? computed.values(column, count, decimal)
        : column(other).integers;
    if (integers.length !== count) throw new DamagedError("told from a column without decimals");
    return integers;
  };

  const integersAt = ({ plan, count: held, places }: IntegersAt, reference: Integers | null) =>
    readIntegers(plan, {
      count: held,
      planes: places.map((place) => frames.digits(place)),
      reference,
      allocate,
    });

  const decode = (index: number, plan: ColumnPlan): Column => {
    const kinds = plan.kinds === null ? null : checkedKinds(frames.bytes(plan.kinds), plan.held);
    const bare = { count, kind: plan.kind, kinds, decimal: plan.decimal };
    const shell = { ...bare, integers: NO_INTEGERS, doubles: NO_DOUBLES, codes: NO_INTEGERS };
    const rows = (kind: number) => rowsOf({ ...shell, words: [] }, kind);
    let { integers, doubles, codes }: Pick<Column, "integers" | "doubles" | "codes"> = shell;
    if (plan.integers !== null) {
      const at = rows(KIND.decimal);
      const reference = referenced(index, plan.integers.plan, plan.decimal);
      const picked = reference === null || at === null ? reference : pick(reference, at);
      integers = scatter(integersAt(plan.integers, picked), at, count);
    }
    if (plan.doubles !== null) {
      const planes = plan.doubles.places.map((place) => frames.bytes(place));
      const values = doublesOf(planes, plan.doubles.count);
      doubles = scatter(values, rows(KIND.double), count);
    }
    if (plan.words === null) return { ...bare, integers, doubles, codes, words: [] };
    const words = readWords(frames.bytes(plan.words.place), plan.words.count);
    // Most columns of words have one word only.
    codes = isZero(plan.words.codes)
      ? ZEROS.subarray(0, plan.words.codes.count)
      : integersAt(plan.words.codes, null);
    checkCodes(codes, words.length);
    return { ...bare, integers, doubles, codes: scatter(codes, rows(KIND.word), count), words };
  };

  return { count, columns, column };
}

function readDirectory({ count, columns, directory, payload }: StoredTable) {
  const head = new ByteReader(directory);
  const length = head.varint();
  if (length > DIRECTORY_BYTES_MAX) throw new DamagedError(`directory of ${length} bytes`);
  const from = new ByteReader(decompressShort(head.bytes(head.left), length));
  const frames = new FrameReader(from, payload);
  const codes = new ByteReader(from.bytes(from.varint()));
  if (columns > codes.left) throw new DamagedError(`${columns} columns: expected ${codes.left}`);
  const plans: ColumnPlan[] = [];
  for (let index = 0; index < columns; index += 1)
    plans.push(readColumn({ count, codes, amounts: from, frames }));
  if (codes.left > 0 || from.left > 0) throw new DamagedError("directory: bytes left over");
  return { frames, plans };
}

interface Source {
  readonly count: number;
  readonly codes: ByteReader;
  readonly amounts: ByteReader;
  readonly frames: FrameReader;
}

function readColumn({ count, codes, amounts, frames }: Source): ColumnPlan {
  const mask = codes.byte();
  const kind = KIND_BY_MASK[mask];
  if (kind === undefined) throw new DamagedError(`kinds ${mask}: unknown`);
  const held = readCounts(mask, kind, { count, amounts });
  const kinds = kind === null ? frames.place(FRAME.repeating, count) : null;
  const decimal = held[KIND.decimal] > 0 ? readDecimal(codes.byte()) : PLAIN;
  const integers =
    held[KIND.decimal] > 0 ? readIntegersAt(held[KIND.decimal], { codes, amounts, frames }) : null;
  const doubles = held[KIND.double] > 0 ? placesOfDoubles(held[KIND.double], frames) : null;
  if (held[KIND.word] === 0) return { kind, kinds, held, decimal, integers, doubles, words: null };
  const words = amounts.varint();
  const place = frames.place(FRAME.repeating, amounts.varint());
  if (words > place.length) throw new DamagedError(`${words} words in ${place.length} bytes`);
  const at = readIntegersAt(held[KIND.word], { codes, amounts, frames });
  const coded = { count: words, place, codes: at };
  return { kind, kinds, held, decimal, integers, doubles, words: coded };
}

function readIntegersAt(
  count: number,
  { codes, amounts, frames }: Omit<Source, "count">,
): IntegersAt {
  const plan = readPlan(codes, amounts);
  return { plan, count, places: placesOf(plan, count, frames) };
}

// Kinds by a mask with one bit; null for several bits. Masks start at 1.
const KIND_BY_MASK: readonly (number | null | undefined)[] = Array.from(
  { length: 1 << KINDS },
  (_, mask) => (mask === 0 ? undefined : (mask & (mask - 1)) === 0 ? Math.log2(mask) : null),
);

// Reads the number of rows of each kind.
function readCounts(
  mask: number,
  kind: number | null,
  { count, amounts }: Pick<Source, "count" | "amounts">,
): number[] {
  const counts = [0, 0, 0, 0];
  if (kind !== null) {
    counts[kind] = count;
    return counts;
  }
  let sum = 0;
  for (let each = 0; each < KINDS; each += 1) {
    if ((mask & (1 << each)) === 0) continue;
    counts[each] = amounts.varint();
    sum += counts[each];
  }
  if (sum !== count)
    throw new DamagedError(`kinds of ${counts.join(", ")} rows: expected ${count} together`);
  return counts;
}

function readDecimal(code: number): Decimal {
  const scale = code % SINGLE_FLAG;
  if (scale > SCALE_MAX || code >= 2 * SINGLE_FLAG) throw new DamagedError(`scale ${code}`);
  return { scale, single: code >= SINGLE_FLAG };
}

function placesOfDoubles(count: number, frames: FrameReader) {
  const places = Array.from({ length: 8 }, () => frames.place(FRAME.doubles, count));
  return { count, places };
}

function doublesOf(planes: readonly Uint8Array[], count: number): Float64Array<ArrayBuffer> {
  const doubles = new Float64Array(count);
  const view = new DataView(doubles.buffer);
  for (const [plane, bytes] of planes.entries())
    for (let i = 0; i < count; i += 1) view.setUint8(i * 8 + 7 - plane, bytes[i]);
  return doubles;
}

function isZero({ plan, count }: IntegersAt): boolean {
  const { first, step } = plan.prediction;
  return plan.width === 0 && first === 0 && step === 0 && count <= ZEROS.length;
}

function checkedKinds(kinds: Uint8Array, held: readonly number[]): Uint8Array {
  const counts = held.map(() => 0);
  for (const kind of kinds) counts[kind] += 1;
  if (counts.some((count, kind) => count !== held[kind]))
    throw new DamagedError(`kinds of ${counts.join(", ")} rows: expected ${held.join(", ")}`);
  return kinds;
}

function checkCodes(codes: Integers, words: number): void {
  if (codes.buffer === ZEROS.buffer && words > 0) return;
  let damaged = false;
  for (let i = 0; i < codes.length; i += 1)
    if (!(codes[i] >= 0 && codes[i] < words)) damaged = true;
  if (damaged) throw new DamagedError(`code of a word: expected 0 to ${words - 1}`);
}

// Spreads `held` over all rows; the other rows are 0.
function scatter<T extends Integers>(held: T, rows: Int32Array | null, count: number): T;
function scatter(held: Integers, rows: Int32Array | null, count: number): Integers {
  if (rows === null) return held;
  if (rows.length !== held.length)
    throw new DamagedError(`kinds say ${rows.length} rows: expected ${held.length}`);
  const spread = held instanceof Int32Array ? new Int32Array(count) : new Float64Array(count);
  for (let i = 0; i < rows.length; i += 1) spread[rows[i]] = held[i];
  return spread;
}
