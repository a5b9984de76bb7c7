// The files that can be exported: their kinds and formats, and the columns beside the
// catalogue's fields. Without zod: it is part of the page.

/** Records that can be exported as files beside the readings, by command and by route. */
export const RECORD_KINDS = [
  "events",
  "health",
  "predictions",
  "alarms",
  "gaps",
  "operations",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export const EXPORT_KINDS = ["telemetry", ...RECORD_KINDS] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Text formats of exported readings and records. */
export const TEXT_FORMATS = ["csv", "ndjson"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Formats of exported readings over HTTP. */
export const READING_FORMATS = [...TEXT_FORMATS, "parquet", "iso19848"] as const;
export type ReadingFormat = (typeof READING_FORMATS)[number];

/** The formats in which a kind of file can be exported. */
export function formatsOf(kind: ExportKind): readonly ReadingFormat[] {
  return kind === "telemetry" ? READING_FORMATS : TEXT_FORMATS;
}

/** Members that an export adds. An unknown tag of such a name is written in the object `extra`. */
export const BESIDE = {
  received: "received_at",
  trusted: "clock_trusted",
  extra: "extra",
} as const;
