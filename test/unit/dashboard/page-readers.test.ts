// Answers that went wrong on their way: every reader of the page's shared answers takes them or
// says that it can't, and never throws; what it took can be printed.

import { expect, test } from "vitest";
import { Inspection } from "../../../src/bwts/documents/inspection.ts";
import { ExportSize } from "../../../src/bwts/export-size.ts";
import { LampCurve } from "../../../src/bwts/lamps/life-curve.ts";
import { LampPlanAnswer } from "../../../src/bwts/lamps/plan-answer.ts";
import { TrackRecord } from "../../../src/bwts/lamps/track-record.ts";
import { Diagnosis } from "../../../src/bwts/light/diagnosis.ts";
import { Operation } from "../../../src/bwts/operations/operation.ts";
import { PredictionAnswer } from "../../../src/bwts/prediction.ts";
import { AlarmAnswer } from "../../../src/bwts/present/alarm.ts";
import { OverviewAnswer } from "../../../src/bwts/present/overview.ts";
import { SetAside } from "../../../src/bwts/quarantine.ts";
import { ReadinessAnswer } from "../../../src/bwts/readiness.ts";
import { SeenTopic, SettingsAnswer, SettingsNow } from "../../../src/bwts/settings.ts";
import { TAGS } from "../../../src/bwts/tags.ts";
import { readLatest, readSpans } from "../../../src/dashboard/first-watch/message-fields.ts";
import { readSeen } from "../../../src/dashboard/first-watch/offered-tags.ts";
import {
  readChanges,
  readInForce,
  readSettings,
} from "../../../src/dashboard/first-watch/settings-answer.ts";
import {
  readCurve,
  readOutlooks,
  readPastLives,
  readTrackRecord,
} from "../../../src/dashboard/lamps/lamp-answers.ts";
import { readLampPlan } from "../../../src/dashboard/lamps/plan-answer.ts";
import { readComparison } from "../../../src/dashboard/overview/why-answer.ts";
import { readInspection } from "../../../src/dashboard/papers/inspection-answer.ts";
import { readExportSize } from "../../../src/dashboard/papers/size-answer.ts";
import { instantParameter } from "../../../src/dashboard/parts/view.ts";
import {
  type OpenAlert,
  readAlarms,
  readReadiness,
  readVersion,
} from "../../../src/dashboard/store/answers.ts";
import { parseAnswer, type Read } from "../../../src/dashboard/store/checks.ts";
import { readEvents } from "../../../src/dashboard/store/events.ts";
import { readOperation, readOperations } from "../../../src/dashboard/store/operations.ts";
import { readOverview } from "../../../src/dashboard/store/overview-answer.ts";
import { OVERVIEW_UNITS } from "../../../src/dashboard/store/overview-units.ts";
import { readAside } from "../../../src/dashboard/watch/handover-answers.ts";
import { judgedOperation } from "../../rig/judged-operation.ts";
import { printedRandom, type Random } from "../../rig/random.ts";

const AT = "2026-05-01T06:30:00.000Z";
const operation = Operation.parse(judgedOperation(Date.parse(AT)));
const events = [{ timestamp: AT, event_type: "PROCESS_START", description: "x", data: {} }];
const readers: readonly (readonly [Read<unknown>, unknown])[] = [
  [readOverview, OverviewAnswer.meta()?.example],
  [readEvents, events],
  [readAlarms, [AlarmAnswer.meta()?.example]],
  [readReadiness, ReadinessAnswer.meta()?.example],
  [readOutlooks, [PredictionAnswer.meta()?.example]],
  [readCurve, LampCurve.meta()?.example],
  [readLampPlan, LampPlanAnswer.meta()?.example],
  [readComparison, Diagnosis.meta()?.example],
  [readTrackRecord, TrackRecord.meta()?.example],
  [readOperations, [operation]],
  [readOperation, operation],
  [readAside, [SetAside.meta()?.example]],
  [readInspection, Inspection.meta()?.example],
  [readSettings, SettingsNow.meta()?.example],
  [readChanges, SettingsAnswer.meta()?.example],
  [readInForce, ReadinessAnswer.meta()?.example],
  [readLatest, { timestamp: AT, UVR_INTENSITY: 640, PT101: 3 }],
  [readSeen, [SeenTopic.parse(SeenTopic.meta()?.example)]],
  [readSpans, [{ name: "UVR_INTENSITY", span: [0, 1200] }]],
  [readExportSize, ExportSize.meta()?.example],
  [readVersion, { version: "1.2.3", commit: "abc" }],
];

test("a reader takes the answer that it is made for", () => {
  for (const [read, answer] of readers) expect(read(answer)?.value).toBeDefined();
});

test("an odd member of the overview costs its own panel", () => {
  const overview = OverviewAnswer.meta()?.example;
  const panels = { time_to_limit: "toLimit", lamps: "lamps", operation: "operation" };
  for (const [name, panel] of Object.entries(panels)) {
    const known = readOverview({ ...Object(overview), [name]: { since: 5 } })?.value ?? {};
    const lost = Object.entries(known).filter(([, piece]) => piece === null);
    expect(lost.map(([piece]) => piece)).toEqual([panel]);
  }
  expect(Object.values(readOverview(overview)?.value ?? {})).not.toContain(null);
});

