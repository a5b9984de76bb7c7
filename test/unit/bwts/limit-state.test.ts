// A value above its limit: how long it must be so, and well below, by the readings' own times; what
// says nothing; and which limit counts.

import { describe, expect, test } from "vitest";
import type { OwnCode } from "../../../src/bwts/present/alert.ts";
import { type JudgedReadings, limitState } from "../../../src/bwts/present/limit-state.ts";
import { WATCHED } from "../../../src/bwts/present/watched.ts";
import type { Value } from "../../../src/bwts/reading.ts";
import { indexOfTag, TAGS } from "../../../src/bwts/tags.ts";
import { MINUTE_MS } from "../../../src/ground/clock.ts";

const LIMITS = {
  ...{ dp_warn: 0.5, dp_alarm: 1, flow_max_imo: 1000, flow_max_uscg: 800, cip_hours: 720 },
  ...{ uv_imo: 252, uv_uscg: 530, cabinet_warn: 45, cabinet_trip: 60 },
};
const START_MS = Date.UTC(2026, 4, 1);

interface Minute {
  readonly at: number;
  readonly [field: string]: Value | number;
}
/** Readings by the minute; what isn't given is a running BALLAST. */
function judged(minutes: readonly Minute[], more: Partial<JudgedReadings> = {}): JudgedReadings {
  const readings = minutes.map(({ at, ...fields }) => {
    const values: Value[] = TAGS.map(() => null);
    const all = { PROCESS_STATE: "RUNNING", operation_type: "BALLAST", ...fields };
    for (const [name, value] of Object.entries(all)) values[indexOfTag(name as never)] = value;
    const at_ms = START_MS + at * MINUTE_MS;
    return { at_ms, received_ms: at_ms, values, extra: null } as never;
  });
  return { readings, operation_type: null, silence_ms: 15 * MINUTE_MS, limits: LIMITS, ...more };
}

/** The state of a row of the table, of a lamp's by its number. */
function stateOf(code: OwnCode, given: JudgedReadings, about = "") {
  const row = WATCHED.find((one) => one.code === code && one.about === about);
  if (row === undefined) throw new Error(`${code} ${about}: expected a row`);
  return limitState(row.rule, given);
}

const filter = (dps: readonly (readonly [number, number | null])[], fields = {}) =>
  stateOf(
    "FILTER_DP_HIGH",
    judged(dps.map(([at, dp]) => ({ at, FLT_DIFF_PRESSURE: dp, ...fields }))),
  );

describe("a differential pressure", () => {
  test.each([
    [
      "above for less than 5 minutes",
      [
        [0, 0.6],
        [4, 0.6],
      ],
      "unclear",
    ],
    [
      "above for 5 minutes",
      [
        [0, 0.6],
        [3, 0.7],
        [5, 0.62],
      ],
      "out",
    ],
    [
      "exactly at the limit",
      [
        [0, 0.5],
        [9, 0.5],
      ],
      "unclear",
    ],
    [
      "above, with one value below between",
      [
        [0, 0.6],
        [3, 0.4],
        [6, 0.6],
      ],
      "unclear",
    ],
    [
      "a reading without it between",
      [
        [0, 0.6],
        [3, null],
        [6, 0.6],
      ],
      "out",
    ],
    [
      "just below for long",
      [
        [0, 0.49],
        [9, 0.49],
      ],
      "unclear",
    ],
    [
      "well below for 5 minutes",
      [
        [0, 0.4],
        [5, 0.47],
      ],
      "over",
    ],
    [
      "well below for a moment",
      [
        [0, 0.6],
        [5, 0.4],
        [6, 0.4],
      ],
      "unclear",
    ],
    [
      "above on both sides of a gap",
      [
        [0, 0.6],
        [16, 0.6],
      ],
      "unclear",
    ],
    [
      "above after a gap, for long enough",
      [
        [0, 0.4],
        [20, 0.6],
        [25, 0.6],
      ],
      "out",
    ],
    [
      "not sent any more",
      [
        [0, 0.6],
        [5, 0.6],
        [30, null],
      ],
      "unclear",
    ],
    ["nothing at all", [], "unclear"],
  ] as const)("%s", (_what, dps, kind) => {
    expect(filter(dps).kind).toBe(kind);
  });

  test("is told with its newest value, its limit, and since when", () => {
    expect(
      filter([
        [0, 0.3],
        [3, 0.6],
        [6, 0.7],
        [9, 0.62],
      ]),
    ).toEqual({
      ...{ kind: "out", value: 0.62, since_ms: START_MS + 3 * MINUTE_MS },
      limit: { value: 0.5, key: "limits.dp_warn" },
    });
  });

  test("has no limit on DEBALLAST, nor while nothing is treated", () => {
    const high = [
      [0, 0.9],
      [9, 0.9],
    ] as const;
    const over = { kind: "over", why: "not treating" };
    expect(filter(high, { operation_type: "DEBALLAST" })).toEqual(over);
    expect(filter(high, { PROCESS_STATE: "IDLE" })).toEqual(over);
    expect(filter(high, { PROCESS_STATE: "CIP", operation_type: "CIP" })).toEqual(over);
    const unsaid = high.map(([at, dp]) => ({ at, FLT_DIFF_PRESSURE: dp, operation_type: null }));
    const by = (operation_type: string | null) =>
      stateOf("FILTER_DP_HIGH", judged(unsaid, { operation_type })).kind;
    expect([by("DEBALLAST"), by("BALLAST"), by(null)]).toEqual(["over", "out", "out"]);
  });

  test("during a backflush says nothing", () => {
    const minutes: Minute[] = [
      { at: 0, FLT_DIFF_PRESSURE: 0.6 },
      { at: 3, FLT_DIFF_PRESSURE: 0.1, FLT_BACKFLUSH_ACTIVE: true },
      { at: 4, FLT_DIFF_PRESSURE: 0.1, PROCESS_STATE: "BACKFLUSH" },
      { at: 6, FLT_DIFF_PRESSURE: 0.6 },
    ];
    expect(stateOf("FILTER_DP_HIGH", judged(minutes)).kind).toBe("out");
  });
});

