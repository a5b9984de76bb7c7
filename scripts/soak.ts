// `npm run soak`: keeps the built program busy for as long as one likes and looks for what shows
// only then: memory, file descriptors and files that grow, stalls, and answers that come late.
// Prints what was seen and a verdict; ends with 1 when a bound was passed. With `--fleet` the shore
// takes a day of thousands of ships.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EXIT, Failure } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { integerOf, runScript, writeReport } from "./command.ts";
import { runFleetDay } from "./soak/fleet-day.ts";
import { printed, verdicts } from "./soak/samples.ts";
import { soak } from "./soak/soaked.ts";

const USAGE = `usage: npm run soak -- [options]

  --minutes N    for how long (default 10; fractions are taken)
  --fleet        instead: PostgreSQL ashore takes a day of a fleet at 1 Hz, and all is compared
  --ships N      of the fleet (default 5000; 64 encoded ship-days are sent under so many ids)
  --json FILE    writes every sample and the verdicts as JSON too`;

const OPTIONS = {
  minutes: { type: "string", default: "10" },
  fleet: { type: "boolean", default: false },
  ships: { type: "string", default: "5000" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** 23.9 h at 1 Hz. */
const DAY = { segments: 42, readings: 2048 };
const DAYS = 64;

await runScript({ name: "soak", usage: USAGE, options: OPTIONS }, async (values) => {
  if (values.fleet) return soakFleet(values.ships, values.json);
  const minutes = minutesOf(values.minutes);
  const program = bundledProgram();
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-soak-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const { samples, done } = await soak({ program, folder }, minutes, ({ at_s, readings }) => {
    process.stderr.write(`soak: ${at_s.toFixed(0)} s, ${readings} readings\n`);
  });
  const judged = verdicts(samples, done);
  process.stdout.write(printed(samples, judged));
  const { readings, pages, exports } = done;
  const did = `${readings} readings, ${pages} cycles of a page, ${exports} exports of everything`;
  process.stdout.write(`${did}; the chains are whole\n`);
  if (values.json !== undefined) writeReport(values.json, { done, judged, samples });
  if (judged.some(({ holds }) => !holds)) process.exitCode = EXIT.failed;
});

async function soakFleet(text: string, json: string | undefined): Promise<void> {
  const ships = integerOf("ships", text, { low: DAYS, high: 90_000 });
  bundledProgram();
  const progress = (line: string) => void process.stderr.write(`soak: ${line}\n`);
  const report = await runFleetDay({ ...DAY, ships, days: DAYS, progress });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (json !== undefined) writeReport(json, report);
  if (report.problems.length > 0) process.exitCode = EXIT.failed;
}

function minutesOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new Failure(EXIT.usage, `--minutes: got ${text}, expected a number above 0`);
}
