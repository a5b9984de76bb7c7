// Drafts the entries of the record book from judged operations: one for each part that was
// treated, outside its limits or bypassed, one for each malfunction, and remarks. What ballastd
// can't know is an empty box, never a guess. Pure, and without zod: it is part of the page.

import type { Operation } from "../operations/operation.ts";
import { notRecordedMinutes } from "../operations/operation-words.ts";
import { wordOf } from "../plc-word.ts";
import {
  FORM_CODES,
  FORM_EFFECTIVE,
  type ItemName,
  type RecordCode,
  type RecordLanguage,
} from "./form.ts";
import { type Malfunction, malfunctionsOf } from "./malfunction.ts";
import {
  BOXES,
  type BoxName,
  ITEM_TITLES,
  REMARK_NOTES,
  reasonWords,
  recordPhrase,
} from "./phrases.ts";
import { partsOfEntry, type WaterPart } from "./water-parts.ts";

/** The subjects of entries. */
export const DRAFT_SUBJECTS = ["treated", "outside", "bypassed", "failure", "remark"] as const;
export type DraftSubject = (typeof DRAFT_SUBJECTS)[number];

export interface DraftItem {
  /** Its number in the form. */
  readonly item: number;
  readonly title: string;
  /** Null where ballastd knows nothing of it. */
  readonly text: string | null;
  /** To be filled in by the officer. */
  readonly boxes: readonly string[];
}

export interface DraftEntry {
  readonly operation_id: number;
  /** The version of the operation's verdict; 0 while it runs. */
  readonly version: number;
  /** Null where the type of the operation isn't known. */
  readonly code: RecordCode | null;
  readonly subject: DraftSubject;
  /** Parts of water that the operation has, and which of them this is, from 1; null for others. */
  readonly part: number | null;
  readonly parts: number;
  readonly start: string;
  readonly end: string | null;
  readonly location: string | null;
  readonly volume_m3: number | null;
  readonly items: readonly DraftItem[];
  readonly notes: readonly string[];
}

/** The entries of all operations, in order of time. */
export function draftEntries(
  operations: readonly Operation[],
  language: RecordLanguage,
): readonly DraftEntry[] {
  return operations
    .flatMap((operation) => entriesOf(operation, language))
    .sort((one, other) => one.start.localeCompare(other.start));
}

/** The entries that one operation needs; none if there was no such operation. */
function entriesOf(operation: Operation, language: RecordLanguage): readonly DraftEntry[] {
  if (operation.remarks.includes("withdrawn")) return [];
  if (wordOf(operation.operation_type) === "CIP") return [cleaning(operation, language)];
  const parts = partsOfEntry(operation);
  return [
    ...parts.map((part, index) => waterEntry(operation, part, { language, index, parts })),
    ...malfunctionsOf(operation).map((one) => failureEntry(operation, one, language)),
    ...remarks(operation, language),
  ];
}

/** Values of items by their names: a text, and the boxes beside it. */
type ItemValues = Partial<
  Record<ItemName, { readonly text: string | null; readonly boxes: readonly BoxName[] }>
>;

function itemsOf(
  code: RecordCode,
  values: ItemValues,
  language: RecordLanguage,
): readonly DraftItem[] {
  return FORM_CODES[code].items.map(({ item, asks }) => {
    const { text = null, boxes = [] } = values[asks] ?? {};
    return {
      item,
      title: ITEM_TITLES[asks][language],
      text,
      boxes: boxes.map((box) => BOXES[box][language]),
    };
  });
}

interface PartAsked {
  readonly language: RecordLanguage;
  readonly index: number;
  readonly parts: readonly WaterPart[];
}

