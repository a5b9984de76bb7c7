// The rate of messages, from samples of the writer's totals, since the totals alone give only the
// rate since the start. It covers the last minute, so that a history sent before doesn't count for
// long. For a plant that sends rarely it covers up to five minutes.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { WriterTotals } from "../sqlite/threads/writer-totals.ts";

/** Rates a minute; null before the first sample. */
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
/** Number of samples kept: those of five minutes. */
const SAMPLES = 30;
/** Minimum number of messages for a rate over one minute; with fewer, a longer time is used. */
const MESSAGES_MIN = 5;

/**
 * Samples `totals` every 10 s; the timer keeps no process alive. Returns a function for the present
 * rate.
 */
export function openIngestRate(totals: () => Sampled | null): () => IngestRate {
  const samples: CountedSample[] = [];
  const sample = () => {
    const now = totals();
    if (now === null) return;
    const { messages, readings } = now;
    samples.push({ messages, readings, at_ms: performance.now() });
    if (samples.length > SAMPLES) samples.shift();
  };
  setInterval(sample, SAMPLE_MS).unref();
  return () => {
    const now = totals();
    return now === null ? NO_RATE : ingestRate(samples, { ...now, at_ms: performance.now() });
  };
}

/**
 * The rate from a sample to `now`. Used is the newest sample that is a minute old with enough
 * messages since, or else the oldest; `samples` are ascending.
 */
export function ingestRate(samples: readonly CountedSample[], now: CountedSample): IngestRate {
  const isEnough = ({ messages, at_ms }: CountedSample) =>
    now.at_ms - at_ms >= MINUTE_MS && now.messages - messages >= MESSAGES_MIN;
  const since = samples.findLast(isEnough) ?? samples[0];
  if (since === undefined) return NO_RATE;
  // At least a second: a rate over some milliseconds would mean nothing.
  const over_ms = Math.max(SECOND_MS, now.at_ms - since.at_ms);
  const rate = (more: number) => Math.round((more / over_ms) * MINUTE_MS * 10) / 10;
  return {
    messages_per_minute: rate(now.messages - since.messages),
    readings_per_minute: rate(now.readings - since.readings),
    over_seconds: Math.round(over_ms / SECOND_MS),
  };
}
