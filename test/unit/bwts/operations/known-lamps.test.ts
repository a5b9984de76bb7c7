// Operations of which the truth is known: light that is told while some of the lamps don't burn.

import { HOUR, type Truth, testTruths } from "../../../rig/known-truths.ts";

/** A member of all lamps, of which the first so many have another value. */
const lampsOf = <Value>(member: string, count: number, value: Value, other: Value) =>
  Object.fromEntries(
    Array.from({ length: 16 }, (_, lamp): readonly [string, Value] => [
      `LAMP_${String(lamp + 1).padStart(2, "0")}_${member}`,
      lamp < count ? value : other,
    ]).filter(([, one]) => one !== undefined),
  );

/** The mean output, as a reading has it when it is stored. */
function meanOf(lamps: object) {
  const outputs = Object.entries(lamps).filter(([name]) => name.endsWith("_EFFICIENCY"));
  if (outputs.length === 0) return { AVG_LAMP_EFFICIENCY: null };
  const sum = outputs.reduce((all, [, output]) => all + Number(output), 0);
  return { AVG_LAMP_EFFICIENCY: sum / outputs.length };
}

testTruths([
  ...(
    [
      ["15 of 16 lamps failed", lampsOf("STATUS", 15, "FAILED", "OK"), true],
      ["9 of 16 lamps in standby", lampsOf("STATUS", 9, "STANDBY", "OK"), true],
      ["8 of 16 lamps in standby", lampsOf("STATUS", 8, "STANDBY", "OK"), false],
      ["9 of 16 lamps without power", lampsOf("POWER", 9, 0, 3100), true],
      ["8 of 16 lamps without power", lampsOf("POWER", 8, 0, 3100), false],
      [
        "9 of 16 lamps without power, and a mean output of 90 %",
        { ...lampsOf("POWER", 9, 0, 3100), AVG_LAMP_EFFICIENCY: 90 },
        false,
      ],
      ["no output of any lamp", lampsOf("EFFICIENCY", 16, 0, 0), true],
      ["no output of 9 lamps", lampsOf("EFFICIENCY", 9, 0, 98), true],
      ["no output of 8 lamps", lampsOf("EFFICIENCY", 8, 0, 98), false],
      ["an output of 45 % of all lamps", lampsOf("EFFICIENCY", 16, 45, 45), false],
      ["9 failed lamps, as their count says", { FAILED_LAMP_COUNT: 9 }, true],
      ["8 failed lamps, as their count says", { FAILED_LAMP_COUNT: 8 }, false],
    ] as const
  ).map(
    ([title, lamps, isDoubted]): Truth => [
      `light with ${title}`,
      HOUR,
      (minute) => ({ ...meanOf(lamps), ...lamps, UVR_INTENSITY: 600 + Math.sin(minute) }),
      isDoubted ? "cannot_tell" : "within_limits",
      isDoubted ? [["light_without_lamps", 0, 180]] : [],
    ],
  ),
]);
