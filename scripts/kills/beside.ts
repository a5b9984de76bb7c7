// Work beside the ingest while the program waits to be killed. Each entry works until it is
// stopped, and may fail when the program is gone. Further actions of a crew on a running instance
// belong in this list.

import { setTimeout as sleep } from "node:timers/promises";
import type { Served } from "../../test/rig/served.ts";

type Work = (ship: Served, stop: AbortSignal) => Promise<void>;

const PAUSE_MS = 50;

/** A page that is open somewhere. */
const watchPage: Work = async (ship, stop) => {
  for (; !stop.aborted; await sleep(PAUSE_MS)) {
    await ship.json("/api/stats");
    await ship.json("/api/telemetry/aggregated?interval=hour&startDate=2024-02-01");
  }
};

/** A file that is taken out: a snapshot held for as long as it takes. */
const exportAll: Work = async (ship, stop) => {
  while (!stop.aborted) await ship.json("/api/telemetry/chunked?startDate=2024-02-01&limit=5000");
};

export const BESIDE: readonly Work[] = [watchPage, exportAll];
