// The days until the disk is full, from the growth of the database. Every reading takes the same
// share of the file: what it takes beside its own bytes, as an index, is in that share. Backups and
// other programs aren't in it. Pure.

import { DAY_MS } from "../ground/clock.ts";

export interface DiskGrowth {
  readonly database_bytes: number;
  /** All that the database holds, at least one. */
  readonly readings: number;
  /** The readings of the span that the growth is told from. */
  readonly basis_readings: number;
  readonly basis_ms: number;
  readonly free_bytes: number | null;
  /** Nothing is stored with less free. */
  readonly stop_bytes: number;
}

/** As /api/system answers it; null over less than a day. */
export function diskForecast(growth: DiskGrowth) {
  const { database_bytes, readings, basis_readings, basis_ms, free_bytes, stop_bytes } = growth;
  const basis_days = basis_ms / DAY_MS;
  if (basis_days < 1) return null;
  const bytes_per_day = Math.round(((database_bytes / readings) * basis_readings) / basis_days);
  const room = free_bytes === null ? null : Math.max(0, free_bytes - stop_bytes);
  return {
    bytes_per_day,
    days_left: room === null || bytes_per_day === 0 ? null : Math.floor(room / bytes_per_day),
    basis_days: Math.round(basis_days * 10) / 10,
    basis_readings,
  };
}
