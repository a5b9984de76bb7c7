// `ballastd alarm`: lists alerts, and acknowledges and shelves them, as the HTTP interface does.
// The audit log records each act with the name of the user who typed it.

import type * as z from "zod";
import { askInstance } from "../../app/instance.ts";
import type { AlarmAnswer } from "../../bwts/present/alarm.ts";
import {
  ACKNOWLEDGED,
  AcknowledgeBody,
  type AlarmActOutcome,
  SHELVED,
  ShelveBody,
  UNSHELVED,
} from "../../bwts/present/alarm-act.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { ownWords } from "../../ground/own-words.ts";
import { alarmTexts } from "../../sqlite/answers/alarms.ts";
import { escaped, printListDocument, printResult } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "list alerts, acknowledge and shelve them";

export const help = `usage: ballastd alarm list [--all] [--json] [--config FILE]
       ballastd alarm acknowledge ID [--note TEXT] [--json] [--config FILE]
       ballastd alarm shelve ID --until TIME --reason TEXT [--json] [--config FILE]
       ballastd alarm unshelve ID [--json] [--config FILE]

list shows the alerts that aren't closed, newest first, with their ids. What is acknowledged or
shelved here stays on the treatment system's panel. The instance may be running or stopped.

  --all           also those that are closed, at most 1,000
  --note TEXT     a remark
  --until TIME    the end of the shelving, ISO 8601, UTC without a zone, at most 7 days ahead
  --reason TEXT   the reason of the shelving
  --json          one JSON object, of list a list as GET /api/alarms has it
  --config FILE   the configuration of the instance`;

const OPTIONS = {
  all: { type: "boolean", default: false },
  note: { type: "string" },
  until: { type: "string" },
  reason: { type: "string" },
} as const;

const LISTED_MAX = 1000;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const [action, ...ids] = positionals;
  const { note, until, reason } = values;
  switch (action) {
    case "list":
      return list(values);
    case "acknowledge": {
      const said = bodyOf(AcknowledgeBody, { note });
      return tell(values, { ids, done: ACKNOWLEDGED }, (config, id) =>
        askInstance(config, "acknowledge_alarm", { id, said }),
      );
    }
    case "shelve":
      if (until === undefined) throw new Failure(EXIT.usage, "--until is missing, expected a time");
      return shelve(values, ids, bodyOf(ShelveBody, { until, reason }));
    case "unshelve":
      return shelve(values, ids, { until: null });
    default:
      throw wrongAction("alarm", action, "list, acknowledge, shelve or unshelve");
  }
}

interface Common {
  readonly json: boolean;
  readonly config?: string;
}

function shelve(common: Common, ids: readonly string[], said: ShelveBody): Promise<void> {
  const done = said.until === null ? UNSHELVED : SHELVED;
  return tell(common, { ids, done }, (config, id) =>
    askInstance(config, "shelve_alarm", { id, said }),
  );
}

async function tell(
  { json, ...given }: Common,
  { ids, done }: { readonly ids: readonly string[]; readonly done: string },
  ask: (config: Config, id: string) => Promise<AlarmActOutcome>,
): Promise<void> {
  const [id, ...more] = ids;
  if (id === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `${["alarm", ...ids].join(" ")}: expected one id`);
  const outcome = await ask(configOf(given), id);
  switch (outcome.outcome) {
    case "done":
      return printResult(json, { ...outcome.alarm, message: done }, `${id}: ${done}`);
    case "unknown":
      throw new Failure(EXIT.failed, `${id}: there is none, expected an id of alarm list`);
    case "closed":
      throw new Failure(EXIT.failed, `${id}: it is over and closed, expected an open one`);
  }
}

/** The request's body made of the options. Throws a Failure that names the wrong option. */
function bodyOf<Body extends z.ZodType>(type: Body, given: object): z.output<Body> {
  const read = type.safeParse(given, { error: ownWords });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure(EXIT.usage, `--${issue.path.join(".")}: ${issue.message}`);
}

function list({ all, json, ...given }: Common & { readonly all: boolean }): void {
  const config = configOf(given);
  const asked = { range: { start_ms: null, end_ms: null }, limit: LISTED_MAX };
  const alarms: readonly AlarmAnswer[] = readDatabase(config, (db) =>
    [...alarmTexts(db, { ...asked, state: all ? null : "open" })].map((text) => JSON.parse(text)),
  );
  if (json) printListDocument(alarms);
  else
    writeList(
      alarms.map((alarm) => lineOf(alarm, config.system.utc_offset)),
      "none",
    );
}

function lineOf(alarm: AlarmAnswer, offset: string): string {
  const { id, priority, alert_state, count, since, description, shelved_until } = alarm;
  const shelved =
    shelved_until === null ? [] : [`shelved until ${withShipTime(shelved_until, offset)}`];
  const times = count === 1 ? [] : [`${count} times`];
  const when = `since ${withShipTime(since, offset)}`;
  const parts = [id, priority, alert_state, when, ...times, ...shelved, description];
  // Escaped, so that a text of several lines doesn't look like another alert.
  return escaped(parts.join("  "));
}
