// `npm run soak`: keeps the built program busy for as long as one likes and looks for what shows
// only then: memory, file descriptors and files that grow, stalls, and answers that come late.
// Prints what was seen and a verdict; ends with 1 when a bound was passed.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EXIT, Failure } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { runScript, writeReport } from "./command.ts";
import { printed, verdicts } from "./soak/samples.ts";
import { soak } from "./soak/soaked.ts";

const USAGE = `usage: npm run soak -- [options]

  --minutes N    for how long (default 10; fractions are taken)
  --json FILE    writes every sample and the verdicts as JSON too`;

const OPTIONS = {
  minutes: { type: "string", default: "10" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "soak", usage: USAGE, options: OPTIONS }, async (values) => {
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

function minutesOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new Failure(EXIT.usage, `--minutes: got ${text}, expected a number above 0`);
}
