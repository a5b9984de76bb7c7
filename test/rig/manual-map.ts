// The example of docs/connecting-a-plc.md, a PLC that speaks otherwise: its map and its messages as
// they stand there, so that the tests try what the page says.

import { readFileSync } from "node:fs";
import path from "node:path";

const file = path.resolve(import.meta.dirname, "..", "..", "docs", "connecting-a-plc.md");
const section = readFileSync(file, "utf8")
  .split("## A PLC that speaks otherwise")[1]
  .split("\n## ")[0];
export const [, MANUAL_MAP] = /```toml\n([\s\S]*?)```/.exec(section) ?? [];
const [, COMMANDS] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
/** Topic and payload of each mosquitto_pub. */
export const MANUAL_MESSAGES = [...COMMANDS.matchAll(/-t (\S+) -m ('[^']*'|\S+)/g)].map(
  ([, topic, payload]) => ({
    topic,
    payload: payload.replaceAll("'", ""),
  }),
);
