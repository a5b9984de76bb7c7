// Spans of time whose readings are hidden: wrong ones that were accepted. A void is of a span, not
// of the readings it finds: what comes later for it (a PLC that empties its buffer) is stored and
// hidden too, so that no answer depends on the order of receipt. Readings themselves, sealed or
// hot, stay as they are; whatever answers leaves the spans out.

import { memo } from "./memo.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";

/** What a void can hide. */
export const VOIDABLE = ["readings", "events"] as const;
export type Voidable = (typeof VOIDABLE)[number];

/** The statement that undoes a void of either. */
export const UNDO_VOID = { readings: "void.undo_readings", events: "void.undo_events" } as const;

/** A void as it is stored; `undone_ms` is null while it hides something. */
export interface StoredVoid extends ClosedRange {
  readonly what: Voidable;
  readonly id: number;
  readonly reason: string;
  readonly made_ms: number;
  readonly undone_ms: number | null;
}

/** Voids of either at a time: every question walks the list of them. Expired ones don't count. */
export const VOIDS_MAX = 1000;

/** The spans that are hidden now, in order and apart from each other. */
export function voidedSpans(db: Connection): readonly ClosedRange[] {
  return memo(db, "voids", () => joined(prepare<object, ClosedRange>(db, "void.active").all({})));
}

/** A void, and 1 where it is being made or undone now. */
export interface ListedVoid extends StoredVoid {
  readonly is_under_way: 0 | 1;
}

/** Every void there ever was, newest first. */
export function listVoids(db: Connection): readonly ListedVoid[] {
  return prepare<object, ListedVoid>(db, "void.all").all({});
}

/** Whether an instant lies in one of `spans`. */
export function isVoided(spans: readonly ClosedRange[], at_ms: number): boolean {
  return spans.some((span) => at_ms >= span.start_ms && at_ms <= span.end_ms);
}

/** What of a range lies in none of `spans`, in order. */
export function visibleParts(
  spans: readonly ClosedRange[],
  range: ClosedRange,
): readonly ClosedRange[] {
  const parts: ClosedRange[] = [];
  let { start_ms } = range;
  for (const span of spans) {
    if (span.end_ms < start_ms) continue;
    if (span.start_ms > range.end_ms) break;
    if (span.start_ms > start_ms) parts.push({ start_ms, end_ms: span.start_ms - 1 });
    start_ms = span.end_ms + 1;
  }
  return start_ms <= range.end_ms ? [...parts, { start_ms, end_ms: range.end_ms }] : parts;
}

function joined(spans: readonly ClosedRange[]): readonly ClosedRange[] {
  const apart: ClosedRange[] = [];
  for (const { start_ms, end_ms } of spans) {
    const last = apart.at(-1);
    if (last !== undefined && start_ms <= last.end_ms + 1)
      apart.splice(-1, 1, { ...last, end_ms: Math.max(last.end_ms, end_ms) });
    else apart.push({ start_ms, end_ms });
  }
  return apart;
}
