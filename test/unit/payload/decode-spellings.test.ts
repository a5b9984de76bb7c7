// The tables of spellings of quality against the decoder: of a whole message, in an object with the
// value, and beside the field. A bad one makes the value no value, and an
// innocent one, such as a setting, a margin or the plant's own words, leaves it.

import { describe, expect, test } from "vitest";
import { AT, decode, decodeMapped, seen } from "../../rig/decoding.ts";
import { BAD_OF_MESSAGE, INNOCENT_OF_MESSAGE } from "../../rig/message-spellings.ts";
import {
  BAD_BESIDE,
  BAD_IN_OBJECT,
  INNOCENT_BESIDE,
  INNOCENT_IN_OBJECT,
} from "../../rig/value-spellings.ts";

const FIELD = "UVR_INTENSITY";
const seenIn = (given: object) => seen(decode("telemetry", { timestamp: AT, ...given }), FIELD);

const beside = ([end, told]: readonly [string, unknown]) => ({ [FIELD + end]: told });
const around = (members: object) => ({ [FIELD]: { value: 600, ...members } });

describe.each([
  ["a whole message", BAD_OF_MESSAGE.map((told) => ({ [FIELD]: 600, ...told })), null],
  ["a whole message", INNOCENT_OF_MESSAGE.map((told) => ({ [FIELD]: 600, ...told })), 600],
  ["an object", BAD_IN_OBJECT.map(around), null],
  ["an object", INNOCENT_IN_OBJECT.map(around), 600],
  ["the field's sibling", BAD_BESIDE.map((told) => ({ [FIELD]: 600, ...beside(told) })), null],
  ["the field's sibling", INNOCENT_BESIDE.map((told) => ({ [FIELD]: 600, ...beside(told) })), 600],
] as const)("by %s", (_where, cases, believed) => {
  test.each(cases.map((given) => [JSON.stringify(given), given] as const))(
    `%s is ${believed}`,
    (_shown, given) => expect(seenIn(given)).toEqual([600, believed]),
  );
});

describe("a name before the field's", () => {
  test.each([
    ["quality_UVR_INTENSITY", "Bad", null],
    ["ERR.UVR_INTENSITY", 1, null],
    ["comm_ok_UVR_INTENSITY", false, null],
    ["quality.UVR_INTENSITY", 192, 600],
    ["error_UVR_INTENSITY", "0.8 %", 600],
  ])("%s of %j", (name, told, believed) => {
    expect(seenIn({ [FIELD]: 600, [name]: told })).toEqual([600, believed]);
  });
});

const rules = [{ topic: "ship/uv1", tag: "UV.value", field: FIELD }];
const UV = { value: 600 };
const unmapped = "drop";

describe("a mapped message whose unknown tags are dropped", () => {
  test.each([
    [{ UV, ok: false }, null],
    [{ UV, error: "timeout" }, null],
    [{ UV, status: "FAULT" }, null],
    [{ UV, status: "RUNNING" }, 600],
    [{ UV: { ...UV, status: "Running", quality: 515 } }, null],
    [{ UV: { ...UV, err: 5 } }, null],
    [{ UV: { ...UV, properties: { Quality: { value: 0 } } } }, null],
    [{ UV: { ...UV, quality: 192, status: "Running" } }, 600],
  ])("%j", (content, believed) => {
    const out = decodeMapped(rules, { timestamp: AT, ...content }, { unmapped });
    expect(seen(out, FIELD)).toEqual([600, believed]);
  });

  test.each(["status", "error", "q"])("has %s as its rule's quality, which governs", (quality) => {
    const governed = [{ ...rules[0], topic: "ship/uv1", quality, good: [0] }];
    const of = (told: unknown) =>
      seen(decodeMapped(governed, { timestamp: AT, UV, [quality]: told }), FIELD)[1];
    expect([of(0), of("FAULT"), of(1)]).toEqual([600, null, null]);
    const good = [{ ...governed[0], good: ["FAULT", 24] }];
    const ruled = (told: unknown) =>
      seen(decodeMapped(good, { timestamp: AT, UV, [quality]: told }), FIELD)[1];
    expect([ruled("FAULT"), ruled(24), ruled(0)]).toEqual([600, 600, null]);
  });
});

test.each([0.4, 8, 28])(
  "a tag q that a rule takes as the flow, %s, is no quality of its value",
  (q) => {
    const flow = [{ topic: "ship/uv1", tag: "UV.q", field: "SYS_FLOW_RATE" }];
    const out = decodeMapped([...rules, ...flow], { timestamp: AT, UV: { ...UV, q } });
    expect([seen(out, FIELD), seen(out, "SYS_FLOW_RATE")]).toEqual([
      [600, 600],
      [q, q],
    ]);
  },
);
