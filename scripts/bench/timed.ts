// Times a question again and again: at least some times, at most so many, and no more after some
// seconds, so that slow questions don't keep the others waiting for long.

import { SECOND_MS } from "../../src/ground/clock.ts";
import { type Client, expectOk } from "../../test/rig/http-client.ts";
import { type Figure, repeated } from "./measures.ts";

const TIMES = { least: 5, most: 50 } as const;
const LONG_MS = 8 * SECOND_MS;

/** Median and 95th percentile of what `ask` says it took, in ms. */
export async function timed(
  ask: () => number | Promise<number>,
  note: string | null = null,
): Promise<Figure> {
  const took_ms: number[] = [];
  const began_ms = performance.now();
  while (took_ms.length < TIMES.least || performance.now() - began_ms < LONG_MS) {
    took_ms.push(await ask());
    if (took_ms.length >= TIMES.most) break;
  }
  return repeated(took_ms, note);
}

/** As `timed`, of a path over HTTP. Throws when an answer isn't a success. */
export function timedPath(client: Client, at: string, note: string | null = null): Promise<Figure> {
  return timed(async () => {
    const reply = await client.drain(at);
    expectOk(at, reply);
    return reply.took_ms;
  }, note);
}

/** As `timed`, of work in this process. */
export function timedWork(work: () => unknown, note: string | null = null): Promise<Figure> {
  return timed(async () => {
    const began_ms = performance.now();
    await work();
    return performance.now() - began_ms;
  }, note);
}
