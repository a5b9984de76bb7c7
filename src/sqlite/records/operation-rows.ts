// Operations in the database: one row per operation, which keeps its number, and one per version of
// its judgement. A version is also a statement of the ledger, with the same text: a lost row is
// restored from it, and when a new tree begins, all versions are stated again.

import * as z from "zod";
import { contradictionIn } from "../../bwts/operations/contradiction.ts";
import { Operation, type VerdictVersion } from "../../bwts/operations/operation.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { printTime } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { appendStatement, wantHead } from "../file/ledger.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { provenRow, rowProblem, type StoredRow, withRowChecksum } from "../file/row-checksum.ts";
import { givenVerdicts } from "./given-statements.ts";

export type OperationRow = RowOf<"operation.touching">;
export type VersionRow = RowOf<"operation.versions">;

export const OPERATION_KEY = ["id"];
export const VERSION_KEY = ["operation_id", "version"];

/** Schema of an operation in a version's record; an answer also has its versions. */
const OperationRecord = Operation.omit({ versions: true }).extend({
  ship: z.object({ imo: z.string(), vessel: z.string(), system: z.string() }).optional(),
});
export type OperationRecord = z.output<typeof OperationRecord>;

/** The operations of a range, by their starts. Throws a DamagedError if one is damaged. */
export function operationsTouching(db: Connection, range: ClosedRange): readonly OperationRow[] {
  const rows = prepare(db, "operation.touching").all(range);
  for (const row of rows) provenRow("operation", OPERATION_KEY, row);
  return rows;
}

/** An operation's row; null if there is none. Throws a DamagedError if it is damaged. */
export function operationRow(db: Connection, id: number): OperationRow | null {
  const row = prepare(db, "operation.at").get({ id });
  if (row === undefined) return null;
  provenRow("operation", OPERATION_KEY, row);
  return row;
}

/** All versions of an operation, oldest first. Throws a DamagedError if one is damaged. */
export function versionsOf(db: Connection, operation_id: number): readonly VersionRow[] {
  const rows = prepare(db, "operation.versions").all({ operation_id });
  for (const row of rows) provenRow("operation_version", VERSION_KEY, row);
  return rows;
}

/** Parses the record of a version. Throws a DamagedError if it is invalid. */
export function recordOf(row: VersionRow): OperationRecord {
  const { data } = OperationRecord.safeParse(JSON.parse(row.record));
  if (data !== undefined) return data;
  throw new DamagedError(
    rowProblem("operation_version", `${row.operation_id} ${row.version} (its record)`),
  );
}

/**
 * An operation by its newest version; null if it has none. Throws a DamagedError if it is damaged,
 * or contradicts itself.
 */
export function storedOperation(db: Connection, id: number): Operation | null {
  const versions = versionsOf(db, id);
  const newest = versions.at(-1);
  if (newest === undefined) return null;
  const { ship: _, ...record } = recordOf(newest);
  const contradiction = contradictionIn(record);
  if (contradiction !== null)
    throw new DamagedError(
      `operation_version: the row of ${id} ${newest.version}: ${contradiction}`,
    );
  return { ...record, versions: versions.map((row) => versionAnswer(db, row)) };
}

/** A version as the API answers it. */
function versionAnswer(db: Connection, row: VersionRow): VerdictVersion {
  const { version, made_ms, because, rules_version, ledger_number, given_out_ms } = row;
  const stated = givenVerdicts(db).get(ledger_number) ?? null;
  return {
    ...{ version, made: printTime(made_ms), verdict: verdictOf(row.verdict) },
    ...{ because, rules_version, ledger_number },
    given_out: given_out_ms === null ? null : printTime(given_out_ms),
    given_out_number: stated?.at_ms === given_out_ms ? stated.number : null,
  };
}

function verdictOf(text: string | null): VerdictVersion["verdict"] {
  return Operation.shape.verdict.parse(text);
}

/** The facts of an operation that its row repeats from the newest version. */
export interface OperationPlace {
  readonly id: number;
  readonly start_ms: number;
  readonly end_ms: number | null;
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly known_by: string;
  readonly verdict: string | null;
  readonly version: number;
}

/** Stores the row of an operation, in the caller's transaction. */
export function putOperation(db: Connection, place: OperationPlace): void {
  const { id, start_ms, end_ms, operation_type, location, known_by, verdict, version } = place;
  const row = { id, start_ms, end_ms, operation_type, location, known_by, verdict, version };
  prepare(db, "operation.put").run(withRowChecksum(row));
}

/** Stores a version with its statement, and the operation's row, in the caller's transaction. */
export function addVersion(
  db: Connection,
  record: OperationRecord,
  { made_ms, because }: { readonly made_ms: number; readonly because: string },
): void {
  const { id: operation_id, version, verdict, rules_version } = record;
  const row = {
    ...{ operation_id, version, made_ms, verdict, because, rules_version },
    ...{ ledger_number: 0, given_out_ms: null, record: JSON.stringify(record) },
  };
  const ledger_number = appendStatement(db, "verdict", verdictStatement(row));
  prepare(db, "operation.put_version").run(withRowChecksum({ ...row, ledger_number }));
  putOperation(db, recordPlace(record));
  wantHead(db, "stop");
}

