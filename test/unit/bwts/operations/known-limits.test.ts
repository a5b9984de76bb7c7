// Operations of which the truth is known: time beyond a limit, in one piece and in many, at
// cadences from a second to half an hour.

import { HOUR, type KnownReason, testTruths, total, when } from "../../../rig/known-truths.ts";

testTruths([
  [
    "every second reading of half an hour",
    [1800, 720],
    (minute) => (minute % 60 === 0 ? { UVR_INTENSITY: 0 } : {}),
    "outside_limits",
    Array.from(
      { length: 13 },
      (_, hour): KnownReason => ["uv_below_limit", 60 * hour, Math.min(720, 60 * hour + 30)],
    ),
  ],
  [
    "29 of 30 seconds",
    [1, 5],
    (minute) => (Math.round(minute * 60) % 30 === 0 ? {} : { UVR_INTENSITY: 50 }),
    "outside_limits",
    Array.from(
      { length: 10 },
      (_, half): KnownReason => ["uv_below_limit", half / 2 + 1 / 60, (half + 1) / 2],
    ),
  ],
  [
    "60 seconds in six pieces",
    [10, 60],
    (minute) => (minute % 10 === 0 && minute > 0 && minute < 60 ? { UVR_INTENSITY: 50 } : {}),
    "within_limits",
    [],
  ],
  [
    "70 seconds in seven pieces, of UV and flow",
    [10, 60],
    (minute) =>
      minute % 8 === 0 && minute > 0 && minute < 58
        ? minute > 40
          ? { SYS_FLOW_RATE: 1100 }
          : { UVR_INTENSITY: 50 }
        : {},
    "outside_limits",
    [8, 16, 24, 32, 40, 48, 56].map(
      (m): KnownReason => [m > 40 ? "flow_above_certified" : "uv_below_limit", m, m + 1 / 6],
    ),
  ],
  [
    "one low reading in half an hour",
    [1800, 720],
    when(60, 90, { UVR_INTENSITY: 100 }),
    "cannot_tell",
    [["uv_below_once", 60, 90]],
  ],
  [
    "one high flow at three minutes",
    [180, 180],
    when(60, 63, { SYS_FLOW_RATE: 1200 }),
    "cannot_tell",
    [["flow_above_once", 60, 63]],
  ],
  [
    "a short spike of the flow",
    [5, 60],
    when(30, 30.5, { SYS_FLOW_RATE: 1200 }),
    "within_limits",
    [],
    800,
  ],
  [
    "low UV with standing water",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 70
          ? { SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, ...total(60) }
          : total(minute - 10),
    "within_limits",
    [],
  ],
]);
