// `npm run kills`: kills the built program again and again under full load and proves after each
// start that nothing acknowledged is lost and nothing is there twice. Prints what it found, with
// the seed, and ends with 1 when there was anything.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bundledProgram } from "./bundled.ts";
import { runKills } from "./kills/loop.ts";

const USAGE = `usage: npm run kills -- [--count N] [--seed S] [--disk KIND] [--json FILE]

  --count N     kills (default 200)
  --seed S      what is sent, and when it is killed (default: by the clock; it is printed)
  --disk KIND   keeps: a process that is killed (default); forgets: the power is cut, and what isn't
                synchronised is lost or torn; lies: fsync does nothing, so there must be losses
  --json FILE   where the figures go besides`;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    disk: { type: "string", default: "keeps" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

// A harness that is stopped leaves no process behind: ship.ts listens for "exit".
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

if (values.help) process.stdout.write(`${USAGE}\n`);
else {
  const report = await runKills({
    program: bundledProgram(),
    count: positive("--count", values.count),
    seed: positive("--seed", values.seed),
    disk: diskOf(values.disk),
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const text = JSON.stringify(report, null, 2);
  process.stdout.write(`${text}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${text}\n`);
  if (report.lost + report.counted_twice + report.other > 0) process.exitCode = 1;
}

function positive(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new Error(`${option}: got ${text}, expected an integer from 1`);
}

function diskOf(kind: string) {
  if (kind === "keeps" || kind === "forgets" || kind === "lies") return kind;
  throw new Error(`--disk: got ${kind}, expected keeps, forgets or lies`);
}