function waterEntry(operation: Operation, part: WaterPart, asked: PartAsked): DraftEntry {
  const { language, index, parts } = asked;
  const { location, volume_source } = operation;
  const letter = letterOf(operation.operation_type);
  const code = part.subject === "bypassed" ? "E" : letter;
  const where = { text: location, boxes: location === null ? (["location"] as const) : [] };
  const volume =
    (parts.length === 1 ? unclearVolume(operation, language) : null) ??
    volumeItem(part.volume_m3, volume_source, language);
  const values: ItemValues =
    part.subject === "bypassed"
      ? {
          occurrence: timeItem(part.start, part.end),
          position: where,
          volume_lost: volume,
          circumstances: { text: bypassWords(part, language), boxes: ["reason"] },
          plan: { text: null, boxes: ["plan"] },
        }
      : {
          start: placeItem(part.start, location, []),
          completion: placeItem(part.end, location, ["depth"]),
          tanks: { text: null, boxes: ["tanks"] },
          volume: { text: volume.text, boxes: [...volume.boxes, "retained"] },
          plan: { text: null, boxes: ["plan"] },
          method: { text: methodWords(operation, part, language), boxes: [] },
        };
  const numbers = { part: index + 1, parts: parts.length };
  return {
    ...headOf(operation),
    ...{ code, subject: part.subject, ...numbers, start: part.start, end: part.end },
    volume_m3: part.volume_m3,
    items: itemsOf(code ?? "A", values, language),
    notes: [
      ...(code === null ? [`${BOXES.code[language]}: ____`] : []),
      ...(parts.length > 1 ? [recordPhrase(language, "part", numbers)] : []),
      ...notesOf(operation, part.start, language),
    ],
  };
}

/** A for an uptake, B for a discharge; null for a type that is neither. */
export function letterOf(type: string | null): "A" | "B" | null {
  const word = wordOf(type);
  if (word === "BALLAST") return "A";
  return word === "DEBALLAST" ? "B" : null;
}

const headOf = ({ id, version, location }: Operation) => ({ operation_id: id, version, location });

function placeItem(at: string | null, location: string | null, boxes: readonly BoxName[]) {
  const known = [at === null ? null : printRecordTime(at), location].filter((one) => one !== null);
  return {
    text: known.length === 0 ? null : known.join(", "),
    boxes: [
      ...(at === null ? (["end"] as const) : []),
      ...(location === null ? (["location"] as const) : []),
      ...boxes,
    ],
  };
}

function timeItem(start: string, end: string | null) {
  if (end === null) return { text: printRecordTime(start), boxes: ["end"] as const };
  return { text: `${printRecordTime(start)} - ${printRecordTime(end)}`, boxes: [] };
}

function volumeItem(
  volume_m3: number | null,
  source: Operation["volume_source"],
  language: RecordLanguage,
): { readonly text: string | null; readonly boxes: readonly BoxName[] } {
  if (volume_m3 === null) return { text: null, boxes: ["volume"] };
  const how = source === null ? "" : ` (${recordPhrase(language, `by_${source}`)})`;
  return { text: `${printRecordVolume(volume_m3, language)} m3${how}`, boxes: [] };
}

/** Both volumes where they contradict each other; null where they don't. */
function unclearVolume(
  { remarks, volume_totaliser_m3, volume_flow_m3 }: Operation,
  language: RecordLanguage,
): ReturnType<typeof volumeItem> | null {
  if (!remarks.includes("volume_unclear")) return null;
  if (volume_totaliser_m3 === null || volume_flow_m3 === null) return null;
  const [totaliser, flow] = [volume_totaliser_m3, volume_flow_m3].map((one) =>
    printRecordVolume(one, language),
  );
  return { text: recordPhrase(language, "volume_unclear", { totaliser, flow }), boxes: ["volume"] };
}

function bypassWords({ start, end }: WaterPart, language: RecordLanguage): string {
  const values = {
    start: printRecordTime(start),
    end: end === null ? "____" : printRecordTime(end),
  };
  return recordPhrase(language, "bypassed", values);
}

function methodWords(
  { mode, verdict, reasons, not_recorded }: Operation,
  part: WaterPart,
  language: RecordLanguage,
): string {
  const named = mode ?? recordPhrase(language, "untold_mode");
  const treated = recordPhrase(language, "treated", { mode: named });
  if (part.subject === "outside") {
    const rules = reasons.filter(
      (one) => one.verdict === "outside_limits" && !one.is_hidden && touches(one, part),
    );
    const words = [...new Set(rules.map(({ rule }) => reasonWords(rule, language)))];
    return `${treated}; ${recordPhrase(language, "outside", { reasons: words.join(", ") })}`;
  }
  if (verdict === null) return treated;
  if (part.isUntold) return `${treated}; ${recordPhrase(language, "untold")}`;
  const missing = notRecordedMinutes(not_recorded);
  const beside = missing === null ? "" : `; ${recordPhrase(language, "not_recorded", missing)}`;
  return `${treated}; ${recordPhrase(language, "within")}${beside}`;
}

