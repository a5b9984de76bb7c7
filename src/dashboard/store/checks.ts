// Checks of ballastd's answers, member by member; the readers of all pages are made from these. A
// reader returns null for an unknown shape, and the panel that needs it reports that; the other
// panels aren't affected. Later code doesn't check again.

/** A validated value. Wrapped, because "there is no reading yet" (null) is a valid answer too. */
export interface Valid<T> {
  readonly value: T;
}

export type Read<T> = (body: unknown) => Valid<T> | null;

// Control characters, and marks that change the reading direction: they could hide another text.
const UNPRINTABLE = /(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Member whose text keeps its lines: an alert's description may have a rule to be copied. */
const LINED = "description";
/** Members with texts that people wrote, which keep their blanks too. */
const WRITTEN: readonly string[] = ["text", "remark"];
const lineOf = (run: string) => (run.includes("\n") ? "\n" : " ");

/** The JSON of an answer, without unprintable characters; undefined if it isn't JSON. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text, (name, value) => {
      if (typeof value !== "string") return value;
      return spaced(name, value).replace(UNPRINTABLE, "\ufffd");
    });
  } catch {
    return undefined;
  }
}

function spaced(name: string, value: string): string {
  if (WRITTEN.includes(name)) return value.replace(/[^\S\n]/g, " ");
  return name === LINED ? value.replace(/\s+/g, lineOf) : value.replace(/\s+/g, " ");
}

/** The words of an error answer. */
export interface RefusalText {
  /** ballastd's message, in English; null if there is none. */
  readonly message: string | null;
  /** The reasons, which are read where they are shown. */
  readonly reasons?: unknown;
}

/** The words of an error answer (`{"error", "message", "reasons"}`). */
export function refusalText(body: unknown): RefusalText {
  if (!isLike<RefusalText>(body)) return { message: null };
  return { message: textOrNull(body.message), reasons: body.reasons };
}

/** An answer of the API whose members haven't been checked yet. */
export type UncheckedAnswer<Answer> = { readonly [Name in keyof Answer]?: unknown };

export function isLike<Answer>(given: unknown): given is UncheckedAnswer<Answer> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/**
 * Reads every element of a list; null if one is invalid, since an incomplete list would look
 * complete.
 */
export function listOf<T>(
  given: unknown,
  read: (one: unknown) => T | null,
): Valid<readonly T[]> | null {
  if (!Array.isArray(given)) return null;
  const value: T[] = [];
  for (const one of given) {
    const understood = read(one);
    if (understood === null) return null;
    value.push(understood);
  }
  return { value };
}

/** Latest instant: a day before the last one that can be printed, for clocks ahead of UTC. */
const INSTANT_MAX_MS = 8.64e15 - 86_400_000;

export function instant(given: unknown): number | null {
  const at_ms = typeof given === "string" ? Date.parse(given) : Number.NaN;
  return Math.abs(at_ms) <= INSTANT_MAX_MS ? at_ms : null;
}

export const isNumberOrNull = (given: unknown) => given === null || typeof given === "number";

export function numberOrNull(given: unknown): number | null {
  return typeof given === "number" ? given : null;
}

/** A text that isn't empty, else null: an unset configuration key arrives as "". */
export function textOrNull(given: unknown): string | null {
  return typeof given === "string" && given !== "" ? given : null;
}

export function flagOrNull(given: unknown): boolean | null {
  return typeof given === "boolean" ? given : null;
}

/** The rows of a page of readings, and `isWhole`: true if there are no more. */
export function pageOfReadings(
  body: unknown,
): { readonly rows: unknown; readonly isWhole: boolean } | null {
  if (!isLike<Record<"data" | "pagination", unknown>>(body)) return null;
  const { data, pagination } = body;
  if (!isLike<{ hasMore: boolean }>(pagination) || typeof pagination.hasMore !== "boolean")
    return null;
  return { rows: data, isWhole: !pagination.hasMore };
}
