// The number of hot (unsealed) readings and their bytes: counted at the writer's start and after
// each sealing, and added up in between, so that a commit needs no statement for it. Late readings
// are older than the newest sealed one; the others are fresh. Late readings that are close in time
// are sealed together, because a segment over years would be opened for every query.

import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { FlushResult } from "./readings.ts";
import { SEGMENT_READINGS } from "./seal-portion.ts";
import { DENSE_MS, segmentsOf } from "./segments.ts";

/** Bytes above which readings are sealed, however few: each query decodes all of them. */
const HOT_MAX_BYTES = 4 * 1024 * 1024;

/** Number of late readings that are sealed even if they are far apart. */
const LATE_MAX = 2 * SEGMENT_READINGS;
/** Number of further late readings after which scattered ones are searched again. */
const LATE_STEP = 256;

export interface HotCounts {
  now(): { readonly lateCount: number; readonly freshCount: number };
  /** True if the hot readings have more than HOT_MAX_BYTES, so that some must be sealed. */
  isHeavy(): boolean;
  /** Notes the hot readings that a commit added, and the bytes that it wrote. */
  added(flushed: Pick<FlushResult, "hot" | "bytes">): void;
  /** Notes that readings were sealed. */
  sealed(): void;
  /** Time of the newest sealed reading; -Infinity without one. */
  sealed_ms(): number;
  /** The ranges of late and of fresh readings. */
  late(): ClosedRange;
  fresh(): ClosedRange;
  /** Time of the first late reading to seal; null if too few are close together. */
  lateFrom(): number | null;
}

export function openHotCounts(db: Connection): HotCounts {
  const segments = segmentsOf(db);
  const countPart = prepare(db, "reading.count");
  const bytesOf = prepare(db, "reading.bytes");
  const timesIn = prepare(db, "reading.times");
  let lateCount = 0;
  let freshCount = 0;
  /** Upper bound of the bytes: a merged reading is added again, until the next count. */
  let bytes = 0;
  /** Number of late readings when they were found to be scattered; 0 after a sealing. */
  let scattered = 0;

  const sealed_ms = () => segments.last_ms() ?? Number.NEGATIVE_INFINITY;
  const late = () => ({ start_ms: 0, end_ms: Math.max(0, sealed_ms()) });
  const fresh = () => ({ start_ms: Math.max(0, sealed_ms() + 1), end_ms: Number.MAX_SAFE_INTEGER });
  const recount = () => {
    segments.refresh();
    lateCount = sealed_ms() < 0 ? 0 : (countPart.get(late())?.count ?? 0);
    freshCount = countPart.get(fresh())?.count ?? 0;
    bytes = bytesOf.get({})?.bytes ?? 0;
    scattered = 0;
  };
  recount();
  return {
    now: () => ({ lateCount, freshCount }),
    isHeavy() {
      if (bytes > HOT_MAX_BYTES) bytes = bytesOf.get({})?.bytes ?? 0;
      return bytes > HOT_MAX_BYTES;
    },
    added({ hot, bytes: written }) {
      const border_ms = sealed_ms();
      const older = hot.filter(({ at_ms }) => at_ms <= border_ms).length;
      lateCount += older;
      freshCount += hot.length - older;
      bytes += written;
    },
    sealed: recount,
    sealed_ms,
    late,
    fresh,
    lateFrom() {
      if (lateCount < Math.max(SEGMENT_READINGS, scattered + LATE_STEP)) return null;
      const times = timesIn.all(late()).map(({ at_ms }) => at_ms);
      const dense_ms = times.find(
        (first_ms, at) => times[at + SEGMENT_READINGS - 1] - first_ms <= DENSE_MS,
      );
      if (dense_ms !== undefined || lateCount >= LATE_MAX) return dense_ms ?? times[0];
      scattered = lateCount;
      return null;
    },
  };
}
