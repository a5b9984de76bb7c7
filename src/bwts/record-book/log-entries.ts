// The entries that the log expects in the book: a letter and a span for each part of an operation
// and for each malfunction. draft.ts writes them as texts; here they are for the comparison.

import type { Operation } from "../operations/operation.ts";
import { isCleaning } from "../operations/operation-words.ts";
import type { LogEntry } from "./differences.ts";
import { letterOf } from "./draft.ts";
import { malfunctionsOf } from "./malfunction.ts";
import { partsOfEntry } from "./water-parts.ts";

/** The entries that the log expects of one operation. */
export interface LogOperation {
  /** The operation as one entry. */
  readonly whole: LogEntry;
  /** Its parts of water; one if it needs no splitting. */
  readonly water: readonly LogEntry[];
  readonly failures: readonly LogEntry[];
}

/** The entries for an operation; null for a cleaning and for a withdrawn one, which need none. */
export function logOperation(operation: Operation): LogOperation | null {
  const { id, operation_type, location, remarks } = operation;
  if (remarks.includes("withdrawn") || isCleaning(operation)) return null;
  const code = letterOf(operation_type);
  const timeOf = (time: string | null) => (time === null ? null : Date.parse(time));
  const head = { operation_id: id, location };
  return {
    whole: {
      ...{ ...head, code, subject: "treated", start_ms: Date.parse(operation.start) },
      ...{ end_ms: timeOf(operation.end), volume_m3: operation.volume_m3 },
    },
    water: partsOfEntry(operation).map(({ subject, start, end, volume_m3 }) => ({
      ...{ ...head, code, subject, volume_m3 },
      ...{ start_ms: Date.parse(start), end_ms: timeOf(end) },
    })),
    failures: malfunctionsOf(operation).map(({ start_ms, end_ms }) => ({
      ...{ ...head, code: "F", subject: "failure", start_ms, end_ms, volume_m3: null },
    })),
  };
}
