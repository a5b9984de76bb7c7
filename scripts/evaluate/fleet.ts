// Sails the ships of a fleet on several worker threads: a ship is pure computing, and follows from
// its seed and number, whichever thread sails it.

import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { BEND_LATE, DEVELOPMENT } from "./families.ts";
import { type ShipResult, sail } from "./forecasts.ts";
import { HOLD_OUT } from "./hold-out.ts";
import type { Oddity } from "./oddities.ts";
import { plantOf } from "./plant.ts";
import type { ProfileKind } from "./profiles.ts";
import { REAL } from "./real-lives.ts";

export const PLANS = {
  development: DEVELOPMENT,
  "bend late": BEND_LATE,
  "hold-out": HOLD_OUT,
  real: REAL,
} as const;

export interface Order {
  readonly plan: keyof typeof PLANS;
  readonly seed: number;
  readonly ships: number;
  readonly odd: Oddity;
  /** Makers' tables with which forecasts are made besides. */
  readonly tables?: readonly ProfileKind[];
}

const WORKERS_MAX = 2;

/** The results of ships 0 to `ships` - 1, in their order. */
export async function sailFleet(order: Order): Promise<readonly ShipResult[]> {
  const workers = Math.min(WORKERS_MAX, availableParallelism(), order.ships);
  const shares = await Promise.all(
    Array.from({ length: workers }, (_, first) => sailShare({ ...order, first, step: workers })),
  );
  return Array.from({ length: order.ships }, (_, at) => shares[at % workers][(at / workers) | 0]);
}

interface Share extends Order {
  readonly first: number;
  readonly step: number;
}

function sailShare(share: Share): Promise<readonly ShipResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly ShipResult[]>();
  const worker = new Worker(new URL(import.meta.url), { workerData: share });
  worker.once("message", resolve);
  worker.once("error", reject);
  return promise;
}

if (!isMainThread && parentPort !== null) {
  const { plan, seed, ships, odd, tables, first, step }: Share = workerData;
  const results: ShipResult[] = [];
  for (let number = first; number < ships; number += step)
    results.push(sail(plantOf(PLANS[plan], { seed, number, odd }), tables));
  parentPort.postMessage(results);
}
