// A day of a whole fleet: the encoded days of some ships are sent under the ids of thousands, by
// the ship's own connection and each id's own certificate, to a PostgreSQL that syncs at each
// commit. Of some ships the line is cut in the middle, so that they ask what is there and go on. In
// the end every link must be ashore once, byte for byte.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import type { Reading } from "../../src/bwts/reading.ts";
import { encodeSegment } from "../../src/codec/segment.ts";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { messageOf } from "../../src/ground/errors.ts";
import { connectShore, type ShoreConnection } from "../../src/shore/connection.ts";
import { documentStatement, linkStatement } from "../../src/shore/statement.ts";
import { type FleetRig, startFleet } from "../../test/rig/fleet-rig.ts";
import { runProcess } from "../../test/rig/process.ts";
import { PROGRAM } from "../../test/rig/program.ts";
import type { Link } from "../../test/rig/ship-links.ts";
import { openPlant } from "../../test/rig/steady-plant.ts";

interface EncodedDay {
  readonly seed: number;
  readonly segments: number;
  /** Readings of a segment, at 1 Hz. */
  readonly readings: number;
}

export interface FleetDayOptions extends Omit<EncodedDay, "seed"> {
  /** Ids under which the days are sent. */
  readonly ships: number;
  /** Days that are encoded, each of another plant. */
  readonly days: number;
  readonly progress: (line: string) => void;
}

export interface FleetDayReport {
  readonly ships: number;
  readonly cuts: number;
  readonly links: number;
  /** Headers and payloads. */
  readonly segment_bytes: number;
  readonly took_s: number;
  readonly links_per_s: number;
  readonly megabytes_per_s: number;
  /** Processor time of PostgreSQL for a link, and of the ships' side. */
  readonly server_ms_per_link: number;
  readonly ships_ms_per_link: number;
  /** In PostgreSQL with indexes, for a reading. */
  readonly bytes_per_reading: number;
  /** Ships whose rows ashore are, byte for byte, those that were sent, each once. */
  readonly whole: number;
  /** Ships that the program ashore verified, one of each encoded day. */
  readonly verified: number;
  readonly problems: readonly string[];
}

/** So many send at a time. */
const AT_A_TIME = 8;
/** The line of every such ship is cut. */
const CUT_EVERY = 8;
const PROBLEMS_MAX = 20;
const PROGRESS_SHIPS = 250;

export async function runFleetDay(options: FleetDayOptions): Promise<FleetDayReport> {
  const { ships, days, segments, readings, progress } = options;
  const encoded: (readonly Link[])[] = [];
  for (let seed = 1; seed <= days; seed += 1) {
    encoded.push(encodedDay({ seed, segments, readings }));
    progress(`${seed} of ${days} days are encoded`);
    // A signal to stop is heard.
    await setImmediate();
  }
  await using fleet = await startFleet({ durable: true });
  const files: ShoreFile[] = [];
  const imos = Array.from({ length: ships }, (_, ship) => imoNumber(ship));
  for (let first = 0; first < ships; first += PROGRESS_SHIPS) {
    progress(`${first} of ${ships} ships are added`);
    files.push(...(await fleet.addAll(imos.slice(first, first + PROGRESS_SHIPS))));
  }
  const sent = await sendAll(fleet, { files, encoded, progress });
  progress("all is sent; every row is compared");
  const { whole, problems } = await compared(fleet, files, encoded);
  const verified = await verifiedShips(fleet, files.slice(0, days));
  return {
    ...{ ships, ...sent, whole, verified: verified.count },
    bytes_per_reading: (await storedBytes(fleet)) / (ships * segments * readings),
    problems: [...problems, ...verified.problems].slice(0, PROBLEMS_MAX),
  };
}

const START_MS = Date.UTC(2026, 4, 1);
const RECEIPT_MS = 40;

/** The chain of a ship's sealed readings, encoded as aboard, without a database. */
function encodedDay({ seed, segments, readings }: EncodedDay): readonly Link[] {
  const at_ms = (index: number) => START_MS + index * SECOND_MS;
  const all = segments * readings;
  const series = { seed, readings: all, cadence_ms: SECOND_MS };
  const plant = openPlant({ ...series, start_ms: at_ms(0), end_ms: at_ms(all - 1) });
  let previous: Buffer = Buffer.alloc(32);
  return Array.from({ length: segments }, (_, place): Link => {
    const { header, payload } = encodeSegment(
      Array.from({ length: readings }, (_, index) => readingAt(at_ms(place * readings + index))),
    );
    const digest = sha256(payload);
    const hash = sha256(header, digest, previous);
    const bytes = { body: Buffer.from(header), digest, payload: Buffer.from(payload) };
    const link = { chain: "segment", number: place + 1, previous, hash, ...bytes } as const;
    previous = hash;
    return link;
  });

  function readingAt(now_ms: number): Reading {
    plant.advance(now_ms);
    const [, ...values] = plant.values();
    const receipt = { received_ms: now_ms + RECEIPT_MS, clock_trusted: true };
    return { at_ms: now_ms, ...receipt, values: [null, ...values], derived: 0, extra: new Map() };
  }
}

