// The goal of the reconciliation: 200 faults sown into the record book of 1,000 entries are all
// found, and at most 1 % of the right entries are blamed.

import { describe, expect, test } from "vitest";
import { readBook } from "../../../../src/bwts/record-book/read-book.ts";
import { bookRange, reconcile } from "../../../../src/bwts/record-book/reconcile.ts";
import type { Reconciliation } from "../../../../src/bwts/record-book/reconciliation.ts";
import {
  bookCsv,
  rightBook,
  type Sown,
  sowFaults,
  type Written,
} from "../../../rig/officers-book.ts";
import { printedRandom, seededRandom } from "../../../rig/random.ts";
import { someOperations } from "../../../rig/record-book.ts";

const TOLERANCES = { time_minutes: 10, volume_percent: 5 };
const ENTRIES = 1_000;
const FAULTS = 200;

const seeds = [1, 2, 3, printedRandom("record book").between(4, 2 ** 31)];

describe.each(seeds)("seed %i", (seed) => {
  const random = seededRandom(seed);
  const operations = someOperations(random, 920);
  const right = rightBook(operations, random).slice(0, ENTRIES);
  const known = new Set(right.map(({ operation_id }) => operation_id));
  const told = operations.filter(({ id }) => known.has(id));

  test("a right book agrees", () => {
    expect(right.length).toBe(ENTRIES);
    const outcome = reconciled(right);
    expect(outcome.faults).toEqual([]);
    expect(outcome.results.filter(({ result }) => result !== "match")).toEqual([]);
    expect(outcome.agrees).toBe(true);
  });

  test("all sown faults are found, each where it was sown, and hardly any other", () => {
    const { book, sown } = sowFaults(right, FAULTS, random);
    const outcome = reconciled(book);
    const lineOf = new Map(book.map((entry, index) => [entry, index + 2]));
    const missed = sown.filter((one) => !isFound(one, outcome, lineOf));
    expect(missed.map(({ kind, entry }) => ({ kind, entry }))).toEqual([]);
    // By chance an entry of a wrong day lies over another fault, and takes its place.
    const named = sown.filter((one) => isNamed(one, outcome, lineOf));
    expect(named.length).toBeGreaterThanOrEqual(FAULTS * 0.98);
    const blamed = blamedLines(outcome);
    const faulty = new Set(sown.map(({ entry }) => (entry === null ? -1 : lineOf.get(entry))));
    const falsely = [...blamed].filter((line) => !faulty.has(line));
    console.log(`seed ${seed}: ${sown.length} found, ${falsely.length} right entries blamed`);
    expect(falsely.length).toBeLessThanOrEqual(ENTRIES / 100);
  });

  function reconciled(book: readonly Written[]): Reconciliation {
    const read = readBook(bookCsv(book), 0);
    const range = bookRange(read);
    if (range === null) throw new Error("the book has no times");
    return reconcile({ book: read, operations: told, range, tolerances: TOLERANCES });
  }
});

/** The sign by which each kind of fault shows. */
const SHOWN_BY: Readonly<Record<string, { fault?: string; differs?: string; result?: string }>> = {
  start: { differs: "start" },
  end: { differs: "end" },
  volume: { differs: "volume" },
  place: { differs: "place" },
  code: { differs: "code" },
  other_day: { differs: "start" },
  old_item: { fault: "old_item" },
  missing_end: { fault: "missing_end" },
  missing_volume: { fault: "missing_volume" },
  end_before_start: { fault: "end_before_start" },
  no_such_date: { fault: "no_such_date" },
  added: { result: "book_only" },
  wrong_order: { fault: "wrong_order" },
  overlap: { fault: "overlap" },
};

type Lines = ReadonlyMap<Written, number>;

/** True if the entry, or the operation that has none now, isn't said to match. */
function isFound(one: Sown, outcome: Reconciliation, lineOf: Lines): boolean {
  const { kind, entry, operation_id } = one;
  const { fault } = SHOWN_BY[kind] ?? {};
  if (fault !== undefined) return isNamed(one, outcome, lineOf);
  const line = lineOf.get(entry ?? NO_ENTRY);
  return outcome.results.some(({ result, log, book }) => {
    const isIt =
      line === undefined ? log?.operation_id === operation_id : book?.lines.includes(line) === true;
    const isFailure = log?.subject === "failure" || log?.subject === "bypassed";
    return isIt && result !== "match" && (kind !== "no_failure_entry" || isFailure);
  });
}

const NO_ENTRY: Written = {
  ...{ code: "", start_ms: null, end_ms: null, location: "", volume: "", tanks: "" },
  operation_id: 0,
};

/** True if it is told by the name of what was sown. */
function isNamed({ kind, entry, operation_id }: Sown, outcome: Reconciliation, lineOf: Lines) {
  const { faults, results } = outcome;
  if (entry === null) {
    const result = kind === "taken_out" ? "log_only" : kind;
    return results.some((one) => one.result === result && one.log?.operation_id === operation_id);
  }
  const line = lineOf.get(entry) ?? 0;
  const { fault, differs, result } = SHOWN_BY[kind];
  if (fault !== undefined)
    return faults.some(
      (one) => one.fault === fault && (one.line === line || one.other_line === line),
    );
  return results.some(
    (one) =>
      one.book?.lines.includes(line) === true &&
      (result === undefined
        ? one.differences.some((difference) => difference.differs === differs)
        : one.result === result),
  );
}

/** The lines of entries that anything is said against, and -1 for what is said to be missing. */
function blamedLines({ faults, results }: Reconciliation): readonly number[] {
  const unequal = results.filter(({ result }) => !["match", "not_compared"].includes(result));
  return [
    ...new Set([
      ...faults.map(({ line }) => line),
      ...unequal.flatMap(({ book }) => book?.lines ?? -1),
    ]),
  ];
}
