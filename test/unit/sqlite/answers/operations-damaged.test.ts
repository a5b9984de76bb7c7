// Operations whose stored verdict is damaged: the inspection sheet counts them, and neither a draft
// nor a comparison is made as if there were none.

import { expect, test } from "vitest";
import { inspectionText } from "../../../../src/bwts/documents/sheet-text.ts";
import { Operation } from "../../../../src/bwts/operations/operation.ts";
import { operationRows } from "../../../../src/cli/operation-rows.ts";
import { HOUR_MS } from "../../../../src/ground/clock.ts";
import { recordTexts } from "../../../../src/sqlite/answers/export-records.ts";
import { inspectionOf } from "../../../../src/sqlite/answers/inspection.ts";
import {
  shownOperation,
  shownOperations,
  startedIn,
} from "../../../../src/sqlite/answers/operations.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import {
  eventsOfRun,
  judgedOperations,
  readingsOfRun,
  storedOperations,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const EVER = { start_ms: null, end_ms: null };
const SOURCE = {
  ...{ built_ms: 0, utc_offset: "", version: "0.0.0", simulated: false },
  ship: {
    ...{ vessel: null, imo: null, system_id: "BWTS-001", system_type: null, serial: null },
    ...{ certificate: null, capacity_m3_h: null },
  },
};

/** Three operations, of which the second is outside its limits. */
function sailed() {
  const rig = rigOf();
  for (const hours of [30, 20, 10]) {
    const at = () => (hours === 20 ? { UVR_INTENSITY: 200 } : {});
    const run = { start_ms: AT_MS - hours * HOUR_MS, minutes: 60, at };
    const { start, stop } = eventsOfRun(run);
    rig.store.commit([
      messageOf("events", start),
      ...readingsOfRun(run).map((one) => messageOf("telemetry", one)),
      messageOf("events", stop),
    ]);
  }
  expect(judgedOperations(rig)).toHaveLength(3);
  return rig;
}

test("an operation outside its limits doesn't vanish from sheet and draft by damage", () => {
  const rig = sailed();
  const sheet = () => inspectionOf(rig.db, { now_ms: AT_MS, source: SOURCE }, LAMP_CONFIG);
  expect(sheet().counts).toMatchObject({ operations: 3, outside_limits: 1, unreadable: 0 });
  expect(startedIn(rig.db, EVER, LAMP_CONFIG.limits)).toHaveLength(3);
  const improved = "replace(record, 'outside_limits', 'within_limits')";
  rig.db.exec(`update operation_version set record = ${improved} where operation_id = 2`);
  const { counts, summary } = sheet();
  expect(counts).toMatchObject({ operations: 2, outside_limits: 0, unreadable: 1 });
  expect(summary[0]).toContain("1 CAN'T BE READ: damaged on disk.");
  expect(inspectionText(sheet())).toContain("1 CAN'T BE READ");
  expect(() => startedIn(rig.db, EVER, LAMP_CONFIG.limits)).toThrow(/isn't what was stored/);
});

test("a sheet of a ship without readings says of nothing that there is none", () => {
  const { db } = rigOf();
  const sheet = inspectionOf(db, { now_ms: AT_MS, source: SOURCE }, LAMP_CONFIG);
  const text = inspectionText(sheet);
  expect(text).toContain("No readings: exceptions can't be known.");
  expect(text).toContain("Open malfunctions: not known.");
  expect(text).not.toMatch(/malfunctions: none|Bypass: none|No exceptions/);
});

const DAMAGES = [
  ["its version", "update operation_version set because = 'x' where operation_id = 2", "outside"],
  ["its record", "update operation_version set record = '{}' where operation_id = 2", "outside"],
  [
    "its version and its row",
    "update operation_version set record = '{}' where operation_id = 2; " +
      "update operation set verdict = 'within_limits' where id = 2",
    null,
  ],
] as const;

test.each(DAMAGES)("%s damaged: list and file say that it is missing", (_, sql, told) => {
  const rig = sailed();
  const [newest, outside, oldest] = storedOperations(rig);
  rig.db.exec(sql);
  const verdict = told === null ? null : "outside_limits";
  const { id, operation_type, location, start, end } = outside;
  const place = { id, operation_type, location, start, end, verdict, remarks: ["damaged"] };
  const list = storedOperations(rig);
  expect(list).toEqual([newest, expect.objectContaining(place), oldest]);
  expect(Operation.parse(list[1])).toMatchObject({ reasons: [], volume_m3: null, versions: [] });
  const range = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
  const { limits } = LAMP_CONFIG;
  const asked = { kind: "operations", range, withVoided: false, limits, now_ms: AT_MS } as const;
  const lines = [...recordTexts(rig.db, { ...asked, format: "ndjson" })];
  expect(lines.map((line) => JSON.parse(line))).toEqual(list.toReversed());
  expect([...recordTexts(rig.db, { ...asked, format: "csv" })]).toHaveLength(4);
  expect(() => shownOperation(rig.db, id, limits)).toThrow(/isn't what was stored/);
});

test("a damaged row alone hides nothing: the versions have their own proof", () => {
  const rig = sailed();
  const before = storedOperations(rig);
  rig.db.exec("update operation set verdict = 'within_limits', location = 'X' where id = 2");
  expect(storedOperations(rig)).toEqual(before);
  const of = (verdict: string) => {
    const any = { operation_type: null, location: null, limit: 100 };
    const asked = { range: EVER, ...any, verdict };
    return [...shownOperations(rig.db, asked, LAMP_CONFIG.limits)].map(({ id }) => id);
  };
  expect(of("outside_limits")).toEqual([2]);
  expect(of("within_limits")).toEqual([3, 1]);
});

test("one that lost version and end by damage isn't listed as running", () => {
  const rig = sailed();
  rig.db.exec("update operation_version set record = '{}' where operation_id = 2");
  rig.db.exec("update operation set version = 0, end_ms = null where id = 2");
  expect(operationRows(storedOperations(rig))[2]).toMatch(/ damaged on disk$/);
});
