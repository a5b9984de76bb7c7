// Voids: spans of time whose readings are hidden, because they are wrong. A void covers the span,
// not just present readings: later ones (of a PLC that empties its buffer) are stored and hidden
// too, so that no answer depends on the order of receipt. Readings themselves, sealed or hot, stay
// unchanged; answers leave the spans out.

import { type Connection, memo, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";

/** The kinds of data that a void can hide. */
export const VOIDABLE = ["readings", "events"] as const;
export type Voidable = (typeof VOIDABLE)[number];

/** The statement that undoes a void, by kind of data. */
export const UNDO_VOID = { readings: "void.undo_readings", events: "void.undo_events" } as const;

/** A stored void; `undone_ms` is null while it hides data. */
export interface StoredVoid extends ClosedRange {
  readonly what: Voidable;
  readonly id: number;
  readonly reason: string;
  readonly made_ms: number;
  readonly undone_ms: number | null;
}

/** Maximum number of voids of each kind: every query walks over them. Expired ones don't count. */
export const VOIDS_MAX = 1000;

/** The spans that are hidden now, in order and without overlap. */
export function voidedSpans(db: Connection): readonly ClosedRange[] {
  return memo(db, "voids", () =>
    joined(prepare<"void.active", ClosedRange>(db, "void.active").all({})),
  );
}

/** A void; `is_under_way` is 1 while it is being made or undone. */
export interface ListedVoid extends StoredVoid {
  readonly is_under_way: 0 | 1;
}

/** Every void ever made, newest first. */
export function listVoids(db: Connection): readonly ListedVoid[] {
  return prepare<"void.all", ListedVoid>(db, "void.all").all({});
}

/** True if an instant lies in one of `spans`. */
export function isVoided(spans: readonly ClosedRange[], at_ms: number): boolean {
  return spans.some((span) => at_ms >= span.start_ms && at_ms <= span.end_ms);
}

/** The parts of a range outside all `spans`, in order. */
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