function touches(one: { start: string; end: string }, part: WaterPart): boolean {
  return one.start < (part.end ?? "~") && one.end > part.start;
}

function notesOf(operation: Operation, start: string, language: RecordLanguage): readonly string[] {
  const told = operation.remarks.flatMap((remark) => REMARK_NOTES[remark]?.[language] ?? []);
  return [...formNotes(start, language), ...told];
}

/** The draft follows one form only; an entry of a time before it says so. */
function formNotes(start: string, language: RecordLanguage): readonly string[] {
  if (start >= FORM_EFFECTIVE) return [];
  return [recordPhrase(language, "before_form", { effective: FORM_EFFECTIVE })];
}

function failureEntry(
  operation: Operation,
  { start_ms, end_ms, signs }: Malfunction,
  language: RecordLanguage,
): DraftEntry {
  const [start, end] = [isoTime(start_ms), end_ms === null ? null : isoTime(end_ms)];
  const said = signs.map((sign) => {
    const values = {
      code: sign.code ?? "",
      start: printRecordTime(isoTime(sign.start_ms)),
      end: sign.end_ms === null ? "____" : printRecordTime(isoTime(sign.end_ms)),
    };
    return recordPhrase(language, sign.code === null ? "faulted" : "alarmed", values);
  });
  const values: ItemValues = {
    failure: placeItem(start, operation.location, []),
    operational: {
      text: end === null ? null : printRecordTime(end),
      boxes: end === null ? ["operational"] : [],
    },
    reason: { text: [...new Set(said)].join(" "), boxes: ["reason"] },
  };
  return {
    ...headOf(operation),
    ...{ code: "F", subject: "failure", part: null, parts: 0, start, end, volume_m3: null },
    items: itemsOf("F", values, language),
    notes: formNotes(start, language),
  };
}

function cleaning(operation: Operation, language: RecordLanguage): DraftEntry {
  return remark(operation, operation, { language, phrase: "cleaned" });
}

const UNREAD: ReadonlySet<string> = new Set(["no_readings", "clock_stepped"]);
/** Stretches without data, and indications that the officer has to judge. */
function remarks(operation: Operation, language: RecordLanguage): readonly DraftEntry[] {
  const unread = operation.reasons.filter(
    ({ rule, is_hidden, seconds }) => UNREAD.has(rule) && !is_hidden && seconds > 0,
  );
  const hard = operation.indications.filter(({ indication }) => indication === "challenging_water");
  return [
    ...unread.map((one) => remark(operation, one, { language, phrase: "no_readings" })),
    ...hard.map((one) => remark(operation, one, { language, phrase: "challenging" })),
  ];
}

function remark(
  operation: Operation,
  { start, end }: { readonly start: string; readonly end: string | null },
  asked: {
    readonly language: RecordLanguage;
    readonly phrase: "cleaned" | "no_readings" | "challenging";
  },
): DraftEntry {
  const { language, phrase } = asked;
  const until = end === null ? "____" : printRecordTime(end);
  const said = recordPhrase(language, phrase, { start: printRecordTime(start), end: until });
  const text = [operation.location, said].filter((one) => one !== null).join(". ");
  return {
    ...headOf(operation),
    ...{ code: "H", subject: "remark", part: null, parts: 0, start, end, volume_m3: null },
    items: itemsOf("H", { remark: { text, boxes: [] } }, language),
    notes: formNotes(start, language),
  };
}

const isoTime = (at_ms: number) => new Date(at_ms).toISOString();

/** `2026-05-01 05:08 UTC`: entries are to the minute. */
export function printRecordTime(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** To a tenth of a cubic metre, with the language's decimal sign. */
export function printRecordVolume(volume_m3: number, language: RecordLanguage): string {
  const text = String(Math.round(volume_m3 * 10) / 10);
  return language === "en" ? text : text.replace(".", ",");
}
