// Flags, faults and a device's words that tell a value's quality, each from its message to the
// believed values, and those that tell something else.

import { expect, test } from "vitest";
import { AT, decode, seen } from "../../rig/decoding.ts";

const field = "UVR_INTENSITY";
const of = (given: object) => seen(decode("telemetry", { timestamp: AT, ...given }), field);

test.each([
  ["UVR_INTENSITY_is_good", false, null],
  ["UVR_INTENSITY_OK", false, null],
  ["UVR_INTENSITY_OK", 1, 600],
  ["UVR_INTENSITY_OK", "Y", 600],
  ["UVR_INTENSITY_OK", "on", 600],
  ["UVR_INTENSITY_error", true, null],
  ["UVR_INTENSITY_error", "n/a", 600],
  ["UVR_INTENSITY_error", "0x0000", 600],
  ["UVR_INTENSITY.error", "timeout", null],
  ["UVR_INTENSITY.error", "no error", 600],
  ["UVR_INTENSITY.error", "", 600],
  ["UVR_INTENSITY_FAULT", 1, null],
  ["UVR_INTENSITY_FAULT", "0", 600],
  ["UVR_INTENSITY_FAULT", "OFF", 600],
  ["UVR_INTENSITY_FAULT", "inactive", 600],
  ["UVR_INTENSITY_FAULT", "active", null],
  ["UVR_INTENSITY_COMM_FAULT", true, null],
  // It may be by how much a value differs from its setpoint.
  ["UVR_INTENSITY_ERROR", 12.5, 600],
  ["UVR_INTENSITY.stale", true, null],
  ["UVR_INTENSITY.frozen", false, 600],
  ["UVR_INTENSITY_STATE", "BAD", null],
  ["UVR_INTENSITY_STS", "BAD", null],
  ["UVR_INTENSITY_STATE", "RUNNING", 600],
  ["UVR_INTENSITY_STATE", 3, 600],
  ["UVR_INTENSITY_STATUS", "HOLD", null],
  ["UVR_INTENSITY_STATUS", "Not OK", null],
  ["UVR_INTENSITY_STATUS", "ERR", null],
  ["UVR_INTENSITY_STATUS", "DEFECT", null],
  ["UVR_INTENSITY_STATUS", "NORMAL", 600],
  ["UVR_INTENSITY_STATUS", "0x80000000", null],
  ["UVR_INTENSITY_STATUS", "0x00000000", 600],
  ["UVR_INTENSITY_STATUS", "Sensor Not Accurate", null],
  // An alarm says that the water isn't treated, and not that nobody knows.
  ["UVR_INTENSITY_ALARM", true, 600],
])("beside a field: %s of %j", (name, quality, expected) => {
  expect(of({ [field]: 600, [name]: quality })).toEqual([600, expected]);
});

test.each([
  [{ v: 600, st: "bad" }, [600, null]],
  [{ v: 600, ok: false }, [600, null]],
  [{ value: 600, error: "timeout" }, [600, null]],
  [{ value: 600, error: 7 }, [600, null]],
  [{ value: 600, error: null }, [600, 600]],
  [{ value: 600, error: 0 }, [600, 600]],
  [{ value: 600, status: "Running", error: "timeout" }, [600, null]],
  [{ value: 600, stale: true }, [600, null]],
])("in an object: %j", (given, expected) => {
  expect(of({ [field]: given })).toEqual(expected);
});

test.each([
  [{ valid: false }, null],
  [{ valid: true }, 600],
  [{ valid: 12 }, 600],
  [{ good: false }, null],
  [{ isGood: 0 }, null],
  [{ bad: true }, null],
  [{ status: "BAD" }, null],
  [{ status: "Bad_Stale" }, null],
  [{ state: "invalid" }, null],
  // Nobody knows of which part, so nothing beside it is believed.
  [{ status: "FAULT" }, null],
  [{ error: true }, null],
  // The plant's, and no quality.
  [{ status: "MANUAL" }, 600],
])("of a whole message: %j", (told, expected) => {
  expect(of({ [field]: 600, ...told })).toEqual([600, expected]);
});

test("the plant's fault is no quality", () => {
  const out = decode("telemetry", {
    ...{ timestamp: AT, PROCESS_STATE: "FAULT", PROCESS_STATE_FAULT: true },
    ...{ LAMP_01_EFFICIENCY: 90, LAMP_01_EFFICIENCY_FAULT: 1, LAMP_01_FAULT: true },
  });
  expect(seen(out, "PROCESS_STATE")).toEqual(["FAULT", "FAULT"]);
  expect(seen(out, "LAMP_01_EFFICIENCY")).toEqual([90, 90]);
});
