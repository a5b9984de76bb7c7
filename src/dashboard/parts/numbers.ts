// Numbers and values as the page shows them, with the language's digits. Units are written in the
// usual way; a missing value is a dash, never 0.

import { wholeMinimum } from "../../bwts/operations/whole-minimum.ts";
import type { Tag } from "../../bwts/tags.ts";
import { currentLanguage } from "../lang/area.ts";
import { localNumber } from "../lang/local-number.ts";
import { partsWords as t } from "../lang/words.ts";

export const MISSING = "—";

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A number with two decimals below ten, and one from ten up. */
export function printNumber(value: number | null): string {
  if (value === null) return MISSING;
  return localNumber(value, Math.abs(value) < 10 ? 2 : 1, currentLanguage().code);
}

/** A number with one decimal, also a zero: in a column the decimal signs are below each other. */
export function printAligned(value: number | null): string {
  return value === null ? MISSING : localNumber(value, 1, currentLanguage().code, 1);
}

/**
 * A number without decimals, for values whose tenths don't matter: volumes, hours, UV in a table.
 */
export function printWhole(value: number | null): string {
  return value === null ? MISSING : localNumber(value, 0, currentLanguage().code);
}

/** A tile's figure: without decimals from 100 on, but for a value within 1 of a limit. */
export function printFigure(value: number | null, limits: readonly number[]): string {
  const isWhole =
    value !== null && value >= 100 && limits.every((one) => Math.abs(value - one) > 1);
  return isWhole ? printWhole(value) : printNumber(value);
}

/** A minimum, as the papers show it. */
export function printMinimum(value: number | null): string {
  return printWhole(value === null ? null : wholeMinimum(value));
}

/** A value of the catalogue's field with its unit: `649.5 W/m²`, `yes`, `RUNNING`, `—`. */
export function printValue(
  tag: Pick<Tag, "unit">,
  value: number | string | boolean | null,
): string {
  if (value === null) return MISSING;
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "string") return value;
  const unit = printUnit(tag);
  return unit === "" ? printNumber(value) : `${printNumber(value)}\u00a0${unit}`;
}

/** `512 B`, `4.2 kB`, `61.3 MB`: powers of 1000, as files are measured. */
export function printBytes(bytes: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${printNumber(bytes / 1000 ** power)}\u00a0${BYTE_UNITS[power]}`;
}

/** The unit in usual writing: `W/m²`, `m³/h`, `°C`; empty if the field has none. */
export function printUnit(tag: Pick<Tag, "unit">): string {
  return tag.unit === null ? "" : writtenUnit(tag.unit);
}

/** A unit from an answer in usual writing. */
export function writtenUnit(unit: string): string {
  return unit
    .replace(/^degC$/, "°C")
    .replace(/^% of rated$/, t("of_rated"))
    .replace(/\bm2\b/, "m²")
    .replace(/\bm3\b/, "m³");
}

/** The number of a lamp, such as `05`. */
export const printLamp = (lamp: number) => String(lamp).padStart(2, "0");

/** The numbers of lamps, such as `05, 10, 12`. */
export const printLamps = (lamps: readonly number[]) => lamps.map(printLamp).join(", ");

/** True for ballastd's own text, used if no source was given. */
export const isDefaultSource = (source: unknown) => source === t.source.default_source;

/** The source of a limit as configured; the default text is translated. */
export function limitSource(source: string): string {
  return isDefaultSource(source) ? t("default_source") : source;
}
