// `npm run soak`: keeps the built program busy for as long as one likes and looks for what shows
// only then: memory, file descriptors and files that grow, stalls, and answers that come late.
// Prints what was seen and a verdict; ends with 1 when a bound was passed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { EXIT, Failure, messageOf } from "../src/errors.ts";
import { bundledProgram } from "./bundled.ts";
import { printed, verdicts } from "./soak/samples.ts";
import { soak } from "./soak/soaked.ts";

const USAGE = `usage: npm run soak -- [options]

  --minutes N    for how long (default 10; fractions are taken)
  --json FILE    writes every sample and the verdicts as JSON too`;

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => process.exit(EXIT.failed));

try {
  await main();
} catch (error) {
  const expected = error instanceof Failure;
  const stack = error instanceof Error ? error.stack : messageOf(error);
  process.stderr.write(expected ? `soak: ${error.message}\n\n${USAGE}\n` : `soak: ${stack}\n`);
  process.exit(expected ? error.exitCode : EXIT.failed);
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const program = bundledProgram();
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-soak-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const { samples, done } = await soak(
    { program, folder },
    options.minutes,
    ({ at_s, readings }) => {
      process.stderr.write(`soak: ${at_s.toFixed(0)} s, ${readings} readings\n`);
    },
  );
  const judged = verdicts(samples, done);
  process.stdout.write(printed(samples, judged));
  const { readings, pages, exports } = done;
  const did = `${readings} readings, ${pages} cycles of a page, ${exports} exports of everything`;
  process.stdout.write(`${did}; the chains are whole\n`);
  if (options.json !== null) {
    mkdirSync(path.dirname(path.resolve(options.json)), { recursive: true });
    writeFileSync(options.json, `${JSON.stringify({ done, judged, samples }, null, 2)}\n`);
  }
  if (judged.some(({ holds }) => !holds)) process.exitCode = EXIT.failed;
}

function readOptions() {
  const { values } = parsed();
  if (values.help) return null;
  if (/^\d+(\.\d+)?$/.test(values.minutes) && Number(values.minutes) > 0)
    return { minutes: Number(values.minutes), json: values.json ?? null };
  throw new Failure(EXIT.usage, `--minutes: got ${values.minutes}, expected a number above 0`);
}

function parsed() {
  try {
    return parseArgs({
      options: {
        minutes: { type: "string", default: "10" },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new Failure(EXIT.usage, messageOf(error));
  }
}
