// The choice of an export, as it is in the address, and the paths that follow from it: of the file,
// and of the estimate of its size.

import {
  BESIDE,
  EXPORT_KINDS,
  formatsOf,
  READING_FORMATS,
  type ReadingFormat,
} from "../../bwts/export-kind.ts";
import { TAGS } from "../../bwts/tags.ts";
import { instantParameter, type ViewOf } from "../parts/view.ts";
import { wordParameter, wordsParameter } from "../parts/view-parameters.ts";

const HOUR_MS = 3_600_000;

/** Length of the presets in hours, back from now; `all` and `dates` have none. */
const HOURS_BACK: Readonly<Record<string, number>> = { day: 24, week: 168, month: 720, year: 8760 };
export const RANGES = ["day", "week", "month", "year", "all", "dates"] as const;

/** The column that is in every file of readings. */
export const TIME_COLUMN = "timestamp";
const COLUMN_NAMES = new Set<string>([...TAGS.map(({ name }) => name), ...Object.values(BESIDE)]);

export const CHOICE = {
  kind: wordParameter(EXPORT_KINDS, "telemetry"),
  format: wordParameter(READING_FORMATS, "csv"),
  range: wordParameter(RANGES, "week"),
  /** The ends of the range `dates`. */
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
  /** Names of the chosen columns of readings; an empty list means all. */
  columns: wordsParameter((name) => COLUMN_NAMES.has(name)),
};
export type ExportChoice = ViewOf<typeof CHOICE>;

/** The ends of a range; null: open on that side. */
export interface ChosenRange {
  readonly from_ms: number | null;
  readonly to_ms: number | null;
}

/** The chosen format, or CSV if the kind of file doesn't have it. */
export function chosenFormat({ kind, format }: ExportChoice): ReadingFormat {
  return formatsOf(kind).includes(format) ? format : CHOICE.format.start;
}

/** The range. Presets begin at a full hour, so that the range doesn't change every second. */
export function chosenRange({ range, from, to }: ExportChoice, now_ms: number): ChosenRange {
  if (range === "dates") return { from_ms: from, to_ms: to };
  const hours = HOURS_BACK[range];
  if (hours === undefined) return { from_ms: null, to_ms: null };
  return { from_ms: Math.floor(now_ms / HOUR_MS - hours) * HOUR_MS, to_ms: null };
}

export function isBackwards({ from_ms, to_ms }: ChosenRange): boolean {
  return from_ms !== null && to_ms !== null && from_ms > to_ms;
}

/** The path of the file in the API. */
export function filePath(choice: ExportChoice, range: ChosenRange): string {
  return `/export/${choice.kind}?${queryOf(choice, range)}`;
}

export function estimatePath(choice: ExportChoice, range: ChosenRange): string {
  return `/export/estimate?kind=${choice.kind}&${queryOf(choice, range)}`;
}

function queryOf(choice: ExportChoice, { from_ms, to_ms }: ChosenRange): string {
  const { kind, columns } = choice;
  const query = new URLSearchParams({ format: chosenFormat(choice) });
  if (from_ms !== null) query.set("startDate", new Date(from_ms).toISOString());
  if (to_ms !== null) query.set("endDate", new Date(to_ms).toISOString());
  if (kind === "telemetry" && columns.length > 0) query.set("columns", columns.join(","));
  return query.toString();
}
