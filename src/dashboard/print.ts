// Numbers, times and ages as the page prints them. Units and labels come from the catalogue; a
// missing value is a dash, never 0. All times are UTC and say so; ship's time stands beside them.

import { shipClock, shipTimeName } from "../bwts/ship-time.ts";
import { indexOfTag, TAGS, type Tag, type TagName } from "../bwts/tags.ts";

export const MISSING = "—";

/** Three decimals suffice for bar, one for all values from ten up. */
export function printNumber(value: number | null): string {
  if (value === null) return MISSING;
  const digits = Math.abs(value) < 10 ? 2 : 1;
  return String(Number(value.toFixed(digits)));
}

/** A value of the catalogue's field with its unit: `649.5 W/m²`, `yes`, `RUNNING`, `—`. */
export function printValue(tag: Tag, value: number | string | boolean | null): string {
  if (value === null) return MISSING;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  const unit = printUnit(tag);
  return unit === "" ? printNumber(value) : `${printNumber(value)}\u00a0${unit}`;
}

/** The unit as people write it: `W/m²`, `m³/h`, `°C`; empty when the field has none. */
export function printUnit(tag: Tag): string {
  if (tag.unit === null) return "";
  return tag.unit
    .replace(/^degC$/, "°C")
    .replace(/\bm2\b/, "m²")
    .replace(/\bm3\b/, "m³");
}

/**
 * A field's label from the catalogue: its description up to the first comma or semicolon; for a
 * text field, whose description lists values, its name in words.
 */
export function printLabel(tag: Tag): string {
  const label =
    tag.type === "string" ? tag.name.toLowerCase().replace(/_/g, " ") : tag.about.split(/[,;]/)[0];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export function tagNamed(name: TagName): Tag {
  return TAGS[indexOfTag(name)];
}

/** `12 s`, `14 min`, `3 h`, `5 days`: whole units, rounded down. */
export function printAge(age_ms: number): string {
  const seconds = Math.floor(age_ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 120 * 60) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** `2026-05-01` in UTC. */
export function printDay(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10);
}

/** `14:05:09` in UTC. */
export function printClock(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(11, 19);
}

/** `14:05` in UTC. */
export function printMinute(at_ms: number): string {
  return printClock(at_ms).slice(0, 5);
}

let utc_offset = "";

/** From now on moments are printed with ship's time behind them; not with an empty offset. */
export function showShipTime(offset: string): void {
  utc_offset = offset;
}

/**
 * `14:05 UTC`, with the day before it unless that is today, and ship's time behind it if there is
 * one: `14:05 UTC (19:35 ship's time UTC+05:30)`.
 */
export function printMoment(at_ms: number, now_ms: number): string {
  const minute = `${printMinute(at_ms)}\u00a0UTC`;
  const moment = printDay(at_ms) === printDay(now_ms) ? minute : `${printDay(at_ms)} ${minute}`;
  return moment + inBrackets(printShipMinute(at_ms));
}

/** `14:00 to 14:15 UTC`, as `printMoment` has it. */
export function printSpan(start_ms: number, end_ms: number, now_ms: number): string {
  const day = printDay(start_ms) === printDay(now_ms) ? "" : `${printDay(start_ms)} `;
  const span = `${day}${printMinute(start_ms)} to ${printMinute(end_ms)}\u00a0UTC`;
  const [start, end] = [printShipMinute(start_ms), printShipMinute(end_ms)];
  return span + inBrackets(start === null ? null : `${start} to ${end}`);
}

/** `19:35` by the ship's clock; null where no offset is configured. */
export function printShipMinute(at_ms: number): string | null {
  return shipClock(at_ms, utc_offset)?.slice(11, 16) ?? null;
}

/** The name of ship's time on this page; null where no offset is configured. */
export function shipTime(): string | null {
  return utc_offset === "" ? null : shipTimeName(utc_offset);
}

function inBrackets(clock: string | null): string {
  return clock === null ? "" : ` (${clock} ${shipTime()})`;
}
