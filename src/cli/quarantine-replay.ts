// The replay of `ballastd quarantine`: selects entries and their shift, sends requests page by page
// to the instance, and prints the result of each.

import type * as z from "zod";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../clock.ts";
import { EXIT, Failure } from "../errors.ts";
import { openLog } from "../log.ts";
import { readAnswer } from "../service/control-client.ts";
import { IDS_MAX, ReplayAnswer } from "../service/control-protocol.ts";
import { openInstance } from "../service/instance.ts";
import { escaped, escapedJson } from "./escaped.ts";
import { configOf } from "./instance-data.ts";
import { readRange } from "./range-options.ts";

interface Given {
  readonly id?: readonly string[];
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
  readonly shift?: string;
  readonly isTrial: boolean;
  readonly json: boolean;
  readonly config: string | undefined;
}

type Entry = z.output<typeof ReplayAnswer>[number];

/** A clock that shows 1970 is off by less. */
const SHIFT_MAX_MS = 100 * 366 * 24 * HOUR_MS;

/** Replays the selected entries; the process fails if something is left. */
export async function replay(given: Given): Promise<void> {
  const asked = readAsked(given);
  const config = configOf(given);
  const { isTrial } = given;
  const instance = await openInstance(config, openLog(config.log.level));
  const count = { entries: 0, stored: 0, left: 0 };
  const missing = new Set(asked.ids);
  try {
    for (let after_id = 0; ; ) {
      const request = { command: "replay", ...asked, after_id, isTrial } as const;
      const entries = readAnswer(ReplayAnswer, await instance.ask(request));
      const last = entries.at(-1);
      if (last === undefined) break;
      after_id = last.id;
      count.entries += entries.length;
      for (const entry of entries) {
        count.stored += entry.stored;
        count.left += entry.left === null ? 0 : 1;
        missing.delete(entry.id);
        process.stdout.write(`${given.json ? jsonLine(entry) : textLine(entry, isTrial)}\n`);
      }
    }
  } finally {
    await instance.close();
  }
  const would = isTrial ? "would be " : "";
  process.stderr.write(
    `${count.entries} entries, ${count.stored} readings and records ${would}stored, ` +
      `${count.left} entries left\n`,
  );
  if (missing.size > 0)
    throw new Failure(EXIT.failed, `--id ${[...missing].join(", ")}: there is no such entry`);
  if (count.left > 0) process.exitCode = EXIT.failed;
}

function readAsked(given: Given) {
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

function textLine({ id, topic, stored, left, detail }: Entry, isTrial: boolean): string {
  const what = isTrial ? "would be stored" : "stored";
  const outcome = left === null ? detail || "taken" : `left: ${left}, ${detail}`;
  return `#${id} ${escaped(topic)}: ${stored} ${what}; ${escaped(outcome)}`;
}

function jsonLine(entry: Entry): string {
  return escapedJson(JSON.stringify(entry));
}
