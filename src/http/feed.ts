// Fills the ring while clients listen, and for some minutes after. A commit marks that there may be
// news; a reader's thread is asked for them, at most once in a round of 250 ms. So ingest costs no
// more, and a burst of commits makes one round. Without clients nothing is asked.

import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import type { KnownNews, News } from "../sqlite/answers/news.ts";
import type { Ring } from "./ring.ts";

/** Minimum time from a round with news to the next, so that a burst doesn't flood the clients. */
const ROUND_MS = 250;
/**
 * Minimum time to the next round after one without news: short, so that the next reading isn't
 * delayed.
 */
const EMPTY_ROUND_MS = 25;
/** Pause after a failed round: a reader was lost, or is busy. */
const AGAIN_MS = SECOND_MS;
/** Time for which events are kept after the last client has left: it may come back. */
const KEPT_MS = 10 * MINUTE_MS;
/** Maximum wait of a new client for the first state, while the program starts. */
const FIRST_MAX_MS = 5 * SECOND_MS;

/** The news since a state, from a reader. */
export type AskNews = (known: KnownNews | null) => Promise<News>;

type PresentNews = Pick<News, "silence_ms" | "reading_ms">;

export interface FeedOptions {
  readonly ring: Ring;
  /** Called after each round, when the ring may have new events. */
  readonly onEvents: () => void;
  readonly log: Log;
}

export class Feed {
  readonly #options: FeedOptions;
  #ask: AskNews | null = null;
  #state: "idle" | "following" | "closed" = "idle";
  /** The state that clients have by the ring's events; null while there is none. */
  #known: KnownNews | null = null;
  #present: PresentNews | null = null;
  #first = Promise.withResolvers<void>();
  /** Earliest time of the next round, by performance.now(). */
  #next_round_ms = Number.NEGATIVE_INFINITY;
  #isDue = false;
  #isCorrected = false;
  #isRunning = false;
  #timer: NodeJS.Timeout | null = null;
  #leaving: NodeJS.Timeout | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Sets how to ask for news, which is possible from now on. */
  begin(ask: AskNews): void {
    this.#ask = ask;
    this.#schedule(0);
  }

  /** Notes a commit; `past`: stored data was corrected, so clients have to load it again. */
  committed(of: "present" | "past"): void {
    this.#isCorrected ||= of === "past";
    this.#schedule();
  }

  /**
   * Notes that a client listens. Resolves when all later commits will become events. Clients that
   * came before the first round get a resync.
   */
  async follow(): Promise<void> {
    this.#stay();
    if (this.#state === "idle") {
      this.#state = "following";
      this.#schedule(0);
    }
    await Promise.race([this.#first.promise, pause(FIRST_MAX_MS, null, { ref: false })]);
  }

  /** Notes that the last client has left. */
  unfollow(): void {
    this.#stay();
    if (this.#state === "following")
      this.#leaving = setTimeout(() => this.#stop(), KEPT_MS).unref();
  }

  /** Null before the first news. */
  present(): PresentNews | null {
    return this.#present;
  }

  close(): void {
    this.#state = "closed";
    this.#stay();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #stay(): void {
    if (this.#leaving !== null) clearTimeout(this.#leaving);
    this.#leaving = null;
  }

  #stop(): void {
    this.#state = "idle";
    this.#known = null;
    this.#first = Promise.withResolvers();
    this.#options.ring.forget();
  }

  #schedule(wait_ms = Math.max(0, this.#next_round_ms - performance.now())): void {
    this.#isDue = true;
    const ask = this.#ask;
    if (ask === null || this.#state !== "following") return;
    if (this.#isRunning || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#round(ask);
    }, wait_ms);
  }

  async #round(ask: AskNews): Promise<void> {
    this.#isRunning = true;
    this.#isDue = false;
    const began_ms = performance.now();
    let again_ms: number | undefined;
    try {
      const news = await ask(this.#known);
      this.#next_round_ms = began_ms + (news.items.length > 0 ? ROUND_MS : EMPTY_ROUND_MS);
      if (this.#state === "following") this.#take(news);
      this.#isDue ||= news.isMore;
    } catch (error) {
      this.#options.log.debug("news can't be read now", { problem: messageOf(error) });
      this.#isDue = true;
      again_ms = AGAIN_MS;
    }
    this.#isRunning = false;
    if (this.#isDue) this.#schedule(again_ms);
  }

  #take({ known, items, silence_ms, reading_ms }: News): void {
    const { ring, onEvents } = this.#options;
    const isFirst = this.#known === null;
    if (isFirst) ring.forget();
    for (const { type, text } of items) ring.add(type, text);
    if (isFirst || this.#isCorrected) ring.add("resync", "{}");
    if (isFirst) this.#first.resolve();
    this.#isCorrected = false;
    this.#known = known;
    this.#present = { silence_ms, reading_ms };
    onEvents();
  }
}
