// The lamps of an operation's readings: those that are failed or out by their status, and those
// that draw no power or give no output. Most lamps burn, and nothing is written for those. Pure.

import type { ReadingRun } from "../operations/judging.ts";
import { lampStatusOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { lampTags } from "../tags.ts";
import { areTooManyDark, DARK_LAMP_W, DARK_OUTPUT, MEAN_LIT } from "../treating.ts";

const STATUSES = lampTags("STATUS");
const POWERS = lampTags("POWER");
const OUTPUTS = lampTags("EFFICIENCY");

/** Values of readings, by index within a run. */
export interface RunValues extends Pick<ReadingRun, "from" | "to"> {
  readonly block: Pick<ReadingRun["block"], "values">;
}

export interface RunPlace {
  readonly tag: number;
  /** Position in the columns at which the run begins. */
  readonly at: number;
}

interface LampColumns {
  /** Bit i belongs to lamp i + 1. */
  readonly failed: Uint16Array;
  readonly out: Uint16Array;
  readonly unlit: Uint8Array;
}

/** The last known status of a lamp, 1 or 0 each. */
interface ReportedStatus {
  failed: number;
  out: number;
  isReported: boolean;
}

/** The last known power or output of a lamp. */
interface ReportedValue {
  isNone: boolean;
  isReported: boolean;
}

interface ReportedLamps {
  readonly statuses: readonly ReportedStatus[];
  readonly powers: readonly ReportedValue[];
  readonly outputs: readonly ReportedValue[];
}

export const newReportedLamps = (): ReportedLamps => ({
  statuses: STATUSES.map(() => ({ failed: 0, out: 0, isReported: false })),
  powers: POWERS.map(() => ({ isNone: false, isReported: false })),
  outputs: OUTPUTS.map(() => ({ isNone: false, isReported: false })),
});

/** The lamps whose status, and whose power, was reported. */
export function reportedBits({ statuses, powers }: ReportedLamps) {
  const bits = (all: readonly { readonly isReported: boolean }[]) =>
    all.reduce((sum, { isReported }, lamp) => sum | (isReported ? 1 << lamp : 0), 0);
  return { lamps: bits(statuses), powers: bits(powers) };
}

/**
 * The state of the lamps is carried from run to run; `means` are the mean outputs of the readings.
 */
interface LampsAt extends Pick<RunPlace, "at"> {
  readonly lamps: ReportedLamps;
  readonly means: Float64Array;
}

export function takeLamps(
  columns: LampColumns,
  run: RunValues,
  { at, lamps: { statuses, powers, outputs }, means }: LampsAt,
): void {
  for (const [lamp, tag] of STATUSES.entries())
    takeStatus(columns, run, { lamp, tag, at, status: statuses[lamp] });
  // A mean output that half of the lamps give contradicts their powers, unless all draw none.
  const isLit = means.every((mean) => mean >= MEAN_LIT);
  const least = { powers: isLit ? 1 : POWERS.length / 2, outputs: OUTPUTS.length / 2 };
  takeUnlit(columns, run, {
    ...{ at, tags: POWERS, dark: DARK_LAMP_W, reported: powers, least: least.powers },
  });
  if (isLit) for (const output of outputs) output.isNone = false;
  else
    takeUnlit(columns, run, {
      ...{ at, tags: OUTPUTS, dark: DARK_OUTPUT, reported: outputs, least: least.outputs },
    });
}

interface UnlitInput extends Pick<RunPlace, "at"> {
  readonly tags: readonly number[];
  /** Minimum value of a burning lamp. */
  readonly dark: number;
  readonly reported: readonly ReportedValue[];
  /** Number of burning lamps from which the others needn't be read. */
  readonly least: number;
}

/** Marks the readings of a run in which too few lamps burn. */
function takeUnlit(
  { unlit }: LampColumns,
  run: RunValues,
  { at, tags, dark, reported, least }: UnlitInput,
): void {
  const counts = new Uint8Array(run.to - run.from);
  let lit = 0;
  for (const [lamp, tag] of tags.entries()) {
    const value = reported[lamp];
    const isUnlit = takeValue(counts, run, { tag, dark, value });
    if (value.isReported && !isUnlit) lit += 1;
    if (lit < least) continue;
    for (const other of reported.slice(lamp + 1)) other.isNone = false;
    return;
  }
  const known = reported.filter(({ isReported }) => isReported).length;
  for (const [index, count] of counts.entries())
    if (areTooManyDark(count, known)) unlit[at + index] = 1;
}

/**
 * Marks failed and dark lamps. `status` is carried from run to run: a reading without it doesn't
 * change it. Nothing is written for a burning lamp.
 */
function takeStatus(
  { failed, out }: LampColumns,
  { block, from, to }: RunValues,
  { lamp, tag, at, status }: RunPlace & { readonly lamp: number; readonly status: ReportedStatus },
): void {
  const values = block.values(tag);
  const shift = at - from;
  let last: Value = null;
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    if (value !== last) {
      last = value;
      if (value !== null) {
        const word = lampStatusOf(value);
        status.isReported = true;
        if (word !== "unknown") {
          status.failed = word === "failed" ? 1 : 0;
          status.out = word === "failed" || word === "standby" ? 1 : 0;
        }
      }
    }
    if (status.out === 0) continue;
    failed[index + shift] |= status.failed << lamp;
    out[index + shift] |= 1 << lamp;
  }
}

interface LampValueInput extends Pick<RunPlace, "tag">, Pick<UnlitInput, "dark"> {
  readonly value: ReportedValue;
}

/** Counts the readings at which a lamp's power or output is none; true if there is any. */
function takeValue(
  counts: Uint8Array,
  { block, from, to }: RunValues,
  { tag, dark, value: known }: LampValueInput,
): boolean {
  const values = block.values(tag);
  let isUnlit = false;
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    if (typeof value === "number") [known.isReported, known.isNone] = [true, value < dark];
    if (!known.isNone) continue;
    counts[index - from] += 1;
    isUnlit = true;
  }
  return isUnlit;
}
