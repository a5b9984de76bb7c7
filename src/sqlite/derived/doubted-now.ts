// The alerts of values that aren't believed: one for each field (for lamps, one for each of their
// four fields), and one for all values that sources mark as bad, since a gateway marks all of its
// values at once. A single implausible value raises its alert at once; the alert ends after minutes
// of believed values.

import { COUNTER_TAGS, counterInOtherUnit } from "../../bwts/light/lamp-fields.ts";
import { type Doubt, doubts, type Spans } from "../../bwts/plausible.ts";
import type { LimitState } from "../../bwts/present/limit-state.ts";
import type { LimitResult } from "../../bwts/present/watched.ts";
import { asNumber, type Reading, TIME_SOURCE } from "../../bwts/reading.ts";
import { TAGS } from "../../bwts/tags.ts";
import { DAY_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { BELIEVED_UNDAMAGED, newestTime, timeline, UNDAMAGED } from "../sealed/timeline.ts";

const IMPLAUSIBLE = "SENSOR_IMPLAUSIBLE";
const BAD_QUALITY = "SENSOR_BAD_QUALITY";

/** Maximum number of fields named in a text. */
const NAMED_MAX = 5;

interface DoubtSeen {
  /** The field as alerts name it; `LAMP_XX_POWER` for all lamps. */
  readonly field: string;
  readonly tags: Set<number>;
  readonly since_ms: number;
  /** The newest doubted value. */
  value: number | null;
}

/**
 * The states at the newest of `readings`, which are ascending; `active` are the alerts that are
 * active now, with their fields, "" for that of bad quality.
 */
export function doubtedNow(
  readings: readonly Reading[],
  spans: Spans,
  active: readonly { readonly code: string; readonly about: string }[],
): readonly LimitResult[] {
  const implausible = new Map<string, DoubtSeen>();
  const bad: DoubtSeen = { field: "", tags: new Set(), since_ms: 0, value: null };
  let bad_since_ms: number | null = null;
  for (const reading of readings)
    for (const [tag, why] of doubtsOf(reading, spans)) {
      if (why === "bad_quality") {
        bad_since_ms ??= reading.at_ms;
        bad.tags.add(tag);
      } else seen(implausible, tag, reading);
    }
  const found = [...implausible.values()].map((one) =>
    foundOf(IMPLAUSIBLE, one.field, implausibleText(one, spans), outOf(one, one.since_ms)),
  );
  if (bad_since_ms !== null) {
    const text = `values told to be of bad quality: ${namesOf(bad.tags)}`;
    found.push(foundOf(BAD_QUALITY, "", text, outOf(bad, bad_since_ms)));
  }
  const told = new Set(found.map(({ code, about }) => `${code} ${about}`));
  const over = active.flatMap(({ code, about }) => {
    if (code !== IMPLAUSIBLE && code !== BAD_QUALITY) return [];
    if (told.has(`${code} ${about}`) || !hasValue(readings, about)) return [];
    const state: LimitState = { kind: "over", why: "well within" };
    return [foundOf(code, about, about, state)];
  });
  return [...found, ...over];
}

/** Maximum number of readings of the last day that `oddLately` checks, the newest. */
const LATELY_READINGS = 5000;

/** Numbers of odd readings among the newest of the last day. */
export interface OddLately {
  readonly readings: number;
  /** Number of values that aren't believed, by field. */
  readonly doubted: ReadonlyMap<string, number>;
  /** Number of readings without a time of their own, which have the time of receipt. */
  readonly untimed: number;
}

export function oddLately(db: Connection): OddLately {
  const spans = spansInForce(db);
  const newest_ms = newestTime(db, BELIEVED_UNDAMAGED) ?? 0;
  const doubted = new Map<string, number>();
  let readings = 0;
  let untimed = 0;
  const range = { start_ms: newest_ms - DAY_MS, end_ms: newest_ms };
  const runs = [...timeline(db, range, UNDAMAGED)];
  for (const { block, from, to } of runs.toReversed())
    for (let index = to - 1; index >= from && readings < LATELY_READINGS; index -= 1) {
      const reading = block.reading(index);
      readings += 1;
      if (reading.extra.has(TIME_SOURCE)) untimed += 1;
      for (const [tag] of spans === null ? [] : doubtsOf(reading, spans))
        doubted.set(TAGS[tag].name, (doubted.get(TAGS[tag].name) ?? 0) + 1);
    }
  return { readings, doubted, untimed };
}

/** The doubted values, without counters in minutes or seconds, which have an alert of their own. */
function doubtsOf(reading: Reading, spans: Spans): readonly (readonly [number, Doubt])[] {
  return [...doubts(reading, spans)].filter(
    ([tag, why]) =>
      why === "bad_quality" ||
      !COUNTER_TAGS.includes(tag) ||
      counterInOtherUnit(reading.values[tag]) === null,
  );
}

function seen(into: Map<string, DoubtSeen>, tag: number, { at_ms, values }: Reading): void {
  const field = groupOf(tag);
  const one = into.get(field) ?? { field, tags: new Set(), since_ms: at_ms, value: null };
  one.tags.add(tag);
  one.value = asNumber(values[tag]);
  into.set(field, one);
}

const groupOf = (tag: number) => TAGS[tag].name.replace(/^LAMP_\d\d_/, "LAMP_XX_");

function implausibleText({ tags, value }: DoubtSeen, spans: Spans): string {
  const [tag] = tags;
  const { unit } = TAGS[tag];
  const [low, high] = spans[tag] ?? [0, 0];
  const behind = unit === null ? "" : ` ${unit}`;
  return `${namesOf(tags)}: ${value}${behind} can't be, plausible is ${low} to ${high}${behind}`;
}

function namesOf(tags: ReadonlySet<number>): string {
  const names = [...tags].map((tag) => TAGS[tag].name);
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function outOf({ value }: DoubtSeen, since_ms: number): LimitState {
  return { kind: "out", value, limit: null, since_ms };
}

function foundOf(
  code: typeof IMPLAUSIBLE | typeof BAD_QUALITY,
  about: string,
  name: string,
  state: LimitState,
): LimitResult {
  const parameter = about === "" ? null : about;
  return { code, about, name, state, parameter, unit: unitOf(about), side: null, during: "always" };
}

function unitOf(field: string): string | null {
  return TAGS.find((_, tag) => groupOf(tag) === field)?.unit ?? null;
}

/** True if a reading has a value of the field; for "", of any field. */
function hasValue(readings: readonly Reading[], field: string): boolean {
  const tags = [...TAGS.keys()].filter((tag) => field === "" || groupOf(tag) === field);
  return readings.some(({ values }) => tags.some((tag) => values[tag] !== null));
}
