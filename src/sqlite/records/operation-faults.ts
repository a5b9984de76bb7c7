// Compares the rows of operations with the ledger, which states each version: a checksum detects a
// damaged row, this one that was altered, removed or added by hand. The faulty rows can be removed,
// and restored from the statements.

import { FIRST_BECAUSE, possibleBecause } from "../../bwts/judging/because.ts";
import { contradictionIn } from "../../bwts/operations/contradiction.ts";
import { RULES_VERSION } from "../../bwts/operations/rules.ts";
import { printTime } from "../../ground/clock.ts";
import { isSameShip, type NamedShip } from "../../ledger/key-statement.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { givenVerdicts } from "./given-statements.ts";
import { keyStatements } from "./key-statements.ts";
import {
  allVersions,
  isOfFirstFormat,
  lostPlaces,
  lostVersions,
  type OperationRecord,
  type OperationRow,
  recordOf,
  recordPlace,
  type VersionRow,
  verdictStatement,
} from "./operation-rows.ts";

export interface OperationFault {
  readonly id: number;
  /** The version whose row is wrong; null for the row of the operation. */
  readonly version: number | null;
  /** False for a row that is missing. */
  readonly isThere: boolean;
  readonly fault: string;
}

/** All rows that contradict the ledger, and all missing ones; versions first. */
export function* faultyOperations(db: Connection): Generator<OperationFault> {
  yield* faultyVersions(db);
  yield* faultyPlaces(db);
}

function* faultyVersions(db: Connection): Generator<OperationFault> {
  const leaf = prepare(db, "ledger.of");
  const known = new Set<number>();
  const shipAt = openShips(db);
  let before: VersionRow | null = null;
  for (const row of allVersions(db)) {
    const { operation_id: id, version, ledger_number } = row;
    const isNext = before?.operation_id === id && before.version === version - 1;
    const last = isNext ? before : null;
    before = row;
    const stated = leaf.get({ kind: "verdict", number: ledger_number });
    const isOwn = isOfRecord(row) && stated?.content === verdictStatement(row);
    const isStated = isOwn && !known.has(ledger_number);
    if (isOwn) known.add(ledger_number);
    const why = isStated
      ? (contradictionOf(row) ??
        shipFault(row, shipAt(Number(stated?.id))) ??
        becauseFault(db, row, last) ??
        givenFault(db, row))
      : `isn't verdict ${ledger_number} of the ledger`;
    if (why === null) continue;
    yield { id, version, isThere: true, fault: `operation ${id}, version ${version}: ${why}` };
  }
  for (const { operation_id: id, version, ledger_number } of lostVersions(db)) {
    const name = `operation ${id}, version ${version}`;
    const fault = `${name}: is missing, verdict ${ledger_number} of the ledger states it`;
    yield { id, version, isThere: false, fault };
  }
}

/** A contradiction within a version's record; null if there is none. */
function contradictionOf(row: VersionRow): string | null {
  const record = recordIn(row);
  return record === null ? "its record can't be read" : contradictionIn(record);
}

/**
 * Finds the ship that the ledger names for a leaf; null for none, undefined before the first key.
 */
type ShipAt = (leaf: number) => NamedShip | null | undefined;

function openShips(db: Connection): ShipAt {
  const keys = withoutDamage(db, () => keyStatements(db)) ?? [];
  return (leaf) => keys.findLast(({ index }) => index + 1 < leaf)?.ship;
}

/**
 * The fault of a version of another ship; null if there is none. Versions that a salvage states in
 * a new tree precede its key, so they can't be checked.
 */
function shipFault(row: VersionRow, named: NamedShip | null | undefined): string | null {
  if (named === undefined) return null;
  const isSame = isSameShip(recordIn(row)?.ship ?? null, named);
  return isSame ? null : "is of another ship than the ledger names";
}

/**
 * The fault of a version's stated reason, by its record and the version before; null if there is
 * none, or if other rules made it.
 */
function becauseFault(db: Connection, row: VersionRow, before: VersionRow | null): string | null {
  const { version, because, rules_version } = row;
  const fault = "its reason isn't that for which it was made";
  if ((version === 1) !== (because === FIRST_BECAUSE)) return fault;
  if (before === null || rules_version !== RULES_VERSION) return null;
  const records = withoutDamage(db, () => ({ before: recordOf(before), after: recordOf(row) }));
  if (records === null) return null;
  const stated = givenVerdicts(db).get(before.ledger_number)?.at_ms ?? null;
  const given_out_ms = [null, before.given_out_ms, stated];
  return possibleBecause({ ...records, given_out_ms }).includes(because) ? null : fault;
}

/** The fault of the row's time of leaving the ship, by the ledger; null if both agree. */
function givenFault(db: Connection, row: VersionRow): string | null {
  const stated = givenVerdicts(db).get(row.ledger_number);
  if ((stated?.at_ms ?? null) === row.given_out_ms) return null;
  if (stated !== undefined) {
    const when = printTime(stated.at_ms);
    return `was given out at ${when}, by given ${stated.number} of the ledger; its row differs`;
  }
  return isOfFirstFormat(row) ? null : "the ledger doesn't state that it was given out";
}

/**
 * Number of versions that left the ship by their rows alone, without a statement: an older ballastd
 * made them.
 */
export function givenUnproven(db: Connection): number {
  const given = givenVerdicts(db);
  const unproven = (row: VersionRow) => row.given_out_ms !== null && !given.has(row.ledger_number);
  return [...allVersions(db)].filter(unproven).length;
}

/** True if a version's columns agree with its record. */
function isOfRecord(row: VersionRow): boolean {
  const record = recordIn(row);
  return (
    record !== null &&
    record.id === row.operation_id &&
    record.version === row.version &&
    record.verdict === row.verdict &&
    record.rules_version === row.rules_version
  );
}

/** The record of a version; null if it can't be read. */
function recordIn(row: VersionRow): OperationRecord | null {
  try {
    return JSON.parse(row.record);
  } catch {
    return null;
  }
}

function* faultyPlaces(db: Connection): Generator<OperationFault> {
  const versions = prepare(db, "operation.versions");
  for (const row of allOperations(db)) {
    const { id } = row;
    const newest = versions.all({ operation_id: id }).at(-1);
    if (newest === undefined && row.version === 0) continue;
    const record = newest === undefined ? null : recordIn(newest);
    if (record !== null && isPlace(row, record)) continue;
    const fault = `operation ${id}: its row isn't that of its newest version`;
    yield { id, version: null, isThere: true, fault };
  }
  for (const { id } of lostPlaces(db))
    yield { id, version: null, isThere: false, fault: `operation ${id}: its row is missing` };
}

/** True if an operation's row agrees with the record. */
function isPlace({ checksum: _, ...row }: OperationRow, record: OperationRecord): boolean {
  const place = new Map(Object.entries(recordPlace(record)));
  return Object.entries(row).every(([name, value]) => place.get(name) === value);
}

/** Number of rows fetched at a time. */
const PAGE = 200;

function* allOperations(db: Connection): Generator<OperationRow> {
  const page = prepare(db, "operation.after");
  for (let id = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all({ id, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ id } = last);
  }
}
