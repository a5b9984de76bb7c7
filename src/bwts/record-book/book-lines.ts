// Lines of an officer's file beside its entries that can be checked: totals, which have to be the
// sum of the entries, and the ship that the file names, which has to be this one.

import type { BookColumn } from "./book-columns.ts";
import type { BookEntry, BookProblem } from "./book-entry.ts";
import { totalOf } from "./book-notes.ts";
import { writtenVolume } from "./book-numbers.ts";
import type { CsvRecord } from "./csv-cells.ts";
import type { TableReading } from "./table-rows.ts";

/** A line as it stands, without its empty cells. */
export interface TextLine {
  readonly line: number;
  readonly cells: readonly string[];
}

const VOLUMES: readonly BookColumn[] = ["volume", "volume_in", "volume_out", "text"];
/** A total of rounded volumes may differ by so much, m3 and as a share. */
const ROUNDED = { volume_m3: 1, share: 0.001 } as const;

/** Totals that are compared with the entries: a book of ten years has one on each page. */
const TOTALS_MAX = 1000;

/** Totals that are no sum of the entries: of all, or of those above, since the total before. */
export function totalProblems(
  left: readonly CsvRecord[],
  entries: readonly BookEntry[],
  { header, sign }: TableReading,
): readonly BookProblem[] {
  const problems: BookProblem[] = [];
  const totals = left.flatMap(({ line, cells }) => {
    const label = totalOf(cells);
    return label === null ? [] : [{ line, cells, label }];
  });
  let since = 0;
  for (const { line, cells, label } of totals.slice(0, TOTALS_MAX)) {
    const filled = VOLUMES.flatMap((column) => {
      const text = cells[header.places.get(column) ?? -1] ?? "";
      return /\d/.test(text) ? [{ text, unit: header.units.get(column) ?? null }] : [];
    });
    const told =
      filled.length > 0 ? filled : label.number === "" ? [] : [{ text: label.number, unit: null }];
    const above = entries.filter((entry) => entry.line < line);
    const sets = [above, entries, above.filter((entry) => entry.line > since)];
    const sums = sets.flatMap((some) => sumsOf(some, label.text));
    since = line;
    for (const { text, unit } of told) {
      const { volume_m3 } = writtenVolume(text, { sign, unit });
      if (volume_m3 === null || sums.some((sum) => sum === null || isSame(sum, volume_m3)))
        continue;
      const got = JSON.stringify(text.slice(0, 40));
      const expected = `expected a sum of the entries, such as ${Math.round(sums[0] ?? 0)} m3`;
      problems.push({ line, problem: `total: got ${got}, ${expected}` });
    }
  }
  const beyond = totals.at(TOTALS_MAX);
  if (beyond !== undefined)
    problems.push({ line: beyond.line, problem: `more than ${TOTALS_MAX} totals: got one more` });
  return problems;
}

const DISCHARGED = /\bdischarged?\b|\bdeballast|\bout\b/;
const TAKEN = /\buptakes?\b|\bballasted\b|\bin\b/;

/** The sums that a label can mean, by their letter; null where a volume isn't known. */
function sumsOf(entries: readonly BookEntry[], label: string): readonly (number | null)[] {
  const ofLetter = (code: "A" | "B") => entries.filter((one) => one.code === code);
  const [taken, discharged] = [TAKEN.test(label), DISCHARGED.test(label)];
  const kinds = [
    ...(taken === discharged ? [entries] : []),
    ...(taken || !discharged ? [ofLetter("A")] : []),
    ...(discharged || !taken ? [ofLetter("B")] : []),
  ];
  return kinds.map((some) =>
    some.reduce<number | null>(
      (sum, { volume_m3, code }) =>
        sum === null || (volume_m3 === null && (code === "A" || code === "B"))
          ? null
          : sum + (volume_m3 ?? 0),
      0,
    ),
  );
}

const isSame = (sum: number, volume_m3: number) =>
  Math.abs(sum - volume_m3) <= Math.max(ROUNDED.volume_m3, ROUNDED.share * sum);

/** This ship as it is set up; null where it isn't. */
export interface BookShip {
  readonly vessel: string | null;
  readonly imo: string | null;
}

const IMO = /\bimo\b\D{0,12}(\d{7})\b/gi;
const NAMED =
  /(?:^|[|\s])(?:name of (?:the )?(?:ship|vessel)|(?:ship|vessel)(?:['’]?s)?(?: name)?|buque|navire)\s*[:=|–-]+\s*([^|,;]+)/gi;
const PREFIXED = /(?:^|[|\s(])(?:m\/[vts]|m\.[vt]\.|m[vt])\s+([^|,;)]+)/gi;
const PREFIX = /^\s*(?:m\/[vts]|m\.[vt]\.|m[vts])\s+/i;
/** Words behind a name that are no part of it. */
const BEHIND = /\b(?:imo|call|flag|port|page|voy|voyage|date|gt|official|no|nr)\b.*$/i;

/** Lines that name another ship, or another number of hers. */
export function shipProblems(
  lines: readonly TextLine[],
  { vessel, imo }: BookShip,
): readonly BookProblem[] {
  const [own, number] = [plainName(vessel ?? ""), (imo ?? "").replace(/\D/g, "")];
  return lines.flatMap(({ line, cells }) => {
    const text = cells.join("|").slice(0, TEXT_MAX);
    const names = [...text.matchAll(NAMED), ...text.matchAll(PREFIXED)].map(([, name]) => name);
    const other = names.find((name) => own !== "" && !isName(plainName(name), own));
    const others = [...text.matchAll(IMO)].map(([, digits]) => digits);
    const otherNumber = others.find((digits) => number !== "" && digits !== number);
    return [
      ...(other === undefined ? [] : [told(line, other.trim(), vessel ?? "")]),
      ...(otherNumber === undefined ? [] : [told(line, `IMO ${otherNumber}`, `IMO ${number}`)]),
    ];
  });
}

/** Maximum number of characters of a text that are read. */
const TEXT_MAX = 1_000;

const told = (line: number, got: string, expected: string): BookProblem => ({
  line,
  problem: `ship: got ${JSON.stringify(got.slice(0, 40))}, expected this one, ${expected}`,
});

const plainName = (name: string) =>
  name
    .replace(PREFIX, "")
    .replace(BEHIND, "")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** A name of two words may be cut, or have its former one behind it. */
const isName = (name: string, own: string) =>
  name === "" || name.includes(own) || own.includes(name);
