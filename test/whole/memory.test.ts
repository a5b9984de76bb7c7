// The running program's memory: long answers stream,
// and their buffers are freed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/ground/clock.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openRig, removeFolders } from "../rig/database.ts";
import { messageOf } from "../rig/decoding.ts";

const READINGS = 12_000;
const BATCH = 2000;
const FIRST_MS = Date.UTC(2026, 0, 1);
/** A round exports everything as CSV and as NDJSON: 35 MB. */
const ROUNDS = 5;
/** Between two rounds the collector may come sooner or later; what is kept adds up beyond this. */
const SPREAD_MAX_MIB = 50;
const BUSY_MAX_MIB = 250;

afterEach(removeFolders);

test("five exports one after the other take no more memory than one", async () => {
  const dir = filledFolder();
  await using appliance = await startAppliance({ env: { BALLASTD_STORAGE_DIR: dir } });
  // The work after a start takes memory too; the backup comes last.
  await appliance.program.waitUntil("the first backup", async () => hasBackup(dir));
  const first = await exportedAll(appliance);
  let highest_mib = first.highest_mib;
  for (let round = 1; round < ROUNDS; round += 1)
    highest_mib = Math.max(highest_mib, (await exportedAll(appliance)).highest_mib);
  expect(first.bytes / READINGS).toBeGreaterThan(1000);
  expect(highest_mib - first.highest_mib).toBeLessThan(SPREAD_MAX_MIB);
  expect(highest_mib).toBeLessThan(BUSY_MAX_MIB);
});

function hasBackup(dir: string): boolean {
  const folder = path.join(dir, "backup");
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".db"));
}

/** Exports everything, in both formats, and looks at the memory with each piece that comes. */
async function exportedAll({ url, program }: Appliance) {
  let bytes = 0;
  let highest_mib = 0;
  for (const format of ["csv", "ndjson"]) {
    const answer = await fetch(`${url}/export/telemetry?format=${format}`);
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      highest_mib = Math.max(highest_mib, anonymousMib(program.pid));
    }
  }
  return { bytes, highest_mib };
}

/** A data folder with readings, stored as the writer does it, most of them sealed. */
function filledFolder(): string {
  const rig = openRig();
  for (let start = 0; start < READINGS; start += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => telemetryOf(start + index));
    rig.store.commit(batch);
    while (rig.store.sealFull());
  }
  rig.close();
  return rig.dir;
}

function telemetryOf(number: number) {
  const timestamp = new Date(FIRST_MS + number * MINUTE_MS).toISOString();
  const lamps = Array.from({ length: 16 }, (_, lamp) => [
    `LAMP_${String(lamp + 1).padStart(2, "0")}_RUNTIME`,
    number / 60 + lamp,
  ]);
  const members = { timestamp, UVR_INTENSITY: number % 600, ...Object.fromEntries(lamps) };
  return messageOf("telemetry", members, { packet_id: number % 65_536 });
}

function anonymousMib(pid: number): number {
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}
