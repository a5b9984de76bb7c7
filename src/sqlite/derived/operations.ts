// Operations, each judged over its whole length once it has ended, and again when its data changes.
// A judgement that differs from the newest version is stored as a new version, with the reason. A
// running operation has a row without a version, so that its number is known.

import type { OperationSpan } from "../../bwts/operations/judging.ts";
import { RULES_VERSION } from "../../bwts/operations/rules.ts";
import { plcRange } from "../../bwts/operations/steady-time.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { namedShip } from "../records/key-statements.ts";
import {
  addVersion,
  isStated,
  lacksRows,
  OPERATION_KEY,
  type OperationPlace,
  type OperationRow,
  putOperation,
  recordOf,
  restoreOperations,
  VERSION_KEY,
  versionsOf,
} from "../records/operation-rows.ts";
import { JUDGING } from "../records/waiting-operations.ts";
import { rawFrom } from "../sealed/timeline.ts";
import {
  cleanedBefore,
  cleaningEnd,
  type JudgedCleaning,
  startsAfterCleaning,
} from "./cleanings.ts";
import type { ComputeResult, Derivation, DerivationContext } from "./derivation.ts";
import { isPartOfSpoilt, isSpoilt } from "./operation-damage.ts";
import { judgementOf } from "./operation-judgement.ts";
import { changeable, isAsStored, type OperationMatch, pairsOf } from "./operation-pairs.ts";
import { isQuiet } from "./operation-quiet.ts";
import { affectedOperations, type OperationsContext, touches } from "./operation-search.ts";
import { changed, type NewVersion, withdrawn } from "./operation-versions.ts";

/** Maximum distance of due pieces that are searched together. */
const TOGETHER_MS = DAY_MS;

/** The row of a running operation; a null `id` means a new one. */
interface NewRow extends Omit<OperationPlace, "id"> {
  readonly id: number | null;
}

interface FoundOperations {
  readonly versions: readonly NewVersion[];
  readonly running: readonly NewRow[];
  /** Ids of rows without a version whose operations no longer exist. */
  readonly gone: readonly number[];
}

export const OPERATIONS: Derivation<FoundOperations> = {
  name: JUDGING,
  every_ms: 2 * SECOND_MS,
  tables: {
    // A removed row is restored from its newest version.
    operation: { key: OPERATION_KEY, isMadeAgain: () => true },
    operation_version: { key: VERSION_KEY, isMadeAgain: isStated },
  },
  made_of: { readings: 0, events: 0, alarms: 0, clock_steps: 0 },
  piece_ms: HOUR_MS,
  open_ms: 0,
  rules_version: RULES_VERSION,
  // Some 80 days; in 24 months of 350,400 readings they take 0.3 s.
  pieces_max: 2000,
  few: 4,
  counted: "operations judged",
  compute(db, starts, around) {
    return db.transaction(() => operationsOf(db, starts, around))();
  },
  save(db, { versions, running, gone }, { again }) {
    restoreOperations(db);
    const nextId = () => Number(prepare(db, "operation.next_id").get({})?.id ?? 1);
    // Each verdict names the ship as the ledger's key does.
    const ship = namedShip(db);
    for (const id of gone) prepare(db, "operation.remove_unjudged").run({ id });
    for (const { id, record, readings_root, because } of versions) {
      const own = id ?? nextId();
      const newest = versionsOf(db, own).at(-1);
      const version = (newest?.version ?? 0) + 1;
      addVersion(
        db,
        { ...record, id: own, readings_root, version, ...(ship === null ? {} : { ship }) },
        { made_ms: Date.now(), because },
      );
      const was_ms = newest === undefined ? null : cleaningEnd(recordOf(newest));
      const cleaning = { id: own, was_ms, is_ms: cleaningEnd(record) };
      for (const start_ms of startsAfterCleaning(db, cleaning)) again(start_ms);
    }
    for (const row of running) putOperation(db, { ...row, id: row.id ?? nextId() });
  },
};

const NOTHING: FoundOperations = { versions: [], running: [], gone: [] };

type JudgedPieces = Pick<ComputeResult, "done" | "damaged" | "count">;

