// Warnings about clients, which can cause them at will: each is written once a minute for an
// address, and a limited number in total, so that nobody can fill the log.

import { countedAddress } from "../ground/admission.ts";
import { MINUTE_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";

/** Maximum number of lines a minute, over all addresses. */
const LINES_MAX = 60;

/** Warns about `address`, unless the same was logged in this minute. */
export type WarnOf = (message: string, address: string, fields?: Record<string, unknown>) => void;

/** Opens the warnings; `now_ms` is a clock that never goes back. */
export function openWarnings(log: Log, now_ms: () => number = () => performance.now()): WarnOf {
  const told = new Set<string>();
  let since_ms = now_ms();
  let left_out = 0;
  return (message, address, fields = {}) => {
    if (now_ms() - since_ms >= MINUTE_MS) {
      if (left_out > 0) log.warn("warnings about clients were left out", { count: left_out });
      told.clear();
      since_ms = now_ms();
      left_out = 0;
    }
    const name = `${message} ${countedAddress(address)}`;
    if (told.has(name) || told.size >= LINES_MAX) {
      left_out += 1;
      return;
    }
    told.add(name);
    log.warn(message, { address, ...fields });
  };
}
