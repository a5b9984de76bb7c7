// The link to the office while the service runs: connects, runs a session until it ends, waits, and
// tries the next URL. The session decides what is sent and when; this module makes the attempts,
// and exchanges the settings while it runs.

import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { refused, shownPath } from "../config/shown.ts";
import { readSmall } from "../ground/durable.ts";
import { codeOf, Declined, messageOf } from "../ground/errors.ts";
import { type ClosedRange, ReaderLost, ReadersBusy } from "../sqlite/file/query.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import { openTurns, PACE, type Pace } from "./backoff.ts";
import { openBudget } from "./budget.ts";
import { connectShore, isKeyRefused, NoAnswer, type ShorePlace } from "./connection.ts";
import { instanceNumber } from "./instance-number.ts";
import { openShipObjects } from "./objects.ts";
import type { SessionParts } from "./parts.ts";
import { runSession } from "./session.ts";
import { newShoreState, type ShoreState } from "./state.ts";

export interface ShoreLinkOptions
  extends Omit<SessionParts, "box" | "settings" | "state" | "budget" | "spoilt" | "objects"> {
  readonly dir: string;
  readonly version: string;
  readonly settings: Config["shore"];
  /** Bytes that earlier runs used today. */
  readonly used_bytes: number;
  readonly pace?: Pace;
}

export interface ShoreService {
  readonly state: ShoreState;
  settings(): Config["shore"];
  instance(): string | null;
  budget(): { readonly isUsedUp: boolean; readonly used_bytes: number };
  /**
   * Sends the readings of a range ahead of others; resolves with the number of segments that have
   * some.
   */
  send(
    range: ClosedRange,
  ): Promise<{ readonly segments: number; readonly state: ShoreState["phase"] }>;
  /** Continues with other settings, over a new connection. */
  configure(settings: Config["shore"]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the link; connects at once if a URL is set. Problems are in `state`; none ends the service.
 */
export function openShore(options: ShoreLinkOptions): ShoreService {
  const { dir, version, log, now_ms, pace = PACE } = options;
  const state = newShoreState();
  let settings = options.settings;
  const budget = openBudget(() => settings, { steady_ms: () => performance.now(), now_ms });
  budget.count(options.used_bytes);
  const spoilt = new Set<number>();
  let instance: string | null = null;
  const begin = () => {
    const ending = new AbortController();
    if (settings.url.length === 0) {
      enter(state, "off", null);
      return { ending, done: Promise.resolve() };
    }
    const objects =
      settings.objects === "" ? null : openShipObjects(settings, { ...options, state });
    const attempt = async (url: string, connect_max_ms: number) => {
      enter(state, "connecting", state.problem);
      state.server = serverOf(url);
      instance ??= instanceNumber(dir);
      const connection = await connectShore(shorePlace(settings, url), {
        ...{ connect_max_ms, signal: ending.signal },
      });
      try {
        const readers = { call: patient(options.readers.call) };
        const parts = { ...options, readers, settings: () => settings, state, budget, spoilt };
        return await runSession(connection, { ...parts, objects, box: { instance, version } });
      } finally {
        connection.destroy("the session ended");
        objects?.close();
      }
    };
    const { signal } = ending;
    return { ending, done: attempts(settings.url, attempt, { state, log, pace, signal }) };
  };
  let running = begin();
  const stop = async () => {
    running.ending.abort();
    await running.done;
  };
  return {
    state,
    settings: () => settings,
    instance: () => instance,
    budget: () => ({ isUsedUp: budget.isUsedUp(), used_bytes: budget.used_bytes() }),
    async send(range) {
      requireRaw(settings);
      const { length } = await options.readers.call("shore_segments", range);
      state.wanted.add(range);
      state.isHelloWanted = true;
      return { segments: length, state: state.phase };
    },
    async configure(next) {
      await stop();
      settings = next;
      state.has = null;
      state.toldAlarms.clear();
      state.refusals.clear();
      state.objects = null;
      running = begin();
    },
    close: stop,
  };
}

interface AttemptParts extends Pick<ShoreLinkOptions, "log"> {
  readonly state: ShoreState;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Tries one URL after the other until the signal aborts. */
async function attempts(
  urls: readonly string[],
  attempt: (url: string, connect_max_ms: number) => Promise<string>,
  { state, log, pace, signal }: AttemptParts,
): Promise<void> {
  const turns = openTurns(urls, pace);
  while (!signal.aborted) {
    const before = state.answered;
    const problem = await attempt(turns.url(), turns.connect_max_ms()).catch(asError);
    if (signal.aborted) return;
    const isRefused = problem instanceof Error && isKeyRefused(problem);
    const said = messageOf(problem) || "the shore's error has no words";
    enter(state, isRefused ? "refused" : "waiting", said);
    const isSilent = problem instanceof NoAnswer;
    const isAnswered = state.answered !== before;
    const wait_ms = turns.next({ isAnswered, isRefused, isSilent });
    log.debug("no session with the shore", { problem: messageOf(problem), wait_ms });
    await sleep(wait_ms, null, { signal }).catch(() => null);
  }
}

function requireRaw({ url, raw }: Config["shore"]): void {
  if (url.length === 0) throw new Declined("shore.url isn't set: there is no shore");
  if (raw === "never")
    throw new Declined("shore.raw is never: readings stay aboard, expected always or asked");
}

/** Number of attempts while all readers are busy, and the pause between two. */
const PATIENCE = 60;
const PATIENCE_MS = 500;

/** Wraps `call` to wait for readers that are busy or lost, since clients come first. */
function patient(call: ReaderThreads["call"]): ReaderThreads["call"] {
  return async (name, ...given) => {
    for (let left = PATIENCE; ; left -= 1)
      try {
        return await call(name, ...given);
      } catch (error) {
        const isPassing = error instanceof ReadersBusy || error instanceof ReaderLost;
        if (!isPassing || left === 0) throw error;
        await sleep(PATIENCE_MS);
      }
  };
}

function enter(state: ShoreState, phase: ShoreState["phase"], problem: string | null): void {
  if (state.phase !== phase) state.since_ms = performance.now();
  state.phase = phase;
  state.problem = problem;
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Host and port of a URL, without the role. */
export function serverOf(url: string): string {
  return new URL(url).host;
}

/**
 * The server and the pin, with the certificate and the key read from their files. Throws a Failure
 * that shows neither.
 */
export function shorePlace(settings: Config["shore"], url: string): ShorePlace {
  const read = (name: "cert" | "key") => {
    try {
      return readSmall(settings[name]).toString();
    } catch (error) {
      const problem = `can't be read (${codeOf(error) ?? messageOf(error)})`;
      throw refused(`shore.${name}: ${shownPath(settings[name])}`, problem);
    }
  };
  return { url, cert: read("cert"), key: read("key"), key_pin: settings.key_pin };
}