test("lamps that are sent by themselves don't end the operation", () => {
  const silent = { PROCESS_STATE: null, operation_type: null };
  const minutes = [0, 1, 2, 3, 4, 5].flatMap((at): Minute[] => [
    { at, FLT_DIFF_PRESSURE: 0.9, SYS_FLOW_RATE: 1100 },
    { at: at + 0.5, LAMP_01_EFFICIENCY: 90, ...silent },
  ]);
  expect(stateOf("FILTER_DP_HIGH", judged(minutes)).kind).toBe("out");
  expect(stateOf("FLOW_ABOVE_CERTIFIED", judged(minutes)).kind).toBe("out");
  const ended = [{ at: 5.2, PROCESS_STATE: "IDLE" }, ...minutes.slice(-1)];
  expect(stateOf("FLOW_ABOVE_CERTIFIED", judged([...minutes, ...ended])).kind).toBe("over");
  const late = { at: 30, FLT_DIFF_PRESSURE: 0.9, ...silent };
  expect(stateOf("FILTER_DP_HIGH", judged([...minutes, late])).kind).toBe("unclear");
});

test("a new operation begins anew", () => {
  const minutes: Minute[] = [
    { at: 0, FLT_DIFF_PRESSURE: 0.9 },
    { at: 3, FLT_DIFF_PRESSURE: 0.9, PROCESS_STATE: "IDLE" },
    { at: 6, FLT_DIFF_PRESSURE: 0.9 },
  ];
  expect(stateOf("FILTER_DP_HIGH", judged(minutes)).kind).toBe("unclear");
});

test.each([
  ["IMO", 900, "over", null],
  ["IMO", 1001, "out", "limits.flow_max_imo"],
  ["USCG", 900, "out", "limits.flow_max_uscg"],
  [" uscg", 900, "out", "limits.flow_max_uscg"],
  [null, 900, "over", null],
  [null, 1001, "out", "limits.flow_max_imo"],
] as const)("a flow in mode %s of %d m3/h is %s", (mode, flow, kind, key) => {
  const minutes = [0, 5].map((at) => ({
    ...{ at, SYS_FLOW_RATE: flow, COMPLIANCE_MODE: mode, operation_type: "DEBALLAST" },
  }));
  const state = stateOf("FLOW_ABOVE_CERTIFIED", judged(minutes));
  const found = state.kind === "out" ? (state.limit?.key ?? null) : null;
  expect({ kind: state.kind, key: found }).toEqual({ kind, key });
});

