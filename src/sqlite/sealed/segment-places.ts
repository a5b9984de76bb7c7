// The places of the segments, each beside its segment in a small row with a checksum: a list of
// them is read at every start and in every thread, and 30,000 segments' own rows lie 60 kB apart.
// A segment's own row is proven when it is opened; if it is damaged or gone, its place tells which
// answers it is missing in.

import { crc32 } from "node:zlib";
import { type Connection, prepare } from "../file/open.ts";
import type { SegmentSpan } from "./segment-proof.ts";

/** Stores a new segment's place, in the transaction that stores the segment. */
export function putPlace(db: Connection, { id, first_ms, last_ms, count }: SegmentSpan): void {
  const place = { id, first_ms, last_ms, count };
  prepare(db, "segment.put_place").run({ ...place, checksum: checksumOf(place) });
}

/** The undamaged places after segment number `id`, in order. */
export function placesAfter(db: Connection, id: number): readonly SegmentSpan[] {
  const rows = prepare(db, "segment.places").iterate({ id });
  const places: SegmentSpan[] = [];
  for (const { checksum, ...place } of rows) if (checksumOf(place) === checksum) places.push(place);
  return places;
}

function checksumOf({ id, first_ms, last_ms, count }: SegmentSpan): number {
  return crc32(`${id} ${first_ms} ${last_ms} ${count}`);
}
