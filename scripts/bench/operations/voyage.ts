// Two years of a ship as `--operations` needs them: readings through the store's own commits and
// seals, with a start and a stop a day. Nothing of it is judged yet.

import { existsSync, mkdirSync } from "node:fs";
import type { Message } from "../../../src/bwts/message.ts";
import { indexOfTag } from "../../../src/bwts/tags.ts";
import { DAY_MS, floorTo, printTime } from "../../../src/ground/clock.ts";
import { databaseFile } from "../../../src/sqlite/file/open.ts";
import { openRig, type Rig } from "../../../test/rig/database.ts";
import { messageOf } from "../../../test/rig/decoding.ts";
import { dataFolder } from "../../../test/rig/served.ts";
import { openPlant, type Plant, type Series } from "../../../test/rig/steady-plant.ts";

/** Messages of a commit: about as many as there are when a PLC empties its buffer. */
const COMMIT = 128;
const DELAY_MS = 40;

const [TYPE, PLACE] = [indexOfTag("operation_type"), indexOfTag("location")];

/** The voyage in a folder, which is loaded first if it isn't there. */
export function voyageIn(folder: string, series: Series): Rig {
  const isThere = existsSync(databaseFile(dataFolder(folder)));
  mkdirSync(dataFolder(folder), { recursive: true });
  const rig = openVoyage(folder);
  if (!isThere) for (const messages of commitsOf(series)) ingest(rig, messages);
  return rig;
}

/** Its store as a start opens it. */
export function openVoyage(folder: string): Rig {
  return openRig({}, dataFolder(folder));
}

function ingest({ store }: Pick<Rig, "store">, messages: readonly Message[]): void {
  const { quarantined } = store.commit(messages);
  if (quarantined > 0) throw new Error(`${quarantined} of ${messages.length} were refused`);
  while (store.sealFull());
}

/** The messages of the series, commit by commit. */
function* commitsOf(series: Series): Generator<readonly Message[]> {
  const plant = openPlant(series);
  let commit: Message[] = [];
  for (let index = 0; index < series.readings; index += 1) {
    const at_ms = series.start_ms + index * series.cadence_ms;
    plant.advance(at_ms);
    const data = operationOf(plant);
    const isOther = (near_ms: number) => floorTo(near_ms, DAY_MS) !== floorTo(at_ms, DAY_MS);
    const isFirst = index === 0 || isOther(at_ms - series.cadence_ms);
    if (isFirst) commit.push(processEvent("PROCESS_START", at_ms, data));
    commit.push(messageOf("telemetry", plant.json(), { received_ms: at_ms + DELAY_MS }));
    const isLast = index === series.readings - 1 || isOther(at_ms + series.cadence_ms);
    if (isLast) commit.push(processEvent("PROCESS_STOP", at_ms, data));
    if (commit.length < COMMIT) continue;
    yield commit;
    commit = [];
  }
  yield commit;
}

/** The operations of a series: one for each day that it touches. */
export function operationsIn({ start_ms, end_ms }: Series): number {
  return floorTo(end_ms, DAY_MS) / DAY_MS - floorTo(start_ms, DAY_MS) / DAY_MS + 1;
}

function operationOf(plant: Plant): object {
  const values = plant.values();
  return { operation_type: values[TYPE], location: values[PLACE] };
}

function processEvent(event_type: string, at_ms: number, data: object): Message {
  const event = { timestamp: printTime(at_ms), event_type, description: event_type, data };
  return messageOf("events", event, { received_ms: at_ms + DELAY_MS });
}
