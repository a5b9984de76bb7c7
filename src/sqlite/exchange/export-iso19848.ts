// Readings as a time series data package of ISO 19848 in JSON: tables of data sets, each with the
// channels that all its readings have, so that no placeholder is needed for a missing value. A new
// table begins when a reading has other channels than the one before; readings without any are left
// out. Sound data sets have no quality. The same readings make the same bytes: the header has no
// time of writing.

import { channelListId, type ExportSource, QUALITY, shipId } from "../../bwts/data-channels.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import { VOIDED } from "../../codec/line.ts";
import { printTime } from "../../ground/clock.ts";
import type { ExportColumn } from "./export-columns.ts";
import type { ReadingsFile } from "./readings-file.ts";

/**
 * Begins a package of readings up to `end_ms`, the time of the last reading; null if there are
 * none.
 */
export function openIso19848(
  columns: readonly ExportColumn[],
  { source, end_ms }: { readonly source: ExportSource; readonly end_ms: number | null },
): ReadingsFile {
  // Without the first column, the timestamp, which each data set has anyway.
  const channels = columns.slice(1);
  const voided = channels.find(({ name }) => name === VOIDED);
  const qualityOf = (reading: Reading) =>
    voided?.read(reading) === true ? QUALITY.bad : reading.clock_trusted ? null : QUALITY.uncertain;
  let written: string[] = [];
  let start_ms: number | null = null;
  let places: readonly number[] = [];
  let sets = 0;
  const endTable = () => {
    const counts = `"NumberOfDataSet":${sets},"NumberOfDataChannel":${places.length}`;
    if (sets > 0) written.push(`\n],${counts}}`);
  };
  return {
    add(readings) {
      for (const reading of readings) {
        if (start_ms === null) {
          start_ms = reading.at_ms;
          written.push(headOf(source, { start_ms, end_ms: end_ms ?? start_ms }));
        }
        const values = channels.map(({ read }) => read(reading));
        const present = placesOf(values);
        if (present.length === 0) continue;
        if (sets === 0 || !isSame(present, places)) {
          const before = sets > 0 ? "," : "";
          endTable();
          const names = JSON.stringify(present.map((place) => channels[place].name));
          written.push(`${before}\n{"DataChannelID":${names},"DataSet":[`);
          places = present;
          sets = 0;
        }
        const texts = present.map((place) => JSON.stringify(valueText(values[place])));
        const quality = qualityOf(reading);
        const codes = quality && `,"Quality":[${texts.map(() => `"${quality}"`).join(",")}]`;
        const time = `"TimeStamp":"${printTime(reading.at_ms)}"`;
        const set = `{${time},"Value":[${texts.join(",")}]${codes ?? ""}}`;
        written.push(`${sets > 0 ? "," : ""}\n${set}`);
        sets += 1;
      }
    },
    finish() {
      if (start_ms === null) written.push(headOf(source, null));
      endTable();
      written.push("\n]}]}}\n");
    },
    taken() {
      const bytes = Buffer.from(written.join(""));
      written = [];
      return bytes;
    },
  };
}

function headOf(
  source: ExportSource,
  span: { readonly start_ms: number; readonly end_ms: number } | null,
): string {
  const header = {
    ShipID: shipId(source),
    ...(span !== null && {
      TimeSpan: { Start: printTime(span.start_ms), End: printTime(span.end_ms) },
    }),
    Author: `ballastd ${source.version}`,
  };
  const list = JSON.stringify(channelListId(source));
  return (
    `{"Package":{"Header":${JSON.stringify(header)},\n` +
    `"TimeSeriesData":[{"DataConfiguration":${list},\n"TabularData":[`
  );
}

function placesOf(values: readonly Value[]): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < values.length; place += 1)
    if (values[place] !== null) places.push(place);
  return places;
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((place, index) => place === others[index]);
}

function valueText(value: Value): string {
  if (typeof value === "string") return value;
  const text = valueJson(value);
  return typeof value === "number" && text.includes("e") ? withoutExponent(text) : text;
}

/** A number as plain digits, because decimals of XML have no exponent. */
function withoutExponent(text: string): string {
  const [, sign, whole, fraction = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}
