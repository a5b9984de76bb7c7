// The tables of operations on the sheet: the last ones, and the traced pair. A row takes one line
// on paper, so that ten fit on the page.

import {
  amountOf,
  dayAndMonth,
  directionOf,
  shortPlace,
  verdictInWords,
} from "../../bwts/documents/sheet-words.ts";
import { notRecordedText } from "../../bwts/operations/operation-words.ts";
import { wholeMinimum } from "../../bwts/operations/whole-minimum.ts";
import { MISSING } from "../parts/numbers.ts";
import { Both, FillIn, type PlainKey } from "./bilingual.tsx";
import type { ShownLine } from "./inspection-answer.ts";

const COLUMNS: readonly PlainKey[] = [
  ...(["number", "direction", "port", "time", "volume", "uv", "verdict", "book"] as const),
];

export function OperationTable({ lines }: { lines: readonly ShownLine[] }) {
  return (
    <table>
      <thead>
        <tr>
          {COLUMNS.map((key) => (
            <th key={key} scope="col">
              <Both text={key} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <OperationRow key={line.id} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function OperationRow({ line }: { line: ShownLine }) {
  const { id, operation_type, location, start, end, volume_m3, verdict, version } = line;
  const missing = notRecordedText(line.not_recorded);
  return (
    <tr>
      <td>{id}</td>
      <td>{directionOf(operation_type)}</td>
      <td>{shortPlace(location, lettersThatFit(location ?? ""))}</td>
      <td>{timesOf(start, end)}</td>
      <td class="number">{volume_m3 === null ? MISSING : amountOf(volume_m3)}</td>
      <td class="number">{uvOf(line)}</td>
      <td>
        {verdictInWords(verdict, end)}
        {version > 1 && ` (v${version})`}
        {missing !== null && `; ${missing}`}
      </td>
      <td>
        <FillIn />
      </td>
    </tr>
  );
}

/**
 * Maximum letters of a port, and maximum width in halves of a small letter: a row has one line on
 * paper.
 */
const PLACE_MAX = 17;
const WIDTH_MAX = 42;

function lettersThatFit(place: string): number {
  let [count, width] = [0, 0];
  for (const letter of place) {
    width += /[MW@%]|[\u0300-\u{10ffff}]/u.test(letter) ? 4 : /\p{Lu}/u.test(letter) ? 3 : 2;
    if (width > WIDTH_MAX || count === PLACE_MAX) break;
    count += 1;
  }
  return count;
}

function timesOf(start: string, end: string | null): string {
  const begin = `${dayAndMonth(start)} ${start.slice(11, 16)}`;
  if (end === null) return `${begin}\u2013`;
  const day = start.slice(0, 10) === end.slice(0, 10) ? "" : `${dayAndMonth(end)} `;
  return `${begin}\u2013${day}${end.slice(11, 16)}`;
}

function uvOf({ uv_min_w_m2, uv_limit_w_m2, mode }: ShownLine): string {
  const least = uv_min_w_m2 === null ? MISSING : wholeMinimum(uv_min_w_m2);
  return `${least} / ${uv_limit_w_m2 ?? MISSING}${mode === null ? "" : ` ${mode}`}`;
}