const NO_PIECES: JudgedPieces = { done: [], damaged: [], count: 0 };

function operationsOf(
  db: Connection,
  starts: readonly number[],
  around: DerivationContext,
): ComputeResult<FoundOperations> {
  const rest = { isMore: false, problem: null };
  // The end of the void in progress makes all of its time due again.
  if (prepare(db, "void.under_way").get({}) !== undefined)
    return { found: null, ...NO_PIECES, ...rest };
  // Missing rows are restored first: an operation must find its number.
  if (lacksRows(db)) return { found: NOTHING, ...NO_PIECES, ...rest };
  return judgementsOfPieces(db, starts, around);
}

/** The judgements of pieces, as the stored data is. */
export function judgementsOfPieces(
  db: Connection,
  starts: readonly number[],
  around: DerivationContext,
): ComputeResult<FoundOperations> {
  const all: FoundOperations[] = [];
  const told: JudgedPieces[] = [];
  const judged: JudgedBefore = { spans: new Set(), rows: new Set(), cleanings: [] };
  for (const pieces of together(starts)) {
    const { found, ...done } = judgeAround(db, { pieces, judged }, around);
    all.push(found);
    told.push(done);
  }
  const found = {
    versions: all.flatMap(({ versions }) => versions),
    running: all.flatMap(({ running }) => running),
    gone: all.flatMap(({ gone }) => gone),
  };
  const isNews = Object.values(found).some(({ length }) => length > 0);
  return {
    found: isNews ? found : null,
    done: told.flatMap(({ done }) => done),
    damaged: told.flatMap(({ damaged }) => damaged),
    count: told.reduce((sum, { count }) => sum + count, 0),
    ...{ isMore: false, problem: null },
  };
}

/** Groups of pieces that are near to each other. */
function together(starts: readonly number[]): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (const start_ms of starts) {
    const last = found.at(-1);
    if (last !== undefined && start_ms - last[last.length - 1] <= TOGETHER_MS) last.push(start_ms);
    else found.push([start_ms]);
  }
  return found;
}

/** The results of earlier groups: changes days apart may affect the same operation. */
interface JudgedBefore {
  /** Keys of the spans that were handled. */
  readonly spans: Set<string>;
  /** Ids of the rows that were handled. */
  readonly rows: Set<number>;
  /** Cleanings, and operations that are no longer cleanings. */
  readonly cleanings: JudgedCleaning[];
}

function judgeAround(
  db: Connection,
  { pieces, judged }: { readonly pieces: readonly number[]; readonly judged: JudgedBefore },
  { config }: DerivationContext,
): JudgedPieces & { readonly found: FoundOperations } {
  const range = { start_ms: pieces[0], end_ms: pieces[pieces.length - 1] + HOUR_MS - 1 };
  const found = affectedOperations(db, range, config.limits);
  const raw_from_ms = rawFrom(db);
  const versions: NewVersion[] = [];
  const running: NewRow[] = [];
  const gone: number[] = [];
  const waiting = new Set<number>();
  const damaged = new Set<number>();
  let count = 0;
  const expired = found.rows.filter((row) => row.version > 0 && row.start_ms < raw_from_ms);
  for (const { span, row } of unjudged(concerned(db, found, range), judged)) {
    const times = span === null ? row : plcRange(span, found.clock_steps);
    if (times === null) continue;
    // Rows whose readings have expired stay unchanged.
    if (expired.some((one) => one === row || (row === null && touches(one, closed(times, found)))))
      continue;
    if (!isSettled(db, times, { span, row })) {
      waiting.add(lastPiece(pieces, times));
      if (span !== null) running.push(...rowOfRunning(span, row));
      continue;
    }
    // Itself excluded: an operation of no length would be its own last cleaning.
    const others = [...judged.cleanings, { id: row?.id ?? null, end_ms: null }];
    const cleaned_ms = span === null ? null : cleanedBefore(db, span.start_ms, others);
    const { now_ms, clock_steps } = found;
    const asked = { ...config, cleaned_ms, now_ms, clock_steps };
    const record = span === null ? null : judgementOf(db, span, asked);
    // Without its damaged readings, an operation that stands may be found in parts.
    const isPart = row === null && isPartOfSpoilt(db, times, found);
    if (isPart || isSpoilt(db, times, { row, damaged_ms: found.damaged_ms })) {
      damaged.add(lastPiece(pieces, times));
      if (span !== null && !isPart) running.push(...rowOfRunning(span, row));
      continue;
    }
    if (record === null) {
      if (row === null) continue;
      if (row.version === 0) gone.push(row.id);
      else versions.push(...withdrawn(db, row));
      judged.cleanings.push({ id: row.id, end_ms: null });
      continue;
    }
    const id = row?.id ?? null;
    judged.cleanings.push({ id, end_ms: cleaningEnd(record) });
    versions.push(...changed(db, { id, record, cleaned_ms }, times));
    count += 1;
  }
  const left = pieces.filter((start_ms) => !waiting.has(start_ms));
  const done = left.filter((start_ms) => !damaged.has(start_ms));
  const rested = left.filter((start_ms) => damaged.has(start_ms));
  return { found: { versions, running, gone }, done, damaged: rested, count };
}

