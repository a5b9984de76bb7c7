// `npm run upgrades -- --rounds N`: updates and rollbacks of the built program under ingest, with
// what came of them. Exit status 1 when anything acknowledged was lost or counted twice.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EXIT } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { integerOf, runScript } from "./command.ts";
import { upgradeRounds } from "./upgrades/rounds.ts";

const USAGE = `usage: npm run upgrades -- [--rounds N]

  --rounds N    rounds of updates and rollbacks (default 30)`;

const OPTIONS = {
  rounds: { type: "string", default: "30" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "upgrades", usage: USAGE, options: OPTIONS }, async (values) => {
  const rounds = integerOf("rounds", values.rounds, { low: 1, high: 10_000 });
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-upgrades-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const began_ms = performance.now();
  const { versions, lost, doubled, ...counts } = await upgradeRounds({
    ...{ program: bundledProgram(), folder, rounds },
    say: (text) => console.error(text),
  });
  const took_s = Math.round((performance.now() - began_ms) / 1000);
  const found = { ...counts, lost: lost.length, doubled: doubled.length, took_s };
  console.log(JSON.stringify({ ...found, switches: versions.length }));
  if (lost.length + doubled.length > 0 || !counts.verified) process.exitCode = EXIT.failed;
});
