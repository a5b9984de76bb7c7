// Secrets in files: the bearer token for changes, configured or made on the first start, and the
// MQTT password. So neither is in a configuration or a process list. The log names the file, never
// the secret.

import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { refused, shownPath } from "../config/shown.ts";
import { token } from "../config/values.ts";
import { databaseFile } from "../ground/data-folder.ts";
import { openFile, readSmall, writeWhole } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openSetUp } from "../sqlite/file/set-up.ts";
import { randomSecret } from "./tokens.ts";

/** The token. If there is none, it is made and written to `auth.token_file` (mode 0600). */
export function readToken(config: Config, log: Log): string {
  if (config.auth.token !== "") return config.auth.token;
  const file = config.auth.token_file;
  try {
    if (existsSync(file)) return tokenIn(file);
    const made = randomSecret();
    writeWhole(file, `${made}\n`);
    if (!existsSync(databaseFile(config.storage.dir))) openSetUp(config.storage.dir);
    log.info("the maintainer's token was made", { file: shownPath(file) });
    return made;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      EXIT.cannot_create,
      `auth.token_file: ${shownPath(file)} can't be read or made (${codeOf(error) ?? "?"})`,
    );
  }
}

/** The first line of the token's file. Throws a Failure (exit 78) that doesn't show it. */
export function tokenIn(file: string): string {
  const [line = ""] = textOf(file).split("\n", 1);
  const read = token.safeParse(line.trim());
  const problem = read.error?.issues[0]?.message;
  if (problem !== undefined)
    throw refused(`auth.token_file: the first line of ${shownPath(file)}`, problem);
  if (!read.data)
    throw refused(`auth.token_file: ${shownPath(file)}`, "is empty, expected a token");
  return read.data;
}

function textOf(file: string): string {
  const handle = openFile(file);
  try {
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** The password in `file`; "" if no file is named. */
export function readPassword(file: string, section: "mqtt" | "sparkplug" = "mqtt"): string {
  if (file === "") return "";
  const where = `${section}.password_file: ${shownPath(file)}`;
  let bytes: Buffer;
  try {
    bytes = readSmall(file);
  } catch (error) {
    throw refused(where, `can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
  if (!isUtf8(bytes)) throw refused(where, "isn't UTF-8: save the file in that encoding");
  const password = bytes.toString().split("\n", 1)[0].replace(/\r$/, "");
  if (password === "") throw refused(where, "has no first line, expected the password in it");
  if (password.trim() === "")
    throw refused(where, "has only blanks in its first line, expected the password in it");
  return password;
}
