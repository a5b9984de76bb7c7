// Single bits that turn anywhere in the pages of events, alerts, the audit log and the quarantine,
// in copies of a small real file. No list of them fails, none answers what its document doesn't
// allow, and no event is answered that wasn't stored: a damaged one is named in its place.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { AuditPage } from "../../../src/bwts/audit.ts";
import { EventAnswer } from "../../../src/bwts/event.ts";
import { AlarmAnswer } from "../../../src/bwts/present/alarm.ts";
import { QuarantinePage } from "../../../src/bwts/quarantine.ts";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { printTime } from "../../../src/ground/clock.ts";
import { answer, type Query } from "../../../src/sqlite/answers/queries.ts";
import { damageOf, isDamage } from "../../../src/sqlite/file/damage.ts";
import { type Connection, databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import { addToken } from "../../../src/sqlite/records/tokens.ts";
import { openRig, removeFolders, temporaryFolder } from "../../rig/database.ts";
import { AT_MS, messageOf } from "../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../rig/fleet.ts";
import { sized } from "../../rig/scale.ts";
import { randomOf } from "../../rig/sealing.ts";

afterAll(removeFolders);
const PAGE = 4096;
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));
const flips = Number(process.env.TEST_FLIPS ?? sized(40, 80));
const COUNT = 20;
/** The type of a page with rows, as its first byte says. */
const LEAF = 0x0d;

const RANGE = { start_ms: null, end_ms: null };
const LISTS = {
  events: {
    ask: { name: "events", range: RANGE, type: null, limit: 100 },
    schema: z.array(EventAnswer),
  },
  alarms: {
    ask: { name: "alarms", range: RANGE, state: null, limit: 100 },
    schema: z.array(AlarmAnswer),
  },
  audit: {
    ask: { name: "audit", range: RANGE, kind: null, offset: 0, limit: 100 },
    schema: AuditPage,
  },
  quarantine: {
    ask: { name: "quarantine", reason: null, before: null, limit: 100 },
    schema: QuarantinePage,
  },
} satisfies Record<string, { ask: Query; schema: z.ZodType }>;
const NAMES = ["events", "alarms", "audit", "quarantine"] as const;

function told(db: Connection, query: Query): string {
  const out = new JsonWriter();
  for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
  return out.written.toString();
}

function openShip() {
  const rig = openRig();
  for (let index = 0; index < COUNT; index += 1) {
    const timestamp = printTime(AT_MS - index * 60_000);
    const data = { code: `UV_LOW_${index}`, parameter: "UVR_INTENSITY", value: 240 + index };
    const event = { timestamp, event_type: "ALARM_TRIGGERED", description: "low", data };
    const start = { timestamp, event_type: "PROCESS_START", description: "", data: {} };
    rig.store.commit([
      ...[event, start].map((content) => messageOf("events", content)),
      messageOf("telemetry", { timestamp: `never ${index}`, text: "x".repeat(100) }),
    ]);
    rig.store.audited((append) =>
      addToken(rig.db, append, {
        token: { name: `bridge-${index}`, role: "viewer", hash: Buffer.alloc(32), added_ms: 0 },
        act: { actor: "test", address: null, at_ms: AT_MS },
      }),
    );
  }
  rig.db.pragma("wal_checkpoint(truncate)");
  const pages = rig.db
    .prepare<[], { pageno: number }>(
      "select pageno from dbstat where name in ('event', 'alarm', 'audit', 'quarantine')",
    )
    .all()
    .map(({ pageno }) => pageno);
  const whole = readFileSync(databaseFile(rig.dir));
  rig.close();
  return { whole, pages };
}

/** The beginnings of the rows of a page: where they are and the types of their columns. */
function headsOf(whole: Buffer, page: number): readonly number[] {
  const start = (page - 1) * PAGE;
  if (whole[start] !== LEAF) return [];
  const cells = Array.from({ length: whole.readUInt16BE(start + 3) }, (_, cell) => cell);
  return cells.flatMap((cell) => {
    const at = start + whole.readUInt16BE(start + 8 + 2 * cell);
    return Array.from({ length: 16 }, (_, byte) => at + byte);
  });
}

/** Asks for a list; returns what is wrong with the outcome, null if nothing is. */
function fault(db: Connection, name: keyof typeof LISTS, stored: ReadonlySet<string>) {
  const { ask, schema } = LISTS[name];
  try {
    const answered = schema.parse(JSON.parse(told(db, ask)));
    if (name !== "events") return null;
    const events = z.array(EventAnswer).parse(answered);
    const altered = events.filter((event) => {
      return event.data.damaged !== true && !stored.has(JSON.stringify(event));
    });
    return altered.length === 0 ? null : `altered: ${JSON.stringify(altered)}`;
  } catch (error) {
    // Nothing is known of a page that SQLite can't read, but an index tells of events.
    return name !== "events" && isDamage(error) ? null : String(error);
  }
}

test(`${flips} flipped bits end no list and alter no event (TEST_SEED=${seed})`, () => {
  const random = randomOf(seed);
  const { whole, pages } = openShip();
  const file = path.join(temporaryFolder(), "copy.db");
  writeFileSync(file, whole);
  const sound = openReader(file);
  const stored = z.array(EventAnswer).parse(JSON.parse(told(sound, LISTS.events.ask)));
  expect(stored).toHaveLength(2 * COUNT);
  const texts = new Set(stored.map((event) => JSON.stringify(event)));
  sound.close();
  const bad: string[] = [];
  let noted = 0;
  for (let flip = 0; flip < flips; flip += 1) {
    const page = pages[Math.floor(random() * pages.length)];
    const heads = flip % 2 === 0 ? [] : headsOf(whole, page);
    const anywhere = (page - 1) * PAGE + Math.floor(random() * PAGE);
    const at = heads[Math.floor(random() * heads.length)] ?? anywhere;
    const bytes = Buffer.from(whole);
    bytes[at] ^= 1 << Math.floor(random() * 8);
    writeFileSync(file, bytes);
    const db = openReader(file);
    for (const name of NAMES) {
      const found = fault(db, name, texts);
      if (found !== null) bad.push(`${name}, byte ${at} (page ${page}): ${found}`);
    }
    noted += damageOf(db).take().length > 0 ? 1 : 0;
    db.close();
  }
  expect(bad).toEqual([]);
  expect(noted).toBeGreaterThan(flips / 20);
});
