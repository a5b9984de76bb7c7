// A time or an offset kept on disk, and written again only after it has moved by a minimum: a
// commit that writes it costs a page.

import { type Connection, prepare } from "../file/open.ts";
import { register } from "../file/transaction.ts";

export interface ClockMark {
  /** The value as of the last commit. */
  stored_ms(): number | null;
  /** True if `value_ms` differs enough from the stored value to be written. */
  isNews(value_ms: number | null): boolean;
  /** Writes the value in the caller's transaction. */
  put(value_ms: number | null): void;
}

export function openClockMark(
  db: Connection,
  { name, within_ms }: { readonly name: string; readonly within_ms: number },
): ClockMark {
  const markAt = prepare(db, "mark.at");
  let stored_ms = markAt.get({ name })?.value ?? null;
  let written_ms: number | null = null;
  register(db, {
    keep() {
      stored_ms = written_ms ?? stored_ms;
      written_ms = null;
    },
    forget() {
      written_ms = null;
    },
  });
  const isNews = (value_ms: number | null): value_ms is number =>
    value_ms !== null && (stored_ms === null || Math.abs(value_ms - stored_ms) >= within_ms);
  return {
    stored_ms: () => stored_ms,
    isNews,
    put(value_ms) {
      if (!isNews(value_ms)) return;
      prepare(db, "mark.put").run({ name, value: value_ms });
      written_ms = value_ms;
    },
  };
}
