// The replay of `ballastd quarantine`: selects entries and their shift, sends requests page by page
// to the instance, and prints the result of each.

import { openInstance } from "../../app/instance.ts";
import type { Config } from "../../config/config.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { openLog } from "../../ground/log.ts";
import { type CommandAnswer, IDS_MAX } from "../../sqlite/threads/writer-commands.ts";
import { listDocument } from "../document.ts";
import { escaped } from "../escaped.ts";
import { configOf } from "../instance-data.ts";
import { readRange } from "../options.ts";

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

/** A clock that shows 1970 is off by less. */
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
  else await replayAll((entry) => process.stdout.write(`${textLine(entry, isTrial)}\n`));
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

/** The entries as they are taken in, page by page. */
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
  return { ids, reason, received: readRange(from, to), shift_ms };
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

/** A shift for people. */
export function printShift(shift_ms: number): string {
  return shift_ms === 0 ? "not shifted" : `shifted by ${shift_ms / SECOND_MS} s`;
}

function textLine({ id, topic, stored, left, detail }: ReplayedEntry, isTrial: boolean): string {
  const what = isTrial ? "would be stored" : "stored";
  const outcome = left === null ? detail || "taken" : `left: ${left}, ${detail}`;
  return `#${id} ${escaped(topic)}: ${stored} ${what}; ${escaped(outcome)}`;
}
