// The faults between ship and shore: the built program sends to a real PostgreSQL over a line that
// is cut, swallows bytes or alters them, and either side is killed at any instant. In the end every
// link of the ship's chains is ashore once, byte for byte, and every acknowledged event.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { databaseFile, openReader } from "../../src/sqlite/file/open.ts";
import { type FleetRig, rowsAshore, startFleet } from "../../test/rig/fleet-rig.ts";
import { BLACK_HOLE, CLEAR, type NetworkProxy, openProxy } from "../../test/rig/proxy.ts";
import { type Random, seededRandom } from "../../test/rig/random.ts";
import { dataFolder, type Installed, type Served, startServed } from "../../test/rig/served.ts";
import { rowsAboard } from "../../test/rig/ship-links.ts";
import { openVoyage, PARTS } from "../../test/rig/voyage.ts";
import { openPlc, type Plc } from "./plc.ts";

export const FLEET_FAULTS = [
  "ship killed",
  "server killed",
  "cut",
  "spoilt",
  "black hole",
] as const;
export type FleetFault = (typeof FLEET_FAULTS)[number];

export interface FleetKillOptions {
  /** The path of main.cjs. */
  readonly program: string;
  readonly count: number;
  readonly seed: number;
  /** One of them each time, at random; without them a mix of all. */
  readonly faults?: readonly FleetFault[];
  readonly progress: (line: string) => void;
}

export interface FleetReport {
  readonly seed: number;
  readonly faults: Readonly<Partial<Record<FleetFault, number>>>;
  readonly links: number;
  /** Acknowledged to the PLCs. */
  readonly events: number;
  readonly lost: number;
  readonly twice: number;
  readonly other: number;
  /** The first of what was found. */
  readonly problems: readonly string[];
}

const SHIP = "9074729";
/** A black hole takes 30 s to be found. */
const MIX: readonly FleetFault[] = [
  ...(["ship killed", "ship killed", "ship killed", "server killed", "server killed"] as const),
  ...(["server killed", "cut", "cut", "spoilt", "black hole"] as const),
];
const SENDING_MS = [20, 600] as const;
/** So slow that there is always something on the line. */
const LINE = { ...CLEAR, delay_ms: 20, bytes_per_s: 100_000 };
const FIRST_MS = Date.UTC(2024, 1, 27);
const PROBLEMS_MAX = 20;
const DRAINED_MAX_MS = 15 * MINUTE_MS;

/** Strikes `count` times, then lets the ship send the rest and compares both sides. */
export async function runFleetKills(options: FleetKillOptions): Promise<FleetReport> {
  const { count, seed, program, faults = MIX, progress } = options;
  const random = seededRandom(seed);
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-kills-"));
  const struck: Partial<Record<FleetFault, number>> = {};
  await using fleet = await startFleet({ durable: true });
  const proxy = await openProxy({ port: fleet.port });
  proxy.set({ up: LINE });
  const installed = { program, folder, env: await joined(folder, fleet, proxy) };
  const voyage = openVoyage(random, FIRST_MS);
  const plcs = PARTS.map((part) => openPlc(`plc-${part}`, () => voyage.next(part)));
  const world: World = { fleet, proxy, installed, plcs, ship: await startServed(installed) };
  try {
    for (let turn = 0; turn < count; turn += 1) {
      await connected(world.ship);
      await Promise.all(plcs.map((plc) => plc.connect(world.ship.mqtt)));
      await sleep(random.between(...SENDING_MS));
      const fault = random.pick(faults);
      await STRIKE[fault](world, random);
      struck[fault] = (struck[fault] ?? 0) + 1;
      for (const plc of plcs) plc.cut();
      progress(`${turn + 1} faults, the last: ${fault}`);
    }
    proxy.set({ up: CLEAR, down: CLEAR });
    await world.ship.ready();
    await Promise.all(plcs.map((plc) => plc.finish(world.ship.mqtt)));
    const found = await comparison(world, voyage.events().acknowledged);
    await world.ship.stop();
    return { seed, faults: struck, ...found };
  } finally {
    for (const plc of plcs) plc.cut();
    await world.ship.kill();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World {
  readonly fleet: FleetRig;
  readonly proxy: NetworkProxy;
  readonly installed: Installed;
  readonly plcs: readonly Plc[];
  ship: Served;
}

const STRIKE: Readonly<Record<FleetFault, (world: World, random: Random) => Promise<void>>> = {
  async "ship killed"(world) {
    await world.ship.kill();
    world.ship = await startServed(world.installed);
  },
  async "server killed"({ fleet }) {
    await fleet.stop("SIGKILL");
    await restarted(fleet);
  },
  async cut({ proxy }, random) {
    proxy.cut(random.pick(["reset", "end"]));
  },
  async spoilt({ proxy }) {
    proxy.spoil();
  },
  async "black hole"({ proxy }, random) {
    proxy.set({ up: BLACK_HOLE, down: BLACK_HOLE });
    await sleep(random.between(50, 500));
    proxy.set({ up: LINE, down: CLEAR });
  },
};

/** Starts PostgreSQL after a kill; its processes may take a moment to end. */
async function restarted(fleet: FleetRig): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await fleet.start();
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(SECOND_MS / 2);
    }
}

