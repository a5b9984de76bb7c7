// The names of readings' unknown tags. A PLC that makes ever new names (with a serial number or a
// time) would make columns without end, so at most TAG_NAMES_MAX names are kept, and tags with
// further names are left out. A name is removed with its last readings.

import { isQualityTag } from "../../bwts/quality-names.ts";
import { EXTRA_TAGS_MAX, type ReadingPart, TIME_SOURCE } from "../../bwts/reading.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, mirrored, prepare } from "../file/open.ts";

/**
 * Maximum number of names: those of sixteen readings with the most tags and no common name; the PLC
 * of a whole plant has a few hundred.
 */
export const TAG_NAMES_MAX = 4096;
/** Reading time after which the time at which a name was last seen is stored again. */
const SEEN_WITHIN_MS = 31 * DAY_MS;

/** A part without the tags that are left out. */
export interface AdmittedPart {
  readonly part: ReadingPart;
  /** Names of the unknown tags that were left out. */
  readonly beyond: readonly string[];
}

/** All methods but `count` run in the caller's transaction. */
export interface TagNames {
  /**
   * Leaves out tags whose names are too many; `stored` are the reading's tags so far. A tag for
   * which the reading has no room adds no name: merging leaves it out.
   */
  admit(part: ReadingPart, stored: ReadonlyMap<string, unknown>): AdmittedPart;
  /** Removes names that no reading since `raw_from_ms` has. */
  expire(raw_from_ms: number): void;
  count(): number;
}

export function openTagNames(db: Connection): TagNames {
  const all = prepare(db, "tag.names");
  const put = prepare(db, "tag.put");
  const known = mirrored(
    db,
    () => new Map(all.all({}).map(({ name, seen_ms }) => [name, seen_ms])),
  );
  /** Notes a name; false if there is no room for another one. */
  const note = (name: string, at_ms: number): boolean => {
    const names = known();
    const seen_ms = names.get(name);
    if (seen_ms === undefined && names.size >= TAG_NAMES_MAX) return false;
    if (seen_ms !== undefined && at_ms < seen_ms + SEEN_WITHIN_MS) return true;
    put.run({ name, seen_ms: at_ms });
    names.set(name, at_ms);
    return true;
  };
  return {
    admit(part, stored) {
      const beyond: string[] = [];
      let room = EXTRA_TAGS_MAX - stored.size;
      for (const name of part.extra.keys()) {
        const isStored = stored.has(name);
        // A quality tag is never left out: without it a bad value would be a good one.
        if (isQualityTag(name)) {
          note(name, part.at_ms);
          continue;
        }
        if (!isStored && room <= 0) continue;
        if (name !== TIME_SOURCE && !note(name, part.at_ms) && !isStored) beyond.push(name);
        else if (!isStored) room -= 1;
      }
      if (beyond.length === 0) return { part, beyond };
      const extra = new Map(part.extra);
      for (const name of beyond) extra.delete(name);
      return { part: { ...part, extra }, beyond };
    },
    expire(raw_from_ms) {
      const before_ms = raw_from_ms - SEEN_WITHIN_MS;
      const names = known();
      prepare(db, "tag.expire").run({ before_ms });
      for (const [name, seen_ms] of names) if (seen_ms < before_ms) names.delete(name);
    },
    count: () => known().size,
  };
}

/** The reason why unknown tags were left out. */
export function tooManyTags(names: readonly string[]): string {
  return `${names.join(", ")}: no room, ${TAG_NAMES_MAX} names of unknown tags are kept`;
}

/** Number of stored names, for `check`. */
export function tagNameCount(db: Connection): number {
  return prepare(db, "tag.count").get({})?.count ?? 0;
}

/** The stored names, in order, for `check`. */
export function tagNames(db: Connection): readonly string[] {
  return prepare(db, "tag.names")
    .all({})
    .map(({ name }) => name)
    .toSorted();
}
