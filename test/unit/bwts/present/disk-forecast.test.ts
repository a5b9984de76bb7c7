// The forecast of the disk by growths that are known: a year of a steady plant, a plant that falls
// silent, a disk that is full already.

import { expect, test } from "vitest";
import { diskForecast } from "../../../../src/bwts/present/disk-forecast.ts";

const DAY_MS = 86_400_000;
const GB = 1e9;
/** A year of a reading a minute, at 40 bytes each. */
const YEAR = { database_bytes: 525_600 * 40, readings: 525_600 };
const MONTH = { basis_readings: 43_200, basis_ms: 30 * DAY_MS };
const DISK = { free_bytes: 3 * GB, stop_bytes: 1 * GB };

test("a steady plant fills the room above the limit at its readings a day", () => {
  const told = diskForecast({ ...YEAR, ...MONTH, ...DISK });
  // 1,440 readings of 40 bytes a day into 2 GB.
  const days_left = Math.floor((2 * GB) / (1440 * 40));
  expect(told).toEqual({
    bytes_per_day: 57_600,
    days_left,
    basis_days: 30,
    basis_readings: 43_200,
  });
});

test("growth is that of the newest readings, not of the whole database", () => {
  const slower = diskForecast({ ...YEAR, ...MONTH, basis_readings: 4_320, ...DISK });
  expect(slower).toMatchObject({ bytes_per_day: 5_760, days_left: 347_222 });
  const faster = diskForecast({ ...YEAR, basis_readings: 86_400, basis_ms: 1.5 * DAY_MS, ...DISK });
  expect(faster).toMatchObject({ bytes_per_day: 2_304_000, days_left: 868, basis_days: 1.5 });
});

test("no end is told where nothing grows or the room isn't known", () => {
  const silent = diskForecast({ ...YEAR, ...MONTH, basis_readings: 0, ...DISK });
  expect(silent).toMatchObject({ bytes_per_day: 0, days_left: null });
  const unknown = diskForecast({ ...YEAR, ...MONTH, free_bytes: null, stop_bytes: GB });
  expect(unknown).toMatchObject({ bytes_per_day: 57_600, days_left: null });
  const full = diskForecast({ ...YEAR, ...MONTH, free_bytes: GB / 2, stop_bytes: GB });
  expect(full).toMatchObject({ days_left: 0 });
  expect(diskForecast({ ...YEAR, ...DISK, basis_readings: 900, basis_ms: DAY_MS - 1 })).toBeNull();
});
