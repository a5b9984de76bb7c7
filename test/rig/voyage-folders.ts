// Data folders of the built program with one voyage in them, to be damaged: one that was stopped,
// with everything in the database file, one as a kill would have left it just before, with much of
// it in the log, and one of another plant.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SEGMENT_READINGS } from "../../src/sqlite/sealed/seal-portion.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { type Logbook, openLogbook, printed } from "./logbook.ts";
import { sized } from "./scale.ts";
import { until } from "./until.ts";
import { fieldsOf, PARTS } from "./voyage.ts";

/** Readings, of which one segment, or two, are sealed. */
export const COUNT = sized(2500, 5000);
export const SEALED = COUNT - (COUNT % SEGMENT_READINGS);
export const EVENTS = 40;
const FIRST_MS = Date.UTC(2024, 1, 27);
const STEP_MS = 30_000;
/** Published together. */
const LOT = 1000;

export interface VoyageFolders {
  readonly stopped: string;
  readonly killed: string;
  /** The folder of a shorter voyage. */
  readonly other: string;
  /** The readings sent to the first two. */
  readonly logbook: Logbook;
  /** A copy of a folder, and its database file in it. */
  copyOf(folder: string): { readonly folder: string; readonly file: string };
  remove(): void;
}

export async function makeVoyageFolders(): Promise<VoyageFolders> {
  const top = mkdtempSync(path.join(os.tmpdir(), "ballastd-salvage-"));
  const [stopped, killed, other] = ["stopped", "killed", "other"].map((name) =>
    path.join(top, name),
  );
  {
    await using appliance = await filled(stopped, COUNT);
    await frozen(appliance.program.pid);
    copyData(stopped, killed);
    process.kill(appliance.program.pid, "SIGCONT");
    await appliance.program.stop("SIGTERM");
  }
  {
    await using appliance = await filled(other, 900);
    await appliance.program.stop("SIGKILL");
  }
  const logbook = openLogbook("BWTS-001");
  for (let number = 0; number < COUNT; number += 1)
    for (const part of PARTS)
      logbook.note({ at_ms: FIRST_MS + number * STEP_MS, fields: fieldsOf(number, part) });
  return {
    stopped,
    killed,
    other,
    logbook,
    copyOf(folder) {
      const copy = mkdtempSync(path.join(top, "copy-"));
      copyData(folder, copy);
      return { folder: copy, file: path.join(copy, "data", "ballastd.db") };
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (name) => !name.endsWith("control.sock") });
}

/** Stops a process where it is; resolves when none of its threads runs. */
async function frozen(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const threads = `/proc/${pid}/task`;
  const isStill = (thread: string) =>
    /^State:\tT/m.test(readFileSync(path.join(threads, thread, "status"), "utf8"));
  await until("all threads to stop", async () => readdirSync(threads).every(isStill));
}

async function filled(folder: string, count: number): Promise<Appliance> {
  mkdirSync(folder);
  const appliance = await startAppliance({ folder });
  for (let from = 0; from < count; from += LOT) {
    const numbers = [...Array(Math.min(LOT, count - from)).keys()].map((index) => from + index);
    await appliance.publish(
      numbers.flatMap((number) =>
        PARTS.map((part) => ({
          kind: "telemetry",
          payload: JSON.stringify({
            timestamp: printed(FIRST_MS + number * STEP_MS),
            ...Object.fromEntries(fieldsOf(number, part)),
          }),
        })),
      ),
    );
  }
  await appliance.publish(
    [...Array(EVENTS).keys()].map((number) => ({
      kind: "events",
      payload: JSON.stringify({
        timestamp: printed(FIRST_MS),
        event_type: "ALARM_TRIGGERED",
        data: { number },
      }),
    })),
  );
  await appliance.publish([{ kind: "telemetry", payload: '{"timestamp":"yesterday"}' }]);
  return appliance;
}
