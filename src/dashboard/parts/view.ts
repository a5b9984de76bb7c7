// The view of a page as it is in the address: `#/trends?from=2026-05-01T00:00Z`. A page declares
// its parameters with their types; a missing one has its start value, and start values aren't
// written. The view is in the hash, so the page works below any path, without the server's help.

import { dayEnd, dayStart } from "./moments.ts";

/** One typed parameter; `read` returns null for an invalid text. */
export interface ViewParameter<T> {
  readonly start: T;
  read(text: string): T | null;
  write(value: T): string;
}

export type ViewParameters = Readonly<Record<string, ViewParameter<unknown>>>;

/** The values of a page's parameters. */
export type ViewOf<P extends ViewParameters> = {
  readonly [Name in keyof P]: P[Name] extends ViewParameter<infer T> ? T : never;
};

/** Form of an instant with its zone, as in the API. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Meaning of a plain date: end of the day for the end of a range, else its start. */
interface DateMeaning {
  readonly day: "start" | "end";
}

/**
 * Parameter of an instant in milliseconds, or none; written in UTC as in the API. A plain date is a
 * day by the shown clock, as in the fields for days.
 */
export function instantParameter(
  { day }: DateMeaning = { day: "start" },
): ViewParameter<number | null> {
  return {
    start: null,
    read: (text) => {
      const day_ms = day === "end" ? dayEnd(text) : dayStart(text);
      if (day_ms !== null) return day_ms;
      const at_ms = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(at_ms) ? null : at_ms;
    },
    write: (value) => (value === null ? "" : new Date(value).toISOString()),
  };
}

/** The page's name and its query, as in `#/name?query`. */
export interface PagePlace {
  readonly name: string;
  readonly query: string;
}

export function placeOf(hash: string): PagePlace {
  const [, name = "", query = ""] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  return { name, query };
}

/** The view in `query`, and the names of its members that the page can't use. */
export function readView<P extends ViewParameters>(
  parameters: P,
  query: string,
): { readonly view: ViewOf<P>; readonly odd: readonly string[] } {
  const given = new URLSearchParams(query);
  const odd = [...given.keys()].filter((name) => !Object.keys(parameters).includes(name));
  const entries: unknown[][] = Object.entries(parameters).map(([name, parameter]) => {
    const text = given.get(name);
    const value = text === null ? null : parameter.read(text);
    if (text !== null && value === null) odd.push(name);
    return [name, value ?? parameter.start];
  });
  return { view: Object.fromEntries(entries), odd };
}

/** The address of a page with a view; parameters missing in `view` have their start value. */
export function addressOf<P extends ViewParameters>(
  name: string,
  parameters: P,
  view: Partial<ViewOf<P>>,
): string {
  const values: Readonly<Record<string, unknown>> = view;
  const query = new URLSearchParams();
  for (const [key, parameter] of Object.entries(parameters)) {
    const value = values[key] ?? parameter.start;
    const text = parameter.write(value);
    if (text !== parameter.write(parameter.start)) query.set(key, text);
  }
  const written = query.toString();
  return `#/${name}${written === "" ? "" : `?${written}`}`;
}