test("an odd list of an operation costs its own panel, an odd verdict the whole", () => {
  const lists = [
    ...["reasons", "indications", "parts", "limits", "values", "lamps_out", "alerts", "gaps"],
    ...["clock_steps", "voids", "versions"],
  ];
  expect(Object.values(readOperation(operation)?.value ?? {})).not.toContain(undefined);
  for (const name of lists)
    for (const odd of [5, [7], [{ start: 5 }], { UVR_INTENSITY: 5 }]) {
      const known = readOperation({ ...operation, [name]: odd })?.value ?? {};
      const lost = Object.entries(known).filter(([, piece]) => piece === null);
      expect(lost.map(([piece]) => piece)).toEqual([name]);
    }
  for (const odd of ["fine", 5, undefined])
    expect(readOperation({ ...operation, verdict: odd })).toBeNull();
});

test("a reader never throws, and no instant that it takes is beyond printing", () => {
  const random = printedRandom("a reader never throws");
  let refused = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const [read, answer] = readers[round % readers.length] ?? readers[0];
    const spoilt = spoil(JSON.parse(JSON.stringify(answer)), random);
    const known = read(parseAnswer(JSON.stringify(spoilt)));
    if (known === null) refused += 1;
    for (const at_ms of instantsIn(known))
      expect(() => new Date(at_ms + 50_400_000).toISOString()).not.toThrow();
  }
  expect(refused).toBeGreaterThan(100);
});

test("open alerts stand in the order of their urgency", () => {
  const alert = (priority: string, alert_state: string, since: string, more = {}) => ({
    ...{ code: `${priority} ${alert_state} ${since}`, description: "x", source: "ballastd" },
    ...{ priority, alert_state, since: `2026-05-0${since}T00:00:00Z`, ...more },
  });
  const sorted = readAlarms([
    alert("alarm", "unacknowledged", "1", { shelved_until: AT }),
    alert("caution", "unacknowledged", "1"),
    alert("warning", "rectified", "3"),
    alert("warning", "acknowledged", "1"),
    alert("warning", "unacknowledged", "2"),
    alert("alarm", "acknowledged", "4"),
  ])?.value.map(({ code }: OpenAlert) => code);
  expect(sorted).toEqual([
    "alarm acknowledged 4",
    "warning unacknowledged 2",
    "warning rectified 3",
    "warning acknowledged 1",
    "caution unacknowledged 1",
    "alarm unacknowledged 1",
  ]);
});

const ODD: readonly unknown[] = [
  ...[null, true, -1, 1e308, "", "x".repeat(200), [], {}, [null], { a: {} }],
  ...["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z", "NaN", "\u202e", "🚢"],
];

/** `value` with one of its members, at any depth, replaced by something odd, or gone. */
function spoil(value: unknown, random: Random): unknown {
  const odd = random.pick(ODD);
  if (typeof value !== "object" || value === null || random.chance(0.15)) return odd;
  const keys = Object.keys(value);
  if (keys.length === 0) return odd;
  const key = random.pick(keys);
  if (random.chance(0.2)) Reflect.deleteProperty(value, key);
  else Reflect.set(value, key, spoil(Reflect.get(value, key), random));
  return value;
}

function instantsIn(value: unknown): readonly number[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name.endsWith("_ms") && typeof member === "number" ? [member] : instantsIn(member),
  );
}

test("an address names an instant as the API takes it", () => {
  const { read } = instantParameter();
  const may = Date.UTC(2026, 4, 1);
  for (const text of ["2026-05-01", "2026-05-01T00:00Z", "2026-05-01T02:00:00.000+02:00"])
    expect(read(text)).toBe(may);
  for (const text of ["", "yesterday", "2026-05-01T00:00", "2026-13-01", `${may}`])
    expect(read(text)).toBeNull();
});

test("a plain date is the start of that day, or its end where a range ends", () => {
  const start = instantParameter();
  const end = instantParameter({ day: "end" });
  const may = Date.UTC(2026, 4, 1);
  expect([start, end].map(({ read }) => read("2026-05-01"))).toEqual([may, may + 86_399_999]);
  for (const { read } of [start, end]) {
    expect(read("2026-05-01T00:00Z")).toBe(may);
    for (const odd of ["2026-13-01", "2026-05-1", "today"]) expect(read(odd)).toBeNull();
  }
  // The page reads again what it writes.
  expect(end.read(end.write(may + 86_399_999))).toBe(may + 86_399_999);
});

test("a lamp that there isn't is a shape that isn't understood", () => {
  const lamps = (lamp: unknown) => readPastLives({ lamps: [{ lamp, past: [] }] });
  expect(lamps(16)).toEqual({ value: [] });
  for (const odd of [0, 17, -1, 0.1, 1e308, "1", null]) {
    expect(lamps(odd), String(odd)).toBeNull();
    expect(readCurve({ ...Object(LampCurve.meta()?.example), lamp: odd })).toBeNull();
  }
});

test("the units of the overview's tiles are those of the catalogue", () => {
  const units = TAGS.filter(({ name }) => name in OVERVIEW_UNITS).map(({ name, unit }) => [
    name,
    unit,
  ]);
  expect(Object.fromEntries(units)).toEqual(OVERVIEW_UNITS);
});
