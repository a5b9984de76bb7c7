// Reads every key from the file and the environment, each on its own, and collects the problems in
// the order in which a user should hear of them. A file that isn't TOML is also read line by line,
// so that recovery mode can find its valid settings, such as the address on which a user looks for
// it.

import { isUtf8 } from "node:buffer";
import { realpathSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { parse as parseToml, TomlError } from "smol-toml";
import type * as z from "zod";
import { readSmall } from "../ground/durable.ts";
import { codeOf, type Failure, messageOf } from "../ground/errors.ts";
import { ownWords } from "../ground/own-words.ts";
import { statedReasons } from "../ground/reasons.ts";
import { CONFIG, CONFIG_KEYS, type Config, type ConfigKey } from "./config.ts";
import { positionsIn, type Spot, spotName } from "./position.ts";
import { givenIn, issueWords, refused } from "./shown.ts";
import { isTable } from "./values.ts";
import { VERSION } from "./version.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with a key, or with the file. */
interface KeyProblem {
  readonly failure: Failure;
  /** The section, and the key in it, that the problem may concern; null: any may be concerned. */
  readonly section: string | null;
  readonly name: string | null;
  /** The refused value. */
  readonly given?: unknown;
}

/** Makes the text of a place: of a key, or of an item in its list of tables. */
type WhereIs = (key: ConfigKey, part?: Omit<Spot, "name">) => string;

/** A file to read, and the text to use in place of its contents; null: read the file. */
interface NamedFile {
  readonly file: string | null;
  readonly text: string | null;
}

/** Reads `file`, else `fallback` if it exists; a key that can't be read has its default. */
export function readKeys({ file, text }: NamedFile, fallback: string | null, env: Environment) {
  const from =
    file === null || text === null
      ? readConfigFile(file, fallback)
      : { file, text, ...parsed(text, file) };
  const at = positionsIn(from.text, from.file ?? "");
  const whereIs: WhereIs = ({ key, variable }, part = {}) =>
    env[variable] === undefined
      ? at({ name: key, ...part })
      : spotName({ name: variable, ...part });
  const { version, ...sections } = from.values;
  const isSet = version !== undefined;
  const origins = new Map([["version", isSet ? at({ name: "version" }) : "default"]]);
  const problems: KeyProblem[] = [];
  const readable: Record<string, Record<string, unknown>> = {};
  for (const one of CONFIG_KEYS) {
    const { key, section, name, type, variable } = one;
    const table = sections[section];
    const given = env[variable] ?? (isTable(table) ? table[name] : undefined);
    origins.set(key, given === undefined ? "default" : whereIs(one));
    const issue = issueOf(type, given);
    readable[section] = { ...readable[section], [name]: issue === null ? given : undefined };
    if (issue !== null)
      problems.push({ failure: refusal(one, issue, { given, whereIs }), section, name, given });
  }
  return {
    file: from.file,
    isBlank: from.problem === null && from.text.trim() === "" && isRegularFile(from.file),
    values: withPlaces(CONFIG.parse(readable), whereIs),
    origins,
    problems: [
      // The version comes first: in a newer file, unknown keys are expected.
      ...versionProblems(version, at),
      ...(from.problem === null ? [] : [{ failure: from.problem, section: null, name: null }]),
      ...unknownIn(sections, at),
      ...unknownVariables(env),
      ...problems,
    ],
  };
}

/** Adds its place to each rule of the map, for later messages. */
function withPlaces(values: z.output<typeof CONFIG>, whereIs: WhereIs): Config {
  const rules = CONFIG_KEYS.find(({ key }) => key === "map.rule");
  const rule = values.map.rule.map((one, item) => ({
    ...one,
    where: rules === undefined ? "" : whereIs(rules, { item, key: "field" }),
  }));
  return { ...values, map: { ...values.map, rule } };
}

/** The issue to report: an unknown key first, since other issues may follow from it. */
function issueOf(type: z.ZodType, given: unknown): z.core.$ZodIssue | null {
  const issues = type.safeParse(given, { reportInput: true, error: ownWords }).error?.issues ?? [];
  return issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0] ?? null;
}

/** The refusal of a value for a key, without a place; null if the value can be used. */
export function valueRefusal(key: ConfigKey, given: unknown): Failure | null {
  const issue = issueOf(key.type, given);
  return issue && refusal(key, issue, { given, whereIs: ({ key: name }) => name });
}

function refusal(
  key: ConfigKey,
  issue: z.core.$ZodIssue,
  { given, whereIs }: { readonly given: unknown; readonly whereIs: WhereIs },
): Failure {
  if (key.secret === "value")
    return refused(whereIs(key), `is invalid (its value isn't shown): ${issue.message}`);
  // Only items of map.rule have a place of their own.
  const [item, member] = key.key === "map.rule" ? issue.path : [];
  if (typeof item !== "number")
    return refused(
      whereIs(key),
      issueWords(issue, given),
      ...statedReasons(issue, { setting: key.key, given: givenIn(issue) }),
    );
  const name = issue.code === "unrecognized_keys" ? issue.keys[0] : member;
  const hasPlace = typeof name === "string" && issue.input !== undefined;
  const where = whereIs(key, hasPlace ? { item, key: name } : { item });
  return refused(where, issueWords(issue, issue.input));
}

function versionProblems(given: unknown, at: (spot: Spot) => string): readonly KeyProblem[] {
  const issue = issueOf(VERSION, given);
  if (issue === null) return [];
  const failure = refused(at({ name: "version" }), issueWords(issue, given));
  return [{ failure, section: null, name: null }];
}

