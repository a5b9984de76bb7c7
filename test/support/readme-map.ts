// The README's example of a PLC that speaks otherwise: its map and its messages, as they stand
// there, so that what the README says is what the tests try.

import { readFileSync } from "node:fs";
import path from "node:path";

const readme = readFileSync(path.resolve(import.meta.dirname, "..", "..", "README.md"), "utf8");
const section = readme.split("## A PLC that speaks otherwise")[1].split("\n## ")[0];
export const [, README_MAP] = /```toml\n([\s\S]*?)```/.exec(section) ?? [];
const [, COMMANDS] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
/** Topic and payload of each mosquitto_pub. */
export const README_MESSAGES = [...COMMANDS.matchAll(/-t (\S+) -m ('[^']*'|\S+)/g)].map(
  ([, topic, payload]) => ({
    topic,
    payload: payload.replaceAll("'", ""),
  }),
);
