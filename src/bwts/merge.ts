// Merges several messages into one reading: a system message and sixteen lamp messages with one
// timestamp, field by field. The result doesn't depend on their order unless they contradict each
// other; then the stored value stays and the contradiction is reported.

import { monthOf } from "../ground/clock.ts";
import { exactJson } from "../ground/exact-json.ts";
import { lampStatusOf } from "./plc-word.ts";
import { isQualityTag } from "./quality-names.ts";
import type { Value } from "./reading.ts";
import { EXTRA_TAGS_MAX, type Reading, type ReadingPart, type Scalar } from "./reading.ts";
import { indexOfTag, lampTags, TAGS } from "./tags.ts";

/** The result of merging a part into the stored reading. */
export interface MergeResult {
  /** The merged reading; null if nothing changes. */
  readonly reading: Reading | null;
  /** Fields that contradict what is stored, as `FIELD: got X, stored Y`; they were left out. */
  readonly conflicts: readonly string[];
  /**
   * True if at least half of the fields that were already stored differ: then the whole part is
   * quarantined.
   */
  readonly clock_repeat: boolean;
}

/** The receipt of a part: its time, the clock's trust, and the system. */
export interface PartReceipt {
  readonly received_ms: number;
  readonly clock_trusted: boolean;
  readonly system_id: string;
}

const MONTH = indexOfTag("month");
const SYSTEM_ID = indexOfTag("system_id");
const AVERAGE = indexOfTag("AVG_LAMP_EFFICIENCY");
const FAILED_COUNT = indexOfTag("FAILED_LAMP_COUNT");
const EFFICIENCIES = lampTags("EFFICIENCY");
const STATUSES = lampTags("STATUS");

/** Fields that are computed unless they are sent: bit i of `Reading.derived`. */
const DERIVED: readonly number[] = [MONTH, AVERAGE, FAILED_COUNT];

/** Scale of a mean, six decimals: exact for the mean of 16 values with two decimals. */
const AVERAGE_SCALE = 1e6;

/** Merges `part` into `stored` (null: the first of its timestamp). Pure. */
export function mergePart(
  stored: Reading | null,
  part: ReadingPart,
  receipt: PartReceipt,
): MergeResult {
  const base = stored ?? emptyReading(part.at_ms, receipt);
  const { overlap, conflicts } = compare(base, part);
  if (conflicts.length * 2 >= overlap && conflicts.length > 0)
    return { reading: null, conflicts, clock_repeat: true };
  const values = [...base.values];
  const extra = new Map(base.extra);
  let { derived } = base;
  let changed = stored === null;
  for (let index = 1; index < TAGS.length; index += 1) {
    const value = part.values[index];
    if (value === null || !isOpen(base, index)) continue;
    const bit = DERIVED.indexOf(index);
    if (bit >= 0) derived &= ~(1 << bit);
    values[index] = value;
    changed = true;
  }
  const surplus: string[] = [];
  for (const [name, value] of part.extra) {
    if (extra.has(name)) continue;
    // Quality tags always fit: without its mark, a bad value would count as good.
    if (extra.size >= EXTRA_TAGS_MAX && !isQualityTag(name)) {
      surplus.push(`${name}: more than ${EXTRA_TAGS_MAX} unknown tags`);
      continue;
    }
    extra.set(name, value);
    changed = true;
  }
  const found = [...conflicts, ...surplus];
  if (!changed) return { reading: null, conflicts: found, clock_repeat: false };
  values[SYSTEM_ID] = receipt.system_id;
  derive(values, { derived, at_ms: part.at_ms });
  const reading = { ...base, values, extra, derived };
  return { reading, conflicts: found, clock_repeat: false };
}

/** True if a field of the part differs from what is stored (null: nothing is). */
export function isContradicted(part: ReadingPart, stored: Reading | null): boolean {
  return stored !== null && compare(stored, part).conflicts.length > 0;
}

/**
 * The part without fields of DERIVED that follow from its other fields, or that are stored equal.
 * An exported reading doesn't mark derived fields; imported so, it becomes the original reading.
 */
export function withoutDerived(part: ReadingPart, stored: Reading | null): ReadingPart {
  const values = [...part.values];
  for (const index of DERIVED) values[index] = null;
  derive(values, { derived: (1 << DERIVED.length) - 1, at_ms: part.at_ms });
  for (const index of DERIVED) {
    const given = part.values[index];
    const isDerived = Object.is(given, values[index]) && (stored === null || isOpen(stored, index));
    const isStored = stored !== null && Object.is(given, stored.values[index]);
    values[index] = isDerived || isStored ? null : given;
  }
  return { ...part, values };
}

function emptyReading(at_ms: number, receipt: PartReceipt): Reading {
  return {
    at_ms,
    received_ms: receipt.received_ms,
    clock_trusted: receipt.clock_trusted,
    values: TAGS.map(() => null),
    derived: (1 << DERIVED.length) - 1,
    extra: new Map(),
  };
}

/** True if a sent value may fill the field: it is empty, or was only derived. */
function isOpen(reading: Reading, index: number): boolean {
  if (reading.values[index] === null) return true;
  const bit = DERIVED.indexOf(index);
  return bit >= 0 && (reading.derived & (1 << bit)) !== 0;
}

/**
 * Maximum length of a text in a conflict, in characters: thousands of conflicts may quote the same
 * text.
 */
const SHOWN_MAX = 200;

