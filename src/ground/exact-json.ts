// JSON whose integers keep all their digits: one that a double would round becomes a bigint, and is
// written with the same digits. Other numbers are doubles.

/** As JSON.parse takes it. */
export type Reviver = (name: string, value: unknown) => unknown;

/** Shorter integers are never rounded: most texts need no test of each number. */
const LONG = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** A bigint as the nearest double, and anything else as it is: for a schema that takes numbers. */
export function asDouble(given: unknown): unknown {
  return typeof given === "bigint" ? Number(given) : given;
}

/** As JSON.parse. */
export function parseExact(text: string, reviver?: Reviver): ReturnType<typeof JSON.parse> {
  if (!LONG.test(text)) return JSON.parse(text, reviver);
  return JSON.parse(text, (name: string, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? "";
    if (typeof value === "number" && Number.isFinite(value) && INTEGER.test(source))
      return Number.isSafeInteger(value) || String(value) === source ? value : BigInt(source);
    return reviver === undefined ? value : reviver(name, value);
  });
}

/** As JSON.stringify; `undefined` isn't taken. */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what it throws for a bigint
    return JSON.stringify(value, (_name, inner) => withDigits(inner));
  }
}

/** For a replacer of JSON.stringify: a bigint as its digits, any other value unchanged. */
export function withDigits(value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
}

// Not yet among TypeScript's declarations.
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}
