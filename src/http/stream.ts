// The clients of GET /stream: who may open one, their events from the ring, the heartbeat. Each
// client has a place in the ring and no queue of its own. While its socket is full it waits; it is
// cut if the ring has passed it, or if it takes nothing for long. So a slow client doesn't block
// others. (better-sse was rejected: it buffers without limit.)

import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { dataState } from "../bwts/idle-plant.ts";
import type { Beat } from "../bwts/stream.ts";
import { countedAddress, isLoopback } from "../ground/admission.ts";
import { printTime, SECOND_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import { type AskNews, Feed } from "./feed.ts";
import { eventText, openRing, type Ring } from "./ring.ts";

/** Maximum number of streams: a fifth of the connections. */
export const STREAMS_MAX = 100;
/**
 * Maximum number of streams from one address; this machine's own are exempt, because a proxy aboard
 * serves many clients.
 */
export const STREAMS_ADDRESS_MAX = 32;
/** Interval of the heartbeat. After two lost beats a page knows that the link is lost. */
const BEAT_MS = 5 * SECOND_MS;
/** Time after which a client that takes nothing is cut. */
const SLOW_MS = 10 * SECOND_MS;
/** Time after which a browser connects again. */
const RETRY_MS = 2 * SECOND_MS;

/** The facts in a heartbeat, beside ids and the time. */
export interface BeatFacts {
  readonly last_received_ago_ms: number | null;
  /** The plant's clock less ballastd's; 0 where it isn't known. */
  readonly plant_offset_ms: number;
}

export interface StreamClient {
  readonly address: string;
  /** Id of the last event that the client has; null for a new client. */
  readonly last_id: string | null;
  /** Called if the client is cut, because it takes too little. */
  readonly onCut: () => void;
}

export interface Stream {
  /** The reason why `address` can't open another stream now; null if it can. */
  refusal(address: string): string | null;
  /**
   * Reserves a place for a stream until its response closes; returns the refusal if there is one.
   */
  take(response: ServerResponse, address: string): string | null;
  /** Resolves when a stream that opens now misses no commit from now on. */
  ready(): Promise<void>;
  /** Sends the events to a client whose head is out, until either side closes. */
  open(response: ServerResponse, client: StreamClient): void;
  /** Sets how to ask for news, which is possible from now on. */
  begin(ask: AskNews): void;
  /** Notes a commit; `past`: stored data was corrected. */
  committed(of: "present" | "past"): void;
  /** Number of open streams. */
  count(): number;
  /** Id of the newest event: a stream that begins after it gets all later ones. */
  last_id(): string;
  /** Ends every stream, and refuses others. */
  close(): void;
}

export interface StreamOptions {
  readonly now_ms: () => number;
  readonly facts: () => BeatFacts | null;
  readonly log: Log;
  /** Shorter times for tests. */
  readonly beat_ms?: number;
  readonly slow_ms?: number;
}

export function openStream(options: StreamOptions): Stream {
  const { now_ms, facts, log, beat_ms = BEAT_MS, slow_ms = SLOW_MS } = options;
  const run = randomBytes(6).toString("hex");
  const idOf = (number: number) => `${run}-${number}`;
  const ring = openRing(idOf);
  const open = new Set<Listener>();
  const places = openPlaces();
  let beats: NodeJS.Timeout | null = null;

  const last_id = () => idOf(ring.last());
  const beatNow = () => {
    const about = { now_ms: now_ms(), last_id: last_id(), present: feed.present() };
    return beatText(facts(), about);
  };
  const beat = () => {
    const text = beatNow();
    for (const one of open)
      if (one.isSlow(slow_ms)) one.cut();
      else one.write(text);
  };
  const goOn = () => {
    for (const one of open) one.goOn();
  };
  const feed = new Feed({ ring, log, onEvents: goOn });
  const leave = (one: Listener) => {
    open.delete(one);
    if (open.size > 0) return;
    if (beats !== null) clearInterval(beats);
    beats = null;
    feed.unfollow();
  };

  return {
    refusal: places.refusal,
    take: places.take,
    ready: () => feed.follow(),
    open(response, { address, last_id, onCut }) {
      if (places.areClosed() || response.destroyed) {
        response.end();
        return;
      }
      const number = numberOf(last_id, run);
      const isKnown = number !== null && ring.holdsAfter(number);
      const sent = isKnown ? number : ring.last();
      const one = new Listener(response, { onCut, ring, sent });
      places.hold(response, address);
      open.add(one);
      response.once("close", () => leave(one));
      beats ??= setInterval(beat, beat_ms);
      one.write(`retry: ${RETRY_MS}\n\n`);
      if (last_id !== null && !isKnown) one.write(eventText("resync", "{}", idOf(sent)));
      one.goOn();
      one.write(beatNow());
    },
    begin: (ask) => feed.begin(ask),
    committed: (of) => feed.committed(of),
    count: () => open.size,
    last_id,
    close() {
      places.close();
      feed.close();
      for (const one of open) one.end();
    },
  };
}

/**
 * The addresses of all streams, counted before they open: one that waits for its start counts too.
 */
function openPlaces() {
  const places = new Map<ServerResponse, string>();
  let areClosed = false;
  const refusal = (address: string) =>
    areClosed ? "no events are sent now" : tooMany([...places.values()], address);
  /** Holds the place until the response closes; a response that has a place keeps it. */
  const hold = (response: ServerResponse, address: string) => {
    if (places.has(response) || response.destroyed) return;
    places.set(response, address);
    response.once("close", () => places.delete(response));
  };
  return {
    refusal,
    hold,
    take(response: ServerResponse, address: string): string | null {
      const problem = refusal(address);
      if (problem === null) hold(response, address);
      return problem;
    },
    areClosed: () => areClosed,
    close() {
      areClosed = true;
    },
  };
}

interface ListenerOptions extends Pick<StreamClient, "onCut"> {
  readonly ring: Ring;
  /** Number of the last event that the client has. */
  readonly sent: number;
}

/** An open stream, and its place in the ring. */
class Listener {
  readonly #response: ServerResponse;
  readonly #options: ListenerOptions;
  #sent: number;
  /** Time since which the socket is full; null if it isn't. */
  #full_since_ms: number | null = null;

  constructor(response: ServerResponse, options: ListenerOptions) {
    this.#response = response;
    this.#options = options;
    this.#sent = options.sent;
    response.on("drain", () => {
      this.#full_since_ms = null;
      this.goOn();
    });
  }

  /** Sends the events that the client lacks, as far as its socket takes them. */
  goOn(): void {
    const { ring } = this.#options;
    while (this.#full_since_ms === null && this.#sent < ring.last()) {
      const event = ring.after(this.#sent);
      if (event === null) {
        this.cut();
        return;
      }
      this.#sent += 1;
      this.write(event);
    }
  }

  /** Writes, unless its socket is full. */
  write(bytes: Buffer | string): void {
    if (this.#full_since_ms !== null) return;
    if (!this.#response.write(bytes)) this.#full_since_ms = performance.now();
  }

  isSlow(slow_ms: number): boolean {
    return this.#full_since_ms !== null && performance.now() - this.#full_since_ms > slow_ms;
  }

  cut(): void {
    this.#options.onCut();
    this.#response.destroy();
  }

  /** Ends the stream in order, or cuts it if its socket is full. */
  end(): void {
    if (this.#full_since_ms === null) this.#response.end();
    else this.#response.destroy();
  }
}

function tooMany(taken: readonly string[], address: string): string | null {
  if (taken.length >= STREAMS_MAX) return `${STREAMS_MAX} streams are open, expected fewer`;
  const counted = countedAddress(address);
  const own = taken.filter((one) => countedAddress(one) === counted).length;
  return own < STREAMS_ADDRESS_MAX || isLoopback(address)
    ? null
    : `${own} streams from ${address} are open, expected fewer`;
}

/** The number in an id of this run; null for any other text. */
function numberOf(id: string | null, run: string): number | null {
  const [, number] = /^([0-9a-f]+-)(\d{1,15})$/.exec(id ?? "")?.slice(1) ?? [];
  return number !== undefined && id === `${run}-${number}` ? Number(number) : null;
}

interface BeatAbout {
  readonly now_ms: number;
  readonly last_id: string;
  readonly present: ReturnType<Feed["present"]>;
}

function beatText(told: BeatFacts | null, { now_ms, last_id, present }: BeatAbout): string {
  const { last_received_ago_ms = null, plant_offset_ms = 0 } = told ?? {};
  const { reading_ms: at_ms = null, silence_ms = null } = present ?? {};
  const reading_ms = at_ms === null ? null : now_ms - at_ms + plant_offset_ms;
  const ages = { reading_ms, received_ms: last_received_ago_ms };
  const beat: Beat = {
    ...{ now: printTime(now_ms), last_id },
    reading_age_s: reading_ms === null ? null : seconds(reading_ms),
    received_age_s: last_received_ago_ms === null ? null : seconds(last_received_ago_ms),
    data: silence_ms === null ? null : dataState({ ...ages, silence_ms }),
    silence_s: silence_ms === null ? null : seconds(silence_ms),
  };
  return eventText("beat", JSON.stringify(beat), null);
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;
