// `ballastd quarantine`: lists rejected messages with their reasons, beside a running instance, or
// replays them. Their content is foreign: it is escaped for the terminal.

import { parseArgs } from "node:util";
import { withShipTime } from "../../bwts/ship-time.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { listQuarantine, type QuarantineEntry } from "../../sqlite/records/quarantine.ts";
import { printListDocument } from "../document.ts";
import { escaped } from "../escaped.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { wrongAction } from "../options.ts";
import { printShift, replay } from "./quarantine-replay.ts";

export const summary = "list rejected messages, or replay them";

export const help = `usage: ballastd quarantine list [--limit N] [--json] [--config FILE]
       ballastd quarantine replay [--id N ...] [--reason R] [--from TIME] [--to TIME]
                                  [--shift SHIFT] [--dry-run] [--json] [--config FILE]

list shows rejected messages, newest first: number, time of the last receipt, count, reason, topic,
problem, the payload with control characters escaped, and the result of a replay. replay ingests
them again by today's configuration, with a running instance or without. Data that is already stored
doesn't change, so a replay can be repeated. Messages that are still rejected are left, with their
new reason, and the exit code is 1.

  --limit N       most entries, 1 to 10000 (50)
  --id N          this entry; may be given several times
  --reason R      entries of this reason, such as future, bad_time or other_system
  --from TIME     entries that were first received at this time or later
  --to TIME       or earlier, included; a date alone means its end
  --shift SHIFT   added to the times that the messages give: +1h30m, -8h, 90s, or seconds; needs one
                  of the four above. Data stored at its sent time isn't shifted
  --dry-run       only show the result; nothing changes
  --json          a JSON list of objects, of list with the whole payload
  --config FILE   the configuration of the instance`;

/** Longest payload shown, in characters. */
const SHOWN_MAX = 200;

const OPTIONS = {
  limit: { type: "string" },
  id: { type: "string", multiple: true },
  reason: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  shift: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  config: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: withNegativeShift(args),
    allowPositionals: true,
    options: OPTIONS,
  });
  const { limit, json, config, "dry-run": isTrial, ...asked } = values;
  const given = { ...asked, json, isTrial, config };
  switch (positionals.join(" ")) {
    case "list":
      refuseOptions("list", { ...asked, "dry-run": isTrial || undefined });
      return list({ limit: limit ?? "50", json, config });
    case "replay":
      refuseOptions("replay", { limit });
      return replay(given);
    default:
      throw wrongAction(
        "quarantine",
        positionals.join(" "),
        "quarantine list or quarantine replay",
      );
  }
}

/** parseArgs takes the -8h of `--shift -8h` for an option. */
function withNegativeShift(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (index > 0 && args[index - 1] === "--shift" && /^-\d/.test(arg)) return [];
    const next = args[index + 1] ?? "";
    return arg === "--shift" && /^-\d/.test(next) ? [`--shift=${next}`] : [arg];
  });
}

function refuseOptions(action: string, given: Readonly<Record<string, unknown>>): void {
  const name = Object.keys(given).find((option) => given[option] !== undefined);
  if (name !== undefined)
    throw new Failure(EXIT.usage, `quarantine ${action} --${name}: isn't an option of it`);
}

function list(given: { limit: string; json: boolean; config: string | undefined }): void {
  const limit = /^\d{1,5}$/.test(given.limit) ? Number(given.limit) : 0;
  if (limit < 1 || limit > 10_000)
    throw new Failure(EXIT.usage, `--limit ${given.limit}: expected 1 to 10000`);
  const config = configOf(given);
  const entries = readDatabase(config, (db) => listQuarantine(db, limit));
  const at = (at_ms: number) => withShipTime(printTime(at_ms), config.system.utc_offset);
  if (given.json) printListDocument(entries.map(documentOf));
  else
    writeList(
      entries.map((entry) => textLine(entry, at)),
      "the quarantine is empty",
    );
}

/** Prints an instant, with ship's time if there is one. */
type PrintTime = (at_ms: number) => string;

function textLine(entry: QuarantineEntry, at: PrintTime): string {
  const last = at(entry.last_received_ms);
  const trust = entry.clock_trusted === 1 ? "" : " (clock not trusted)";
  const payload = payloadText(entry);
  const shown = payload === null ? "payload not kept" : escaped(payload.slice(0, SHOWN_MAX));
  const cut = payload !== null && payload.length > SHOWN_MAX ? "..." : "";
  const topic = entry.topic === "" ? "any topic" : escaped(entry.topic);
  return [
    `#${entry.id} ${last}${trust} x${entry.count} ${entry.reason} on ${topic}`,
    `    ${escaped(entry.detail)}`,
    `    ${entry.payload_bytes} bytes: ${shown}${cut}`,
    ...replayLines(entry, at),
  ].join("\n");
}

function replayLines(entry: QuarantineEntry, print: PrintTime): readonly string[] {
  if (entry.replayed_ms === null) return [];
  const at = print(entry.replayed_ms);
  const shift = printShift(entry.shift_ms ?? 0);
  const what = entry.left_reason === null ? "all of it" : `${entry.stored} stored of it`;
  const left =
    entry.left_reason === null
      ? ""
      : `; left: ${entry.left_reason}, ${escaped(entry.left_detail ?? "")}`;
  return [`    replayed ${at} (${shift}): ${what}${left}`];
}

function documentOf(entry: QuarantineEntry) {
  return {
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
    replay:
      entry.replayed_ms === null
        ? null
        : {
            at: printTime(entry.replayed_ms),
            shift_seconds: (entry.shift_ms ?? 0) / 1000,
            stored: entry.stored,
            left: entry.left_reason,
            detail: entry.left_detail,
          },
    payload_base64: entry.payload === null ? null : Buffer.from(entry.payload).toString("base64"),
  };
}

function payloadText(entry: QuarantineEntry): string | null {
  return entry.payload === null ? null : Buffer.from(entry.payload).toString("utf8");
}
