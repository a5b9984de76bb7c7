// Damage anywhere in a write-ahead log that holds most of a database: a start takes it only if at
// most the transactions of a power cut are behind the damage, and what a salvage doesn't find it
// names. In one process, so that many places are tried.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmId } from "../../../../src/bwts/present/alarm.ts";
import { DAY_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { salvage } from "../../../../src/sqlite/care/salvage.ts";
import { databaseProblem } from "../../../../src/sqlite/care/trust.ts";
import { putMark } from "../../../../src/sqlite/file/mark.ts";
import { databaseFile, openReader, prepare } from "../../../../src/sqlite/file/open.ts";
import { acknowledgeAlarm, storedAlarm } from "../../../../src/sqlite/records/alarm-acts.ts";
import { readingsIn } from "../../../../src/sqlite/sealed/timeline.ts";
import { openRig, removeFolders, temporaryFolder } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { printedRandom, type Random } from "../../../rig/random.ts";
import { sized } from "../../../rig/scale.ts";
import { fieldsOf, PARTS } from "../../../rig/voyage.ts";

/** A few in each run of the tests; by hand as many as one likes. */
const FLIPS = Number(process.env.TEST_FLIPS ?? sized(2, 5));
const READINGS = Number(process.env.TEST_READINGS ?? sized(120, 200));
const PER_COMMIT = 12;
const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
const FRAME = 4096 + 24;
const HEADER = 32;

const atOf = (number: number) => AT_MS - (READINGS - number) * MINUTE_MS;

let file: Buffer;
let log: Buffer;
/** Frames of the log that were written since it began anew. */
let frames: number;

beforeAll(() => {
  const rig = openRig();
  const name = databaseFile(rig.dir);
  const random = printedRandom("the log's commits");
  const started = { at_ms: AT_MS, detail: {}, settings: [] };
  rig.store.beginRun(started, { now_ms: AT_MS, isLogMissing: false });
  // Older frames stand behind those of a log that began anew.
  const older = readFileSync(`${name}-wal`).subarray(HEADER);
  rig.db.pragma("wal_checkpoint(truncate)");
  rig.db.pragma("wal_autocheckpoint = 0");
  for (let number = 0; number < READINGS; ) {
    const count = Math.min(READINGS - number, random.between(1, 2 * PER_COMMIT));
    const parts = Array.from({ length: count }, (_, index) => number + index).flatMap((each) =>
      PARTS.map((part) =>
        messageOf("telemetry", {
          timestamp: new Date(atOf(each)).toISOString(),
          ...Object.fromEntries(fieldsOf(each, part)),
        }),
      ),
    );
    rig.store.commit(parts);
    if (random.chance(0.3)) raise(rig, `PUMP_${number}`);
    if (random.chance(0.2))
      rig.store.commit([messageOf("telemetry", `{"timestamp":"${number}x"}`)]);
    number += count;
    while (rig.store.sealFull());
  }
  file = readFileSync(name);
  log = Buffer.concat([readFileSync(`${name}-wal`), older]);
  rig.close();
  const salts = log.subarray(16, 24);
  frames =
    Array.from({ length: Math.floor((log.length - HEADER) / FRAME) }, (_, at) =>
      log.subarray(HEADER + at * FRAME + 8, HEADER + at * FRAME + 16),
    ).findLastIndex((found) => found.equals(salts)) + 1;
});
afterAll(removeFolders);

/** An alarm of the plant, which somebody acknowledges. */
function raise({ db, store }: ReturnType<typeof openRig>, code: string): void {
  store.commit([
    messageOf("events", { event_type: "ALARM_TRIGGERED", timestamp: AT_MS, data: { code } }),
  ]);
  const row = storedAlarm(db, prepare(db, "alarm.last_id").get({})?.id ?? 0);
  const act = { at_ms: RECEIVED_MS, actor: "bridge", address: null };
  const name = row === null ? "none" : alarmId(row);
  store.audited((append) => acknowledgeAlarm(db, append, { id: name, note: code, act }));
}

type Damage = (bytes: Buffer, random: Random) => void;
const frameAt = (random: Random) => HEADER + FRAME * random.between(0, frames - 1);
const flip = (bytes: Buffer, at: number, random: Random) => {
  bytes[at] ^= 1 << random.between(0, 7);
};
const DAMAGES: Readonly<Record<string, Damage>> = {
  "a bit of a page": (bytes, random) =>
    flip(bytes, frameAt(random) + random.between(24, FRAME - 1), random),
  "a bit of a page's beginning": (bytes, random) =>
    flip(bytes, frameAt(random) + random.between(24, 64), random),
  "a bit of a frame's header": (bytes, random) =>
    flip(bytes, frameAt(random) + random.between(0, 23), random),
  "a whole frame": (bytes, random) => {
    const at = frameAt(random);
    bytes.fill(0, at, at + FRAME);
  },
  "a frame's page number": (bytes, random) => {
    bytes.writeUInt32BE(random.between(2, 60), frameAt(random));
  },
  "a bit of the log's header": (bytes, random) => flip(bytes, random.between(0, 31), random),
  "a sector": (bytes, random) => {
    const at = 512 * random.between(0, Math.floor((HEADER + frames * FRAME) / 512) - 1);
    bytes.fill(0, at, at + 512);
  },
};

test.each(Object.entries(DAMAGES))("%s: what is lost is named", (title, damage) => {
  const random = printedRandom(title);
  const found = new Set<string>();
  // Some damage changes nothing that counts, such as zeros over zeros.
  for (let time = 0; time < FLIPS || (time < 50 && !found.has("refused")); time += 1) {
    const dir = temporaryFolder();
    const damaged = Buffer.from(log);
    damage(damaged, random);
    writeFileSync(databaseFile(dir), file);
    writeFileSync(`${databaseFile(dir)}-wal`, damaged);
    found.add(outcome(dir));
  }
  expect(found).toContain("refused");
});

/** The page of a frame, and how large the file is after it if it ends a transaction, else 0. */
const pageOf = (frame: number) => log.readUInt32BE(HEADER + frame * FRAME);
const endOf = (frame: number) => log.readUInt32BE(HEADER + frame * FRAME + 4);
const frameWhere = (is: (frame: number) => boolean) =>
  Array.from({ length: frames - 2 }, (_, index) => index + 1).find(is) ?? 1;

test.each([
  ["missing", () => null],
  ["shorter than its header", () => 31],
  ["cut off in its last frame", () => HEADER + frames * FRAME - 100],
  [
    "cut off in a transaction",
    () => HEADER + (frameWhere((frame) => endOf(frame) === 0) + 1) * FRAME + 100,
  ],
])("of a log that is %s nobody can tell what it held", (_, lengthLeft) => {
  const dir = temporaryFolder();
  const length = lengthLeft();
  writeFileSync(databaseFile(dir), file);
  if (length !== null) writeFileSync(`${databaseFile(dir)}-wal`, log.subarray(0, length));
  expect(salvaged(dir).losses).toContainEqual(
    expect.objectContaining({ what: "log", from: null, to: null }),
  );
});

test("alarms of a PLC whose clock is days behind don't become history by a salvage", () => {
  const rig = openRig();
  const started = { at_ms: RECEIVED_MS, detail: {}, settings: [] };
  rig.store.beginRun(started, { now_ms: RECEIVED_MS, isLogMissing: false });
  putMark(rig.db, "plc_offset_ms", -3 * DAY_MS);
  const event = { event_type: "ALARM_TRIGGERED", timestamp: RECEIVED_MS - 3 * DAY_MS };
  rig.store.commit([messageOf("events", { ...event, data: { code: "UV_LOW" } })]);
  rig.db.pragma("wal_checkpoint(truncate)");
  const dir = temporaryFolder();
  writeFileSync(databaseFile(dir), readFileSync(databaseFile(rig.dir)));
  rig.close();
  const { to, losses } = salvaged(dir);
  expect(losses).toMatchObject([{ what: "log" }]);
  const db = openReader(to);
  expect(db.prepare("select code, is_open from alarm").all()).toEqual([
    { code: "UV_LOW", is_open: 1 },
  ]);
  expect(prepare(db, "mark.at").get({ name: "plc_offset_ms" })?.value).toBe(-3 * DAY_MS);
  db.close();
});

/** Between the pages before and after it, so that only the checksum tells that it is wrong. */
const tellOtherPage = (frame: Buffer) => frame.writeUInt32BE(frame.readUInt32BE(0) - 1);
const alterPage = (frame: Buffer) => frame.fill(7, 2000, 2040);

test.each<[string, boolean, (frame: Buffer) => void]>([
  ["zero", true, (frame) => frame.fill(0)],
  [
    "told as another page, and altered",
    true,
    (frame) => [tellOtherPage, alterPage].map((alter) => alter(frame)),
  ],
  ["altered in its page", true, alterPage],
  ["told as another page that can stand there", true, tellOtherPage],
  ["told as another page that can't", false, (frame) => frame.writeUInt32BE(1)],
  ["told as the end of a transaction", false, (frame) => frame.writeUInt32BE(9, 4)],
  ["without the log's salts", false, (frame) => frame.fill(1, 8, 16)],
  ["altered in its checksum", false, (frame) => frame.fill(1, 16, 24)],
  ["flipped in a bit of its page", false, (frame) => frame.writeUInt8(frame[2000] ^ 1, 2000)],
])("a frame is %s: all that isn't proven is named as lost: %s", (_, isLost, damage) => {
  // Within a transaction the pages ascend: the page before is none of it.
  const isBehind = (frame: number) =>
    endOf(frame - 1) === 0 && pageOf(frame - 1) < pageOf(frame) - 1;
  const middle = frameWhere((frame) => endOf(frame) === 0 && isBehind(frame));
  const last =
    frames -
    1 -
    [...Array(frames).keys()].findIndex((place) => {
      const frame = frames - 1 - place;
      return endOf(frame) === 0 && isBehind(frame);
    });
  for (const frame of [middle, last]) {
    const dir = temporaryFolder();
    const damaged = Buffer.from(log);
    const at = HEADER + frame * FRAME;
    damage(damaged.subarray(at, at + FRAME));
    writeFileSync(databaseFile(dir), file);
    writeFileSync(`${databaseFile(dir)}-wal`, damaged);
    const { to, losses } = salvaged(dir);
    expect(losses.some(({ what }) => what === "log")).toBe(isLost);
    if (isLost) continue;
    expect(losses).toEqual([]);
    expect(missingIn(to)).toEqual([]);
    expect(recordsIn(to)).toEqual(recordsIn(whole(dir)));
  }
});

/** Starts and salvages a copy; "runs" if a start takes it. */
function outcome(dir: string): "runs" | "refused" {
  const name = databaseFile(dir);
  if (databaseProblem(dir) === null) {
    // A transaction of a power cut, and the one behind it.
    expect(missingIn(name).length).toBeLessThanOrEqual(4 * PER_COMMIT);
    return "runs";
  }
  const { to, losses } = salvaged(dir);
  const isNamed = (at_ms: number) =>
    losses.some(
      ({ what, from, to: until }) =>
        ["segment", "readings", "day", "log"].includes(what) &&
        (from === null || Date.parse(from) <= at_ms) &&
        (until === null || at_ms <= Date.parse(until)),
    );
  expect(missingIn(to).filter((at_ms) => !isNamed(at_ms))).toEqual([]);
  const named = (what: string) => losses.some((loss) => loss.what === what);
  const [kept, sent] = [recordsIn(to), recordsIn(whole(dir))];
  if (!named("log") && !named("event") && !named("audit")) expect(kept.alarms).toEqual(sent.alarms);
  if (!named("log") && !named("table")) expect(kept.quarantine).toBe(sent.quarantine);
  return "refused";
}

function salvaged(dir: string) {
  const to = path.join(dir, "new.db");
  const by = { actor: "test", address: null };
  const options = { now_ms: RECEIVED_MS, built_ms: 0, problem: "damaged", by };
  return { to, losses: salvage({ file: databaseFile(dir), to, ...options }).losses };
}

function whole(dir: string): string {
  const name = path.join(dir, "whole.db");
  writeFileSync(name, file);
  writeFileSync(`${name}-wal`, log);
  return name;
}

function missingIn(name: string): readonly number[] {
  const db = openReader(name);
  const there = new Set([...readingsIn(db, ALWAYS)].map(({ at_ms }) => at_ms));
  db.close();
  const sent = Array.from({ length: READINGS }, (_, number) => atOf(number));
  return sent.filter((at_ms) => !there.has(at_ms));
}

function recordsIn(name: string) {
  const db = openReader(name);
  const alarms = db.prepare("select code, acknowledged_note from alarm order by code").all();
  const quarantine = db.prepare("select count(*) from quarantine").pluck().get();
  db.close();
  return { alarms, quarantine };
}