/** Unknown keys and sections of the file. */
function unknownIn(
  values: ConfigFile["values"],
  at: (spot: Spot) => string,
): readonly KeyProblem[] {
  const sections = CONFIG_KEYS.map(({ section }) => [section, {}]);
  const { error } = CONFIG.safeParse(
    { ...Object.fromEntries(sections), ...values },
    { reportInput: true },
  );
  return (error?.issues ?? []).flatMap((issue) => {
    const [section = null] = issue.path.map(String);
    const isTableMissing = issue.path.length === 1 && issue.code === "invalid_type";
    const names = issue.code === "unrecognized_keys" && issue.path.length < 2 ? issue.keys : [];
    return [...(isTableMissing ? [null] : []), ...names].map((name) => ({
      failure: refused(
        at({ name: [section, name].filter((part) => part !== null).join(".") }),
        issueWords(issue, issue.input),
      ),
      section,
      name: null,
    }));
  });
}

// Variables that affect how the program is started, and aren't keys.
const OTHER_VARIABLES = ["BALLASTD_CONFIG"];

function unknownVariables(env: Environment): readonly KeyProblem[] {
  const known = new Set([...OTHER_VARIABLES, ...CONFIG_KEYS.map(({ variable }) => variable)]);
  return Object.keys(env)
    .filter((name) => name.startsWith("BALLASTD_") && !known.has(name))
    .map((name) => ({
      failure: refused(
        spotName({ name }),
        "is an unknown variable, expected BALLASTD_<SECTION>_<KEY>",
      ),
      section: null,
      name: null,
    }));
}

/** A file's text and tables; both empty without a file, and `file` is null. */
interface ConfigFile {
  readonly file: string | null;
  readonly text: string;
  readonly values: Record<string, unknown>;
  /** The reason why the file can't be read or parsed; `values` then has the statements that can. */
  readonly problem: Failure | null;
}

/** The file `named`, which must exist, else `fallback` if it exists. */
function readConfigFile(named: string | null, fallback: string | null): ConfigFile {
  const file = named ?? fallback;
  const nothing = { file, text: "", values: {}, problem: null };
  if (file === null) return nothing;
  try {
    const bytes = isNull(file) ? Buffer.alloc(0) : readSmall(file);
    const text = bytes.toString("utf8");
    const { values, problem } = parsed(text, file);
    return { file, text, values, problem: foreignBytes(bytes, file) ?? problem };
  } catch (error) {
    if (named === null && codeOf(error) === "ENOENT") return { ...nothing, file: null };
    const reason = codeOf(error) ?? messageOf(error);
    return { ...nothing, problem: refused(file, `can't be read (${reason})`) };
  }
}

/** True for /dev/null or a link to it, which mean: no file on purpose. */
function isNull(file: string): boolean {
  return realpathSync(file) === devNull;
}

/** The tables of a text. Throws a Failure if it isn't TOML. */
export function tablesIn(text: string, file: string): Readonly<Record<string, unknown>> {
  const { values, problem } = parsed(text, file);
  if (problem !== null) throw problem;
  return values;
}

/** False for /dev/null, which is empty on purpose. */
function isRegularFile(file: string | null): boolean {
  return file !== null && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The refusal of a file that isn't UTF-8, with its first such line; null for UTF-8. Another
 * encoding would silently alter names.
 */
export function foreignBytes(bytes: Buffer, file: string): Failure | null {
  if (isUtf8(bytes)) return null;
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    [line, start] = [line + 1, end + 1];
  }
  return refused(`${file} line ${line}`, "isn't UTF-8: save the file in that encoding");
}

const NEWLINE = 0x0a;

function parsed(text: string, file: string): Pick<ConfigFile, "values" | "problem"> {
  try {
    return { values: parseToml(text), problem: null };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const where = `${file} line ${error.line} column ${error.column}`;
    return { values: lineByLine(text), problem: refused(where, `isn't TOML: ${reasonOf(error)}`) };
  }
}

/** The parser's description without its quotation from the file, which could be a secret. */
function reasonOf(error: TomlError): string {
  const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
  return /^[a-z ,:-]+$/.test(reason) ? reason : "something can't be read there";
}

/** Maximum lines of one statement: more than any list has, and few enough to try at each line. */
const STATEMENT_LINES_MAX = 50;

/** The keys of every section that can be read alone; if one is set twice, the first counts. */
function lineByLine(text: string): Record<string, unknown> {
  const values: Record<string, Record<string, unknown>> = {};
  const lines = text.split("\n");
  let section: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const header = /^\s*\[\s*([a-z]+)\b/.exec(lines[at]);
    if (header !== null) section = /^\s*\[\[|^\s*\[[^\]]*\./.test(lines[at]) ? null : header[1];
    if (header !== null || section === null || !/^\s*[a-z_]+\s*=/.test(lines[at])) continue;
    const statement = statementAt(lines, at);
    if (statement === null) continue;
    values[section] = { ...statement.values, ...values[section] };
    at += statement.lines - 1;
  }
  return values;
}

/** The values in the shortest run of lines from `at` that is valid TOML; null if there is none. */
function statementAt(lines: readonly string[], at: number) {
  for (let count = 1; count <= STATEMENT_LINES_MAX && at + count <= lines.length; count += 1)
    try {
      return { values: parseToml(lines.slice(at, at + count).join("\n")), lines: count };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
    }
  return null;
}
