// Data folders of the built program with one voyage in them, to be damaged: one that was stopped,
// with everything in the database file, one that was killed, with much of it in the log, and one of
// another plant.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startAppliance } from "../oracle/appliance.ts";
import { type Logbook, openLogbook, printed } from "./logbook.ts";
import { fieldsOf, PARTS } from "./voyage.ts";

/** 5,000 readings, of which 4,096 are sealed in two segments. */
export const COUNT = 5000;
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
  await fill(stopped, { ending: "SIGTERM", count: COUNT });
  await fill(killed, { ending: "SIGKILL", count: COUNT });
  await fill(other, { ending: "SIGKILL", count: 900 });
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
      cpSync(folder, copy, { recursive: true, filter: (name) => !name.endsWith("control.sock") });
      return { folder: copy, file: path.join(copy, "data", "ballastd.db") };
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

async function fill(
  folder: string,
  { ending, count }: { ending: "SIGTERM" | "SIGKILL"; count: number },
): Promise<void> {
  mkdirSync(folder);
  await using appliance = await startAppliance({ folder });
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
  await appliance.program.stop(ending);
}
