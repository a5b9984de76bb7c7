// The forms in which sources tell a value's quality, each from its message to the believed values.

import { describe, expect, test } from "vitest";
import { AT, decode, decodeMapped as decodeBy, seen, turnedAway } from "../../rig/decoding.ts";

const decodeMapped = (rules: readonly object[], ...given: [object, object?]) =>
  decodeBy(
    rules.map((rule) => ({ topic: "ship/uv1", ...rule })),
    ...given,
  );

const good = [
  true,
  "true",
  "Good",
  "GOOD",
  "good_unspecified",
  "Good (192)",
  192,
  "192",
  216,
  "OK",
];
const bad = [
  ...[false, "false", 0, 4, 24, 63, 64, 127, 515, 512, -1, 1.5, "0"],
  ...["Bad", "BAD", "Bad_Stale", "bad_notConnected", "Uncertain", "uncertain_lastUsable", "?"],
];

describe("a quality beside its field", () => {
  test.each(good)("%j is good", (quality) => {
    for (const name of ["UVR_INTENSITY.q", "uvr_intensity_quality", "UVR_INTENSITY.Quality"])
      expect(
        seen(
          decode("telemetry", { timestamp: AT, UVR_INTENSITY: 600, [name]: quality }),
          "UVR_INTENSITY",
        ),
        name,
      ).toEqual([600, 600]);
  });

  test.each(bad)("%j isn't", (quality) => {
    for (const name of ["UVR_INTENSITY.q", "UVR_INTENSITY_QC", "UVR_INTENSITY.quality"]) {
      const out = decode("telemetry", { timestamp: AT, UVR_INTENSITY: 0, [name]: quality });
      expect(seen(out, "UVR_INTENSITY"), name).toEqual([0, null]);
      expect(out.readings[0].extra.get(name)).toBe(quality);
    }
  });

  test.each([
    ["UVR_INTENSITY.status", "Bad", null],
    ["UVR_INTENSITY.status", "No communication", null],
    ["UVR_INTENSITY.status", "COMMUNICATION LOST", null],
    ["UVR_INTENSITY.status", "not connected", null],
    ["UVR_INTENSITY.status", "Sensor failure", null],
    ["UVR_INTENSITY.status", "OUT_OF_SERVICE", null],
    ["UVR_INTENSITY.status", "no fault", 600],
    ["UVR_INTENSITY.status", "Communication OK", 600],
    ["UVR_INTENSITY.status", "ACTIVE", 600],
    ["UVR_INTENSITY_VALID", false, null],
    ["UVR_INTENSITY.isGood", true, 600],
    ["UVR_INTENSITY.bad", 0, 600],
  ])("as a status or a flag: %s of %j", (name, quality, expected) => {
    const given = { timestamp: AT, UVR_INTENSITY: 600, [name]: quality };
    expect(seen(decode("telemetry", given), "UVR_INTENSITY")).toEqual([600, expected]);
  });

  test("isn't a lamp's status", () => {
    const lamps = [{ lamp: 1, efficiency: 90, status: "FAILED" }];
    const out = decode("lamps", { timestamp: AT, lamps });
    expect(seen(out, "LAMP_01_EFFICIENCY")).toEqual([90, 90]);
    expect(seen(out, "LAMP_01_STATUS")).toEqual(["FAILED", "FAILED"]);
  });

  test("in OPC UA's codes is good at 0 and bad from 2^31 on", () => {
    const of = (code: number) =>
      seen(
        decode("telemetry", { timestamp: AT, SYS_FLOW_RATE: 5, "SYS_FLOW_RATE.StatusCode": code }),
        "SYS_FLOW_RATE",
      )[1];
    expect([of(0), of(0x40000000), of(0x80000000)]).toEqual([5, null, null]);
  });

  test("of a lamp is about all of the lamp, and no other", () => {
    const lamps = [
      { lamp: 1, efficiency: 90, power: 900, quality: "Bad" },
      { lamp: 2, efficiency: 91, power: 910, quality: "Good" },
    ];
    const out = decode("lamps", { timestamp: AT, lamps });
    expect(seen(out, "LAMP_01_EFFICIENCY")).toEqual([90, null]);
    expect(seen(out, "LAMP_01_POWER")).toEqual([900, null]);
    expect(seen(out, "LAMP_02_EFFICIENCY")).toEqual([91, 91]);
  });
});

