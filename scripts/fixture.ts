// `npm run fixture`: a small database as this version writes it, kept as test/data/<version>.db. A
// release's file is never made again: later programs are tested to migrate it. Until 0.2.0 is
// released, whoever changes the first migration makes it again.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { BY_SELF } from "../src/bwts/audit.ts";
import { printTime } from "../src/ground/clock.ts";
import { migrate } from "../src/sqlite/file/migrate.ts";
import { openWriter } from "../src/sqlite/file/open.ts";
import { savePlant } from "../src/sqlite/records/plants.ts";
import { addToken } from "../src/sqlite/records/tokens.ts";
import { openStore } from "../src/sqlite/threads/store.ts";
import { messageOf } from "../test/rig/decoding.ts";
import { wholeStore } from "../test/rig/whole-store.ts";

const root = path.resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const file = path.join(root, "test", "data", `${version}.db`);

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 180_000;
/** A segment, and some that stay hot. */
const READINGS = 2500;

mkdirSync(path.dirname(file), { recursive: true });
rmSync(file, { force: true });
const db = openWriter(file);
migrate(db, START_MS);
const store = openStore(db, {
  prefix: "bwts",
  system_id: "BWTS-001",
  merge_ms: 0,
  quarantine_max_bytes: 1024 * 1024,
  built_ms: 0,
});
const messages = [
  ...Array.from({ length: READINGS }, (_, index) => sent("telemetry", index, reading(index))),
  sent("events", 0, { event_type: "PROCESS_START", description: "start", data: { a: 1 } }),
  sent("telemetry", 0, { timestamp: "yesterday" }),
];
wholeStore(store).commit(messages);
while (store.sealFull());
const act = { ...BY_SELF, at_ms: START_MS };
const plant = { id: 9_223_372_036_854_775_807n, name: "BWTS 1", tag: null };
store.audited((append) => savePlant(db, append, { plant, act }));
const hash = Buffer.alloc(32, 7);
const token = { name: "bridge", role: "viewer", hash, added_ms: START_MS } as const;
store.audited((append) => addToken(db, append, { token, act }));
store.tidy();
db.close();
console.log(`${path.relative(root, file)}: ${READINGS} readings`);

function reading(index: number) {
  return {
    UVR_INTENSITY: 500 + (index % 100) / 10,
    PROCESS_STATE: index % 500 < 100 ? "RUNNING" : "IDLE",
    LAMP_07_RUNTIME: Math.floor(index / 20),
    OWN_TAG: index % 3,
  };
}

function sent(kind: string, index: number, content: object) {
  const received_ms = START_MS + index * STEP_MS;
  const timestamp = printTime(received_ms);
  return messageOf(kind, { timestamp, ...content }, { received_ms, packet_id: 1 });
}
