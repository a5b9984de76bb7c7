// The loop of the kill test: starts the program, lets PLCs publish and others ask, kills it at a
// random instant, and proves after the next start that nothing was lost or counted twice. A data
// folder lives through some kills, sometimes two of them in a row; then the PLCs are let finish and
// it must hold just what they said.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../src/ground/errors.ts";
import { buildDisk, type Cut, type Disk, openDisk } from "../../test/rig/forgetful-disk.ts";
import { type Random, seededRandom } from "../../test/rig/random.ts";
import { type Installed, type Served, startServed } from "../../test/rig/served.ts";
import { openVoyage, PARTS, type Voyage } from "../../test/rig/voyage.ts";
import { BESIDE } from "./beside.ts";
import { openPlc, type Plc } from "./plc.ts";
import { type Findings, findings } from "./proof.ts";

export interface KillOptions {
  /** The path of main.cjs. */
  readonly program: string;
  readonly count: number;
  readonly seed: number;
  /** The loss of unsynchronised data at a kill. */
  readonly disk: "keeps" | "forgets" | "lies";
  readonly progress: (line: string) => void;
}

/** The result. */
export interface Report {
  readonly seed: number;
  readonly disk: KillOptions["disk"];
  readonly kills: number;
  readonly kills_during_start: number;
  readonly acknowledged: number;
  readonly resent: number;
  readonly readings: number;
  readonly lost: number;
  readonly counted_twice: number;
  readonly other: number;
  readonly restart_ms: { readonly median: number; readonly max: number };
  /** The first of what was found. */
  readonly problems: readonly string[];
}

/** Kills that one data folder lives through. */
const KILLS_PER_FOLDER = 10;
const RUN_MS = [30, 1500] as const;
/** Share of starts that are killed before they are done. */
const DURING_START = 0.15;
const DURING_START_MS = [0, 450] as const;
const PROBLEMS_MAX = 20;
const FIRST_MS = Date.UTC(2024, 1, 27);

/**
 * Kills the program `count` times. A program that doesn't come back by itself is a finding, and the
 * end of its folder.
 */
export async function runKills(options: KillOptions): Promise<Report> {
  const random = seededRandom(options.seed);
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-kills-"));
  const tally = new Tally(options);
  try {
    const library = options.disk === "keeps" ? null : buildDisk(folder);
    for (let life = 0; tally.kills < options.count; life += 1) {
      const of = path.join(folder, String(life));
      await oneFolder({ folder: of, library, random, options }, tally).catch((error) =>
        tally.gaveUp(error),
      );
      rmSync(of, { recursive: true, force: true });
    }
    return tally.report();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Life {
  readonly folder: string;
  readonly library: string | null;
  readonly random: Random;
  readonly options: KillOptions;
}

async function oneFolder({ folder, library, random, options }: Life, tally: Tally): Promise<void> {
  const data = path.join(folder, "data");
  mkdirSync(data, { recursive: true });
  const disk =
    library === null ? null : openDisk({ library, data, aside: path.join(folder, "synced") });
  const installed = installedIn(folder, options, disk);
  const voyage = openVoyage(random, FIRST_MS);
  const plcs = PARTS.map((part) => openPlc(`plc-${part}`, () => voyage.next(part)));
  const end = Math.min(options.count, tally.kills + KILLS_PER_FOLDER);
  while (tally.kills < end) {
    disk?.settle();
    tally.kills += 1;
    const ship = await startServed(installed);
    try {
      if (random.chance(DURING_START)) {
        await sleep(random.between(...DURING_START_MS));
        tally.kills_during_start += 1;
      } else {
        tally.restart_ms.push(await firstAnswer(ship));
        await ship.ready();
        tally.found(await findings({ ship, installed }, voyage, FIRST_MS));
        await sail(ship, plcs, random);
      }
    } finally {
      await ship.kill();
      for (const plc of plcs) plc.cut();
    }
    disk?.cut(random.pick<Cut>(["all lost", "all lost", "torn", "torn", "all kept"]), random);
    options.progress(`${tally.kills} kills, ${voyage.acknowledged} acknowledged in this folder`);
  }
  disk?.settle();
  await finish({ installed, voyage, plcs }, tally);
}

function installedIn(folder: string, { program, disk: kind }: KillOptions, disk: Disk | null) {
  const env = { ...disk?.env, ...(kind === "lies" ? { DISK_LIES: "1" } : {}) };
  return { program, folder, env };
}

/** The time in ms to the first answer about readings; there may be none yet. */
function firstAnswer(ship: Served): Promise<number> {
  return ship.answers("/api/telemetry/latest", [200, 404]);
}

/** Full ingest, and whatever goes on beside it, until a random instant. */
async function sail(ship: Served, plcs: readonly Plc[], random: Random): Promise<void> {
  await Promise.all(plcs.map((plc) => plc.connect(ship.mqtt)));
  const stop = new AbortController();
  // Work in progress may fail when the ship is killed.
  for (const work of BESIDE) work(ship, stop.signal).catch(() => null);
  await sleep(random.between(...RUN_MS));
  stop.abort();
}

/** The last start: everything is sent until it is acknowledged, and then it is all there, once. */
async function finish(
  life: {
    readonly installed: Installed;
    readonly voyage: Voyage;
    readonly plcs: readonly Plc[];
  },
  tally: Tally,
): Promise<void> {
  const { installed, voyage, plcs } = life;
  const ship = await startServed(installed);
  try {
    tally.restart_ms.push(await firstAnswer(ship));
    await ship.ready();
    await Promise.all(plcs.map((plc) => plc.finish(ship.mqtt)));
    const found = await findings({ ship, installed }, voyage, FIRST_MS);
    tally.found(found);
    tally.ended({ voyage, plcs, found });
    await ship.stop();
  } finally {
    for (const plc of plcs) plc.cut();
    await ship.kill();
  }
}

class Tally {
  kills = 0;
  kills_during_start = 0;
  readonly restart_ms: number[] = [];
  readonly #options: KillOptions;
  readonly #counts = { lost: 0, double: 0, other: 0 };
  readonly #problems: string[] = [];
  readonly #totals = { acknowledged: 0, resent: 0, readings: 0 };

  constructor(options: KillOptions) {
    this.#options = options;
  }

  found({ lost, double, other }: Findings): void {
    this.#counts.lost += lost.length;
    this.#counts.double += double.length;
    this.#counts.other += other.length;
    this.#problems.push(...[...lost, ...double, ...other].slice(0, PROBLEMS_MAX));
  }

  /** The program didn't come back, or didn't answer as it should. */
  gaveUp(error: unknown): void {
    this.#counts.other += 1;
    this.#problems.push(messageOf(error));
  }

  ended(life: { voyage: Voyage; plcs: readonly Plc[]; found: Findings }): void {
    this.#totals.acknowledged += life.voyage.acknowledged;
    this.#totals.resent += life.plcs.reduce((sum, { resent }) => sum + resent, 0);
    this.#totals.readings += life.found.readings;
  }

  report(): Report {
    const sorted = this.restart_ms.toSorted((one, other) => one - other);
    return {
      seed: this.#options.seed,
      disk: this.#options.disk,
      kills: this.kills,
      kills_during_start: this.kills_during_start,
      ...this.#totals,
      lost: this.#counts.lost,
      counted_twice: this.#counts.double,
      other: this.#counts.other,
      restart_ms: {
        median: Math.round(sorted[sorted.length >> 1] ?? 0),
        max: Math.round(sorted.at(-1) ?? 0),
      },
      problems: this.#problems.slice(0, PROBLEMS_MAX),
    };
  }
}
