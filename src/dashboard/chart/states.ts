// The states of a field that is a text or a truth value, over a stretch: spans of one word each.
// Buckets have no states, so only readings are used. Without readings there is no state.

import { silenceLimit, usualCadence } from "../../bwts/idle-plant.ts";
import type { PagePart } from "../store/ask.ts";
import { instant, isLike, pageOfReadings, type Read } from "../store/checks.ts";
import { useAnswer, useNewestTime } from "../store/use-store.ts";
import { levelOf, pointsPath, type Stretch } from "./level.ts";

type StateValue = string | boolean;

export interface StateSpan {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly value: StateValue;
}

export interface FieldStates {
  readonly field: string;
  /** Ascending. */
  readonly spans: readonly StateSpan[];
  /** False if there are more readings than asked for: the spans end early. */
  readonly isWhole: boolean;
}

/** The states of a field; null while the stretch is too long to ask for readings. */
export function useStates(field: string, stretch: Stretch): PagePart<FieldStates> | null {
  const newest_ms = useNewestTime();
  const isShort = levelOf(stretch, false) === "reading";
  const path = isShort ? pointsPath(field, "reading", { stretch, newest_ms }) : null;
  const part = useAnswer(path, statesReader(field));
  return isShort ? part : null;
}

const readers = new Map<string, Read<FieldStates>>();

/**
 * The reader of a field's states: always the same function, because a new one would cause a new
 * request.
 */
function statesReader(field: string): Read<FieldStates> {
  const known = readers.get(field);
  if (known !== undefined) return known;
  const made: Read<FieldStates> = (body) => {
    const page = pageOfReadings(body);
    if (page === null || !Array.isArray(page.rows)) return null;
    const told: { readonly at_ms: number; readonly value: StateValue }[] = [];
    for (const row of page.rows) {
      if (!isLike<Record<string, unknown>>(row)) return null;
      const at_ms = instant(row.timestamp);
      const value = row[field] ?? null;
      if (at_ms === null || at_ms < (told[told.length - 1]?.at_ms ?? 0)) return null;
      if (value === null) continue;
      if (typeof value !== "string" && typeof value !== "boolean") return null;
      told.push({ at_ms, value });
    }
    return { value: { field, spans: spansOf(told), isWhole: page.isWhole } };
  };
  readers.set(field, made);
  return made;
}

function spansOf(
  told: readonly { readonly at_ms: number; readonly value: StateValue }[],
): readonly StateSpan[] {
  const join_ms = silenceLimit(usualCadence(told.slice(-100).map(({ at_ms }) => at_ms)));
  const spans: StateSpan[] = [];
  for (const { at_ms, value } of told) {
    const last = spans[spans.length - 1];
    const isNear = last !== undefined && at_ms - last.to_ms <= join_ms;
    // A state lasts until the next one is recorded.
    if (isNear) spans[spans.length - 1] = { ...last, to_ms: at_ms };
    if (!isNear || last.value !== value) spans.push({ from_ms: at_ms, to_ms: at_ms, value });
  }
  return spans;
}