function shown(value: Value): string {
  return exactJson(typeof value === "string" ? value.slice(0, SHOWN_MAX) : value);
}

function compare(stored: Reading, part: ReadingPart) {
  const conflicts: string[] = [];
  let overlap = 0;
  const check = (name: string, sent: Scalar, kept: Value) => {
    overlap += 1;
    if (sent !== kept) conflicts.push(`${name}: got ${shown(sent)}, stored ${shown(kept)}`);
  };
  for (let index = 1; index < TAGS.length; index += 1) {
    const sent = part.values[index];
    if (sent !== null && !isOpen(stored, index) && index !== SYSTEM_ID)
      check(TAGS[index].name, sent, stored.values[index]);
  }
  for (const [name, sent] of part.extra) {
    const kept = stored.extra.get(name);
    if (kept !== undefined) check(name, sent, kept);
  }
  return { overlap, conflicts };
}

function derive(values: Value[], reading: { derived: number; at_ms: number }): void {
  const isDerived = (index: number) => isDerivedField(reading.derived, index);
  if (isDerived(MONTH)) values[MONTH] = monthOf(reading.at_ms);
  if (isDerived(AVERAGE)) values[AVERAGE] = averageEfficiency(values);
  if (isDerived(FAILED_COUNT)) values[FAILED_COUNT] = failedCount(values);
}

/** The newest value of a field, and the reading that has it; null where none has one. */
export interface GatheredValue {
  readonly value: Value;
  readonly reading: Reading | null;
}

/**
 * The newest value of each field; `readings` are newest first. A value is null where the newest one
 * isn't believed. The lamps' mean and their failed count are derived from the newest values of all
 * lamps unless they were sent, because a lamp's message derives them from that lamp alone. The
 * count isn't 0 while the status of a lamp is unknown.
 */
export function gatheredValues(
  readings: readonly Reading[],
  isBelieved: (reading: Reading, index: number) => boolean = () => true,
): readonly GatheredValue[] {
  const shown = (reading: Reading | null, index: number) =>
    reading !== null && isBelieved(reading, index) ? reading.values[index] : null;
  const newest = TAGS.map((_, index): GatheredValue => {
    const reading = readings.find(({ values }) => values[index] !== null) ?? null;
    return { value: shown(reading, index), reading };
  });
  const values = newest.map(({ value }) => value);
  const told = (index: number, derived: number | null): GatheredValue => {
    const telling = readings.find((one) => !isOpen(one, index)) ?? null;
    const sent = shown(telling, index);
    // Lamps that have failed since the count was sent are counted too.
    const isMore = index === FAILED_COUNT && Number(derived) > Number(sent);
    if (telling === null || isMore) return { value: derived, reading: newest[index].reading };
    // A sent count of 0 doesn't vouch for a lamp whose own status isn't known.
    const isVouched =
      index !== FAILED_COUNT || sent !== 0 || derived !== null || areLampsMute(values);
    return { value: isVouched ? sent : null, reading: telling };
  };
  const areAllKnown = STATUSES.every((index) => lampStatusOf(values[index]) !== "unknown");
  const failed = failedCount(values);
  return newest
    .with(AVERAGE, told(AVERAGE, averageEfficiency(values)))
    .with(FAILED_COUNT, told(FAILED_COUNT, failed === 0 && !areAllKnown ? null : failed));
}

/** True if no lamp has a status of its own, so that the plant only sends their count. */
const areLampsMute = (values: readonly Value[]) =>
  STATUSES.every((index) => values[index] === null);

/**
 * `Reading.derived` for values whose source isn't known: a field that equals its derivation counts
 * as derived.
 */
export function derivedBits(values: readonly Value[]): number {
  return [...FROM_LAMPS.keys()]
    .filter((index) => values[index] === derivedFromLamps(index, values))
    .reduce((bits, index) => bits | (1 << DERIVED.indexOf(index)), 0);
}

/** The derived value of a field of DERIVED, other than the month, from the lamps' values. */
export function derivedFromLamps(index: number, values: readonly Value[]): number | null {
  return index === AVERAGE ? averageEfficiency(values) : failedCount(values);
}

/** The fields that are derived from the lamps, each with the lamps' fields that it needs. */
export const FROM_LAMPS: ReadonlyMap<number, readonly number[]> = new Map([
  [AVERAGE, EFFICIENCIES],
  [FAILED_COUNT, STATUSES],
]);

/** True if the reading's field of DERIVED with this index was computed, not sent. */
export function isDerivedField(derived: number, index: number): boolean {
  return (derived & (1 << DERIVED.indexOf(index))) !== 0;
}

function averageEfficiency(values: readonly Value[]): number | null {
  const known = EFFICIENCIES.map((index) => values[index]).filter((v) => typeof v === "number");
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  if (!Number.isFinite(mean)) return null;
  return Math.abs(mean) < 1e9 ? Math.round(mean * AVERAGE_SCALE) / AVERAGE_SCALE + 0 : mean;
}

/**
 * Number of failed lamps. Null if no status is known, or if a status has an unknown word, which may
 * mean a failed lamp.
 */
function failedCount(values: readonly Value[]): number | null {
  const known = STATUSES.map((index) => values[index]).filter((v) => typeof v === "string");
  const lamps = known.map(lampStatusOf);
  if (lamps.length === 0 || lamps.includes("unknown")) return null;
  return lamps.filter((lamp) => lamp === "failed").length;
}
