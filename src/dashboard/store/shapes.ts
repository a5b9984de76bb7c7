// Makes readers of answers with many members from readers of single values: the shape is written
// once, and the type follows from it. Answers with few members need only checks.ts.

import { instant, isLike, listOf, type Read } from "./checks.ts";

/** Type of the value that a reader returns. */
export type ValueOf<R> = R extends Read<infer T> ? T : never;

export const aNumber: Read<number> = (given) =>
  typeof given === "number" ? { value: given } : null;

export const aText: Read<string> = (given) => (typeof given === "string" ? { value: given } : null);

export const aFlag: Read<boolean> = (given) =>
  typeof given === "boolean" ? { value: given } : null;

/** Reads a time, in milliseconds. */
export const aTime: Read<number> = (given) => {
  const value = instant(given);
  return value === null ? null : { value };
};

export function wordFrom<const T extends string>(words: readonly T[]): Read<T> {
  return (given) => {
    const value = words.find((word) => word === given);
    return value === undefined ? null : { value };
  };
}

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (given) => (given === null ? { value: null } : read(given));
}

/** Makes a reader that returns null for an invalid part, instead of making the whole invalid. */
export function orOdd<T>(read: Read<T>): Read<T | null> {
  return (given) => ({ value: read(given)?.value ?? null });
}

export function each<T>(read: Read<T>): Read<readonly T[]> {
  return (given) => {
    const found = listOf(given, read);
    return found === null ? null : { value: found.value.map(({ value }) => value) };
  };
}

type MemberValues<S> = { readonly [Name in keyof S]: ValueOf<S[Name]> };
type MemberName<Answer> = (keyof Answer & string) | `${keyof Answer & string}_ms`;

/**
 * Makes a reader of some members of an answer: one invalid member makes the whole invalid. A name
 * such as `start_ms` reads the member `start`.
 */
export function membersOf<Answer>() {
  return <const S extends Readonly<Record<string, Read<unknown>>>>(
    shape: S & { readonly [Name in Exclude<keyof S, MemberName<Answer>>]: never },
  ): Read<MemberValues<S>> =>
    (given) => {
      if (!isLike<Record<string, unknown>>(given)) return null;
      const entries: unknown[][] = [];
      for (const [name, read] of Object.entries<Read<unknown>>(shape)) {
        const known = read(given[name.replace(/_ms$/, "")]);
        if (known === null) return null;
        entries.push([name, known.value]);
      }
      return { value: Object.fromEntries(entries) };
    };
}
