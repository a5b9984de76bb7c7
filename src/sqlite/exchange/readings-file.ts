// A file of readings that is made in memory, a part at a time, and taken as it grows: the common
// form of what is more than lines.

import type { Reading } from "../../bwts/reading.ts";

/** A file while it is written. Its bytes are to be taken after each call. */
export interface ReadingsFile {
  add(readings: readonly Reading[]): void;
  /** Writes the rest, and the end. */
  finish(): void;
  /** The bytes written since the last call. */
  taken(): Uint8Array<ArrayBuffer>;
}
