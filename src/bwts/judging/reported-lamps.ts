// The lamps of an operation's readings: those that are failed or out by their status, and those
// that draw no power. Most lamps burn, and nothing is written for those. Pure.

import type { ReadingRun } from "../operations/judging.ts";
import { lampStatusOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { lampTags } from "../tags.ts";
import { DARK_LAMP_W } from "../treating.ts";

const STATUSES = lampTags("STATUS");
const POWERS = lampTags("POWER");

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
  readonly unpowered: Uint16Array;
}

/** The last known status of a lamp, 1 or 0 each. */
interface ReportedStatus {
  failed: number;
  out: number;
  isReported: boolean;
}

/** The last known power of a lamp. */
interface ReportedPower {
  isOut: boolean;
  isReported: boolean;
}

interface ReportedLamps {
  readonly statuses: readonly ReportedStatus[];
  readonly powers: readonly ReportedPower[];
}

export const newReportedLamps = (): ReportedLamps => ({
  statuses: STATUSES.map(() => ({ failed: 0, out: 0, isReported: false })),
  powers: POWERS.map(() => ({ isOut: false, isReported: false })),
});

/** The lamps whose status, and whose power, was reported. */
export function reportedBits({ statuses, powers }: ReportedLamps) {
  const bits = (all: readonly { readonly isReported: boolean }[]) =>
    all.reduce((sum, { isReported }, lamp) => sum | (isReported ? 1 << lamp : 0), 0);
  return { lamps: bits(statuses), powers: bits(powers) };
}

/** Takes a run; `lamps` are carried from run to run. */
export function takeLamps(
  columns: LampColumns,
  run: RunValues,
  { at, lamps: { statuses, powers } }: Pick<RunPlace, "at"> & { readonly lamps: ReportedLamps },
): void {
  for (const [lamp, tag] of STATUSES.entries())
    takeStatus(columns, run, { lamp, tag, at, status: statuses[lamp] });
  for (const [lamp, tag] of POWERS.entries()) {
    const power = powers[lamp];
    const isOut = takePower(columns, run, { lamp, tag, at, power });
    if (isOut || !power.isReported) continue;
    // With a lamp that burns all the time the reactor isn't dark: the others needn't be read.
    for (const other of powers.slice(lamp + 1)) other.isOut = false;
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

/** As `takeStatus`, of a lamp's power; true if it draws none at a reading. */
function takePower(
  { unpowered }: LampColumns,
  { block, from, to }: RunValues,
  { lamp, tag, at, power }: RunPlace & { readonly lamp: number; readonly power: ReportedPower },
): boolean {
  const values = block.values(tag);
  const shift = at - from;
  let isOut = false;
  for (let index = from; index < to; index += 1) {
    const value = values(index);
    if (typeof value === "number") [power.isReported, power.isOut] = [true, value < DARK_LAMP_W];
    if (!power.isOut) continue;
    unpowered[index + shift] |= 1 << lamp;
    isOut = true;
  }
  return isOut;
}
