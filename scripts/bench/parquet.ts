// A ship-day at 1 Hz as Parquet, made of sealed segments as `ballastd fleet lake` and `ballastd
// export` make it, in this process.

import { openSegment } from "../../src/codec/segment-reader.ts";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { COLUMNS } from "../../src/sqlite/exchange/export-columns.ts";
import { openParquet } from "../../src/sqlite/exchange/export-parquet.ts";
import type { Link } from "../../test/rig/ship-links.ts";
import type { TableRow } from "./table-rows.ts";

const DAY_READINGS = 86_400;

/** The processor's time counts, because others may use the machine. */
export function measureParquet(segments: readonly Link[]): TableRow {
  writeDay(segments);
  const began = process.cpuUsage();
  const { readings, bytes } = writeDay(segments);
  const { user, system } = process.cpuUsage(began);
  const took_s = ((user + system) / 1000 / SECOND_MS) * (DAY_READINGS / readings);
  const each = (bytes / readings).toFixed(1);
  return {
    what: "Parquet; a ship-day of a reading a second",
    goal: "45 bytes a reading; 4 s",
    measured: `${each}; ${took_s.toFixed(1)} s of a processor`,
  };
}

function writeDay(segments: readonly Link[]): { readings: number; bytes: number } {
  const file = openParquet(COLUMNS, DAY_READINGS);
  let readings = 0;
  let bytes = 0;
  for (const { body: header, payload } of segments) {
    const segment = openSegment({ header, payload: payload ?? new Uint8Array() });
    file.add(Array.from({ length: segment.count }, (_, index) => segment.reading(index)));
    bytes += file.taken().length;
    readings += segment.count;
  }
  file.finish();
  return { readings, bytes: bytes + file.taken().length };
}
