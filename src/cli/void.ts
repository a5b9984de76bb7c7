// `ballastd void`: hides the readings of a span that are known to be wrong, and shows them again.
// A running instance does it for the command; what is hidden is never deleted.

import { parseArgs } from "node:util";
import { printTime } from "../clock.ts";
import type { Config } from "../config.ts";
import { EXIT, Failure } from "../errors.ts";
import { openLog } from "../log.ts";
import { REASON_MAX, VoidAnswer, type WriterRequest } from "../service/control-protocol.ts";
import { openInstance } from "../service/instance.ts";
import type { Connection } from "../sqlite/open.ts";
import { countIn, STORED } from "../sqlite/timeline.ts";
import { listVoids, type StoredVoid } from "../sqlite/voids.ts";
import { escaped, escapedJson } from "./escaped.ts";
import { configOf, readDatabase, writeList } from "./instance-data.ts";
import { readRange } from "./range-options.ts";

export const summary = "hide readings that are known to be wrong, or show them again";

export const help = `usage: ballastd void --from TIME --to TIME --reason TEXT [options]
       ballastd void list [--json] [--config FILE]
       ballastd void undo NUMBER [--json] [--config FILE]

Hides every reading of a span, 31 days at most, from all answers, counts, averages, scores and
exports: whole readings, with all their fields; a single field can't be hidden. Nothing is deleted:
ballastd verify still covers what is hidden, ballastd export --with-voided writes it, marked, and
undo shows it again. A void is of the span: what comes later for it is hidden too. Both are written
into the audit log, and work on a running instance and a stopped one.

  --from TIME     first instant, ISO 8601, UTC unless it has a zone
  --to TIME       last instant, included; a date alone means its end; later than now means now
  --reason TEXT   why, for whoever reads the audit log
  --json          one JSON object, of list one a line
  --config FILE   the configuration of the instance`;

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  reason: { type: "string" },
  json: { type: "boolean", default: false },
  config: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: OPTIONS,
  });
  const { from, to, reason, ...given } = values;
  const [action, ...rest] = positionals;
  if (action !== undefined) refuseOptions(action, { from, to, reason });
  switch (action) {
    case undefined:
      return hide({ ...given, from, to, reason });
    case "list":
      return list(given, rest);
    case "undo":
      return undo(given, rest);
    default:
      throw new Failure(EXIT.usage, `void ${action}: expected options, list or undo`);
  }
}

interface Given {
  readonly json: boolean;
  readonly config?: string;
}

interface Span extends Given {
  readonly from?: string;
  readonly to?: string;
  readonly reason?: string;
}

async function hide({ from, to, reason = "", ...given }: Span): Promise<void> {
  if (from === undefined || to === undefined)
    throw new Failure(EXIT.usage, `--${from === undefined ? "from" : "to"} is missing`);
  const range = readRange(from, to);
  if (reason.trim() === "" || reason.length > REASON_MAX)
    throw new Failure(
      EXIT.usage,
      `--reason: got ${reason.length} characters, expected a text of up to ${REASON_MAX}`,
    );
  const { id, readings } = await ask(configOf(given), { command: "void", ...range, reason });
  tell(given, { id, readings }, `void ${id}: ${readings} readings are hidden`);
}

async function undo(given: Given, rest: readonly string[]): Promise<void> {
  const [text = ""] = rest;
  if (rest.length !== 1 || !/^[1-9]\d{0,14}$/.test(text))
    throw new Failure(EXIT.usage, `void undo ${rest.join(" ")}: expected a number of void list`);
  const { id, readings } = await ask(configOf(given), { command: "undo_void", id: Number(text) });
  tell(given, { id, readings }, `void ${id} is undone: ${readings} readings are shown again`);
}

function list(given: Given, rest: readonly string[]): void {
  if (rest.length > 0)
    throw new Failure(EXIT.usage, `void list ${rest.join(" ")}: expected options only`);
  const rows = readDatabase(configOf(given), (db) =>
    listVoids(db).map((stored) => rowOf(db, stored)),
  );
  const lines = rows.map((row) => (given.json ? escapedJson(JSON.stringify(row)) : textLine(row)));
  writeList(lines, given.json ? null : "nothing is hidden");
}

function rowOf(db: Connection, stored: StoredVoid) {
  const { id, start_ms, end_ms, reason, made_ms, undone_ms } = stored;
  return {
    id,
    from: printTime(start_ms),
    to: printTime(end_ms),
    reason,
    made: printTime(made_ms),
    undone: undone_ms === null ? null : printTime(undone_ms),
    readings: undone_ms === null ? countIn(db, { start_ms, end_ms }, STORED) : 0,
  };
}

function textLine(row: ReturnType<typeof rowOf>): string {
  const state = row.undone === null ? `${row.readings} readings hidden` : `undone ${row.undone}`;
  return `#${row.id} ${row.from} to ${row.to}: ${state}; made ${row.made}: ${escaped(row.reason)}`;
}

function tell({ json }: Given, result: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : text}\n`);
}

async function ask(config: Config, request: WriterRequest) {
  const instance = await openInstance(config, openLog(config.log.level));
  try {
    return VoidAnswer.parse(await instance.ask(request));
  } finally {
    await instance.close();
  }
}

function refuseOptions(action: string, given: Readonly<Record<string, string | undefined>>): void {
  const name = Object.keys(given).find((option) => given[option] !== undefined);
  if (name !== undefined)
    throw new Failure(EXIT.usage, `void ${action} --${name}: isn't an option of it`);
}
