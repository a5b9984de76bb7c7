// A reader under siege: asks what a page shows, four times a second, and counts what it got and how
// long that took.

import { setTimeout as pause } from "node:timers/promises";
import { PATIENCE_MS } from "../../test/rig/patience.ts";

const ASKED = ["/api/telemetry/latest", "/api/events", "/api/alarms", "/readyz"];
const EVERY_MS = 250;

/** Number of answers by status (0: none), and the waits for those with 200. */
export interface Watched {
  readonly statuses: Readonly<Record<string, number>>;
  readonly half_ms: number;
  readonly longest_ms: number;
}

/** Begins to ask at once. */
export function watchFromOutside(base: string): { stop(): Promise<Watched> } {
  const statuses: Record<string, number> = {};
  const waits_ms: number[] = [];
  let stopped = false;
  const watching = (async () => {
    for (let at = 0; !stopped; at += 1) {
      const began_ms = performance.now();
      const status = await statusOf(base + ASKED[at % ASKED.length]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200) waits_ms.push(performance.now() - began_ms);
      await pause(EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      waits_ms.sort((one, other) => one - other);
      const at = (share: number) => waits_ms[Math.floor(share * (waits_ms.length - 1))] ?? 0;
      return { statuses, half_ms: at(0.5), longest_ms: at(1) };
    },
  };
}

async function statusOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await answer.text();
    return answer.status;
  } catch {
    return 0;
  }
}
