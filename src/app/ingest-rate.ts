// The rate of messages, by samples of the writer's totals: the totals alone would tell the rate
// since the start. It is over the last minute, so that a history that was sent before doesn't count
// for long; a plant that sends less often is counted over up to five.

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
type CountedSample = Sampled & { readonly at_ms: number };

const SAMPLE_MS = 10 * SECOND_MS;
/** Samples that are kept: those of five minutes. */
const SAMPLES = 30;
/** More messages from one sample to the next are a flood: 25 a second. */
const QUIET_MAX = 250;
/** Fewer messages tell no rate of the last minute. */
const MESSAGES_MIN = 5;

/** Samples `totals` every 10 s, and says if it is quiet; the timer keeps no process alive. */
export function openIngestRate(totals: () => Sampled | null): () => IngestRate {
  const samples: CountedSample[] = [];
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
    const now = totals();
    return now === null ? NO_RATE : ingestRate(samples, { ...now, at_ms: performance.now() });
  };
}

/** The rate up to `now` since the newest of `samples`, ascending, that is old enough for one. */
export function ingestRate(samples: readonly CountedSample[], now: CountedSample): IngestRate {
  const isEnough = ({ messages, at_ms }: CountedSample) =>
    now.at_ms - at_ms >= MINUTE_MS && now.messages - messages >= MESSAGES_MIN;
  const since = samples.findLast(isEnough) ?? samples[0];
  if (since === undefined) return NO_RATE;
  // A quotient over some milliseconds would be no rate.
  const over_ms = Math.max(SECOND_MS, now.at_ms - since.at_ms);
  const rate = (more: number) => Math.round((more / over_ms) * MINUTE_MS * 10) / 10;
  return {
    messages_per_minute: rate(now.messages - since.messages),
    readings_per_minute: rate(now.readings - since.readings),
    over_seconds: Math.round(over_ms / SECOND_MS),
  };
}
