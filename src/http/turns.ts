// Limits the clients' use of the reader threads. Answers that read much (exports, years of buckets,
// long pages) take turns, a few at a time, so that a watched page never waits behind them. No
// address has more than half of the turns, and a client that doesn't take its answer loses its turn
// to the next in the queue. Equal requests share one answer. (p-limit was rejected: its queue knows
// no addresses, and takes no turn back.)

import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import { clientAddress, countedAddress } from "../ground/admission.ts";
import { DAY_MS, HOUR_MS } from "../ground/clock.ts";
import type { Query } from "../sqlite/answers/queries.ts";
import { length_ms, MADE_WHOLE } from "../sqlite/file/query.ts";
import type { Answer, Readers } from "../sqlite/threads/readers.ts";
import { crowded } from "./refusal.ts";
import { requestIdOf } from "./request-id.ts";
import type { WarnOf } from "./warnings.ts";

/** Limits on the answers of a kind that are sent and that wait. One address has half of each. */
export interface TurnLimits {
  readonly taken_max: number;
  readonly waiting_max: number;
  /** Time after which a client that takes no chunk (128 KiB) loses its turn, if others wait. */
  readonly slow_ms: number;
}

/** Limits for large answers: four on each reader, behind which a small query has to wait. */
export const HEAVY: TurnLimits = { taken_max: 8, waiting_max: 48, slow_ms: 5000 };
/**
 * Limits for other answers. The readers take 64 queries; the rest is for newest values and jobs.
 */
export const LIGHT: TurnLimits = { taken_max: 40, waiting_max: 400, slow_ms: 2000 };
/** Limits for answers that hold a reader until they are complete: one after the other. */
const WHOLE: TurnLimits = { taken_max: 1, waiting_max: 16, slow_ms: 2000 };
/** Maximum wait for a turn; then a client is asked to come back. */
export const WAIT_MAX_MS = 30_000;
/** Time between two checks for slow clients, while others wait. */
const LOOK_MS = 250;
const SLOW_CLIENT = "an answer was cut: its client took little of it while others waited";

/** Range of readings in a light answer, as on a watched page: at most two days. */
export const RAW_MAX_MS = 2 * DAY_MS;
/** Range of buckets in a light answer, as in a chart: at most a year. */
export const BUCKETS_MAX_MS = 366 * DAY_MS;
/** Maximum number of records in a light answer: a page that a program reads quickly. */
export const PAGE_MAX = 1000;

/** The client that a request comes from. */
export interface Client {
  /** The address by which limits count it. */
  readonly address: string;
  readonly isGone: () => boolean;
  /** Ends its answer, for being slow. */
  readonly cut: () => void;
}

/** The client of a request; `warn` is called when it is cut. */
export function clientOf(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  warn: WarnOf,
): Client {
  const address = clientAddress(request.socket);
  return {
    address: countedAddress(address),
    isGone: () => response.destroyed,
    cut() {
      warn(SLOW_CLIENT, address, { request_id: requestIdOf(request) });
      response.destroy();
    },
  };
}

/** An answer as a client gets it: in chunks, or as the bytes that several clients share. */
export type AnswerBody = Answer | { readonly bytes: Uint8Array };

/** The readers, as one client may use them. */
export interface ClientReaders {
  ask(query: Query): Promise<AnswerBody>;
}

/** The readers for each client, within these limits; beyond them they reject with a Refusal. */
export function takingTurns(readers: Readers): (client: Client) => ClientReaders {
  const [wholes, heavy, light] = [WHOLE, HEAVY, LIGHT].map((limits) => new Turns(limits));
  const whole = async (query: Query) => wholeOf(await readers.ask(query));
  const newest = sharing(whole, ({ name }) => name);
  const others = sharing(whole, ({ name }) => name);
  return (client) => ({
    async ask(query) {
      if (query.name === "latest" || query.name === "stats") return newest(query);
      if (isShared(query)) return others(query);
      const turns = MADE_WHOLE.has(query.name) ? wholes : isHeavy(query) ? heavy : light;
      const turn = await turns.take(client);
      try {
        const { chunks, total } = await readers.ask(query);
        if (chunks !== null)
          return { total, chunks: watched(chunks, turn, () => turns.give(turn)) };
      } catch (error) {
        turns.give(turn);
        throw error;
      }
      turns.give(turn);
      return { chunks: null };
    },
  });
}

/**
 * True for queries without parameters: all that ask meanwhile get one answer. The newest values are
 * at hand, and every page asks for them every few seconds; the others, about lamps, are computed
 * again after each commit, which takes 0.1 s of a reader.
 */
function isShared(query: Query): boolean {
  return Object.keys(query).length === 1;
}

async function wholeOf({ chunks }: Answer): Promise<AnswerBody> {
  if (chunks === null) return { chunks };
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return { bytes: all.length === 1 ? all[0] : Buffer.concat(all) };
}

/** An answer is light if it has few records, or few readings or buckets. */
function isHeavy(query: Query): boolean {
  const range_max_ms = "interval" in query ? BUCKETS_MAX_MS : RAW_MAX_MS;
  if ("limit" in query && (query.limit > PAGE_MAX || !("interval" in query)))
    return query.limit > PAGE_MAX;
  if ("range" in query && query.range !== null) return length_ms(query.range) > range_max_ms;
  return "hours" in query && query.hours * HOUR_MS > range_max_ms;
}

