// Drafts the entries of the record book from judged operations: one for each part that was treated,
// outside its limits or bypassed, one for each malfunction, and remarks. A fact that ballastd can't
// know is an empty box, never a guess. Pure, and without zod: it is part of the page.

import type { Operation } from "../operations/operation.ts";
import { isCleaning, notRecordedMinutes } from "../operations/operation-words.ts";
import { wordOf } from "../plc-word.ts";
import {
  type DraftItem,
  formNotes,
  type ItemValue,
  type ItemValues,
  itemsOf,
  placeItem,
  printRecordTime,
  printRecordVolume,
  volumeItem,
} from "./draft-items.ts";
import { FORM_CODES, type RecordCode, type RecordLanguage } from "./form.ts";
import { type Malfunction, malfunctionsOf } from "./malfunction.ts";
import { BOXES, ITEM_TITLES, REMARK_NOTES } from "./phrases.ts";
import { reasonWords, recordPhrase } from "./sentences.ts";
import { partsOfEntry, type WaterPart } from "./water-parts.ts";

/** The subjects of entries. */
export const DRAFT_SUBJECTS = ["treated", "outside", "bypassed", "failure", "remark"] as const;
export type DraftSubject = (typeof DRAFT_SUBJECTS)[number];

export interface DraftEntry {
  readonly operation_id: number;
  /** The version of the operation's verdict; 0 while it runs. */
  readonly version: number;
  /** Letter of the form; null if the type of the operation isn't known. */
  readonly code: RecordCode | null;
  readonly subject: DraftSubject;
  /** Number of this part of the operation's water, from 1 (null for other entries), and of all. */
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

/** The entries that an operation needs; none for a withdrawn one. */
function entriesOf(operation: Operation, language: RecordLanguage): readonly DraftEntry[] {
  if (operation.remarks.includes("withdrawn")) return [];
  if (isCleaning(operation)) return [cleaning(operation, language)];
  const parts = partsOfEntry(operation);
  return [
    ...parts.map((part, index) => waterEntry(operation, part, { language, index, parts })),
    ...malfunctionsOf(operation).map((one) => failureEntry(operation, one, language)),
    ...remarks(operation, language),
  ];
}

interface PartInput {
  readonly language: RecordLanguage;
  readonly index: number;
  readonly parts: readonly WaterPart[];
}

function waterEntry(operation: Operation, part: WaterPart, asked: PartInput): DraftEntry {
  const { language, index, parts } = asked;
  const { location, volume_source } = operation;
  const code = letterOf(operation.operation_type);
  const isBypassed = part.subject === "bypassed";
  const volume =
    (parts.length === 1 ? unclearVolume(operation, language) : null) ??
    volumeItem(part.volume_m3, volume_source, language);
  const method: ItemValue = isBypassed
    ? { text: bypassWords(part, language), boxes: ["reason"] }
    : { text: methodWords(operation, part, language), boxes: [] };
  const values: ItemValues = {
    start: placeItem(part.start, location, []),
    completion: placeItem(part.end, location, ["depth"]),
    tanks: { text: null, boxes: ["tanks"] },
    volume: { text: volume.text, boxes: [...volume.boxes, "retained"] },
    plan: { text: null, boxes: ["plan"] },
    method,
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
      ...(isBypassed ? [accidentNote(language)] : []),
      ...notesOf(operation, part.start, language),
    ],
  };
}

/** Note on a bypass: only the officer knows if it was an accident, which is entered as E. */
function accidentNote(language: RecordLanguage): string {
  const items = FORM_CODES.E.items.map(
    ({ item, asks }) => `${item} ${ITEM_TITLES[asks][language]}`,
  );
  return recordPhrase(language, "accident", { items: items.join("; ") });
}

/** Operation types of water moved within the ship, without spaces and marks. */
const WITHIN_SHIP: ReadonlySet<string> = new Set([
  ...["CIRCULATION", "RECIRCULATION", "INTERNALCIRCULATION", "INTERNALTRANSFER", "TRANSFER"],
]);

/** A for an uptake, B for a discharge, C for water moved within the ship; null for another type. */
export function letterOf(type: string | null): "A" | "B" | "C" | null {
  const word = wordOf(type);
  if (word === "BALLAST") return "A";
  if (word === "DEBALLAST") return "B";
  return WITHIN_SHIP.has(word?.replace(/[\s_-]+/g, "") ?? "") ? "C" : null;
}

const headOf = ({ id, version, location }: Operation) => ({ operation_id: id, version, location });

/** Both volumes as text if they contradict each other; else null. */
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
    during: duringItem(operation, language),
    issue: { text: [...new Set(said)].join(" "), boxes: ["reason"] },
    operational: end === null ? AGAIN_UNKNOWN : placeItem(end, operation.location, []),
  };
  return {
    ...headOf(operation),
    ...{ code: "F", subject: "failure", part: null, parts: 0, start, end, volume_m3: null },
    items: itemsOf("F", values, language),
    notes: formNotes(start, language),
  };
}

const AGAIN_UNKNOWN: ItemValue = { text: null, boxes: ["operational"] };

/** The item for the operation during which a failure happened. */
function duringItem({ operation_type, start }: Operation, language: RecordLanguage): ItemValue {
  const letter = letterOf(operation_type);
  if (letter === null) return { text: null, boxes: ["code"] };
  const values = {
    letter,
    title: FORM_CODES[letter].title[language],
    start: printRecordTime(start),
  };
  return { text: recordPhrase(language, "during", values), boxes: [] };
}

function cleaning(operation: Operation, language: RecordLanguage): DraftEntry {
  return remark(operation, operation, { language, phrase: "cleaned" });
}

const UNREAD: ReadonlySet<string> = new Set(["no_readings", "clock_stepped"]);
/** Remarks on times without data, and on indications that the officer has to judge. */
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
