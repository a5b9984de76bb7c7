// `npm run bench -- --fleet`: the shore's side on this machine. Real segments of a ship at 1 Hz are
// put by four ships' own certificates into a cluster that syncs at each commit; the clients run on
// the same processors.

import { randomUUID } from "node:crypto";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { bundledProgram } from "../../test/rig/bundled.ts";
import { removeFolders } from "../../test/rig/database.ts";
import { type FleetRig, sail, startFleet } from "../../test/rig/fleet-rig.ts";
import { follower, type Link, linksOf, shipAboard } from "../../test/rig/ship-links.ts";
import { measureDrainLoad } from "./drain-load.ts";
import { measureFleetPage } from "./fleet-page.ts";
import { measureLake } from "./lake.ts";
import { measureParquet } from "./parquet.ts";
import { measureDrains, measureShipDay } from "./ship-day.ts";
import { groupsOf, type TableRow } from "./table-rows.ts";

const SHIPS = ["9074729", "9176187", "9839272", "9321483"];
/** Segments of each ship: 15 days. */
const LINKS = 630;
const SESSIONS = 60;
const READINGS = 2048;

/** Groups of rows in their order; the last two fill and empty the tables. */
const GROUPS = {
  ashore: async (fleet: FleetRig) => [
    ...(await measureAshore(fleet, realSegments())),
    measureParquet(realSegments()),
  ],
  day: measureShipDay,
  line: measureDrains,
  lake: async (fleet: FleetRig) => [await measureLake(fleet, realSegments())],
  page: measureFleetPage,
  load: measureDrainLoad,
} satisfies Record<string, (fleet: FleetRig) => Promise<readonly TableRow[]>>;

/** The table of the groups named, or of all. */
export async function measureFleet(
  names: readonly string[],
  say: (text: string) => void,
): Promise<string> {
  const measured = groupsOf("fleet", GROUPS, names);
  bundledProgram();
  await using fleet = await startFleet({ durable: true });
  return await measured(fleet, say);
}

async function measureAshore(
  fleet: FleetRig,
  contents: readonly Link[],
): Promise<readonly TableRow[]> {
  const ships: ShoreFile[] = [];
  for (const imo of SHIPS) ships.push(await fleet.add(imo));
  const put_s = await timed(ships, (file) => putChain(file, contents));
  const segments = LINKS * SHIPS.length;
  const bytes = await storedBytes(fleet);
  const sessions_s = await timed(ships, async (file) => {
    for (let session = 0; session < SESSIONS; session += 1) {
      await using ship = await sail(file);
      await ship.hello();
    }
  });
  const a_second = (count: number, took_s: number) => `${(count / took_s).toFixed(0)}/s`;
  return [
    {
      what: "verified segments, a commit each, synced to disk",
      goal: "300/s",
      measured: a_second(segments, put_s),
    },
    {
      what: "sessions: TLS with a certificate, and a hello",
      goal: "60/s",
      measured: a_second(SESSIONS * SHIPS.length, sessions_s),
    },
    {
      what: "in PostgreSQL, with indexes",
      goal: "32 bytes a reading",
      measured: (bytes / segments / READINGS).toFixed(1),
    },
  ];
}

function realSegments(): readonly Link[] {
  const rig = shipAboard({ seed: 1, segments: 8, readings: READINGS });
  const links = linksOf(rig.db).filter(({ chain }) => chain === "segment");
  rig.close();
  removeFolders();
  return links;
}

/** Seconds until `work` is done for all ships at a time. */
async function timed(ships: readonly ShoreFile[], work: (file: ShoreFile) => Promise<void>) {
  const began_ms = performance.now();
  await Promise.all(ships.map(work));
  return (performance.now() - began_ms) / SECOND_MS;
}

/** A chain as long as wanted, of the same few contents. */
async function putChain(file: ShoreFile, contents: readonly Link[]): Promise<void> {
  await using ship = await sail(file, randomUUID());
  await ship.hello();
  let [before] = contents;
  await expectNumber(ship.put(before), before);
  while (before.number < LINKS) {
    before = follower(before, contents[before.number % contents.length]);
    await expectNumber(ship.put(before), before);
  }
}

async function expectNumber(answer: Promise<unknown>, { number }: Link): Promise<void> {
  const given = await answer;
  if (given !== number) throw new Error(`segment ${number}: got ${given}, expected its number`);
}

/** Partitions of links with their indexes and large values. */
async function storedBytes(fleet: FleetRig): Promise<number> {
  const sum = `select sum(pg_total_relation_size(inhrelid)) from pg_inherits
    where inhparent = 'fleet.link'::regclass`;
  return Number(await fleet.psql(sum));
}