test.each([
  ["IMO", 251, {}, "out", 252],
  ["IMO", 252, {}, "unclear", null],
  ["IMO", 258, {}, "over", null],
  ["USCG", 400, {}, "out", 530],
  [null, 400, {}, "over", null],
  [null, 200, {}, "out", 252],
  ["USCG", 400, { PROCESS_STATE: "STANDBY" }, "over", null],
  ["USCG", 400, { operation_type: "CIP" }, "over", null],
  ["USCG", 400, { operation_type: "CIP", SYS_FLOW_RATE: 700 }, "out", 530],
] as const)("an intensity in mode %s of %d W/m2, %j, is %s", (mode, value, fields, kind, limit) => {
  const minutes = [0, 2].map((at) => ({
    ...{ at, UVR_INTENSITY: value, COMPLIANCE_MODE: mode, ...fields },
  }));
  const state = stateOf("UV_BELOW_LIMIT", judged(minutes));
  const found = state.kind === "out" ? (state.limit?.value ?? null) : null;
  expect({ kind: state.kind, limit: found }).toEqual({ kind, limit });
});

test("each limit of the filter and of the cabinet has its own alert", () => {
  const minutes = [0, 5].map((at) => ({ at, FLT_DIFF_PRESSURE: 1.2, LDC_AIR_TEMP: 50 }));
  const codes = ["FILTER_DP_HIGH", "FILTER_DP_ALARM", "CABINET_HOT", "CABINET_TRIP"] as const;
  const kinds = codes.map((code) => stateOf(code, judged(minutes)).kind);
  expect(kinds).toEqual(["out", "out", "out", "over"]);
});

test("a cleaning is due by a single reading, also of an idle plant", () => {
  const by = (hours: number) =>
    stateOf("CIP_DUE", judged([{ at: 0, PROCESS_STATE: "IDLE", CIP_HOURS_SINCE_LAST: hours }]))
      .kind;
  expect([by(720.5), by(720), by(0)]).toEqual(["out", "over", "over"]);
});

test("a lamp has failed by its newest status in any spelling, and lamps are told apart", () => {
  const by = (...statuses: readonly (string | null)[]) => {
    const minutes = statuses.map((status, at) => ({ at, LAMP_07_STATUS: status }));
    return stateOf("LAMP_FAILED", judged(minutes), "07").kind;
  };
  expect(["FAILED", " failed ", "Failed"].map((status) => by("ACTIVE", status))).toEqual(
    Array(3).fill("out"),
  );
  expect([by("FAILED", "ACTIVE"), by("FAILED", null), by(null)]).toEqual([
    ...["over", "out", "unclear"],
  ]);
  const other = judged([{ at: 0, LAMP_07_STATUS: "FAILED", LAMP_08_STATUS: "ACTIVE" }]);
  expect(stateOf("LAMP_FAILED", other, "08").kind).toBe("over");
});

const swings = (isLow: (second: number) => boolean, every_s = 1) =>
  Array.from({ length: 240 / every_s + 1 }, (_, index) => ({
    ...{ at: (index * every_s) / 60, COMPLIANCE_MODE: "IMO" },
    UVR_INTENSITY: isLow(index * every_s) ? 200 : 650,
  }));

test.each<[string, (second: number) => boolean, string]>([
  ["each second time", (second) => second % 2 === 0, "out"],
  ["for 20 of each 60 s", (second) => second % 60 < 20, "unclear"],
  ["once, for 110 s, and not since", (second) => second < 110, "over"],
  ["for 90 s, and again for 40", (second) => second < 90 || second >= 200, "out"],
])("a value that swings is out by the sum: below %s", (_title, isLow, kind) => {
  expect(stateOf("UV_BELOW_LIMIT", judged(swings(isLow))).kind).toBe(kind);
});

test("a single value is no alert, however far the next ones are", () => {
  const once = swings((second) => second === 120, 120);
  expect(stateOf("UV_BELOW_LIMIT", judged(once)).kind).toBe("unclear");
});

test("water that moves each second time while none is treated is told", () => {
  const readings = Array.from({ length: 161 }, (_, second) => ({
    ...{ at: second / 60, PROCESS_STATE: "IDLE", SYS_FLOW_RATE: second % 2 === 0 ? 600 : 0 },
  }));
  expect(stateOf("WATER_UNTREATED", judged(readings)).kind).toBe("out");
});
