// The lamps of an operation's readings: those that are failed or out by their status, and those
// that draw no power or give no output. Most lamps burn, and nothing is written for those. Pure.

import type { ReadingRun } from "../operations/judging.ts";
import { lampStatusOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { lampTags } from "../tags.ts";
import { DARK_LAMP_W, DARK_OUTPUT } from "../treating.ts";

const STATUSES = lampTags("STATUS");
const POWERS = lampTags("POWER");
const OUTPUTS = lampTags("EFFICIENCY");

/** Half of all lamps: while so many burn, the reactor isn't dark, and no other is read. */
const LIT_LAMPS = POWERS.length / 2;
/** With a higher mean output, %, half of the lamps burn. */
const MEAN_LIT = 50;

/** Values of readings, by the indexes of a run. */
export interface RunValues extends Pick<ReadingRun, "from" | "to"> {
  readonly block: Pick<ReadingRun["block"], "values">;
}

export interface RunPlace {
  readonly tag: number;
  /** The place in the column at which the run begins. */
  readonly at: number;
}

/** Bit i is of lamp i + 1. */
interface LampColumns {
  readonly failed: Uint16Array;
  readonly out: Uint16Array;
  readonly unlit: Uint16Array;
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

/** The lamps of which a power, and of which anything was reported. */
export function reportedBits({ statuses, powers, outputs }: ReportedLamps) {
  const bits = (all: readonly { readonly isReported: boolean }[]) =>
    all.reduce((sum, { isReported }, lamp) => sum | (isReported ? 1 << lamp : 0), 0);
  return { powers: bits(powers), lamps: bits(statuses) | bits(powers) | bits(outputs) };
}

/** A run's lamps are carried from run to run; `means` are the mean outputs of its readings. */
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
  takeUnlit(columns, run, { at, tags: POWERS, least: DARK_LAMP_W, reported: powers });
  if (means.some((mean) => mean < MEAN_LIT))
    takeUnlit(columns, run, { at, tags: OUTPUTS, least: DARK_OUTPUT, reported: outputs });
  else for (const output of outputs) output.isNone = false;
}

interface UnlitAsked extends Pick<RunPlace, "at"> {
  readonly tags: readonly number[];
  /** A lamp with less is dark. */
  readonly least: number;
  readonly reported: readonly ReportedValue[];
}

/** Once half of the lamps burn in all of a run, the others needn't be read. */
function takeUnlit(
  columns: LampColumns,
  run: RunValues,
  { at, tags, least, reported }: UnlitAsked,
): void {
  let lit = 0;
  for (const [lamp, tag] of tags.entries()) {
    const value = reported[lamp];
    const isUnlit = takeValue(columns, run, { lamp, tag, at, least, value });
    if (value.isReported && !isUnlit) lit += 1;
    if (lit < LIT_LAMPS) continue;
    for (const other of reported.slice(lamp + 1)) other.isNone = false;
    return;
  }
}

/**
 * `status` is carried from run to run: a reading without the status leaves it as it was. Nothing is
 * written for a lamp that burns.
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

interface LampValueAsked extends RunPlace, Pick<UnlitAsked, "least"> {
  readonly lamp: number;
  readonly value: ReportedValue;
}

/** As `takeStatus`, of a lamp's power or output; true if it is none at a reading. */
function takeValue(
  { unlit }: LampColumns,
  { block, from, to }: RunValues,
  { lamp, tag, at, least, value: known }: LampValueAsked,
): boolean {
  const values = block.values(tag);
  const shift = at - from;
  let isUnlit = false;
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    if (typeof value === "number") [known.isReported, known.isNone] = [true, value < least];
    if (!known.isNone) continue;
    unlit[index + shift] |= 1 << lamp;
    isUnlit = true;
  }
  return isUnlit;
}
