// Ages and times as the page shows them: in UTC or ship's time, as chosen, with the clock's name
// beside every time. Days are written as 2026-05-01, which is the same in every language.

import { shipClock } from "../../bwts/ship-time.ts";
import { partsWords as t } from "../lang/words.ts";
import { remember, remembered } from "../store/remembered.ts";

export type ShownClock = "utc" | "ship";

const CHOICE = "clock";
const DAY_MS = 86_400_000;

let chosen: ShownClock = remembered(CHOICE) === "ship" ? "ship" : "utc";
let utc_offset = "";

/** Number of papers being drawn, which always use UTC. */
let papers = 0;

/** The clock in which times are shown; ship's time only if an offset is configured. */
export function shownClock(): ShownClock {
  return chosen === "ship" && utc_offset !== "" && papers === 0 ? "ship" : "utc";
}

/** Shows all times in UTC, for a paper, until the returned function is called. */
export function printInUtc(): () => void {
  papers += 1;
  return () => {
    papers -= 1;
  };
}

export function chooseClock(clock: ShownClock): void {
  chosen = clock;
  remember(CHOICE, clock);
}

/** The ship's offset as configured, "" without one. */
export function setShipOffset(offset: string): void {
  utc_offset = offset;
}

export function hasShipTime(): boolean {
  return utc_offset !== "";
}

/** `UTC+05:30`: the ship's offset as configured. */
export function shipOffset(): string {
  return `UTC${utc_offset}`;
}

/** Name of a clock, `UTC` or `ship's time UTC+05:30`; it stands beside every time. */
export function clockName(clock = shownClock()): string {
  return clock === "utc" ? t("utc") : t("ship_time", { offset: utc_offset });
}

/** `12 s`, `14 min`, `3 h`, `5 days`: whole units, rounded down. */
export function printAge(age_ms: number): string {
  const seconds = Math.floor(Math.max(0, age_ms) / 1000);
  if (seconds < 120) return t("seconds", { n: seconds });
  if (seconds < 120 * 60) return t("minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 48 * 3600) return t("hours", { n: Math.floor(seconds / 3600) });
  return t("days", { n: Math.floor(seconds / 86_400) });
}

/** A length to the minute: `5 h 30 min`, for an operation, or for clocks of two zones. */
export function printDuration(length_ms: number): string {
  const minutes = Math.round(length_ms / 60_000);
  if (minutes < 60) return printAge(length_ms);
  if (minutes >= 48 * 60) return printAge(minutes * 60_000);
  const rest = minutes % 60;
  const hours = t("hours", { n: Math.floor(minutes / 60) });
  return rest === 0 ? hours : `${hours} ${t("minutes", { n: rest })}`;
}

/** `2026-05-01T14:05:09.000` by a clock. */
function written(at_ms: number, clock: ShownClock): string {
  const offset = clock === "ship" ? utc_offset : "+00:00";
  return shipClock(at_ms, offset) ?? "";
}

/** `2026-05-01`, for a place that names the clock. */
export function printDay(at_ms: number, clock = shownClock()): string {
  return written(at_ms, clock).slice(0, 10);
}

/** The first instant of a day such as `2026-05-01` by the shown clock; null for another text. */
export function dayStart(day: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const at_ms = Date.parse(`${day}T00:00:00.000${shownClock() === "ship" ? utc_offset : "Z"}`);
  return Number.isNaN(at_ms) ? null : at_ms;
}

/** The last instant of a day such as `2026-05-01` by the shown clock; null for another text. */
export function dayEnd(day: string): number | null {
  const start_ms = dayStart(day);
  return start_ms === null ? null : start_ms + DAY_MS - 1;
}

/** `14:05:09`, for a place that names the clock. */
export function printClock(at_ms: number, clock = shownClock()): string {
  return written(at_ms, clock).slice(11, 19);
}

/** `14:05`, for a place that names the clock. */
export function printMinute(at_ms: number, clock = shownClock()): string {
  return printClock(at_ms, clock).slice(0, 5);
}

/** `14:05 UTC`, preceded by the day unless that is today. */
export function printMoment(at_ms: number, now_ms: number): string {
  return `${dayBefore(at_ms, now_ms)}${printMinute(at_ms)}\u00a0${clockName()}`;
}

/** `14:05:09 UTC`, preceded by the day unless that is today. */
export function printSecond(at_ms: number, now_ms: number): string {
  return `${dayBefore(at_ms, now_ms)}${printClock(at_ms)}\u00a0${clockName()}`;
}

function dayBefore(at_ms: number, now_ms: number): string {
  return printDay(at_ms) === printDay(now_ms) ? "" : `${printDay(at_ms)} `;
}