/** The row of an operation, from the record of its newest version. */
export function recordPlace(record: OperationRecord): OperationPlace {
  const { id, start, end, operation_type, location, known_by, verdict, version } = record;
  const start_ms = Date.parse(start);
  // Never before the start, or the row couldn't be found: a clock that was set back can date the
  // end before it.
  const end_ms = end === null ? null : Math.max(start_ms, Date.parse(end));
  return {
    ...{ id, start_ms, end_ms },
    ...{ operation_type, location, known_by, verdict, version },
  };
}

/**
 * Formats of a version's statement; in the second, each limit has the time from which it was in
 * force.
 */
const FORMATS = ["ballastd verdict 1", "ballastd verdict 2"] as const;

const OfSecond = z.object({ limits: z.array(z.object({ from: z.string().nullable() })) });

/** True for a version that was made before the ledger stated which ones left the ship. */
export function isOfFirstFormat({ record }: Pick<VersionRow, "record">): boolean {
  return !OfSecond.safeParse(parsedJson(record)).success;
}

/** The statement of a version in canonical form, except that the record is included as stored. */
export function verdictStatement(
  row: Pick<VersionRow, "because" | "made_ms" | "record" | "version">,
): string {
  const told = FORMATS[isOfFirstFormat(row) ? 0 : 1];
  const [because, format] = [row.because, told].map((text) => JSON.stringify(text));
  const made = JSON.stringify(printTime(row.made_ms));
  return (
    `{"because":${because},"format":${format},"made":${made},` +
    `"operation":${row.record},"version":${row.version}}`
  );
}

const Statement = z.object({
  because: z.string(),
  format: z.enum(FORMATS),
  made: z.iso.datetime(),
  operation: z.looseObject({
    id: z.number(),
    verdict: z.string().nullable(),
    rules_version: z.number(),
  }),
  version: z.number(),
});

/** The version stated by a text of the ledger; null if it states none. */
function statedVersion(
  db: Connection,
  content: string | null,
  ledger_number: number,
): VersionRow | null {
  const stated = parsedJson(content);
  const { data } = Statement.safeParse(stated);
  if (data === undefined) return null;
  const { because, made, operation, version } = data;
  const { id: operation_id, verdict, rules_version } = operation;
  // Serialised from the parsed text, because the checked object has its members in another order.
  const record = JSON.stringify(Object(stated).operation);
  const row = withRowChecksum({
    ...{ operation_id, version, made_ms: Date.parse(made), verdict, because, rules_version },
    ...{ ledger_number, given_out_ms: givenVerdicts(db).get(ledger_number)?.at_ms ?? null, record },
  });
  return verdictStatement(row) === content ? row : null;
}

/** Parses JSON; null for any other text. */
export function parsedJson(content: string | null): unknown {
  try {
    return JSON.parse(content ?? "");
  } catch {
    return null;
  }
}

/**
 * Restores missing rows, in the caller's transaction: versions from their statements, operations
 * from their newest version.
 */
export function restoreOperations(db: Connection): void {
  for (const row of lostVersions(db)) prepare(db, "operation.restore_version").run(row);
  for (const place of lostPlaces(db)) putOperation(db, place);
}

/** True if a row is missing that can be restored. */
export function lacksRows(db: Connection): boolean {
  return lostVersions(db).length > 0 || lostPlaces(db).length > 0;
}

/** The rows of operations that are missing, from the operations' newest versions. */
export function lostPlaces(db: Connection): readonly OperationPlace[] {
  return prepare(db, "operation.lost_rows")
    .all({})
    .flatMap(({ operation_id }) => {
      const place = withoutDamage(db, () => {
        const newest = versionsOf(db, operation_id).at(-1);
        return newest === undefined ? null : recordPlace(recordOf(newest));
      });
      return place === null ? [] : [place];
    });
}

/** True if the ledger states the version of a damaged row. */
export function isStated(db: Connection, damaged: StoredRow): boolean {
  const { operation_id, version } = damaged;
  return prepare(db, "ledger.statements")
    .all({ kind: "verdict" })
    .some(({ number, content }) => {
      const row = statedVersion(db, content, number);
      return row?.operation_id === Number(operation_id) && row.version === Number(version);
    });
}

/** Versions that the ledger states, but whose rows are missing. */
export function lostVersions(db: Connection): readonly VersionRow[] {
  const count = prepare(db, "operation.count_versions").get({})?.count ?? 0;
  const stated = prepare(db, "ledger.kinds").get({ kind: "verdict" })?.count ?? 0;
  if (count >= stated) return [];
  const known = new Set<number>();
  for (const { ledger_number } of allVersions(db)) known.add(ledger_number);
  const statements = prepare(db, "ledger.statements").all({ kind: "verdict" });
  return statements.flatMap(({ number, content }) => {
    const row = known.has(number) ? null : statedVersion(db, content, number);
    return row === null ? [] : [row];
  });
}

/** Number of versions fetched at a time. */
const PAGE = 200;

/** All versions, operation by operation. */
export function* allVersions(db: Connection): Generator<VersionRow> {
  const page = prepare(db, "operation.version_after");
  const first = { operation_id: Number.MIN_SAFE_INTEGER, version: 0 };
  for (let rows = page.all({ ...first, limit: PAGE }); rows.length > 0; ) {
    yield* rows;
    const { operation_id, version } = rows[rows.length - 1];
    rows = page.all({ operation_id, version, limit: PAGE });
  }
}
