// Operations as /api/operations answers them: a judged one by its newest version, with the list of
// all its versions; a running one is judged as of now.

import { Operation } from "../../bwts/operations/operation.ts";
import { OPERATION_FIELDS } from "../../bwts/operations/operation-words.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { printTime } from "../../ground/clock.ts";
import { isByOtherRules } from "../derived/derived-repair.ts";
import { liveOperation } from "../derived/operation-live.ts";
import { OPERATIONS } from "../derived/operations.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest, type Range } from "../file/query.ts";
import { isOfOtherLimits } from "../records/limits-in-force.ts";
import { operationRow, storedOperation } from "../records/operation-rows.ts";
import { isWaiting, withoutVerdict } from "../records/waiting-operations.ts";
import { rawFrom } from "../sealed/timeline.ts";

/** Maximum number of operations in a list: more than a ship has in the years of a record book. */
const LISTED_MAX = 10_000;

/** The newest operations that touch a range; a null type, place or verdict means any. */
export interface OperationsQuery extends Newest {
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly verdict: string | null;
}

/** Operations, newest first. A damaged one is shown in its place, and the damage is reported. */
export function* shownOperations(
  db: Connection,
  { range, limit, ...asked }: OperationsQuery,
  limits: ShownLimits,
): Generator<Operation> {
  // An operation that waits to be judged again has no verdict: it is left out, and more rows are
  // read.
  const most = asked.verdict === null ? limit : LISTED_MAX;
  let left = limit;
  const page = { ...closed(range), ...asked, limit: most };
  for (const { id } of prepare(db, "operation.page").all(page)) {
    if (left === 0) return;
    const operation = listedOperation(db, id, limits);
    if (operation === null || !isAskedFor(operation, asked.verdict)) continue;
    yield operation;
    left -= 1;
  }
}

/**
 * True if the verdict is the requested one. A damaged operation without one may have any verdict.
 */
function isAskedFor({ verdict, remarks }: Operation, asked: string | null): boolean {
  return asked === null || verdict === asked || (verdict === null && remarks.includes("damaged"));
}

/**
 * Operations that start in a range, oldest first. Throws a DamagedError if one is damaged: a draft
 * or a comparison that silently leaves it out would be wrong.
 */
export function startedIn(db: Connection, range: Range, limits: ShownLimits): readonly Operation[] {
  const all = { operation_type: null, location: null, verdict: null, limit: LISTED_MAX };
  const { start_ms } = closed(range);
  const rows = prepare(db, "operation.page").all({ ...closed(range), ...all });
  const found = rows.flatMap(({ id }) => shownOperation(db, id, limits) ?? []);
  return found.filter(({ start }) => Date.parse(start) >= start_ms).reverse();
}

/** An operation; null if there is none. Throws a DamagedError if it is damaged. */
export function shownOperation(db: Connection, id: number, limits: ShownLimits): Operation | null {
  return db.transaction(() => {
    const row = operationRow(db, id);
    if (row === null) return null;
    return row.version === 0 ? liveOperation(db, row, limits) : judgedOperation(db, id, limits);
  })();
}

/**
 * An operation for a list or a file, which must not silently leave it out. A damaged one has only
 * the facts of its row, without a verdict if the row is damaged too. Null if there is no such
 * operation, or if not even its time can be read.
 */
export function listedOperation(db: Connection, id: number, limits: ShownLimits): Operation | null {
  const shown = withoutDamage(db, () => [shownOperation(db, id, limits)]);
  return shown === null ? damagedOperation(db, id, limits) : shown[0];
}

const UNTOLD_SPREAD = { unit: null, readings: 0, min: null, mean: null, max: null };

/**
 * A damaged operation: all of it if only its row is damaged; null if not even its time can be read.
 */
export function damagedOperation(
  db: Connection,
  id: number,
  limits: ShownLimits,
): Operation | null {
  const proven = withoutDamage(db, () => operationRow(db, id));
  // The row only repeats the versions, each of which has its own proof.
  const stored = proven === null ? withoutDamage(db, () => judgedOperation(db, id, limits)) : null;
  if (stored !== null) return stored;
  const row = proven ?? prepare(db, "operation.at").get({ id });
  const { data = null } = Operation.safeParse({
    ...{ id, operation_type: row?.operation_type, location: row?.location },
    ...{ start: timeOf(row?.start_ms), end: timeOf(row?.end_ms), known_by: row?.known_by },
    ...{ remarks: ["damaged"], verdict: proven?.verdict ?? null, verdict_with_hidden: null },
    ...{ reasons: [], indications: [], parts: [], volume_m3: null, volume_source: null },
    ...{ volume_totaliser_m3: null, volume_flow_m3: null, volume_difference_percent: null },
    not_recorded: null,
    ...{ mode: null, limits: [], limits_source: null, rules_version: 0 },
    ...{ readings: 0, readings_hidden: 0, lamps_out: [], backflushes: null, bypass_seconds: 0 },
    values: Object.fromEntries(OPERATION_FIELDS.map((field) => [field, UNTOLD_SPREAD])),
    ...{ hours_since_cip: null, alerts: [], gaps: [], clock_steps: [], voids: [] },
    ...{ readings_root: null, version: row?.version, versions: [] },
  });
  return data;
}

/** A time as text; null for a damaged value that is no time. */
function timeOf(at_ms: unknown): string | null {
  const date = new Date(typeof at_ms === "number" ? at_ms : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : printTime(date.getTime());
}

/** The operation by its newest version; without its verdict while it waits to be judged again. */
function judgedOperation(db: Connection, id: number, limits: ShownLimits): Operation | null {
  const operation = storedOperation(db, id);
  if (operation === null) return null;
  const { start, end, verdict, remarks } = operation;
  const [start_ms, end_ms] = [Date.parse(start), Date.parse(end ?? start)];
  const made_ms = Date.parse(operation.versions.at(-1)?.made ?? "");
  const isOutdated = () => isOfOtherLimits(db, limits) || isByOtherRules(db, OPERATIONS);
  if (verdict === "within_limits" && (isOutdated() || isWaiting(db, { start_ms, end_ms, made_ms })))
    return withoutVerdict(operation);
  if (start_ms >= rawFrom(db)) return operation;
  return { ...operation, remarks: [...remarks, "readings_expired"] };
}
