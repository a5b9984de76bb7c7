// Finds, reads and parses the configuration file, with any problem as one line. config.ts knows the
// keys. A file that isn't TOML is also read line by line, so that recovery mode can find its valid
// settings, such as the address on which a user looks for it.

import { readFileSync } from "node:fs";
import { parse as parseToml, TomlError } from "smol-toml";
import { codeOf, type Failure, messageOf } from "../ground/errors.ts";
import { refused } from "./shown.ts";

/** A file's text and tables; both empty without a file, and `file` is null. */
export interface ConfigFile {
  readonly file: string | null;
  readonly text: string;
  readonly values: Record<string, unknown>;
  /** The reason why it can't be read or parsed; `values` then has the statements that can be. */
  readonly problem: Failure | null;
}

/** The file `named`, which must exist, else `fallback` if it exists. */
export function readConfigFile(named: string | null, fallback: string | null): ConfigFile {
  const file = named ?? fallback;
  const nothing = { file, text: "", values: {}, problem: null };
  if (file === null) return nothing;
  try {
    const text = readFileSync(file, "utf8");
    return { file, text, ...parsed(text, file) };
  } catch (error) {
    if (named === null && codeOf(error) === "ENOENT") return { ...nothing, file: null };
    const reason = codeOf(error) ?? messageOf(error);
    return { ...nothing, problem: refused(file, `can't be read (${reason})`) };
  }
}

function parsed(text: string, file: string): Pick<ConfigFile, "values" | "problem"> {
  try {
    return { values: parseToml(text), problem: null };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const where = `${file} line ${error.line} column ${error.column}`;
    return { values: lineByLine(text), problem: refused(where, `isn't TOML: ${reasonOf(error)}`) };
  }
}

/** The parser's description without its quotation of the file, which could be a secret. */
function reasonOf(error: TomlError): string {
  const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
  return /^[a-z ,:-]+$/.test(reason) ? reason : "something can't be read there";
}

/** More lines than any list has, and few enough to try at each line. */
const STATEMENT_LINES_MAX = 50;

/** The keys of every section that can be read alone; of one set twice the first. */
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

/** The values in the shortest run of lines from `at` on that is valid TOML; null without one. */
function statementAt(lines: readonly string[], at: number) {
  for (let count = 1; count <= STATEMENT_LINES_MAX && at + count <= lines.length; count += 1)
    try {
      return { values: parseToml(lines.slice(at, at + count).join("\n")), lines: count };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
    }
  return null;
}
