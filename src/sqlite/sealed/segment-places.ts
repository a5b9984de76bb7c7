// The place of each segment is stored a second time when it is sealed. Segments sealed by a version
// that didn't get theirs along with the next one, as long as their rows are whole.

import { type Connection, prepare } from "../file/open.ts";
import { segmentsOf } from "./segments.ts";

interface Place {
  readonly id: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

/** Stores a new segment's place, in the transaction that stores the segment. */
export function putPlace(db: Connection, { id, first_ms, last_ms }: Place): void {
  const put = prepare<Place, never>(db, "segment.put_place");
  const newest = prepare<object, { id: number | null }>(db, "segment.placed").get({})?.id ?? 0;
  const segments = segmentsOf(db);
  if (newest < id - 1) {
    segments.refresh();
    for (const span of segments.after(newest, Number.POSITIVE_INFINITY))
      if (segments.isListedWhole(span))
        put.run({ id: span.id, first_ms: span.first_ms, last_ms: span.last_ms });
  }
  put.run({ id, first_ms, last_ms });
}
