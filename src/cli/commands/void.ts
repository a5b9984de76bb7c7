// `ballastd void`: hides the wrong readings of a span, and shows them again. A running instance
// does it for the command; hidden readings are never deleted.

import { askInstance } from "../../app/instance.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { Connection } from "../../sqlite/file/open.ts";
import { countEvents } from "../../sqlite/records/records.ts";
import { countIn } from "../../sqlite/sealed/counts.ts";
import { ALL_STORED } from "../../sqlite/sealed/timeline.ts";
import { type ListedVoid, listVoids, type Voidable } from "../../sqlite/sealed/voids.ts";
import { REASON_MAX } from "../../sqlite/threads/writer-commands.ts";
import { escaped, printListDocument, printResult } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { readLine, readRange, wrongAction } from "../options.ts";

export const summary = "hide wrong readings, or show them again";

export const help = `usage: ballastd void --from TIME --to TIME --reason TEXT [options]
       ballastd void list [--json] [--config FILE]
       ballastd void undo NUMBER [--json] [--config FILE]

Hides every reading of a span, 31 days at most, from all answers, counts, averages, scores and
exports: whole readings, with all their fields; a single field can't be hidden. Nothing is deleted:
ballastd verify still covers hidden readings, ballastd export --with-voided writes them, marked, and
undo shows them again. With --events the events of a span of any length are hidden instead, such as
those of a clock that was years ahead, which displace all later ones from the page. A void covers
the span: later data for it is hidden too. void and undo are recorded in the audit log; the instance
may be running or stopped.

  --from TIME     first instant, ISO 8601, UTC unless it has a zone
  --to TIME       last instant, included; a date alone means its end; later than now means now,
                  which the answer says
  --events        hide events, and ended alarms, in place of readings
  --reason TEXT   the reason, for the audit log
  --json          a JSON object, of list a list of objects
  --config FILE   the configuration of the instance`;

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  events: { type: "boolean", default: false },
  reason: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const { from, to, reason, events, ...given } = values;
  const [action, ...rest] = positionals;
  if (action !== undefined)
    refuseOptions(action, { from, to, reason, events: events ? "" : undefined });
  switch (action) {
    case undefined:
      return hide({ ...given, from, to, reason, what: events ? "events" : "readings" });
    case "list":
      return list(given, rest);
    case "undo":
      return undo(given, rest);
    default:
      throw wrongAction("void", action, "options, list or undo");
  }
}

interface VoidOptions {
  readonly json: boolean;
  readonly config?: string;
}

interface VoidSpan extends VoidOptions {
  readonly what: Voidable;
  readonly from?: string;
  readonly to?: string;
  readonly reason?: string;
}

async function hide({ from, to, what, reason = "", ...given }: VoidSpan): Promise<void> {
  if (from === undefined || to === undefined)
    throw new Failure(EXIT.usage, `--${from === undefined ? "from" : "to"} is missing`);
  const range = readRange(from, to);
  if (reason.trim() === "" || reason.length > REASON_MAX)
    throw new Failure(
      EXIT.usage,
      `--reason: got ${reason.length} characters, expected a text of up to ${REASON_MAX}`,
    );
  const config = configOf(given);
  const hidden = await askInstance(config, "void", { ...range, what, reason });
  tell(given, hidden, `void ${hidden.id}: ${countOf(hidden)} are hidden${cutOf(hidden, config)}`);
}

/**
 * A note that the void's end, which was in the future, was cut, so that later readings aren't
 * hidden. "" if it wasn't.
 */
function cutOf({ cut_to }: { cut_to?: string }, { system }: Pick<Config, "system">): string {
  if (cut_to === undefined) return "";
  const end = withShipTime(cut_to, system.utc_offset);
  return `\nits end lies ahead and was cut to ${end}: what comes later is shown`;
}

async function undo(given: VoidOptions, rest: readonly string[]): Promise<void> {
  const [text = ""] = rest;
  if (rest.length !== 1 || !/^[1-9]\d{0,14}$/.test(text))
    throw new Failure(EXIT.usage, `void undo ${rest.join(" ")}: expected a number of void list`);
  const shown = await askInstance(configOf(given), "undo_void", { id: Number(text) });
  tell(given, shown, `void ${shown.id} is undone: ${countOf(shown)} are shown again`);
}

/** Number of hidden readings or events as text. */
function countOf({ readings, events }: { readings?: number; events?: number }): string {
  return events === undefined ? `${readings} readings` : `${events} events`;
}

function list(given: VoidOptions, rest: readonly string[]): void {
  if (rest.length > 0)
    throw new Failure(EXIT.usage, `void list ${rest.join(" ")}: expected options only`);
  const config = configOf(given);
  const rows = readDatabase(config, (db) => listVoids(db).map((stored) => rowOf(db, stored)));
  const { utc_offset } = config.system;
  if (given.json) printListDocument(rows);
  else
    writeList(
      rows.map((row) => textLine(row, utc_offset)),
      "nothing is hidden",
    );
}

function rowOf(db: Connection, stored: ListedVoid) {
  const { id, start_ms, end_ms, what, reason, made_ms, undone_ms } = stored;
  const isActive = undone_ms === null;
  const hidden =
    what === "readings"
      ? { readings: isActive ? countIn(db, { start_ms, end_ms }, ALL_STORED) : 0 }
      : { events: isActive ? countEvents(db, { start_ms, end_ms }) : 0 };
  return {
    id,
    from: printTime(start_ms),
    to: printTime(end_ms),
    reason,
    made: printTime(made_ms),
    undone: undone_ms === null ? null : printTime(undone_ms),
    under_way: stored.is_under_way === 1,
    ...hidden,
  };
}

function textLine(row: ReturnType<typeof rowOf>, offset: string): string {
  const at = (printed: string) => withShipTime(printed, offset);
  const state = row.undone === null ? `${countOf(row)} hidden` : `undone ${at(row.undone)}`;
  const stage = row.under_way ? `${state}, still under way` : state;
  const span = `#${row.id} ${at(row.from)} to ${at(row.to)}`;
  return `${span}: ${stage}; made ${at(row.made)}: ${escaped(row.reason)}`;
}

function tell({ json }: VoidOptions, result: object, text: string): void {
  printResult(json, result, text);
}

function refuseOptions(action: string, given: Readonly<Record<string, string | undefined>>): void {
  const name = Object.keys(given).find((option) => given[option] !== undefined);
  if (name !== undefined)
    throw new Failure(EXIT.usage, `void ${action} --${name}: isn't an option of it`);
}
