// Reads the entries of a file that is laid out as the form: a line for each item of an entry, with
// date, code, number and text of the item. The table of the form defines the items.

import type { BookEntry } from "./book-entry.ts";
import { entryKind, methodTreatment, type Treatment } from "./book-kinds.ts";
import { endAfter, type Moment, momentOf } from "./book-moments.ts";
import { HOLDS_EXPECTED, isTakenBack } from "./book-notes.ts";
import { isAmount, writtenVolume } from "./book-numbers.ts";
import { writtenTime } from "./book-times.ts";
import { plainText, wordSet } from "./book-words.ts";
import type { CsvRecord } from "./csv-cells.ts";
import { FORM_CODES, type ItemName, type RecordCode } from "./form.ts";
import { KIND_EXPECTED, type TableReading } from "./table-rows.ts";

interface FormLine {
  readonly line: number;
  readonly date: string | null;
  readonly text: string | null;
}

/** The lines of one entry while they are collected. */
interface FormEntry {
  readonly line: number;
  readonly code: RecordCode | null;
  readonly treatment: Treatment | null;
  readonly date: string | null;
  readonly items: Map<number, FormLine>;
}

const cut = (text: string) => JSON.stringify(text.slice(0, 40));

export function formEntries(
  records: readonly CsvRecord[],
  reading: TableReading,
): readonly BookEntry[] {
  return gathered(records, reading).map((entry) => formEntry(entry, reading));
}

function gathered(records: readonly CsvRecord[], reading: TableReading): readonly FormEntry[] {
  const { header, problems } = reading;
  const entries: FormEntry[] = [];
  let date: string | null = null;
  for (const { line, cells } of records) {
    const cell = (column: "code" | "item" | "date" | "text") =>
      cells[header.places.get(column) ?? -1] || null;
    const [numbered, text] = [cell("item"), cell("text")];
    // The letter may be in the item's cell, as A.4.
    const coded = cell("code") ?? (/^\W*\d+\W*$/.test(numbered ?? "") ? null : numbered);
    date = cell("date") ?? date;
    const kind = coded === null ? null : entryKind(coded);
    if (coded !== null && kind === null)
      problems.push({ line, problem: `code: got ${cut(coded)}, expected ${KIND_EXPECTED}` });
    const item = itemNumber(numbered) ?? kind?.item ?? null;
    const last = entries.at(-1);
    const isNew =
      last === undefined ||
      (coded !== null && (kind?.code ?? null) !== last.code) ||
      (coded !== null && item === null) ||
      (item !== null && last.items.has(item));
    if (isNew) {
      if (coded === null) {
        problems.push({ line, problem: `code: got none, expected ${KIND_EXPECTED}` });
        continue;
      }
      const items = new Map([[item ?? 1, { line, date, text }]]);
      const { code = null, treatment = null } = kind ?? {};
      entries.push({ line, code, treatment, date, items });
    } else if (item === null) {
      const got = cut(numbered ?? "");
      problems.push({ line, problem: `item: got ${got}, expected the number of an item` });
    } else last.items.set(item, { line, date, text });
  }
  return entries;
}

