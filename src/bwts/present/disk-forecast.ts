// Forecasts the days until the disk is full, from the growth of the database. Every reading is
// taken to need the same share of the file, which includes indices and other data beside it.
// Backups and other programs aren't included. Pure.

import { DAY_MS } from "../../ground/clock.ts";

export interface DiskGrowth {
  readonly database_bytes: number;
  /** Number of readings in the database, at least 1. */
  readonly readings: number;
  /** Number of readings in the span from which growth is computed. */
  readonly basis_readings: number;
  readonly basis_ms: number;
  readonly free_bytes: number | null;
  /** Free space below which ballastd stops storing, in bytes. */
  readonly stop_bytes: number;
}

/** The forecast as /api/system answers it; null if the span is shorter than a day. */
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
