// Prints times, amounts and names as the inspection sheet writes them: English, UTC, short enough
// for a column of a printed page. Without zod: the dashboard's page and the terminal use it too.

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const MINUTE_S = 60;
const HOUR_S = 3600;

/** Mark of a missing value within a line of text; on paper a field of its own is a box. */
export const NOT_KNOWN = "?";

/** Box within a line of text that the crew fills in by hand. */
export const BOX = "________";

/** The day of a time of the answer, as `22 Nov 2026`. */
export function dayOf(printed: string): string {
  return `${dayAndMonth(printed)} ${printed.slice(0, 4)}`;
}

/** Day and month, as `22 Nov`, for a text that names the year elsewhere. */
export function dayAndMonth(printed: string): string {
  return `${Number(printed.slice(8, 10))} ${MONTHS[Number(printed.slice(5, 7)) - 1] ?? NOT_KNOWN}`;
}

/** A time to the minute, as `22 Nov 2026 02:40`, without its zone. */
export function minuteOf(printed: string): string {
  return `${dayOf(printed)} ${clockOf(printed)}`;
}

const clockOf = (printed: string) => printed.slice(11, 16);

/** The time of day of an ISO time, as `02:31:07`. */
export const secondOf = (printed: string) => printed.slice(11, 19);

/** A span, as `22 Nov 2026 02:40-11:05`, with the second day if it differs. */
export function spanOf(start: string, end: string | null): string {
  if (end === null) return `${minuteOf(start)}, running`;
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return `${minuteOf(start)}\u2013${isOneDay ? "" : `${dayAndMonth(end)} `}${clockOf(end)}`;
}

/** A duration, as `40 s`, `12 min`, `2 h 10 min` or `812 h`. */
export function lengthOf(seconds: number): string {
  if (seconds < 2 * MINUTE_S) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return hours >= 100 || rest === 0
    ? `${Math.round(seconds / HOUR_S)} h`
    : `${hours} h ${rest} min`;
}

/** A number with grouped digits, as `5,010`; below ten with up to one decimal. */
export function amountOf(value: number): string {
  const digits = Math.abs(value) < 10 ? 1 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** A volume, as `5,010 m³`; `?` if it isn't known. */
export function cubicMetres(volume_m3: number | null): string {
  return volume_m3 === null ? `${NOT_KNOWN} m³` : `${amountOf(volume_m3)} m³`;
}

/** A count with its noun, as `1 operation` or `46 operations`. */
export function counted(n: number, one: string, more = `${one}s`): string {
  return `${n} ${n === 1 ? one : more}`;
}

const PLACE_MAX = 24;

/** A place's name, cut to fit a column: a plant may send 200 characters. */
export function shortPlace(location: string | null, most = PLACE_MAX): string {
  if (location === null) return NOT_KNOWN;
  const letters = [...location];
  return letters.length <= most ? location : `${letters.slice(0, most - 1).join("")}…`;
}

/** The direction of the water in the terms of the record book: uptake or discharge. */
export function directionOf(operation_type: string | null): string {
  if (operation_type === "BALLAST") return "Uptake";
  if (operation_type === "DEBALLAST") return "Discharge";
  return operation_type ?? NOT_KNOWN;
}

/** The words for a verdict; a running operation has none yet. */
export const VERDICT_WORDS = {
  within_limits: "within limits",
  outside_limits: "OUTSIDE limits",
  cannot_tell: "cannot tell",
} as const;

/** The verdict with its shape, for a column. */
export function verdictInWords(verdict: VerdictWord | null, end: string | null): string {
  if (verdict !== null) return `${VERDICT_SHAPES[verdict]} ${VERDICT_WORDS[verdict]}`;
  return end === null ? "running" : "not judged yet";
}

export type VerdictWord = keyof typeof VERDICT_WORDS;

/** Shapes of verdicts that stay distinct in a photocopy: disc, cross, empty square. */
export const VERDICT_SHAPES: Readonly<Record<VerdictWord, string>> = {
  within_limits: "●",
  outside_limits: "✕",
  cannot_tell: "□",
};
