// The version that results from a judgement: the first, one that differs from the newest, or the
// withdrawal of an operation that later data contradicts.

import { becauseOf, FIRST_BECAUSE } from "../../bwts/judging/because.ts";
import type { JudgedOperation, OperationSpan } from "../../bwts/operations/judging.ts";
import type { Connection } from "../file/open.ts";
import {
  type OperationRecord,
  type OperationRow,
  recordOf,
  versionsOf,
} from "../records/operation-rows.ts";
import { readingsRoot } from "./operation-judgement.ts";

/** A judgement to be stored; a null `id` means a new operation. */
export interface NewVersion {
  readonly id: number | null;
  readonly record: JudgedOperation;
  readonly readings_root: string | null;
  readonly because: string;
}

interface ChangeAsked extends Pick<NewVersion, "id" | "record"> {
  /** End of the last stored cleaning before the operation; null without one. */
  readonly cleaned_ms: number | null;
}

/** The version that results from a judgement; empty if it equals the newest one. */
export function changed(
  db: Connection,
  { id, record, cleaned_ms }: ChangeAsked,
  { start_ms, end_ms }: Pick<OperationSpan, "start_ms" | "end_ms">,
): readonly NewVersion[] {
  const newest = id === null ? undefined : versionsOf(db, id).at(-1);
  const before = newest === undefined ? null : judgementIn(recordOf(newest));
  if (before !== null && isSameJudgement(before, record)) return [];
  const given_out_ms = newest?.given_out_ms ?? null;
  const because =
    before === null
      ? FIRST_BECAUSE
      : becauseOf({ before, after: record, given_out_ms, cleaned_ms });
  const readings_root = readingsRoot(db, { start_ms, end_ms: end_ms ?? start_ms });
  return [{ id, record, readings_root, because }];
}

/** The withdrawal of an operation that later data contradicts: it stays, without a verdict. */
export function withdrawn(
  db: Connection,
  { id, start_ms, end_ms }: OperationRow,
): readonly NewVersion[] {
  const newest = versionsOf(db, id).at(-1);
  if (newest === undefined) return [];
  const before = judgementIn(recordOf(newest));
  if (before.remarks.includes("withdrawn")) return [];
  const record = {
    ...before,
    remarks: [...before.remarks, "withdrawn" as const],
    verdict: null,
    verdict_with_hidden: null,
  };
  return changed(db, { id, record, cleaned_ms: null }, { start_ms, end_ms: end_ms ?? start_ms });
}

function judgementIn(record: OperationRecord): JudgedOperation {
  const { id: _id, version: _version, readings_root: _root, ship: _ship, ...judgement } = record;
  return judgement;
}

/**
 * True if two judgements are alike. A different version of the rules doesn't count, nor does a
 * member that the earlier version lacks: a limit, the time from which it was in force, or the note
 * that everything was recorded.
 */
function isSameJudgement(before: JudgedOperation, after: JudgedOperation): boolean {
  const rules_version = 0;
  const isTold = before.limits.every(({ from }) => from !== null);
  const keys = new Set(before.limits.map(({ key }) => key));
  const [was, is] = [before, after].map((one) => {
    const limits = one.limits
      .filter(({ key }) => keys.has(key))
      .map((limit) => (isTold ? limit : { ...limit, from: null }));
    const isRecorded = after.not_recorded?.seconds === 0;
    const not_recorded = before.not_recorded === null && isRecorded ? null : one.not_recorded;
    return sorted({ ...one, rules_version, limits, not_recorded });
  });
  return was === is;
}

/** JSON with members sorted by name: a stored record has the order of its schema. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