function itemNumber(text: string | null): number | null {
  const [, digits] = /^[(]?(?:[a-h]\W?)?(\d{1,2})\W*$/i.exec(text ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

const STARTS: readonly ItemName[] = ["start", "occurrence", "failure"];
const ENDS: readonly ItemName[] = ["completion", "operational"];
const VOLUMES: readonly ItemName[] = ["volume", "volume_lost"];
/** Letters that are compared with the log: their items must be read. */
const READ: ReadonlySet<RecordCode | null> = new Set(["A", "B", "C", "E", "F"]);

function formEntry(entry: FormEntry, reading: TableReading): BookEntry {
  const { line, code, treatment, date } = entry;
  const asked = code === null ? FORM_CODES.A.items : FORM_CODES[code].items;
  const itemOf = (names: readonly ItemName[]) => {
    const number = asked.find(({ asks }) => names.includes(asks))?.item;
    return number === undefined ? null : (entry.items.get(number) ?? null);
  };
  const [first, last, tanks] = [itemOf(STARTS), itemOf(ENDS), itemOf(["tanks"])];
  if (READ.has(code)) noteOthers(entry, asked, reading);
  const start = timeAndPlace("start", first, null, reading);
  const end = timeAndPlace("end", last, start.moment, reading);
  const location = start.place ?? end.place;
  const method = itemOf(["method"])?.text ?? null;
  const told = [treatment, method === null ? null : methodTreatment(method)];
  const both = told.includes("untreated") ? "untreated" : (told.find(Boolean) ?? null);
  return {
    ...{ line, code, old_item: null, treatment: both, end_ms: endAfter(start.moment, end.moment) },
    start_ms: start.moment?.at_ms ?? (READ.has(code) ? null : dayOf(date, reading)),
    ...{ location, end_location: end.place ?? location, tanks: tanks?.text ?? null },
    volume_m3: volumeIn(itemOf(VOLUMES), reading),
  };
}

/** Notes items that the form doesn't have, and items that revoke the entry. */
function noteOthers(
  { items }: FormEntry,
  asked: (typeof FORM_CODES)[RecordCode]["items"],
  { problems }: TableReading,
): void {
  for (const [number, { line, text }] of items) {
    if (text === null) continue;
    const got = `item ${number}: got ${cut(text)}`;
    if (!asked.some(({ item }) => item === number))
      problems.push({ line, problem: `${got}, expected items from 1 to ${asked.length}` });
    else if (isUnplanned(text, asked[number - 1].asks))
      problems.push({ line, problem: `${got}, which the log can't confirm` });
    else if (isTakenBack(text)) problems.push({ line, problem: `${got}, ${HOLDS_EXPECTED}` });
  }
}

/** True if the item of the plan says that the operation wasn't according to it. */
const isUnplanned = (text: string, asks: ItemName) =>
  asks === "plan" && /^\W*(?:no|non|n|not)\b/.test(plainText(text));

/** The start of a day, for remarks and the like, which have no time. */
function dayOf(date: string | null, { order }: TableReading): number | null {
  const day = date === null ? null : (writtenTime(date, order)?.date ?? null);
  return day === null ? null : Date.UTC(day.year, day.month - 1, day.day);
}

interface TimedPlace {
  readonly moment: Moment | null;
  readonly place: string | null;
}

const LABEL =
  /^(?:started|start|commenced|begun|began|completed|completion|finished|ended|end|stopped)\b[\s:.,-]*(?:time\b|at\b)?[\s:.,-]*/i;
const DEPTH = wordSet(
  "m mt mts metre metres meter meters min minimum minimale minima water depth of prof " +
    "profondeur profundidad",
);

/** True for a depth, such as "12 m" or "min. depth 12". */
function isDepth(part: string): boolean {
  const words = plainText(part).match(/[^\s\d.,:]+|\d+(?:[.,]\d+)?/g) ?? [];
  const own = words.filter((word) => !/^\d/.test(word));
  return words.length === own.length + 1 && own.length > 0 && own.every((one) => DEPTH.has(one));
}

/** Signs between a time and its place; two dashes mean a deleted place. */
const BETWEEN =
  /^(?:[\s,;:/]|-(?!-))*(?:at\b|in\b)?[\s,;:/]*|(?:[\s,;:/]|(?<!-)-)*(?:at\b)?[\s,;:/]*$/gi;

/** A time with the place after or before it, as "0600 hrs, Busan, 12 m". */
function timeAndPlace(
  side: "start" | "end",
  item: FormLine | null,
  start: Moment | null,
  reading: TableReading,
): TimedPlace {
  if (item?.text == null) return { moment: null, place: null };
  const { line, date } = item;
  const text = item.text.replace(LABEL, "");
  if (text.length > TEXT_MAX) {
    const problem = `${side}: got ${cut(text)}, expected a time and a place, and no more`;
    reading.problems.push({ line, problem });
    return { moment: null, place: null };
  }
  const [from, to] = timeIn(text, reading) ?? [0, text.length];
  const rest = [text.slice(0, from), text.slice(to)].map((part) => part.replace(BETWEEN, ""));
  const place = rest
    .flatMap((part) => part.split(/\s*[,;]\s*/))
    .filter((part) => part !== "" && !isDepth(part));
  // "0600 IST, Busan": a few letters before the place may belong to the time.
  const isWhole = place.length < 2 || !/^(?:[a-z]{1,4}|.*\d.*)$/i.test(place[0]);
  const { zones } = reading.header;
  const moment = momentOf(
    {
      ...{ line, side, text: isWhole ? text.slice(from, to) : text, date: date ?? null },
      ...{ day: start?.day ?? null, zone: zones.get("text") ?? zones.get("date") },
    },
    reading,
  );
  return { moment, place: place.length === 0 ? null : place.join(", ") };
}

/** Maximum number of characters of a time and its place: this bounds the time for reading. */
const TEXT_MAX = 200;

/** Maximum number of words of a time. */
const WORDS_MAX = 8;

/** The longest time at the start or end of a text, as a range of characters; null without one. */
function timeIn(text: string, { order }: TableReading): readonly [number, number] | null {
  const borders = [...text.matchAll(/(?=[\s,;]|$)/g)].map(({ index }) => index);
  const isTime = (from: number, to: number) =>
    (writtenTime(text.slice(from, to), order)?.minutes ?? null) !== null;
  const end = borders.slice(0, WORDS_MAX).findLast((to) => isTime(0, to));
  if (end !== undefined) return [0, end];
  const start = borders.slice(-WORDS_MAX).find((from) => isTime(from, text.length));
  return start === undefined ? null : [start, text.length];
}

const MOVED = /^(?:estimated |est\.? )?(?:volume|uptake|discharged?|taken|quantity|qty)\b[\s:.-]*/i;
const RETAINED = /\b(?:final|total|retained|remaining|rob|on board|quantity|volume)\b[\s:.-]*/gi;

/** The first volume of the item. A second one may only be the total retained. */
function volumeIn(item: FormLine | null, { sign, problems }: TableReading): number | null {
  if (item?.text == null) return null;
  const { line, text } = item;
  const parts =
    text.length > TEXT_MAX
      ? []
      : text.split(/\s*[/;&]\s*|,\s+|\s+and\s+/i).filter((part) => part !== "");
  const [moved = text, ...totals] = parts.toSorted(byRetained);
  const isClear =
    totals.length <= 1 &&
    !isRetained(moved) &&
    totals.every((total) => isAmount(total.replace(RETAINED, "")));
  const { volume_m3, expected } = isClear
    ? writtenVolume(moved.replace(MOVED, ""), { sign, unit: null })
    : { volume_m3: null, expected: "the volume, and behind it the total: 300 m3 / 1200 m3" };
  if (expected === null) return volume_m3;
  problems.push({ line, problem: `volume: got ${cut(text)}, expected ${expected}` });
  return null;
}

const isRetained = (part: string) =>
  /\b(?:retained|remaining|total|rob|on board|final)\b/i.test(part);

const byRetained = (one: string, other: string) =>
  Number(isRetained(one)) - Number(isRetained(other));
