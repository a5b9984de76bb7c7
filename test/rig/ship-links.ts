// A ship's three chains as a real database holds them, in the form in which they go ashore. Written
// from docs/storage.md: the texts of events and entries are made here without the code that hashed
// them.

import { createHash } from "node:crypto";
import { BY_SELF } from "../../src/bwts/audit.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { parseExact } from "../../src/ground/exact-json.ts";
import { exported } from "../../src/sqlite/answers/export.ts";
import { COLUMNS, ndjsonLine } from "../../src/sqlite/exchange/export-columns.ts";
import { type Connection, write } from "../../src/sqlite/file/open.ts";
import { openAuditLog } from "../../src/sqlite/records/audit.ts";
import { openRig, type Rig } from "./database.ts";
import { messageOf } from "./decoding.ts";
import { openPlant } from "./steady-plant.ts";

/** The arguments of fleet.put_link behind the instance, in its order. */
export interface Link {
  readonly chain: "segment" | "event" | "audit";
  readonly number: number;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly body: Buffer;
  readonly digest: Buffer | null;
  readonly payload: Buffer | null;
}

const START_MS = Date.UTC(2026, 4, 1);

interface Sailed {
  readonly seed: number;
  readonly segments: number;
  /** Readings of each. */
  readonly readings: number;
  /** 1 s by default. */
  readonly cadence_ms?: number;
  /** Days and parts of one after the first reading of shipAboard. */
  readonly days?: number;
}

const received = (at_ms: number) => ({ received_ms: at_ms + 40 });

/** Stores readings, sealed as a day later. */
export function sailOn({ store }: Rig, sailed: Sailed): void {
  const { seed, segments, readings, cadence_ms = SECOND_MS, days = 0 } = sailed;
  const at_ms = (index: number) => START_MS + Math.round(days * DAY_MS) + index * cadence_ms;
  const all = segments * readings;
  const series = { seed, readings: all, cadence_ms, start_ms: at_ms(0) };
  const plant = openPlant({ ...series, end_ms: at_ms(all - 1) });
  for (let begin = 0; begin < all; begin += readings) {
    const messages = Array.from({ length: readings }, (_, place) => {
      plant.advance(at_ms(begin + place));
      return messageOf("telemetry", plant.json(), received(at_ms(begin + place)));
    });
    store.commit(messages);
    while (store.sealOld(at_ms(begin) + 2 * DAY_MS));
  }
}

/** A database of a ship: segments, odd events, and entries of the audit log. */
export function shipAboard(sailed: Sailed): Rig {
  const rig = openRig();
  sailOn(rig, sailed);
  const events = EVENTS.map((text, index) =>
    messageOf("events", text, received(START_MS + index * (sailed.cadence_ms ?? SECOND_MS))),
  );
  rig.store.commit(events);
  const audit = openAuditLog(rig.db);
  write(rig.db, () => {
    for (const address of [null, "10.0.0.7"]) {
      const entry = { ...BY_SELF, at_ms: START_MS, kind: "start", address } as const;
      audit.add({ ...entry, detail: { version: 'a "quoted" één' } }, { clock_trusted: true });
    }
  });
  return rig;
}

/** A ship of 60 h, a reading a minute: her links, and her own export's lines. */
export function shipExported() {
  const rig = shipAboard({ seed: 5, segments: 4, readings: 900, cadence_ms: MINUTE_MS });
  const links = linksOf(rig.db);
  const { batches } = exported(rig.db, { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER });
  const lines: readonly Readonly<Record<string, unknown>>[] = [...batches]
    .flat()
    .map((reading) => JSON.parse(ndjsonLine(reading, COLUMNS)));
  rig.close();
  return { links, segments: links.filter(({ chain }) => chain === "segment"), lines };
}

/** Zero characters, digits that no double holds, members in no order. */
const EVENTS = [
  `{"timestamp":"2026-05-01T00:00:00Z","event_type":"PROCESS_START","description":"begun"}`,
  String.raw`{"timestamp":"2026-05-01T00:00:05Z","event_type":"ALARM_TRIGGERED",
    "description":"UV_LOW: \u0000 \"één\" 漢字 \\u0000",
    "data":{"z":1,"code":"UV_LOW","a":{"y":[1,null],"b":"\u0000"},"n":12345678901234567890}}`,
  `{"timestamp":"2026-05-01T00:00:09Z","event_type":"PROCESS_STOP","description":"done"}`,
];

const ZERO = Buffer.alloc(32);

/** A segment after `before` with the content of another, as a box that went another way. */
export function follower(before: Link, { body, digest, payload }: Link): Link {
  const hash = createHash("sha256");
  for (const part of [body, digest ?? ZERO, before.hash]) hash.update(part);
  const place = { chain: "segment", number: before.number + 1, previous: before.hash } as const;
  return { ...place, hash: hash.digest(), body, digest, payload };
}

/** All links, each chain in its order. */
export function linksOf(db: Connection): readonly Link[] {
  return [...segments(db), ...events(db), ...entries(db)];
}

/** All links as texts, sorted; `rowsAshore` has the same of a shore. */
export function rowsAboard(db: Connection): readonly string[] {
  return linksOf(db)
    .map(({ chain, number, hash, previous, body, digest, payload }) =>
      [
        ...[chain, number],
        ...[hash, previous, body, digest, payload].map((bytes) => bytes?.toString("hex") ?? ""),
      ].join("|"),
    )
    .sort();
}

interface Cells {
  readonly id: number;
  readonly hash: Buffer;
  readonly [name: string]: unknown;
}

function rows<Row extends Cells>(db: Connection, table: string): readonly Row[] {
  return db.prepare<[], Row>(`select * from ${table} order by id`).all();
}

function chained<Row extends Cells>(
  chain: Link["chain"],
  all: readonly Row[],
  content: (row: Row) => Pick<Link, "body" | "digest" | "payload">,
): readonly Link[] {
  return all.map((row, index) => ({
    ...{ chain, number: row.id, previous: all[index - 1]?.hash ?? ZERO, hash: row.hash },
    ...content(row),
  }));
}

function segments(db: Connection): readonly Link[] {
  type Row = Cells & { header: Buffer; payload: Buffer | null; payload_hash: Buffer };
  return chained("segment", rows<Row>(db, "segment"), ({ header, payload_hash, payload }) => ({
    ...{ body: header, digest: payload_hash, payload },
  }));
}

function events(db: Connection): readonly Link[] {
  type Row = Cells & { identity: Buffer; data: string };
  return chained("event", rows<Row>(db, "event"), (row) => ({
    body: Buffer.from(`${row.source}\n${row.received_ms}\n${row.clock_trusted}\n`),
    digest: row.identity,
    payload: jsonOf([row.at_ms, row.event_type, row.description, sorted(parseExact(row.data))]),
  }));
}

function entries(db: Connection): readonly Link[] {
  return chained("audit", rows(db, "audit"), (row) => ({
    body: jsonOf([row.at_ms, row.clock_trusted, row.kind, row.actor, row.address, row.detail]),
    digest: null,
    payload: null,
  }));
}

const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value));

/** JSON with members in the order of their names. */
function sorted(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const printed = members.map(([name, inner]) => `${JSON.stringify(name)}:${sorted(inner)}`);
  return `{${printed.join(",")}}`;
}
