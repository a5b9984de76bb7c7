// Types that queries share: ranges, intervals, pages; and the reasons for which readers refuse an
// answer.

export type Interval = "hour" | "day";

/** A range of instants, both ends included; null is open. */
export interface Range {
  readonly start_ms: number | null;
  readonly end_ms: number | null;
}

/** A range of instants, both ends included. */
export interface ClosedRange {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** The range used for a missing end: from before all stored data to after it. */
export const EVER: ClosedRange = { start_ms: 0, end_ms: 253_402_300_799_999 };

/** A range with both of its ends. */
export function closed(range: Range | null): ClosedRange {
  return {
    start_ms: range?.start_ms ?? EVER.start_ms,
    end_ms: range?.end_ms ?? EVER.end_ms,
  };
}

export function length_ms(range: Range): number {
  const { start_ms, end_ms } = closed(range);
  return end_ms - start_ms;
}

/** The newest `limit` records of a range. */
export interface Newest {
  readonly range: Range;
  readonly limit: number;
}

/** A page of a list as JSON, and the length of the whole list. */
export interface PageText {
  readonly text: string;
  readonly total: number;
}

/** A page of a list, with its place in the list of `total` entries. */
export function pageText(
  data: readonly unknown[],
  {
    offset,
    limit,
    total,
  }: { readonly offset: number; readonly limit: number; readonly total: number },
): PageText {
  const pagination = { offset, limit, total, hasMore: offset + limit < total };
  return { text: JSON.stringify({ data, pagination }), total };
}

/**
 * Queries whose work depends on the client's input, and whose answer can't begin before all of it
 * is computed: they occupy a reader's thread for about a second.
 */
export const MADE_WHOLE: ReadonlySet<string> = new Set(["reconcile", "diagnosis_of"]);

export class ReadersBusy extends Error {}
export class ReaderLost extends Error {}
export class StoredDamage extends Error {}
