// The bearer token of what changes something: configured, or made on the first start. The log names
// the file, never the token.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { writeWhole } from "../durable.ts";
import { EXIT, Failure, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";

/** The token; made and written to `auth.token_file` (mode 0600) when there is none yet. */
export function readToken(config: Config, log: Log): string {
  if (config.auth.token !== "") return config.auth.token;
  const file = config.auth.token_file;
  try {
    if (existsSync(file)) return firstLine(file);
    const token = randomBytes(32).toString("base64url");
    writeWhole(file, `${token}\n`);
    log.info("a token was made for what changes something", { file });
    return token;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.cannot_create, `auth.token_file ${file}: ${messageOf(error)}`);
  }
}

function firstLine(file: string): string {
  const token = readFileSync(file, "utf8").split("\n", 1)[0].trim();
  if (token !== "") return token;
  throw new Failure(EXIT.config, `auth.token_file ${file}: is empty, expected a token`);
}
