// Repairs derived data after a start, while the writer is idle. A row with only its key damaged is
// moved to its place, which its checksum implies. Another damaged row that can be computed again is
// removed, or stays until it is replaced, and all pieces become due, since its key may be damaged
// too. Other damaged rows stay, and are reported. A damaged row of `due` may have named any piece,
// so all become due.

import { SLOT_MS } from "../../bwts/health.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare, statementText, write } from "../file/open.ts";
import { isWholeRow, type StoredRow } from "../file/row-checksum.ts";
import { ALL_DUE } from "../records/waiting-operations.ts";
import { startsIn } from "../sealed/sums.ts";
import { newestStored, rawFrom } from "../sealed/timeline.ts";
import { type Derivation, pieceAt, type RowKey } from "./derivation.ts";
import { DERIVATIONS } from "./derivations.ts";
import { pageOf } from "./derived.ts";

/** Number of rows checked per step; each takes some 2 us. */
const STEP_ROWS = 4000;
/** Number of places compared per step, in some 10 ms. */
const STEP_PLACES = 4000;
/** Number of hours made due per step, in some 3 ms. */
const STEP_HOURS = 240;
/**
 * Maximum number of damaged rows of a table whose places are searched, at some 0.2 s each in 24
 * months.
 */
const SEARCHES_MAX = 100;

interface DueRow {
  readonly derivation: string;
  readonly start_ms: unknown;
  readonly quoted: string;
}

type Mark = (name: string, start_ms: number) => void;

/** Repairs derived data in short steps. It begins after the stored hours and days are repaired. */
export function* repairDerived(db: Connection, mark: Mark): Generator<void> {
  for (const derivation of DERIVATIONS)
    for (const [table, { places }] of Object.entries(derivation.tables)) {
      const damaged = yield* damagedRows(db, table);
      for (const [index, row] of damaged.entries()) {
        const isSearched = places !== undefined && index < SEARCHES_MAX;
        const place = isSearched ? yield* placeOf(row, places(db)) : null;
        write(db, () => repairRow(db, derivation, { table, row, place, mark }));
        yield;
      }
    }
  for (const derivation of DERIVATIONS) write(db, () => addDueByRules(db, derivation));
  const odd = oddRows(db);
  const isNamed = odd.every((row) => DERIVATIONS.some(({ name }) => name === row.derivation));
  for (const derivation of DERIVATIONS)
    if (!isNamed || odd.some((row) => row.derivation === derivation.name))
      yield* markAll(db, derivation, mark);
  write(db, () => {
    for (const { derivation, quoted } of odd)
      prepare(db, "due.remove_odd").run({ derivation, quoted });
  });
}

/** Makes all pieces of the derivations due, which the repair then carries out. */
export function addAllDue(db: Connection, of: readonly Pick<Derivation, "name">[]): void {
  for (const { name } of of) prepare(db, "due.add").run({ name, start_ms: ALL_DUE });
}

const rulesMark = (name: string) => `rules_${name}`;

/**
 * True if a derivation's data was computed by other rules, and the present ones haven't made it due
 * yet.
 */
export function isByOtherRules(db: Connection, { name, rules_version }: Derivation): boolean {
  const mark = prepare(db, "mark.at").get({ name: rulesMark(name) });
  return rules_version !== undefined && mark?.value !== rules_version;
}

/** Makes all of a derivation due once when the version of its rules has changed. */
function addDueByRules(db: Connection, derivation: Derivation): void {
  const { name, rules_version } = derivation;
  if (rules_version === undefined || !isByOtherRules(db, derivation)) return;
  addAllDue(db, [{ name }]);
  putMark(db, rulesMark(name), rules_version);
}

/** The rows of `due` that name no piece: damaged ones, and ALL_DUE. */
function oddRows(db: Connection): readonly DueRow[] {
  const newest_ms = newestInstant(db);
  const rows = prepare<"due.all", DueRow>(db, "due.all").all({});
  return rows.filter(({ derivation, start_ms }) => {
    const at_ms = typeof start_ms === "number" ? start_ms : Number.POSITIVE_INFINITY;
    const of = DERIVATIONS.find(({ name }) => name === derivation);
    return at_ms > newest_ms || of === undefined || pieceAt(of, at_ms) !== at_ms;
  });
}