describe("an object of value and quality", () => {
  test.each([
    [{ v: 600, q: true }, [600, 600]],
    [{ v: 0, q: false }, [0, null]],
    [{ value: "0,5", quality: "Bad_Stale", timestamp: AT }, [0.5, null]],
    [{ Value: 600, Quality: 192, Timestamp: AT }, [600, 600]],
    [{ value: 600, quality: 515 }, [600, null]],
    [{ value: 600 }, [600, 600]],
    [{ value: 600, status: "BAD" }, [600, null]],
    [{ value: 600, status: "Running" }, [600, 600]],
    [{ value: 600, good: false }, [600, null]],
    [{ value: 600, isGood: 1 }, [600, 600]],
    [{ value: 600, valid: 0 }, [600, null]],
    [{ value: 600, is_valid: true }, [600, 600]],
    [{ value: 600, bad: true }, [600, null]],
    [{ value: 600, invalid: false }, [600, 600]],
  ])("%j is its value", (given, expected) => {
    const out = decode("telemetry", { timestamp: AT, UVR_INTENSITY: given });
    expect([seen(out, "UVR_INTENSITY"), turnedAway(out)]).toEqual([expected, []]);
  });

  test("without a value stays in quarantine", () => {
    const out = decode("telemetry", { timestamp: AT, UVR_INTENSITY: { x: 1 } });
    expect(out.rejects).toMatchObject([{ reason: "bad_value" }]);
  });
});

describe("a quality of OPC UA, or one that is an object,", () => {
  const of = (given: object) =>
    seen(decode("telemetry", { timestamp: AT, ...given }), "UVR_INTENSITY")[1];
  const mappedOf = (UV: object) =>
    seen(
      decodeMapped([{ tag: "UV.value", field: "UVR_INTENSITY" }], { timestamp: AT, UV }),
      "UVR_INTENSITY",
    )[1];
  const value = 600;

  test.each([
    { StatusCode: 0 },
    { statusCode: { Code: 0, Symbol: "Good" } },
    { status_code: "GoodClamped" },
    { quality: { code: 192, name: "Good" } },
    { quality: { level: "Good" } },
  ])("%j is good", (told) => {
    expect(of({ UVR_INTENSITY: { value, ...told } })).toBe(value);
    expect(mappedOf({ value, ...told })).toBe(value);
    const [name, quality] = Object.entries(told)[0];
    expect(of({ UVR_INTENSITY: value, [`UVR_INTENSITY.${name}`]: quality })).toBe(value);
  });

  test.each([
    { StatusCode: 2147483648 },
    // Its low byte would be a good one of OPC.
    { StatusCode: 2150891712 },
    { StatusCode: { Code: 2150891520, Symbol: "BadNoCommunication" } },
    { quality: { code: 515, name: "Good" } },
    { quality: { name: "Bad_Stale" } },
    { quality: {} },
    { quality: [192] },
  ])("%j is bad", (told) => {
    expect(of({ UVR_INTENSITY: { value, ...told } })).toBeNull();
    const [name, quality] = Object.entries(told)[0];
    expect(of({ UVR_INTENSITY: value, [`UVR_INTENSITY.${name}`]: quality })).toBeNull();
    if (name === "quality") expect(of({ UVR_INTENSITY: value, quality })).toBeNull();
  });

  test.each([
    { StatusCode: 2150891712 },
    { StatusCode: { Code: 2147483648 } },
    { quality: { code: 515, name: "Good" } },
  ])("%j beside a mapped value is bad", (told) => {
    expect(mappedOf({ value, ...told })).toBeNull();
  });
});

describe("the quality of a whole message", () => {
  test.each(["Bad", false, 0, "Bad_Stale", "uncertain"])(
    "%j is about all its fields",
    (quality) => {
      const out = decode("telemetry", {
        timestamp: AT,
        UVR_INTENSITY: 600,
        PROCESS_STATE: "RUNNING",
        quality,
      });
      expect(seen(out, "UVR_INTENSITY")).toEqual([600, null]);
      expect(seen(out, "PROCESS_STATE")).toEqual(["RUNNING", null]);
      // Another message of the same time may be good.
      expect(out.readings[0].extra.has("quality")).toBe(false);
    },
  );

  test("that is good is kept as it came", () => {
    const out = decode("telemetry", { timestamp: AT, UVR_INTENSITY: 600, quality: "Good" });
    expect([seen(out, "UVR_INTENSITY"), out.readings[0].extra.get("quality")]).toEqual([
      [600, 600],
      "Good",
    ]);
  });

  test("named q is a flow if it is a number, but for OPC's codes of bad", () => {
    const of = (q: unknown) =>
      seen(decode("telemetry", { timestamp: AT, UVR_INTENSITY: 600, q }), "UVR_INTENSITY")[1];
    expect([of(0), of(24), of(false), of("bad")]).toEqual([null, null, null, null]);
    expect([of(1), of(3), of(600), of(12.5), of(true)]).toEqual([600, 600, 600, 600, 600]);
  });
});

