// JSON whose integers keep all digits: an integer that a double would round becomes a bigint, and
// is written with the same digits. Other numbers are doubles.

/** A reviver as for JSON.parse. */
export type Reviver = (name: string, value: unknown) => unknown;

/** 16 digits in a row: shorter integers are never rounded, so most texts need no test of each. */
const LONG = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** A bigint as the nearest double, any other value unchanged: for a schema that takes numbers. */
export function asDouble(given: unknown): unknown {
  return typeof given === "bigint" ? Number(given) : given;
}

/** As JSON.parse, with bigints for integers that a double would round. */
export function parseExact(text: string, reviver?: Reviver): ReturnType<typeof JSON.parse> {
  if (!LONG.test(text)) return JSON.parse(text, reviver);
  return JSON.parse(text, (name: string, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? "";
    if (typeof value === "number" && Number.isFinite(value) && INTEGER.test(source))
      return Number.isSafeInteger(value) || String(value) === source ? value : BigInt(source);
    return reviver === undefined ? value : reviver(name, value);
  });
}

/** As JSON.stringify, with a bigint as its digits; `undefined` isn't accepted. */
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

// JSON.rawJSON isn't yet among TypeScript's declarations.
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}