/** A client's permission to have its answer made. */
export interface Turn {
  readonly client: Client;
  /** Time at which the client got its last chunk; null while the reader makes one. */
  chunk_since_ms: number | null;
}

interface WaitingClient {
  readonly client: Client;
  readonly go: (turn: Turn) => void;
  readonly giveUp: () => void;
}

/** The turns for answers of a kind. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #taken = new Set<Turn>();
  /** Clients in the order of arrival. */
  readonly #waiting = new Set<WaitingClient>();
  #looking: NodeJS.Timeout | null = null;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Resolves with a turn; rejects with a Refusal if too many wait, or too long. */
  async take(client: Client): Promise<Turn> {
    const { taken_max, waiting_max } = this.#limits;
    if (this.#hasTurnFor(client)) return this.#begin(client);
    const busy = crowded(1, `${taken_max} answers of this size are in progress, ask again`);
    for (const waiting of this.#waiting) if (waiting.client.isGone()) waiting.giveUp();
    const own = countOf(this.#waiting, client);
    if (this.#waiting.size >= waiting_max || own >= waiting_max / 2) throw busy;
    return new Promise<Turn>((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        reject(busy);
      };
      const timer = setTimeout(giveUp, WAIT_MAX_MS);
      const go = (turn: Turn) => {
        clearTimeout(timer);
        resolve(turn);
      };
      const waiting = { client, go, giveUp };
      this.#waiting.add(waiting);
      this.#looking ??= setInterval(() => this.#cutSlow(), LOOK_MS);
    });
  }

  /** Hands the turn to the longest waiting client of those whose address has fewest. */
  give(turn: Turn): void {
    this.#taken.delete(turn);
    let next: WaitingClient | null = null;
    let fewest = this.#limits.taken_max / 2;
    for (const waiting of this.#waiting) {
      if (waiting.client.isGone()) continue;
      const count = countOf(this.#taken, waiting.client);
      if (count >= fewest) continue;
      next = waiting;
      fewest = count;
    }
    if (next === null) return;
    this.#waiting.delete(next);
    next.go(this.#begin(next.client));
  }

  #begin(client: Client): Turn {
    const turn = { client, chunk_since_ms: null };
    this.#taken.add(turn);
    return turn;
  }

  #hasTurnFor(client: Client): boolean {
    const { taken_max } = this.#limits;
    return this.#taken.size < taken_max && countOf(this.#taken, client) < taken_max / 2;
  }

  /**
   * Cuts, for each waiting client, one slow client whose turn it can have: first those that took
   * nothing for longest. An address that has its half can only get a turn from one of its own.
   */
  #cutSlow(): void {
    if (this.#waiting.size === 0 && this.#looking !== null) {
      clearInterval(this.#looking);
      this.#looking = null;
      return;
    }
    const before_ms = performance.now() - this.#limits.slow_ms;
    const since = ({ chunk_since_ms }: Turn) => chunk_since_ms ?? Number.POSITIVE_INFINITY;
    const slow = [...this.#taken].filter((turn) => since(turn) <= before_ms);
    slow.sort((one, other) => since(one) - since(other));
    for (const { client } of this.#waiting) {
      if (client.isGone()) continue;
      const hasHalf = countOf(this.#taken, client) >= this.#limits.taken_max / 2;
      const at = slow.findIndex((turn) => !hasHalf || turn.client.address === client.address);
      for (const turn of at === -1 ? [] : slow.splice(at, 1)) turn.client.cut();
    }
  }
}

function countOf(all: ReadonlySet<{ readonly client: Client }>, { address }: Client): number {
  let count = 0;
  for (const { client } of all) if (client.address === address) count += 1;
  return count;
}

/**
 * `chunks`, noting in `turn` which side is waited for; `onEnd` is called once: at their end, at an
 * error, or when no more are wanted.
 */
export function watched(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  turn: Turn,
  onEnd: () => void,
) {
  const iterator = chunks[Symbol.asyncIterator]();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  // Not a generator: a generator that never began runs no final block.
  const guarded: AsyncIterator<Uint8Array<ArrayBuffer>> = {
    async next() {
      turn.chunk_since_ms = null;
      try {
        const step = await iterator.next();
        if (step.done) end();
        turn.chunk_since_ms = performance.now();
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

/**
 * `make`, shared by callers whose requests have the same name: each gets a result that was begun
 * after its call, never an older one. One is made at a time.
 */
export function sharing<Asked, Made>(
  make: (asked: Asked) => Promise<Made>,
  nameOf: (asked: Asked) => string,
): (asked: Asked) => Promise<Made> {
  const waiting = new Map<string, Promise<Made>>();
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    const name = nameOf(asked);
    const known = waiting.get(name);
    if (known !== undefined) return known;
    // Waits for the loop's next round, so that all calls of this round share the result.
    const made = last
      .then(() => nextRound())
      .then(() => {
        waiting.delete(name);
        return make(asked);
      });
    waiting.set(name, made);
    last = made.catch(() => null);
    return made;
  };
}
