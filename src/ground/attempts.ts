// Counts failed attempts by address (of IPv6 by /64): after FAILURES_MAX in a minute the address
// must wait until that minute has passed. Other addresses aren't affected.

import { LRUCache } from "lru-cache";
import { countedAddress } from "./admission.ts";
import { MINUTE_MS, SECOND_MS } from "./clock.ts";

/** Maximum failures in a minute: a script may send an old token once on every route. */
export const FAILURES_MAX = 30;
/** Maximum number of addresses kept; beyond it the one whose minute began first is dropped. */
const ADDRESSES_MAX = 1000;

export interface Attempts {
  /** Whole seconds that the address has to wait; null if it may try now. */
  wait_s(address: string): number | null;
  failed(address: string): void;
}

/** The counts, empty; `now_ms` is a clock that never goes back. */
export function openAttempts(now_ms: () => number): Attempts {
  // Failures by counted address.
  const failures = new LRUCache<string, { readonly since_ms: number; count: number }>({
    max: ADDRESSES_MAX,
  });
  const current = (counted: string) => {
    const known = failures.peek(counted);
    return known !== undefined && now_ms() - known.since_ms < MINUTE_MS ? known : null;
  };
  return {
    wait_s(address) {
      const known = current(countedAddress(address));
      if (known === null || known.count < FAILURES_MAX) return null;
      return Math.ceil((known.since_ms + MINUTE_MS - now_ms()) / SECOND_MS);
    },
    failed(address) {
      const counted = countedAddress(address);
      const known = current(counted);
      if (known !== null) {
        known.count += 1;
        return;
      }
      failures.set(counted, { since_ms: now_ms(), count: 1 });
    },
  };
}
