// Payloads as objects in the office's S3 store. With shore.objects they go there, and the database
// is informed when the store has one. A slow or failing store delays nothing else: it has its own
// window and, after a failure, its own wait, after which a new hello shows what is missing.

import type { Config } from "../config/config.ts";
import { HOUR_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import { PACE, type Pace } from "./backoff.ts";
import { type ObjectStore, openObjects, StoreRefusal } from "./object-store.ts";
import type { ShoreState } from "./state.ts";
import { bucketAt, keyIn, readKeyFile } from "./store-place.ts";
import { openWindow } from "./window.ts";

/** An object to be stored. */
export interface Upload {
  /** The payload's SHA-256, in hex. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type ShipObjects = ReturnType<typeof openShipObjects>;

/** Thrown if the store hasn't taken an object; it is tried again later. */
export class ObjectsAway extends Error {}

/** Maximum number of objects in transfer at a time. */
const FLIGHTS_MAX = 8;
/** Approximate length of a request's head and its answer. */
const REQUEST_BYTES = 1000;
/** Key under which a store that accepts nothing is listed among the refusals. */
const WHAT = "objects";

interface ShipObjectsParts {
  readonly state: ShoreState;
  readonly now_ms: () => number;
  readonly pace?: Pace;
  readonly silence_ms?: number;
}

export function openShipObjects(settings: Config["shore"], parts: ShipObjectsParts) {
  const { state, now_ms, pace = PACE, silence_ms } = parts;
  const window = openWindow(undefined, silence_ms);
  const stores = reopened(() =>
    openObjects(placeOf(settings), {
      // The time of the office's database, which is trusted because its key is pinned.
      now_ms: () => now_ms() + (state.clock_offset_ms ?? 0),
    }),
  );
  let flying = 0;
  /** Time of the next attempt, by the steady clock; null while the store accepts objects. */
  let until_ms: number | null = null;
  let failing = { rounds: 0, since_ms: 0 };
  const failed = (error: unknown) => {
    const problem = messageOf(error);
    // The first of several objects that fail together counts.
    if (until_ms !== null) return;
    if (failing.rounds === 0) failing = { rounds: 0, since_ms: performance.now() };
    const most_ms = Math.min(pace.max_ms, pace.first_ms * 2 ** Math.min(failing.rounds, 30));
    failing.rounds += 1;
    until_ms = performance.now() + Math.random() * most_ms;
    state.objects = { problem };
    // Further objects would fail too; nothing waits for them.
    stores.close();
    const isLong = performance.now() - failing.since_ms > HOUR_MS;
    const isRefused = error instanceof StoreRefusal && error.status < 500;
    if (isRefused || isLong) state.refusals.set(WHAT, { what: WHAT, reason: problem });
  };
  return {
    hasRoom: () => until_ms === null && flying < FLIGHTS_MAX && window.hasRoom(),
    /** True from a failure until the next hello to the office. */
    isAway: () => until_ms !== null,
    /** True when the wait after a failure has ended. */
    isDue: () => until_ms !== null && performance.now() >= until_ms,
    /** Ends the failure state after a hello, if the wait has ended. */
    greeted() {
      if (until_ms !== null && performance.now() >= until_ms) until_ms = null;
    },
    bandwidth_bytes_s: window.bandwidth_bytes_s,
    async put({ name, bytes }: Upload): Promise<void> {
      const flight = window.sent(bytes.length + REQUEST_BYTES);
      flying += 1;
      try {
        await stores.open().put(name, bytes);
        failing = { rounds: 0, since_ms: 0 };
        state.objects = { problem: null };
        state.refusals.delete(WHAT);
      } catch (error) {
        failed(error);
        throw new ObjectsAway(messageOf(error));
      } finally {
        flying -= 1;
        window.acknowledged(flight);
      }
    },
    /** Aborts objects in transfer if no answer arrives. */
    look() {
      if (window.isSilent()) stores.close();
    },
    traffic: stores.traffic,
    close: stores.close,
  };
}

/**
 * Opens the store. `now_ms` is the time of the office's database, whose key is pinned. Throws if
 * the key can't be read.
 */
export function openShipStore(settings: Config["shore"], now_ms: () => number): ObjectStore {
  return openObjects(placeOf(settings), { now_ms });
}

/** A store that is opened when needed, each time with the current key in its file. */
function reopened(opened: () => ObjectStore) {
  let store: ObjectStore | null = null;
  let past = { sent_bytes: 0, received_bytes: 0 };
  const traffic = () => {
    const { sent_bytes = 0, received_bytes = 0 } = store?.traffic() ?? {};
    return {
      sent_bytes: past.sent_bytes + sent_bytes,
      received_bytes: past.received_bytes + received_bytes,
    };
  };
  return {
    traffic,
    open(): ObjectStore {
      store ??= opened();
      return store;
    },
    close() {
      past = traffic();
      store?.close();
      store = null;
    },
  };
}

function placeOf({ objects, objects_key, objects_pin }: Config["shore"]) {
  const place = bucketAt(objects);
  // The configuration accepts no other form, so this is an internal error.
  if (place === null) throw new Error("shore.objects: expected https://host/bucket/prefix");
  const key = readKeyFile(objects_key, "shore.objects_key");
  return { ...place, key, pin: objects_pin === "" ? null : objects_pin, authority: null };
}

/** True if a place of objects and the text of its key can be used. */
export function isStore({ url, key }: { readonly url: string; readonly key: string }): boolean {
  return bucketAt(url) !== null && keyIn(key) !== null;
}
