// The MQTT password: the first line of a file, so that it stands in no configuration or process
// list.

import { readFileSync } from "node:fs";
import { EXIT, Failure, messageOf } from "../errors.ts";

/** The password in `file`; "" when no file is named. */
export function readPassword(file: string): string {
  if (file === "") return "";
  try {
    const password = readFileSync(file, "utf8").split("\n", 1)[0].replace(/\r$/, "");
    if (password !== "") return password;
  } catch (error) {
    throw new Failure(EXIT.config, `configuration: mqtt.password_file ${messageOf(error)}`);
  }
  throw new Failure(EXIT.config, `configuration: mqtt.password_file ${file} has no first line`);
}
