// When a version left the ship, as the ledger states it: a row that was lost is made again with it,
// one that was altered is found, and rows of an older version keep what they say.

import { expect, test } from "vitest";
import { HOUR_MS, printTime } from "../../../src/ground/clock.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { appendLeaf } from "../../../src/sqlite/file/ledger.ts";
import { prepare } from "../../../src/sqlite/file/open.ts";
import { EVER } from "../../../src/sqlite/file/query.ts";
import { withRowChecksum } from "../../../src/sqlite/file/row-checksum.ts";
import { giveOut, restateVerdicts } from "../../../src/sqlite/records/give-out.ts";
import { givenUnproven } from "../../../src/sqlite/records/operation-faults.ts";
import {
  allVersions,
  restoreOperations,
  verdictStatement,
} from "../../../src/sqlite/records/operation-rows.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { AT_MS, messageOf } from "../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
  storedOperations,
} from "../../rig/operations.ts";

const rigOf = rigsOfTests();
const LATER_MS = AT_MS + HOUR_MS;

function filled(count: number): Rig {
  const rig = rigOf();
  for (let at = 0; at < count; at += 1) {
    const run = { start_ms: AT_MS - (10 * count - 10 * at) * HOUR_MS, minutes: 20 };
    const { start, stop } = eventsOfRun(run);
    const readings = [...readingsOfRun(run), ...idleReadings(run.start_ms + 21 * 60_000, 5)];
    rig.store.commit([
      ...[start, stop].map((one) => messageOf("events", one)),
      ...readings.map((one) => messageOf("telemetry", one)),
    ]);
  }
  judgedOperations(rig);
  return rig;
}

const give = ({ db }: Rig, ids: readonly number[] | null, at_ms: number) =>
  db.transaction(() => giveOut(db, { ids, range: EVER }, at_ms))();
const statements = ({ db }: Rig) =>
  prepare(db, "ledger.statements")
    .all({ kind: "given" })
    .map(({ content }) => content);
const given = (rig: Rig) =>
  storedOperations(rig)
    .reverse()
    .map(({ versions }) => versions[0])
    .map(({ given_out, given_out_number }) => [given_out, given_out_number]);
const problem = ({ db }: Rig) => verifyChains(db, () => {}).problem;

test("one statement names all verdicts that left at a time, and none is named twice", () => {
  const rig = filled(5);
  give(rig, [1, 2, 4], AT_MS);
  give(rig, null, LATER_MS);
  give(rig, null, LATER_MS + 1);
  expect(statements(rig)).toEqual([
    `verdicts given out\nat ${printTime(AT_MS)}\nnumbers 1-2 4\n`,
    `verdicts given out\nat ${printTime(LATER_MS)}\nnumbers 3 5\n`,
  ]);
  const [first, second] = [
    [printTime(AT_MS), 1],
    [printTime(LATER_MS), 2],
  ];
  expect(given(rig)).toEqual([first, first, second, first, second]);
  expect(problem(rig)).toBeNull();
});

test("a row that was lost is made again with the time at which its version left", () => {
  const rig = filled(2);
  give(rig, [2], AT_MS);
  const before = given(rig);
  rig.db.exec("delete from operation_version");
  expect(problem(rig)).toContain("is missing, verdict 1 of the ledger states it");
  rig.db.transaction(() => restoreOperations(rig.db))();
  expect(given(rig)).toEqual(before);
  expect(before[1]).toEqual([printTime(AT_MS), 1]);
  expect(problem(rig)).toBeNull();
});

test.each([
  ["removed", 1, null, "version 1: was given out at 2026-05-01T"],
  ["moved", 1, AT_MS - 1, "by given 1 of the ledger; its row differs"],
  ["added", 2, AT_MS, "operation 2, version 1: the ledger doesn't state that it was given out"],
])("a giving out that was %s by hand is found", (_how, id, given_out_ms, text) => {
  const rig = filled(2);
  give(rig, [1], AT_MS);
  setGiven(rig, id, given_out_ms);
  expect(problem(rig)).toContain(text);
});

function setGiven({ db }: Rig, id: number, given_out_ms: number | null): void {
  for (const { checksum: _, ...row } of allVersions(db))
    if (row.operation_id === id)
      prepare(db, "operation.mark_version").run(withRowChecksum({ ...row, given_out_ms }));
}

test("a version of an older ballastd keeps what its row says, counted as not proven", () => {
  const rig = filled(3);
  olderStatements(rig);
  setGiven(rig, 1, AT_MS);
  expect(problem(rig)).toBeNull();
  expect(givenUnproven(rig.db)).toBe(1);
  expect(given(rig)[0]).toEqual([printTime(AT_MS), null]);
  expect(storedOperations(rig)[0].limits[0].from).toBeNull();
  // Given out from now on, an older version is stated as well.
  give(rig, null, LATER_MS);
  expect(statements(rig)).toEqual([expect.stringContaining("\nnumbers 2-3\n")]);
  setGiven(rig, 2, null);
  expect(problem(rig)).toContain("operation 2, version 1: was given out at");
});

/** Makes the ledger anew, as an older version would have written it. */
function olderStatements(rig: Rig): void {
  const { db } = rig;
  db.transaction(() => {
    for (const { checksum: _, ...row } of [...allVersions(db)]) {
      const record = JSON.parse(row.record);
      for (const limit of record.limits) delete limit.from;
      const older = withRowChecksum({ ...row, record: JSON.stringify(record) });
      prepare(db, "operation.restore_version").run(older);
    }
    clearStatements(rig);
    restateVerdicts(db);
  })();
  const [first] = allVersions(db);
  expect(verdictStatement(first)).toContain('"format":"ballastd verdict 1"');
}

/** Leaves a ledger of the links alone, as a salvage does that begins a new tree. */
function clearStatements({ db }: Rig): void {
  const rows = db.prepare<[], { kind: string; number: number; leaf: string }>(
    "select kind, number, leaf from ledger where content is null order by id",
  );
  const links = rows.all();
  prepare(db, "ledger.clear").run({});
  prepare(db, "chain.remove").run({ chain: "ledger" });
  for (const { leaf, ...link } of links) appendLeaf(db, link, leaf, null);
}

test("a new tree states again which versions left, and when", () => {
  const rig = filled(4);
  give(rig, [1, 3], AT_MS);
  give(rig, [2], LATER_MS);
  const [before, said] = [given(rig), statements(rig)];
  rig.db.transaction(() => {
    clearStatements(rig);
    restateVerdicts(rig.db);
  })();
  expect([given(rig), statements(rig)]).toEqual([before, said]);
  expect(problem(rig)).toBeNull();
});