/** Leaves out operations that are stored as found, and that the change can't affect. */
function concerned(
  db: Connection,
  found: OperationsContext,
  range: ClosedRange,
): readonly OperationMatch[] {
  return pairsOf(found).filter(({ span, row }) => {
    if (span === null || !isAsStored(db, { span, row })) return true;
    return touches(plcRange(span, found.clock_steps), changeable(range));
  });
}

/** Leaves out operations of earlier groups; a row belongs to the first span paired with it. */
function* unjudged(
  pairs: readonly OperationMatch[],
  { spans, rows }: JudgedBefore,
): Generator<OperationMatch> {
  for (const { span, row } of pairs) {
    const key = JSON.stringify([span?.start_ms, span?.start_event, span?.stop_event]);
    const isTaken = row !== null && rows.has(row.id);
    if (span === null ? isTaken : spans.has(key)) continue;
    if (row !== null) rows.add(row.id);
    if (span !== null) spans.add(key);
    yield { span, row: isTaken ? null : row };
  }
}

/** The last due piece that an operation touches. */
function lastPiece(
  pieces: readonly number[],
  { start_ms, end_ms }: Pick<OperationSpan, "start_ms" | "end_ms">,
): number {
  const touched = pieces.findLast(
    (piece_ms) => end_ms === null || touches({ start_ms, end_ms }, pieceRange(piece_ms)),
  );
  return touched ?? pieces[pieces.length - 1];
}

const closed = (
  { start_ms, end_ms }: Pick<OperationRow, "start_ms" | "end_ms">,
  { now_ms }: Pick<OperationsContext, "now_ms">,
): ClosedRange => ({ start_ms, end_ms: end_ms ?? Math.max(start_ms, now_ms) });

const pieceRange = (start_ms: number): ClosedRange => ({
  start_ms,
  end_ms: start_ms + HOUR_MS - 1,
});

/** True if the operation's data seems complete; a running row that isn't found is gone. */
function isSettled(
  db: Connection,
  { start_ms, end_ms }: Pick<OperationSpan, "start_ms" | "end_ms">,
  { span, row }: OperationMatch,
): boolean {
  if (end_ms === null) return span === null;
  const { start_event = null, stop_event = null } = span ?? {};
  return isQuiet(db, { start_ms, end_ms, start_event, stop_event, id: row?.id ?? null });
}

/** The row of an operation that runs or isn't judged yet; empty if it is there already. */
function rowOfRunning(span: OperationSpan, row: OperationRow | null): readonly NewRow[] {
  const { start_ms, operation_type, location, known_by } = span;
  const end_ms = span.end_ms === null ? null : Math.max(start_ms, span.end_ms);
  const now = { start_ms, end_ms, operation_type, location, known_by };
  if (row !== null) {
    const { version, ...was } = row;
    const isSame =
      was.start_ms === start_ms &&
      was.end_ms === end_ms &&
      was.operation_type === operation_type &&
      was.location === location &&
      was.known_by === known_by;
    if (version > 0 || isSame) return [];
  }
  return [{ id: row?.id ?? null, ...now, verdict: null, version: 0 }];
}
