// The expected answers for readings, recomputed from the sent messages: statements about an instant
// are merged field by field, and derived fields follow from the whole. It knows the catalogue and
// the contract, and nothing of ballastd's code.

import { LAMP_NUMBERS, TAGS } from "../../src/bwts/tags.ts";

export type Value = number | string | boolean;

/** One message's statement about one instant, by field; unknown tags too. */
export interface Statement {
  readonly at_ms: number;
  readonly fields: ReadonlyMap<string, Value>;
}

/** A reading as it must be answered. */
export interface ExpectedReading {
  readonly at_ms: number;
  /** The 101 catalogue members in order, null where nothing was said. */
  readonly members: ReadonlyMap<string, Value | null>;
  readonly unknown: ReadonlyMap<string, Value>;
  /** Members that were computed: they are compared within a rounding. */
  readonly derived: ReadonlySet<string>;
}

export interface Logbook {
  note(statement: Statement): void;
  has(at_ms: number): boolean;
  /** Every reading, ascending. */
  readings(): readonly ExpectedReading[];
}

export const printed = (at_ms: number): string => new Date(at_ms).toISOString();

export function openLogbook(system_id: string): Logbook {
  const said = new Map<number, Map<string, Value>>();
  let made: readonly ExpectedReading[] | null = null;
  return {
    has: (at_ms) => said.has(at_ms),
    note({ at_ms, fields }) {
      made = null;
      const known = said.get(at_ms) ?? new Map<string, Value>();
      for (const [name, value] of fields) {
        const before = known.get(name);
        if (before !== undefined && !Object.is(before, value))
          throw new Error(`${printed(at_ms)} ${name}: the test contradicts itself`);
        known.set(name, value);
      }
      said.set(at_ms, known);
    },
    readings() {
      made ??= [...said]
        .sort(([a], [b]) => a - b)
        .map(([at_ms, fields]) => expectedReading(at_ms, fields, system_id));
      return made;
    },
  };
}

const names = TAGS.map(({ name }) => name);
const catalogue = new Set(names);
const spans = new Map(TAGS.map(({ name, span }) => [name, span]));

function expectedReading(
  at_ms: number,
  fields: ReadonlyMap<string, Value>,
  system_id: string,
): ExpectedReading {
  const members = new Map<string, Value | null>(
    names.map((name) => [name, fields.get(name) ?? null]),
  );
  members.set("timestamp", printed(at_ms)).set("system_id", system_id);
  const derived = new Set(
    ["month", "AVG_LAMP_EFFICIENCY", "FAILED_LAMP_COUNT"].filter((name) => !fields.has(name)),
  );
  if (derived.has("month")) members.set("month", new Date(at_ms).getUTCMonth() + 1);
  const ofLamps = (field: string) =>
    LAMP_NUMBERS.map((number) => fields.get(`LAMP_${number}_${field}`)).filter(
      (value) => value !== undefined,
    );
  if (derived.has("AVG_LAMP_EFFICIENCY"))
    members.set("AVG_LAMP_EFFICIENCY", mean(ofLamps("EFFICIENCY").map(Number)));
  const statuses = ofLamps("STATUS");
  if (derived.has("FAILED_LAMP_COUNT")) {
    const isTold = statuses.length > 0 && statuses.every((word) => LAMP_WORDS.test(String(word)));
    const failed = statuses.filter((status) => status === "FAILED").length;
    members.set("FAILED_LAMP_COUNT", isTold ? failed : null);
  }
  const unknown = new Map([...fields].filter(([name]) => !catalogue.has(name)));
  return { at_ms, members, unknown, derived };
}

/** True for a value that a plant can have, as the table of fields says. */
export function isWithinSpan(name: string, value: number): boolean {
  const span = spans.get(name) ?? null;
  return span === null || (value >= span[0] && value <= span[1]);
}

/** Words of which it is known if the lamp has failed. */
const LAMP_WORDS =
  /^(ACTIVE|OK|ON|RUNNING|OPERATIONAL|NORMAL|WARNING|DEGRADED|STANDBY|OFF|IDLE|STOPPED|DISABLED|FAILED)$/;

/** The mean; null of none, and when the sum is beyond a double. */
export function mean(numbers: readonly number[]): number | null {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return numbers.length === 0 || !Number.isFinite(sum) ? null : sum / numbers.length;
}

/** The problems with `answered`, which should be `expected`; at most one line a member. */
export function readingProblems(
  expected: ExpectedReading,
  answered: Readonly<Record<string, unknown>>,
): readonly string[] {
  const place = (name: string) => `${printed(expected.at_ms)} ${name}`;
  // A JavaScript object has names that are digits first, wherever they stood in the text.
  const [keys, digits] = [/\D/, /^\d+$/].map((kind) =>
    Object.keys(answered).filter((name) => kind.test(name)),
  );
  const problems: string[] = [];
  if (keys.slice(0, names.length).join() !== names.join())
    problems.push(place("the catalogue's members are not the first, or not in order"));
  for (const name of [...keys.slice(names.length), ...digits])
    if (!expected.unknown.has(name)) problems.push(place(`${name} was never sent`));
  for (const [name, value] of [...expected.members, ...expected.unknown]) {
    const isRight = expected.derived.has(name)
      ? isNear(value, answered[name], { absolute: 1e-6, relative: 1e-9 })
      : Object.is(value, answered[name]);
    if (!isRight) problems.push(place(`${name}: got ${answered[name]}, expected ${value}`));
  }
  return problems;
}

/** As `readingProblems` for lists of readings; the first few problems tell enough. */
export function listProblems(
  expected: readonly ExpectedReading[],
  answered: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  if (expected.length !== answered.length)
    return [`got ${answered.length} readings, expected ${expected.length}`];
  return expected
    .flatMap((reading, index) => readingProblems(reading, answered[index]))
    .slice(0, 5);
}

export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

/** True if two values are equal, or two numbers within one of the tolerances. */
export function isNear(expected: unknown, answered: unknown, tolerance: Tolerance): boolean {
  if (typeof expected !== "number" || typeof answered !== "number")
    return Object.is(expected, answered);
  const difference = Math.abs(expected - answered);
  return difference <= tolerance.absolute || difference <= tolerance.relative * Math.abs(expected);
}