function newestInstant(db: Connection): number {
  return Math.max(newestStored(db) ?? 0, prepare(db, "event.last").get({})?.at_ms ?? 0);
}

function* damagedRows(db: Connection, table: string): Generator<void, readonly StoredRow[]> {
  const found: StoredRow[] = [];
  for (let skip = 0; ; ) {
    const { rows, damaged } = pageOf(db, table, { skip, limit: STEP_ROWS });
    found.push(...damaged);
    if (rows === 0) return found;
    skip += rows;
    yield;
  }
}

/** The key that makes the row match its checksum; null if none of `places` does. */
function* placeOf(row: StoredRow, places: Iterable<RowKey>): Generator<void, RowKey | null> {
  let compared = 0;
  for (const place of places) {
    if (isWholeRow({ ...row, ...place })) return place;
    compared += 1;
    if (compared % STEP_PLACES === 0) yield;
  }
  return null;
}

/** Moves a row to its place, or removes it if it is computed again; else leaves it. */
function repairRow(
  db: Connection,
  derivation: Derivation,
  given: Readonly<{ table: string; row: StoredRow; place: RowKey | null; mark: Mark }>,
): void {
  const { name, tables } = derivation;
  const { table, place, mark } = given;
  const { key, isMadeAgain, isReplaced } = tables[table];
  const row = withKey(db, "derived.row", { table, key }).get(given.row);
  // Otherwise the row has been computed again meanwhile.
  if (row === undefined || isWholeRow(row)) return;
  const moved = { ...row, ...place };
  const isMoved = isWholeRow(moved);
  if (!isMoved && !isMadeAgain(db, row)) return;
  if (!isMoved && isReplaced?.(db, row) === true) {
    mark(name, pieceAt(derivation, Number(row.at_ms)));
    addAllDue(db, [{ name }]);
    return;
  }
  withKey(db, "derived.remove", { table, key }).run(row);
  if (!isMoved) {
    addAllDue(db, [{ name }]);
    return;
  }
  const columns = Object.keys(moved).map((column) => `$${column}`);
  const put = statementText("derived.put").replace("TABLE", table);
  db.prepare(put.replace("COLUMNS", columns.join(", "))).run(moved);
  if (place !== null && place.at_ms >= rawFrom(db)) mark(name, pieceAt(derivation, place.at_ms));
}

function withKey(
  db: Connection,
  statement: "derived.row" | "derived.remove",
  { table, key }: { readonly table: string; readonly key: readonly string[] },
) {
  const isRow = key.map((column) => `${column} = $${column}`).join(" and ");
  const text = statementText(statement).replace("TABLE", table).replace("KEY", isRow);
  return db.prepare<[StoredRow], StoredRow>(text).safeIntegers();
}

/** The hours with readings, and those with starts or stops if the derivation uses events. */
function hoursOf(db: Connection, { made_of }: Derivation): readonly number[] {
  const start_ms = rawFrom(db);
  const hours = prepare(db, "derived.hours").all({ start_ms });
  const found = new Set(hours.map((hour) => hour.start_ms));
  if (made_of.events !== undefined)
    for (const { at_ms } of prepare(db, "event.process_times").all({
      start_ms,
      end_ms: newestInstant(db),
    }))
      found.add(floorTo(at_ms, HOUR_MS));
  return [...found];
}

/** The pieces whose readings haven't expired, some hours at a time. */
export function* piecesOf(
  db: Connection,
  derivation: Derivation,
): Generator<ReadonlySet<number>, void> {
  const hours = hoursOf(db, derivation);
  const end_ms = newestInstant(db);
  for (let at = 0; at < hours.length; at += STEP_HOURS) {
    const slots = hours
      .slice(at, at + STEP_HOURS)
      .flatMap((start_ms) => startsIn({ start_ms, end_ms: start_ms + HOUR_MS - 1 }, SLOT_MS))
      .filter((slot_ms) => pieceAt(derivation, slot_ms) <= end_ms);
    yield new Set(slots.map((slot_ms) => pieceAt(derivation, slot_ms)));
  }
}

/** Makes all pieces due whose readings haven't expired. */
function* markAll(db: Connection, derivation: Derivation, mark: Mark): Generator<void> {
  for (const pieces of piecesOf(db, derivation)) {
    write(db, () => {
      for (const start_ms of pieces) mark(derivation.name, start_ms);
    });
    yield;
  }
}
