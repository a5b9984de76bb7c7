// `ballastd shore`: joins the ship to a fleet, tests the link to the office, and shows how much has
// been sent. Joining is in shore-join.ts.

import { askShore } from "../../app/control/client.ts";
import type { ShoreAnswer } from "../../bwts/documents/shore-answer.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { escapedLines, printDocument, printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";
import { bundle } from "../shore-bundle.ts";
import { join } from "../shore-join.ts";
import { recall } from "../shore-recall.ts";
import { send } from "../shore-send.ts";
import { type ShoreOptions, trialText, tried } from "../shore-trial.ts";

export const summary = "join a fleet, and look at the link to the shore";

export const help = `usage: ballastd shore join FILE [--json] [--config FILE]
       ballastd shore test [--json] [--config FILE]
       ballastd shore status [--json] [--config FILE]
       ballastd shore send [--from TIME] [--to TIME] [--json] [--config FILE]
       ballastd shore recall [--json] [--config FILE]
       ballastd shore bundle FILE [--all] [--force] [--json] [--config FILE]

The ship sends what she records to her office's PostgreSQL server.

  join    takes the file that the office made for this ship (ballastd fleet add): puts the
          certificate and the key into the data folder, writes [shore] into the configuration, has
          a running instance take it, and tests the link. Delete the file afterwards: it holds the
          ship's key
  test    connects once, and says how the shore's clock stands, what the shore has of each chain,
          what is left to send, and if the store of shore.objects would take readings; it stores
          nothing. Exit code 69 if one of them isn't reached or the store refuses
  status  what the running instance does: the session, the backlog, the bytes used, refusals

  send    has the running instance send the readings of these times ahead of others, also with
          shore.raw = "asked"; until they are there or the service is started again
  recall  after this box was put back from a backup: fetches back the readings that the shore has
          and this box lost, and stores them as late readings. Exit code 1 if some weren't taken
  bundle  writes what the shore would be sent into a file to be carried there, also beside a running
          instance: what came since the shore had everything last, with readings unless shore.raw is
          never. The file is sealed with the ship's key; ashore ballastd fleet import takes it

  --from TIME     of send, first instant, ISO 8601, UTC unless it has a zone (the oldest)
  --to TIME       of send, last instant, included; a date alone means its end (the newest)
  --all           of bundle, all that is stored, though the shore acknowledged it
  --force         of bundle, overwrite FILE
  --json          one JSON object; of status as GET /api/shore has it
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const [first, ...others] = args;
  if (first === "bundle") return bundle(others);
  if (first === "send") return send(others);
  const { values, positionals } = readLine(args, {});
  const [action, ...rest] = positionals;
  if (action === "join") return join(values, rest);
  if (rest.length > 0) throw wrongAction("shore", positionals.join(" "), "no further word");
  if (action === "test") return test(values);
  if (action === "status") return status(values);
  if (action === "recall") return recall(values);
  throw wrongAction("shore", action, "join FILE, test, status, send, recall or bundle FILE");
}

async function test({ json, ...given }: ShoreOptions): Promise<void> {
  const config = configOf(given);
  const trial = await tried(config);
  printResult(json, trial, trialText(trial));
  if (trial.objects?.problem != null) process.exitCode = EXIT.unavailable;
}

async function status({ json, ...given }: ShoreOptions): Promise<void> {
  const { storage } = configOf(given);
  const told = await askShore(storage.dir);
  if (told === null)
    throw new Failure(EXIT.unavailable, "no instance runs; ballastd shore test tries the link");
  if (json) printDocument(told);
  else process.stdout.write(`${escapedLines(statusLines(told).join("\n"))}\n`);
}

function statusLines(told: ShoreAnswer): readonly string[] {
  const { state, server, problem, last_answer, backlog, month, refused, parted, others } = told;
  const { objects } = told;
  const left = backlog?.minutes_left == null ? "" : `, ${backlog.minutes_left} min at this rate`;
  return [
    `${state}${server === null ? "" : ` ${server}`}${because(problem)}`,
    `last answer  ${last_answer ?? "never"}`,
    ...(backlog === null
      ? []
      : [
          `backlog      ${backlog.links} links, ${backlog.payloads} payloads, ` +
            `${backlog.hours} hours; ${megabytes(backlog.bytes)}${left}`,
          `oldest       ${backlog.oldest ?? "nothing is left"}`,
        ]),
    `this month   ${megabytes(month.sent_bytes)} sent, ${megabytes(month.received_bytes)} received`,
    ...(objects === null ? [] : [`objects      ${objects.server}${because(objects.problem)}`]),
    ...(told.needs_schema ? [NEEDS_SCHEMA] : []),
    ...(told.budget_used_up ? ["the day's budget is used up: shore.max_mb_day"] : []),
    ...refused.map(({ what, reason }) => `refused      ${what}: ${reason}`),
    ...parted.map(
      ({ chain, common, head }) => `fork         ${chain}: common up to ${common}, ashore ${head}`,
    ),
    ...others.map(({ instance, last_seen }) => `another box  ${instance}, seen ${last_seen}`),
  ];
}

const NEEDS_SCHEMA =
  "the shore takes no signed heads and verdicts: it needs ballastd fleet schema | psql";

const because = (problem: string | null) => (problem === null ? "" : `: ${problem}`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
