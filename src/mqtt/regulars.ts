// The publishers that were there before, by address and by client id: when strangers hold all other
// connections, these still get in. The first to publish are kept, so that strangers who publish
// later can't displace them, and one that publishes nothing for a day is forgotten. Their number is
// bounded so that all of them together leave room for newcomers. Kept in memory: after a start
// whoever publishes first is known first.

import type { AdmittedSocket } from "../ground/admission.ts";
import { DAY_MS } from "../ground/clock.ts";
import type { BrokerLimits } from "./shared-limits.ts";

/** Maximum number of known addresses: a ship has one PLC or gateway, perhaps a second one. */
const ADDRESSES_MAX = 16;
/**
 * Maximum number of known client ids: a gateway may carry every pump of a ship, each with its own.
 */
const NAMES_MAX = 64;
const FORGOTTEN_MS = DAY_MS;

/** The marks of a connection by which the admission judges its claim. */
type Marked = Pick<AdmittedSocket, "counted" | "settled" | "named" | "regular">;

export interface Regulars {
  /** True if this address (as limits count it) has published before. */
  readonly hasAddress: (counted: string) => boolean;
  /** Marks a connection that has logged in. */
  loggedIn(admitted: Marked, client_id: string): void;
  /** Marks a connection that published: it keeps its place, and is a regular if there is room. */
  published(admitted: Marked, client_id: string): void;
}

export function openRegulars(
  limits: Pick<BrokerLimits, "connections_max" | "connections_address_max">,
  now_ms: () => number = () => performance.now(),
): Regulars {
  const quarter = limits.connections_max / 4;
  const addresses_max = Math.min(ADDRESSES_MAX, quarter / limits.connections_address_max);
  const addresses = openFirstComers(addresses_max, now_ms);
  const names = openFirstComers(Math.min(NAMES_MAX, quarter), now_ms);
  return {
    hasAddress: addresses.has,
    loggedIn(admitted, client_id) {
      admitted.named = true;
      admitted.regular ||= names.has(client_id);
    },
    published(admitted, client_id) {
      admitted.settled = true;
      const byAddress = addresses.note(admitted.counted);
      const byName = names.note(client_id);
      admitted.regular = byAddress || byName;
    },
  };
}

/** Keeps the first names, `count_max` of them and at least one. */
function openFirstComers(count_max: number, now_ms: () => number) {
  /** Time at which each name was last seen, in ms. */
  const seen = new Map<string, number>();
  const has = (name: string) => {
    const last_ms = seen.get(name);
    return last_ms !== undefined && now_ms() - last_ms <= FORGOTTEN_MS;
  };
  const hasPlace = () => seen.size < Math.max(1, Math.floor(count_max));
  const forget = () => {
    for (const name of seen.keys()) if (!has(name)) seen.delete(name);
  };
  return {
    has,
    /** Notes the name as seen now; false if all places are taken by earlier names. */
    note(name: string): boolean {
      if (!seen.has(name) && !hasPlace()) forget();
      if (!seen.has(name) && !hasPlace()) return false;
      seen.set(name, now_ms());
      return true;
    },
  };
}
