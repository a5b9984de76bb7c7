// A line of a file that `ballastd import` reads, before it is decoded and after. The file's formats
// make the lines, the decoder reads them, the writer stores them.

import type { ReadingPart } from "../bwts/reading.ts";

/** A reading of a file as a line of NDJSON; `line` is its number in the file. */
export interface ImportRecord {
  readonly line: number;
  readonly json: string;
}

/** A decoded record; null stands for facts that the file doesn't give. */
export interface ImportedReading {
  readonly line: number;
  readonly part: ReadingPart;
  readonly received_ms: number | null;
  readonly clock_trusted: boolean | null;
}

/** A line that wasn't stored, with the reason. */
export interface Refused {
  readonly line: number;
  readonly problem: string;
}

export type DecodeImported = (record: ImportRecord, system_id: string) => ImportedReading | Refused;