const sha256 = (...parts: readonly Uint8Array[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest();

/** A number of its own for each, with its check digit. */
function imoNumber(index: number): string {
  const digits = `${900_000 + index}`;
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (7 - place), 0);
  return `${digits}${sum % 10}`;
}

interface Sending {
  readonly files: readonly ShoreFile[];
  readonly encoded: readonly (readonly Link[])[];
  readonly progress: (line: string) => void;
}

async function sendAll(fleet: FleetRig, { files, encoded, progress }: Sending) {
  const [server_ms, began_ms] = [serverProcessor_ms(fleet), performance.now()];
  const own = process.cpuUsage();
  const queue = files.entries();
  let cuts = 0;
  const sender = async () => {
    for (const [ship, file] of queue) {
      if (ship % PROGRESS_SHIPS === 0) progress(`${ship} of ${files.length} ships have sent`);
      const links = encoded[ship % encoded.length];
      const isCut = ship % CUT_EVERY === 0;
      const isLost = await sendDay(file, links, isCut);
      if (isLost) cuts += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, sender));
  const took_s = (performance.now() - began_ms) / SECOND_MS;
  const { user, system } = process.cpuUsage(own);
  const all = files.flatMap((_, ship) => encoded[ship % encoded.length]);
  const links = all.length;
  const segment_bytes = all.reduce(
    (sum, { body, payload }) => sum + body.length + (payload?.length ?? 0),
    0,
  );
  return {
    ...{ cuts, links, segment_bytes, took_s, links_per_s: links / took_s },
    megabytes_per_s: segment_bytes / 1e6 / took_s,
    server_ms_per_link: (serverProcessor_ms(fleet) - server_ms) / links,
    ships_ms_per_link: (user + system) / 1000 / links,
  };
}

/**
 * Sends a ship's day; with a cut the connection ends when all is on its way, before any answer is
 * read. True if links were left without their answers.
 */
async function sendDay(file: ShoreFile, links: readonly Link[], isCut: boolean): Promise<boolean> {
  const { certificate: cert, key, key_pin } = file;
  const place = { url: file.urls[0], cert, key, key_pin };
  const instance = randomUUID();
  let lost = 0;
  if (isCut) {
    const first = await connectShore(place);
    const cut = () => first.destroy("cut");
    lost = (await putMissing(first, { instance, links }, cut)).filter(isRejected).length;
  }
  const connection = await connectShore(place);
  for (const answer of await putMissing(connection, { instance, links }, () => {}))
    if (isRejected(answer)) throw answer.reason;
  await connection.end();
  return lost > 0;
}

const NO_LINK = [0, Buffer.alloc(32).toString("base64")];
const REPORT = {
  heads: { segment: NO_LINK, event: NO_LINK, audit: NO_LINK },
  ashore: { segment: 0, event: 0, audit: 0 },
};

const isRejected = (answer: PromiseSettledResult<void>) => answer.status === "rejected";

/** Puts the links behind those that the shore has. */
async function putMissing(
  connection: ShoreConnection,
  { instance, links }: { readonly instance: string; readonly links: readonly Link[] },
  onSent: () => void,
) {
  const segment = links.map(({ number, hash }) => [number, hash.toString("hex")] as const);
  const hello = await connection.hello(
    { instance, version: "0.3.0" },
    { segment, event: [], audit: [], head: [], statement: [] },
  );
  // As a ship does, whose box is missed without it: nothing was acknowledged yet.
  await connection.put(
    instance,
    documentStatement("report", { key: "now", body: REPORT, revision: 1 }),
  );
  const missing = links.filter(({ number }) => number > (hello?.chains.segment.common ?? 0));
  const answers = missing.map((link) =>
    connection.put(instance, linkStatement({ ...link, payload_bytes: null })),
  );
  onSent();
  return Promise.allSettled(answers);
}

/** Processor time of the server and all its sessions that are over. */
function serverProcessor_ms({ folder }: FleetRig): number {
  const [pid] = readFileSync(path.join(folder, "data", "postmaster.pid"), "utf8").split("\n");
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // utime, stime, and those of children, from the 14th field on, in 1/100 s.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

const ROWS = `select ship, encode(sha256(string_agg(row, ''::bytea order by number)), 'hex')
  from (select ship, number, sha256(hash || previous || body ||
    coalesce(digest, '') || coalesce(payload, '')) as row from fleet.link) as made
  group by ship`;

/** The sum that `ROWS` has of a day that is ashore once. */
const sumOf = (links: readonly Link[]) =>
  sha256(
    ...links.map(({ hash, previous, body, digest, payload }) =>
      sha256(hash, previous, body, ...[digest, payload].map((bytes) => bytes ?? Buffer.alloc(0))),
    ),
  ).toString("hex");

async function compared(
  fleet: FleetRig,
  files: readonly ShoreFile[],
  encoded: readonly (readonly Link[])[],
) {
  const rows = (await fleet.psql(ROWS)).trim().split("\n");
  const ashore = new Map(rows.map((row): [string, string] => [row.slice(0, 7), row.slice(8)]));
  const sums = encoded.map(sumOf);
  const others = files.flatMap(({ ship }, index) =>
    ashore.get(ship) === sums[index % sums.length] ? [] : [`${ship}: other rows than were sent`],
  );
  return { whole: files.length - others.length, problems: others };
}

/** Has the program prove ships: it decodes every segment. */
async function verifiedShips(fleet: FleetRig, files: readonly ShoreFile[]) {
  const problems: string[] = [];
  for (const { ship } of files) {
    const args = [PROGRAM, "fleet", "verify", ship];
    const command = { file: process.execPath, args, folder: fleet.folder, env: fleet.env };
    await runProcess(command).catch((error) => void problems.push(messageOf(error)));
  }
  return { count: files.length - problems.length, problems };
}

/** Links with their indexes and large values. */
async function storedBytes(fleet: FleetRig): Promise<number> {
  const sum = `select sum(pg_total_relation_size(inhrelid)) from pg_inherits
    where inhparent = 'fleet.link'::regclass`;
  return Number(await fleet.psql(sum));
}
