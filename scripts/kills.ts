// `npm run kills`: kills the built program again and again under full load and proves after each
// start that nothing acknowledged is lost and nothing is there twice; with `--fleet` program,
// PostgreSQL ashore and the line between them. Prints what it found, with the seed, and ends with 1
// when there was anything.

import { EXIT, Failure } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { integerOf, runScript, writeReport } from "./command.ts";
import { runFleetKills } from "./kills/fleet.ts";
import { runKills } from "./kills/loop.ts";

const USAGE = `usage: npm run kills -- [--count N] [--seed S] [--disk KIND] [--fleet] [--json FILE]

  --count N     kills, or faults (default 200)
  --seed S      what is sent, and when it is killed (default: by the clock; it is printed)
  --disk KIND   keeps: a process that is killed (default); forgets: the power is cut, and what isn't
                synchronised is lost or torn; lies: fsync does nothing, so there must be losses
  --fleet       while the ship sends ashore: either side killed, the line cut, spoilt, swallowing
  --json FILE   where the figures go besides`;

const OPTIONS = {
  count: { type: "string", default: "200" },
  seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  disk: { type: "string", default: "keeps" },
  fleet: { type: "boolean", default: false },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;
const POSITIVE = { low: 1, high: 9_999_999_999 };

// A harness that is stopped leaves no process behind: process.ts listens for "exit".
await runScript({ name: "kills", usage: USAGE, options: OPTIONS }, async (values) => {
  const given = {
    program: bundledProgram(),
    count: integerOf("count", values.count, POSITIVE),
    seed: integerOf("seed", values.seed, POSITIVE),
    progress: (line: string) => void process.stderr.write(`${line}\n`),
  };
  const disk = diskOf(values.disk);
  const report = values.fleet ? await runFleetKills(given) : await runKills({ ...given, disk });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (values.json !== undefined) writeReport(values.json, report);
  if (report.problems.length > 0) process.exitCode = EXIT.failed;
});

function diskOf(kind: string) {
  if (kind === "keeps" || kind === "forgets" || kind === "lies") return kind;
  throw new Failure(EXIT.usage, `--disk: got ${kind}, expected keeps, forgets or lies`);
}
