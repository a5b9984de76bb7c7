// Limits of sending: a rate, by a token bucket that may go into debt by one statement, and a budget
// for each day (UTC). Alerts, events and reports wait for neither, but are counted.

import { DAY_MS, floorTo, SECOND_MS } from "../ground/clock.ts";

export const BYTES_PER_KBIT = 125;
const BYTES_PER_MB = 1_000_000;

/** Limits; 0 means none. */
export interface BudgetLimits {
  readonly max_kbit: number;
  readonly max_mb_day: number;
}

export type Budget = ReturnType<typeof openBudget>;

/** Opens the counters. `steady_ms` is a clock that never steps; `now_ms` decides the day. */
export function openBudget(
  limits: () => BudgetLimits,
  { steady_ms, now_ms }: { readonly steady_ms: () => number; readonly now_ms: () => number },
) {
  let [balance, filled_ms] = [0, steady_ms()];
  let day = { day_ms: floorTo(now_ms(), DAY_MS), used_bytes: 0 };
  const today = () => {
    const day_ms = floorTo(now_ms(), DAY_MS);
    if (day.day_ms !== day_ms) day = { day_ms, used_bytes: 0 };
    return day;
  };
  const rate_bytes_s = () => limits().max_kbit * BYTES_PER_KBIT;
  const fill = () => {
    const elapsed_ms = steady_ms() - filled_ms;
    filled_ms += elapsed_ms;
    balance = Math.min(rate_bytes_s(), balance + (rate_bytes_s() * elapsed_ms) / SECOND_MS);
  };
  return {
    /** Time until the rate allows the next statement, in ms. */
    wait_ms(): number {
      fill();
      return limits().max_kbit === 0 || balance >= 0
        ? 0
        : Math.ceil((-balance / rate_bytes_s()) * SECOND_MS);
    },
    /** Subtracts a statement's bytes from the rate's allowance. */
    take(bytes: number): void {
      fill();
      balance -= bytes;
    },
    /** Counts bytes on the line, in both directions, against the day's budget. */
    count(bytes: number): void {
      today().used_bytes += bytes;
    },
    isUsedUp: () =>
      limits().max_mb_day > 0 && today().used_bytes >= limits().max_mb_day * BYTES_PER_MB,
    used_bytes: () => today().used_bytes,
  };
}
