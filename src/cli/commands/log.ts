// `ballastd log`: prints the last lines of the running instance's log, and sets its level by area
// until the next start, which uses log.level again.

import { askReport, connectControl } from "../../app/control/client.ts";
import type { ControlAnswers, Input } from "../../app/control/protocol.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { AREAS, LOG_LEVELS } from "../../ground/log.ts";
import { escapedJson } from "../../ground/quoted.ts";
import { printListDocument, printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { optionWord, readOptions } from "../options.ts";

export const summary = "show the running instance's log, or change its levels";

export const help = `usage: ballastd log [--config FILE]
       ballastd log --level LEVEL [--area AREA] [--json] [--config FILE]

Without a level, prints the last log entries of the running instance, each a line of JSON. With one,
sets the least level to be logged until the next start, and prints the levels.

  --level LEVEL   ${LOG_LEVELS.join(", ")}
  --area AREA     ${AREAS.join(", ")}; without it all of them
  --json          the lines as a JSON list, or the levels as a JSON object
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, {
    level: { type: "string" },
    area: { type: "string" },
  });
  const level = optionWord("--level", values.level, LOG_LEVELS);
  const area = optionWord("--area", values.area, AREAS);
  if (level === null && area !== null)
    throw new Failure(EXIT.usage, `--area ${area}: expected a --level with it`);
  const config = configOf(values);
  if (level === null) {
    const report = await askReport(config.storage.dir);
    if (report === null) throw nobodyRuns(config.storage.dir);
    if (values.json) printListDocument(report.log.map((line) => JSON.parse(line)));
    else for (const line of report.log) process.stdout.write(`${escapedJson(line)}\n`);
    return;
  }
  const levels = await setLevel(config.storage.dir, { level, area });
  const lines = Object.entries(levels).map(([name, set]) => `${name}  ${set}`);
  printResult(values.json, levels, lines.join("\n"));
}

async function setLevel(dir: string, wanted: Input["log"]): Promise<ControlAnswers["log"]> {
  const client = await connectControl(dir);
  if (client === null) throw nobodyRuns(dir);
  try {
    return await client.ask("log", wanted);
  } finally {
    client.close();
  }
}

function nobodyRuns(dir: string): Failure {
  return new Failure(EXIT.unavailable, `data folder ${dir}: no instance runs on it`);
}
