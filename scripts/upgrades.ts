// `npm run upgrades -- --rounds N`: updates and rollbacks of the built program under ingest, with
// what came of them. Exit status 1 when anything acknowledged was lost or counted twice.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundledProgram } from "./bundled.ts";
import { upgradeRounds } from "./upgrades/rounds.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "30" } } });
const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-upgrades-"));
try {
  const program = bundledProgram();
  const began_ms = Date.now();
  const { versions, lost, doubled, ...counts } = await upgradeRounds({
    program,
    folder,
    rounds: Number(values.rounds),
    say: (text) => console.error(text),
  });
  const took_s = Math.round((Date.now() - began_ms) / 1000);
  const found = { ...counts, lost: lost.length, doubled: doubled.length, took_s };
  console.log(JSON.stringify({ ...found, switches: versions.length }));
  if (lost.length + doubled.length > 0 || !counts.verified) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