describe("a map rule", () => {
  const field = "UVR_INTENSITY";

  test.each([
    ["Kepware", { values: [{ id: "UV", v: 0, q: false, t: 1 }] }, "values.UV.v"],
    ["Advantech", { d: [{ tag: "UV", value: 0, quality: 0 }] }, "d.UV.value"],
    ["Ignition", { UV: { value: 0, quality: "Bad_Stale" } }, "UV.value"],
    ["parallel members", { UV: 0, UV_quality: 515 }, "UV"],
  ])("finds the quality beside its tag: %s", (_who, content, tag) => {
    for (const unmapped of ["keep", "drop"] as const) {
      const out = decodeMapped([{ tag, field }], { timestamp: AT, ...content }, { unmapped });
      expect(seen(out, field)).toEqual([0, null]);
    }
  });

  test("names the tag of the quality and its good values", () => {
    const rules = [{ tag: "UV", field, quality: "UV_state", good: [1, "valid"] }];
    const of = (state: unknown) =>
      seen(decodeMapped(rules, { timestamp: AT, UV: 600, UV_state: state }), field)[1];
    expect([of(1), of("1"), of("VALID"), of(true), of(0), of(192), of("Good"), of(null)]).toEqual([
      ...[600, 600, 600, null, null, null, null, 600],
    ]);
  });

  test("may name a quality that would be bad without it, of a field's own name", () => {
    const rules = [{ tag: field, field, quality: `${field}.q`, good: [1] }];
    const of = (q: number) =>
      seen(decodeMapped(rules, { timestamp: AT, [field]: 600, [`${field}.q`]: q }), field);
    expect([of(1), of(0)]).toEqual([
      [600, 600],
      [600, null],
    ]);
  });

  test("keeps a bad quality of a field without a rule, though it drops unknown tags", () => {
    const out = decodeMapped(
      [{ tag: "P", field: "SYS_PRESSURE" }],
      { timestamp: AT, P: 2, UVR_INTENSITY: 0, "UVR_INTENSITY.q": false, other: 1 },
      { unmapped: "drop" },
    );
    expect(seen(out, field)).toEqual([0, null]);
    expect([...out.readings[0].extra.keys()]).toEqual(["UVR_INTENSITY.q"]);
  });

  test("doesn't scale the raw code of a broken wire into a value", () => {
    const rules = [{ tag: "UV", field, factor: 0.1 }];
    const of = (UV: number) => seen(decodeMapped(rules, { timestamp: AT, UV }), field);
    expect([of(6000), of(32767), of(-32768), of(3.4028235e38)]).toEqual([
      ...[
        [600, 600],
        [3276.7, null],
        [-3276.8, null],
        [3.4028235e37, null],
      ],
    ]);
  });

  test.each([
    ["lamps", { lamps: [{ lamp: 7, light: 90, state: 2 }] }],
    ["lamps", { lamp: "07", light: 90, state: 2 }],
    ["lamps", { LAMP_07_LIGHT: 90, LAMP_07_STATE: 2 }],
    ["lamps/07", { light: 90, state: 2 }],
    ["lamps/7", { lamp: 7, light: 90, state: 2 }],
  ])("names the quality on the topic %s: %j", (kind, content) => {
    const rule = { tag: "LAMP_XX_LIGHT", field: "LAMP_XX_EFFICIENCY", quality: "LAMP_XX_STATE" };
    const topic = `bwts/BWTS-001/${kind}`;
    const of = (good: readonly number[]) =>
      seen(
        decodeBy([{ ...rule, good }], { timestamp: AT, ...content }, { topic }),
        "LAMP_07_EFFICIENCY",
      );
    expect(of([1])).toEqual([90, null]);
    expect(of([2])).toEqual([90, 90]);
  });

  test("with good values and no tag for them is refused", () => {
    expect(() => decodeMapped([{ tag: "UV", field, good: [1] }], {})).toThrow(/good/);
  });
});
