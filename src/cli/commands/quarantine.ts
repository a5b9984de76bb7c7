// `ballastd quarantine`: lists rejected messages with their reasons, beside a running instance, or
// replays them. Their content is foreign: it is escaped for the terminal.

import { openInstance } from "../../app/instance.ts";
import { REASONS } from "../../bwts/message.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { HOUR_MS, MINUTE_MS, printTime, SECOND_MS } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { openLog } from "../../ground/log.ts";
import { listQuarantine, type QuarantineEntry } from "../../sqlite/records/quarantine.ts";
import { type CommandAnswer, IDS_MAX } from "../../sqlite/threads/writer-commands.ts";
import { escaped, listDocument, printListDocument } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { readLine, readRange, wrongAction } from "../options.ts";

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

/** Maximum length of a shown payload, in characters. */
const SHOWN_MAX = 200;

const OPTIONS = {
  limit: { type: "string" },
  id: { type: "string", multiple: true },
  reason: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  shift: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(withNegativeShift(args), OPTIONS);
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

/** The arguments with `--shift -8h` as one word: parseArgs would take -8h for an option. */
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

interface ReplayOptions {
  readonly id?: readonly string[];
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
  readonly shift?: string;
  readonly isTrial: boolean;
  readonly json: boolean;
  readonly config: string | undefined;
}

type ReplayedEntry = CommandAnswer["replay"][number];

/** Maximum shift: 100 years, more than the error of a clock that shows 1970. */
const SHIFT_MAX_MS = 100 * 366 * 24 * HOUR_MS;

/** Replays the selected entries; the process fails if something is left. */
export async function replay(given: ReplayOptions): Promise<void> {
  const asked = readAsked(given);
  const config = configOf(given);
  const { isTrial } = given;
  const count = { entries: 0, stored: 0, left: 0 };
  const missing = new Set(asked.ids);
  const replayAll = async (tell: (entry: ReplayedEntry) => void) => {
    for await (const entry of replayed(config, { ...asked, isTrial })) {
      count.entries += 1;
      count.stored += entry.stored;
      count.left += entry.left === null ? 0 : 1;
      missing.delete(entry.id);
      tell(entry);
    }
  };
  if (given.json) await listDocument(replayAll);
  else await replayAll((entry) => process.stdout.write(`${replayedText(entry, isTrial)}\n`));
  const would = isTrial ? "would be " : "";
  process.stderr.write(
    `${count.entries} entries, ${count.stored} readings and records ${would}stored, ` +
      `${count.left} entries left\n`,
  );
  if (missing.size > 0)
    throw new Failure(EXIT.failed, `--id ${[...missing].join(", ")}: there is no such entry`);
  if (count.left > 0) process.exitCode = EXIT.failed;
}

type ReplayRequest = ReturnType<typeof readAsked> & { readonly isTrial: boolean };

/** The results of replaying, entry by entry; they are asked for page by page. */
async function* replayed(config: Config, asked: ReplayRequest): AsyncGenerator<ReplayedEntry> {
  const instance = await openInstance(config, openLog(config.log.level));
  try {
    for (let after_id = 0; ; ) {
      const entries = await instance.ask("replay", { ...asked, after_id });
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined) return;
      after_id = last.id;
    }
  } finally {
    await instance.close();
  }
}

function readAsked(given: ReplayOptions) {
  const { id = null, reason = null, from, to, shift = "0" } = given;
  const shift_ms = readShift(shift);
  const isLimited = id !== null || reason !== null || from !== undefined || to !== undefined;
  if (shift_ms !== 0 && !isLimited)
    throw new Failure(
      EXIT.usage,
      "--shift: expected --id, --reason, --from or --to with it: not everything that was set " +
        "aside has a wrong time",
    );
  const ids = id === null ? null : id.map(readId);
  if (ids !== null && ids.length > IDS_MAX)
    throw new Failure(EXIT.usage, `--id: given ${ids.length} times, expected ${IDS_MAX} at most`);
  return { ids, reason: readReason(reason), received: readRange(from, to), shift_ms };
}

/**
 * The reason to select by. Throws a Failure for a misspelt one, which would select nothing and look
 * like a replay of everything.
 */
function readReason(given: string | null): string | null {
  if (given === null || REASONS.some((reason) => reason === given)) return given;
  const expected = `${REASONS.slice(0, -1).join(", ")} or ${REASONS.at(-1)}`;
  throw new Failure(EXIT.usage, `--reason ${escaped(given)}: expected ${expected}`);
}

function readId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Failure(EXIT.usage, `--id ${text}: expected a number of quarantine list`);
}

const SHIFT = /^([+-]?)(?:(\d+(?:\.\d+)?)|(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)$/;

/** Milliseconds of `+1h30m`, `-8h`, `90s` or plain seconds. */
function readShift(text: string): number {
  const [, sign, plain = "0", hours = "0", minutes = "0", seconds = "0"] = SHIFT.exec(text) ?? [];
  const size_ms =
    Number(hours) * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Math.round((Number(plain) + Number(seconds)) * SECOND_MS);
  if (sign === undefined || size_ms > SHIFT_MAX_MS)
    throw new Failure(
      EXIT.usage,
      `--shift ${text}: expected +1h30m, -8h, 90s or seconds, up to 100 years`,
    );
  return sign === "-" ? -size_ms : size_ms;
}

/** A shift as text for people. */
export function printShift(shift_ms: number): string {
  return shift_ms === 0 ? "not shifted" : `shifted by ${shift_ms / SECOND_MS} s`;
}

function replayedText(
  { id, topic, stored, left, detail }: ReplayedEntry,
  isTrial: boolean,
): string {
  const what = isTrial ? "would be stored" : "stored";
  const outcome = left === null ? detail || "taken" : `left: ${left}, ${detail}`;
  return `#${id} ${escaped(topic)}: ${stored} ${what}; ${escaped(outcome)}`;
}
