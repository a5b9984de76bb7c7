// The MQTT password: the first line of a file, so that it stands in no configuration or process
// list.

import { readFileSync } from "node:fs";
import { refused, shownPath } from "../config/shown.ts";
import { codeOf, messageOf } from "../ground/errors.ts";

/** The password in `file`; "" when no file is named. */
export function readPassword(file: string): string {
  if (file === "") return "";
  const where = `mqtt.password_file: ${shownPath(file)}`;
  let password: string;
  try {
    password = readFileSync(file, "utf8").split("\n", 1)[0].replace(/\r$/, "");
  } catch (error) {
    throw refused(where, `can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
  if (password === "") throw refused(where, "has no first line, expected the password in it");
  return password;
}
