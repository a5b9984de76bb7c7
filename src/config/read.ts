// Reads every key of a table of keys from a file's values and the environment, each on its own, and
// collects the problems. A start stops at the first; recovery mode uses the keys that can be read.

import { Failure } from "../ground/errors.ts";
import type { ConfigFile } from "./file.ts";
import { place, type Spot, spotName } from "./place.ts";
import { refused, refusedValue } from "./rules.ts";
import { Unfit } from "./shown.ts";

export interface Key<Value> {
  readonly fallback: string | number | boolean | readonly string[];
  /**
   * Reads a TOML value or an environment text; throws an Unfit that says what is expected, or, for
   * an item of a list of tables, a Failure that names the item by `whereIs`.
   */
  readonly read: (given: unknown, whereIs: WhereIs) => Value;
  readonly about: string;
  /** Its value is shown nowhere. */
  readonly isSecret?: true;
}

/** The place, in words, of an item of a list of tables, or of a key of it. */
type WhereIs = (part: Omit<Spot, "name">) => string;

export type Keys = Readonly<Record<string, Readonly<Record<string, Key<unknown>>>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with a key, or with the file. */
export interface KeyProblem {
  readonly failure: Failure;
  /** The section, and the key in it, that the problem may concern; null for any. */
  readonly section: string | null;
  readonly name: string | null;
  /** The value that was refused. */
  readonly given?: unknown;
}

export interface ReadKeys {
  /** By section and key; a key that can't be read has its fallback. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By `section.key`: `default`, its environment variable, or its place in the file. */
  readonly origins: ReadonlyMap<string, string>;
  readonly problems: readonly KeyProblem[];
}

/** The environment variable of a key: `http.listen` is `BALLASTD_HTTP_LISTEN`. */
export function variableOf(section: string, name: string): string {
  return `BALLASTD_${section}_${name}`.toUpperCase();
}

export function readKeys(keys: Keys, from: ConfigFile, env: Environment): ReadKeys {
  const problems: KeyProblem[] = [...unknownIn(keys, from), ...unknownVariables(keys, env)];
  if (from.problem !== null) problems.unshift({ failure: from.problem, section: null, name: null });
  const values: Record<string, Record<string, unknown>> = {};
  const origins = new Map<string, string>();
  for (const [section, specs] of Object.entries(keys)) {
    const read: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(specs)) {
      const variable = variableOf(section, name);
      const inFile = sectionOf(from.values, section)?.[name];
      const given = env[variable] ?? inFile;
      const whereIs: WhereIs = (part) =>
        env[variable] === undefined
          ? place({ name: `${section}.${name}`, ...part }, from.text, from.file ?? "")
          : spotName({ name: variable, ...part });
      origins.set(`${section}.${name}`, given === undefined ? "default" : whereIs({}));
      try {
        read[name] = readKey(spec, given ?? spec.fallback, whereIs);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        problems.push({ failure, section, name, given });
        read[name] = readKey(spec, spec.fallback, whereIs);
      }
    }
    values[section] = read;
  }
  return { values, origins, problems };
}

function readKey(spec: Key<unknown>, given: unknown, whereIs: WhereIs): unknown {
  try {
    return spec.read(given, whereIs);
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const where = whereIs({});
    if (spec.isSecret) throw refused(where, `is invalid (its value isn't shown): ${error.message}`);
    throw refusedValue(where, { given, shown: error.shown }, error.message);
  }
}

function* unknownIn(keys: Keys, { values, text, file }: ConfigFile): Generator<KeyProblem> {
  const at = (name: string) => place({ name }, text, file ?? "");
  for (const [section, value] of Object.entries(values)) {
    const known = Object.entries(keys).find(([name]) => name === section)?.[1];
    const given = sectionOf(values, section);
    if (known === undefined) {
      const failure = refused(at(section), `is unknown, expected ${list(keys)}`);
      yield { failure, section: null, name: null };
    } else if (given === null) {
      const failure = refused(at(section), `is ${typeof value}, expected a table`);
      yield { failure, section, name: null };
    } else
      for (const name of Object.keys(given))
        if (!Object.hasOwn(known, name)) {
          const problem = `is unknown, expected ${list(known)}`;
          yield { failure: refused(at(`${section}.${name}`), problem), section, name: null };
        }
  }
}

// These say how the program is started, not what is configured.
const OTHER_VARIABLES = ["BALLASTD_CONFIG"];

function* unknownVariables(keys: Keys, env: Environment): Generator<KeyProblem> {
  const known = new Set(OTHER_VARIABLES);
  for (const [section, specs] of Object.entries(keys))
    for (const name of Object.keys(specs)) known.add(variableOf(section, name));
  for (const name of Object.keys(env).filter((variable) => variable.startsWith("BALLASTD_")))
    if (!known.has(name)) {
      const problem = "is an unknown variable, expected BALLASTD_<SECTION>_<KEY>";
      yield { failure: refused(spotName({ name }), problem), section: null, name: null };
    }
}

function sectionOf(from: Record<string, unknown>, section: string): Record<string, unknown> | null {
  const value = from[section];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value));
}

const list = (keys: object): string => Object.keys(keys).join(", ");
