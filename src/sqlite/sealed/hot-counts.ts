// The number of hot (unsealed) readings and their bytes: counted at the writer's start and after
// each sealing, and added up in between, so that a commit costs no statement for it. Late readings
// are older than the newest sealed one; the others are fresh.

import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { Flushed } from "./readings.ts";
import { segmentsOf } from "./segments.ts";

/** Above so many bytes readings are sealed, however few: each query decodes all of them. */
const HOT_MAX_BYTES = 4 * 1024 * 1024;

export interface HotCounts {
  now(): { readonly lateCount: number; readonly freshCount: number };
  /** True if the hot readings have more than HOT_MAX_BYTES, so that some must be sealed. */
  isHeavy(): boolean;
  /** Notes the hot readings that a commit added, and the bytes that it wrote. */
  added(flushed: Pick<Flushed, "hot" | "bytes">): void;
  /** Notes that readings were sealed. */
  sealed(): void;
  /** Time of the newest sealed reading; -Infinity without one. */
  sealed_ms(): number;
  /** The ranges of late and of fresh readings. */
  late(): ClosedRange;
  fresh(): ClosedRange;
}

export function openHotCounts(db: Connection): HotCounts {
  const segments = segmentsOf(db);
  const countPart = prepare(db, "reading.count");
  const bytesOf = prepare(db, "reading.bytes");
  let lateCount = 0;
  let freshCount = 0;
  /** Upper bound: a merged reading is added again, until the next count. */
  let bytes = 0;

  const sealed_ms = () => segments.last_ms() ?? Number.NEGATIVE_INFINITY;
  const late = () => ({ start_ms: 0, end_ms: Math.max(0, sealed_ms()) });
  const fresh = () => ({ start_ms: Math.max(0, sealed_ms() + 1), end_ms: Number.MAX_SAFE_INTEGER });
  const recount = () => {
    segments.refresh();
    lateCount = sealed_ms() < 0 ? 0 : (countPart.get(late())?.count ?? 0);
    freshCount = countPart.get(fresh())?.count ?? 0;
    bytes = bytesOf.get({})?.bytes ?? 0;
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
  };
}
