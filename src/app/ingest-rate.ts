// The rate of messages over the last minutes, by samples of the writer's totals: the totals alone
// would tell the rate since the start.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { compactHeaps } from "../ground/garbage-collection.ts";
import type { WriterTotals } from "../sqlite/threads/writer-totals.ts";

/** Null before the first sample is old enough. */
export interface IngestRate {
  readonly messages_per_minute: number | null;
  readonly readings_per_minute: number | null;
  readonly over_seconds: number | null;
}

export const NO_RATE: IngestRate = {
  ...{ messages_per_minute: null, readings_per_minute: null, over_seconds: null },
};

type Sampled = Pick<WriterTotals, "messages" | "readings">;

const SAMPLE_MS = 10 * SECOND_MS;
/** Five minutes. */
const SAMPLES = 30;
/** More messages from one sample to the next are a flood: 25 a second. */
const QUIET_MAX = 250;

/** Samples `totals` every 10 s, and says if it is quiet; the timer keeps no process alive. */
export function openIngestRate(totals: () => Sampled | null): () => IngestRate {
  const samples: (Sampled & { readonly at_ms: number })[] = [];
  const sample = () => {
    const now = totals();
    if (now === null) return;
    const { messages, readings } = now;
    compactHeaps(messages - (samples.at(-1)?.messages ?? 0) <= QUIET_MAX);
    samples.push({ messages, readings, at_ms: performance.now() });
    if (samples.length > SAMPLES) samples.shift();
  };
  setInterval(sample, SAMPLE_MS).unref();
  return () => {
    const [oldest] = samples;
    const now = totals();
    if (oldest === undefined || now === null) return NO_RATE;
    // A quotient over some milliseconds would be no rate.
    const over_ms = Math.max(SECOND_MS, performance.now() - oldest.at_ms);
    const rate = (more: number) => Math.round((more / over_ms) * MINUTE_MS * 10) / 10;
    return {
      messages_per_minute: rate(now.messages - oldest.messages),
      readings_per_minute: rate(now.readings - oldest.readings),
      over_seconds: Math.round(over_ms / SECOND_MS),
    };
  };
}
