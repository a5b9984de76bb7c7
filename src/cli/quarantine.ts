// `ballastd quarantine list`: what couldn't be taken, and why. It reads the database beside a
// running instance. What stands in quarantine came from outside: nothing of it reaches the terminal
// unescaped.

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { printTime } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { EXIT, Failure } from "../errors.ts";
import { databaseFile, openReader } from "../sqlite/open.ts";
import { listQuarantine, type QuarantineEntry } from "../sqlite/quarantine.ts";
import { escaped, escapedJson } from "./escaped.ts";

export const summary = "list the messages that couldn't be taken, with the reason of each";

export const help = `usage: ballastd quarantine list [--limit N] [--json] [--config FILE]

Lists the messages that were set aside, newest first: number, time of the last receipt, how often,
reason, topic, what was wrong, and the payload with control characters escaped.

  --limit N       how many entries, 1 to 10000 (default 50)
  --json          one JSON object a line, with the whole payload
  --config FILE   the configuration of the instance whose quarantine is listed`;

/** Of a payload, as much as tells what it is. */
const SHOWN_MAX = 200;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      limit: { type: "string", default: "50" },
      json: { type: "boolean", default: false },
      config: { type: "string" },
    },
  });
  if (positionals.length !== 1 || positionals[0] !== "list")
    throw new Failure(EXIT.usage, `quarantine ${positionals.join(" ")}: expected quarantine list`);
  const limit = /^\d{1,5}$/.test(values.limit) ? Number(values.limit) : 0;
  if (limit < 1 || limit > 10_000)
    throw new Failure(EXIT.usage, `--limit ${values.limit}: expected 1 to 10000`);
  const { config } = loadConfig({ file: values.config ?? null, env: process.env });
  const file = databaseFile(config.storage.dir);
  if (!existsSync(file))
    throw new Failure(EXIT.failed, `${file}: there is no database yet; see storage.dir`);
  const db = openReader(file);
  const entries = listQuarantine(db, limit);
  db.close();
  const lines = entries.map(values.json ? jsonLine : textLine);
  if (lines.length === 0 && !values.json) lines.push("the quarantine is empty");
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

function textLine(entry: QuarantineEntry): string {
  const last = printTime(entry.last_received_ms);
  const trust = entry.clock_trusted === 1 ? "" : " (clock not trusted)";
  const payload = payloadText(entry);
  const shown = payload === null ? "payload not kept" : escaped(payload.slice(0, SHOWN_MAX));
  const cut = payload !== null && payload.length > SHOWN_MAX ? "..." : "";
  return [
    `#${entry.id} ${last}${trust} x${entry.count} ${entry.reason} on ${escaped(entry.topic)}`,
    `    ${escaped(entry.detail)}`,
    `    ${entry.payload_bytes} bytes: ${shown}${cut}`,
  ].join("\n");
}

function jsonLine(entry: QuarantineEntry): string {
  return escapedJson(
    JSON.stringify({
      id: entry.id,
      topic: entry.topic,
      reason: entry.reason,
      detail: entry.detail,
      count: entry.count,
      first_received: printTime(entry.first_received_ms),
      last_received: printTime(entry.last_received_ms),
      clock_trusted: entry.clock_trusted === 1,
      payload_bytes: entry.payload_bytes,
      payload: payloadText(entry),
      payload_base64: entry.payload === null ? null : Buffer.from(entry.payload).toString("base64"),
    }),
  );
}

function payloadText(entry: QuarantineEntry): string | null {
  return entry.payload === null ? null : Buffer.from(entry.payload).toString("utf8");
}
