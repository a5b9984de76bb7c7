// The parts that all groups of rows share: one Chromium, the built program on data of its own, and
// one on 24 months of readings. All of it ends with the bench, however it ends.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import mqtt from "mqtt";
import type { Browser } from "playwright-core";
import { CHROMIUM, launchBrowser } from "../../../test/rig/onboard-page.ts";
import { settled } from "../../../test/rig/process-facts.ts";
import { openPublisher } from "../../../test/rig/publisher.ts";
import { dataFolder, type Served, startReady } from "../../../test/rig/served.ts";
import { openPlant, type Series, seriesOf } from "../../../test/rig/steady-plant.ts";
import { writeReport } from "../../command.ts";

export interface StageOptions {
  /** The path of main.cjs. */
  readonly program: string;
  /** Readings of the 24 months. */
  readonly readings: number;
  readonly seed: number;
  /** Folder where the 24 months are kept for the next run; null keeps nothing. */
  readonly keep: string | null;
  /** Folder for everything else, made and removed. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

export interface Stage extends AsyncDisposable {
  readonly browser: Browser;
  /** The path of main.cjs. */
  readonly program: string;
  readonly say: (text: string) => void;
  /** A new folder. */
  folder(): string;
  /** A program without data; `env` over the default configuration. */
  empty(env?: Readonly<Record<string, string>>): Promise<Ship>;
  /** The program on 24 months of readings, the same for all who ask; loaded at the first call. */
  history(): Promise<History>;
}

/** A running program with a publisher of its plant. */
export interface Ship extends AsyncDisposable {
  readonly served: Served;
  /** `http://host:port` */
  readonly url: string;
  /** Publishes at QoS 1: what has returned is stored. */
  publish(kind: "telemetry" | "events", payload: object | readonly object[]): Promise<void>;
}

export interface History {
  readonly url: string;
  readonly series: Series;
}

/** Messages in flight, and readings of each, while the 24 months are loaded. */
const LOADING = { window: 4, array: 100 };

export async function openStage(options: StageOptions): Promise<Stage> {
  const { program, folder, say } = options;
  const browser = await launchBrowser(CHROMIUM);
  const ships = new AsyncDisposableStack();
  let history: Promise<History> | null = null;
  const newFolder = () => mkdtempSync(path.join(folder, "ship-"));
  return {
    browser,
    program,
    say,
    folder: newFolder,
    async empty(env = {}) {
      const own = newFolder();
      const served = await startReady({ program, folder: own, env });
      ships.defer(() => served.kill());
      return shipOf(served, () => rmSync(own, { recursive: true, force: true, maxRetries: 10 }));
    },
    history() {
      history ??= openHistory(options, newFolder).then(({ served, series }) => {
        ships.defer(() => served.stop());
        return { url: served.http, series };
      });
      return history;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await ships.disposeAsync();
    },
  };
}

export async function shipOf(served: Served, remove: () => void = () => {}): Promise<Ship> {
  const client = await mqtt.connectAsync(served.mqtt, { reconnectPeriod: 0 });
  return {
    served,
    url: served.http,
    publish: async (kind, payload) => {
      await client.publishAsync(`bwts/BWTS-001/${kind}`, JSON.stringify(payload), { qos: 1 });
    },
    [Symbol.asyncDispose]: async () => {
      await client.endAsync(true);
      await served.kill();
      remove();
    },
  };
}

async function openHistory(options: StageOptions, newFolder: () => string) {
  const { program, readings, seed, keep, say } = options;
  const folder = keep ?? newFolder();
  mkdirSync(folder, { recursive: true });
  const noted = path.join(folder, "series.json");
  const isKept = existsSync(noted);
  const series: Series = isKept
    ? JSON.parse(readFileSync(noted, "utf8"))
    : seriesOf({ seed, readings, now_ms: Date.now() });
  // A load that was stopped half-way is begun anew.
  if (!isKept) rmSync(dataFolder(folder), { recursive: true, force: true });
  const served = await startReady({ program, folder });
  if (isKept) return { served, series };
  say(`loading ${series.readings} readings of 24 months`);
  const publisher = await openPublisher(served.mqtt, openPlant(series));
  const { start_ms, cadence_ms, readings: count } = series;
  await publisher.flood({ start_ms, cadence_ms, count }, LOADING.window, { array: LOADING.array });
  await publisher.close();
  say("waiting until sealing and scoring are done");
  await settled(served.pid);
  writeReport(noted, series);
  return { served, series };
}

/** A folder for a run, removed at its end, however it ends. */
export function temporaryStage(parent: string = os.tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, "ballastd-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
