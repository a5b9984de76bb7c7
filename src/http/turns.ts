// Who may have a large answer, and when. Answers that read far (exports, years of buckets, long
// pages) take turns, a few at a time, so that what a watch looks at is never behind a queue of
// them; and even clients that take nothing of what they asked for leave room for the newest values.

import { DAY_MS, HOUR_MS } from "../clock.ts";
import { type Answer, closed, type Query, type Readers, ReadersBusy } from "../sqlite/query.ts";

/** Large answers at a time: four on each reader, which is as long as a small question waits. */
export const HEAVY_MAX = 8;
/** Who may wait for a turn; a dashboard that asks for several at once needs no second attempt. */
export const HEAVY_WAITING_MAX = 24;
/** Other answers at a time; the readers take 64, the rest is for the newest values and for jobs. */
const LIGHT_MAX = 40;
const LIGHT_WAITING_MAX = 200;
/** A client that got no turn by then is told to come back. */
const WAIT_MAX_MS = 10_000;

/** Readings that a watch looks at: up to two days of them. */
const RAW_MAX_MS = 2 * DAY_MS;
/** Buckets that a chart shows: up to a year of them. */
const BUCKETS_MAX_MS = 366 * DAY_MS;
/** Readings of a page that a program turns quickly. */
const PAGE_MAX = 1000;

/** `readers`, within these limits; beyond them it rejects with ReadersBusy. */
export function takingTurns(readers: Readers): Readers {
  const heavy = new Turns(HEAVY_MAX, HEAVY_WAITING_MAX);
  const light = new Turns(LIGHT_MAX, LIGHT_WAITING_MAX);
  return {
    async ask(query) {
      // One chunk each, which no slow client can hold open.
      if (query.name === "latest" || query.name === "stats") return readers.ask(query);
      const turns = isHeavy(query) ? heavy : light;
      await turns.take();
      try {
        const { chunks } = await readers.ask(query);
        if (chunks !== null) return { chunks: ending(chunks, () => turns.give()) };
      } catch (error) {
        turns.give();
        throw error;
      }
      turns.give();
      return { chunks: null };
    },
  };
}

function isHeavy(query: Query): boolean {
  switch (query.name) {
    case "export":
    case "runtime":
      return length_ms(query.range) > RAW_MAX_MS;
    case "history":
      return query.hours * HOUR_MS > RAW_MAX_MS;
    case "chunked":
      return query.limit > PAGE_MAX;
    case "aggregated":
      return query.range === null
        ? query.hours * HOUR_MS > BUCKETS_MAX_MS
        : length_ms(query.range) > BUCKETS_MAX_MS;
    case "health_aggregated":
      return query.range !== null && length_ms(query.range) > BUCKETS_MAX_MS;
    default:
      return false;
  }
}

function length_ms(range: Parameters<typeof closed>[0]): number {
  const { start_ms, end_ms } = closed(range);
  return end_ms - start_ms;
}

class Turns {
  readonly #max: number;
  readonly #waiting_max: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(max: number, waiting_max: number) {
    this.#max = max;
    this.#waiting_max = waiting_max;
  }

  /** Resolves when it is one's turn; rejects with ReadersBusy when too many wait, or too long. */
  async take(): Promise<void> {
    if (this.#taken < this.#max) {
      this.#taken += 1;
      return;
    }
    const busy = new ReadersBusy(`${this.#max} answers of this size are under way`);
    if (this.#waiting.length >= this.#waiting_max) throw busy;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(busy);
      }, WAIT_MAX_MS);
      this.#waiting.push(go);
    });
  }

  /** Hands the turn to whoever waits longest. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}

/** `chunks`, and `onEnd` once: at their end, at an error, or when nobody wants more of them. */
function ending(chunks: NonNullable<Answer["chunks"]>, onEnd: () => void) {
  const iterator = chunks[Symbol.asyncIterator]();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  // Not a generator: one that was never begun runs nothing at its end.
  const guarded: AsyncIterator<Uint8Array<ArrayBuffer>> = {
    async next() {
      try {
        const step = await iterator.next();
        if (step.done) end();
        return step;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      return (await iterator.return?.()) ?? { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => guarded };
}
