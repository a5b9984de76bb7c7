// The configuration file as it lies on the disk: found, read and parsed, with what can't be said of
// it as one line. What its keys mean is known in config.ts.

import { readFileSync } from "node:fs";
import { parse as parseToml, TomlError } from "smol-toml";
import { codeOf, EXIT, Failure, messageOf } from "./errors.ts";

/** A file's text and tables; without a file nothing, and `file` is null. */
export interface ConfigFile {
  readonly file: string | null;
  readonly text: string;
  readonly values: Record<string, unknown>;
}

/**
 * The file that is `named`, which must be there, else `fallback` if it is. Throws a Failure (exit
 * 78) with the line where it isn't TOML.
 */
export function readConfigFile(named: string | null, fallback: string | null): ConfigFile {
  const file = named ?? fallback;
  if (file === null) return { file, text: "", values: {} };
  const text = named === null ? readIfPresent(file) : readNamed(file);
  if (text === null) return { file: null, text: "", values: {} };
  return { file, text, values: parseFile(text, file) };
}

function readNamed(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = codeOf(error) ?? messageOf(error);
    throw new Failure(EXIT.config, `configuration: ${file} can't be read (${reason})`);
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    const reason = codeOf(error) ?? messageOf(error);
    throw new Failure(EXIT.config, `configuration: ${file} can't be read (${reason})`);
  }
}

function parseFile(text: string, file: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    const line = error instanceof TomlError ? ` line ${error.line}` : "";
    const problem = messageOf(error).split(/ (?=\d+:)/)[0];
    throw new Failure(EXIT.config, `configuration: ${file}${line}: ${problem}`);
  }
}