/** The ship's settings, by a proxy. */
async function joined(folder: string, fleet: FleetRig, proxy: NetworkProxy) {
  const { urls, certificate, key, key_pin } = await fleet.add(SHIP);
  mkdirSync(dataFolder(folder), { recursive: true });
  const place = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    BALLASTD_SHORE_URL: urls[0].replace(`:${fleet.port}/`, `:${proxy.port}/`),
    BALLASTD_SHORE_CERT: place("cert.pem", certificate),
    BALLASTD_SHORE_KEY: place("key.pem", key),
    BALLASTD_SHORE_KEY_PIN: key_pin,
  };
}

async function connected(ship: Served): Promise<void> {
  await ship.ready();
  while ((await ship.json("/api/shore")).state !== "connected") await sleep(50);
}

/** Waits until the shore has what the ship has, and compares all of it. */
async function comparison(
  { fleet, installed }: World,
  events: ReadonlySet<string>,
): Promise<Omit<FleetReport, "seed" | "faults">> {
  const db = openReader(databaseFile(dataFolder(installed.folder)));
  try {
    const began_ms = performance.now();
    for (;;) {
      const ashore = await rowsAshore(fleet, SHIP);
      const aboard = rowsAboard(db);
      const there = new Set(ashore);
      const lost = aboard.filter((row) => !there.has(row));
      const isLate = performance.now() - began_ms > DRAINED_MAX_MS;
      if (lost.length === 0 || isLate)
        return judged({ aboard, ashore, lost, events, told: await eventsAshore(fleet) });
      await sleep(SECOND_MS / 4);
    }
  } finally {
    db.close();
  }
}

async function eventsAshore(fleet: FleetRig): Promise<readonly string[]> {
  const text = "select data ->> 'number' from fleet.event where data ? 'number'";
  return (await fleet.psql(text)).split("\n").filter(Boolean);
}

interface Compared {
  readonly aboard: readonly string[];
  readonly ashore: readonly string[];
  readonly lost: readonly string[];
  readonly events: ReadonlySet<string>;
  readonly told: readonly string[];
}

function judged({ aboard, ashore, lost, events, told }: Compared) {
  const own = new Set(aboard);
  const other = ashore.filter((row) => !own.has(row));
  const places = new Set(ashore.map(nameOf));
  const there = new Set(told);
  const missing = [...events].filter((number) => !there.has(number));
  const twice = ashore.length - places.size + told.length - there.size;
  const problems = [
    ...(twice === 0 ? [] : [`${twice} links or events are ashore twice`]),
    ...lost.map((row) => `${nameOf(row)}: isn't ashore`),
    ...other.map((row) => `${nameOf(row)}: isn't aboard`),
    ...missing.map((number) => `event ${number}: acknowledged, and not ashore`),
  ];
  return {
    ...{ links: aboard.length, events: events.size, lost: lost.length + missing.length },
    ...{ twice, other: other.length, problems: problems.slice(0, PROBLEMS_MAX) },
  };
}

const nameOf = (row: string) => row.split("|", 2).join(" ");
