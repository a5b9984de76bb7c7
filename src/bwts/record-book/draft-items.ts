// The items of draft entries: what the log tells of each, and the boxes beside it for the officer.
// Pure, and without zod: it is part of the page.

import type { Operation } from "../operations/operation.ts";
import {
  FORM_CODES,
  FORM_EFFECTIVE,
  type ItemName,
  type RecordCode,
  type RecordLanguage,
} from "./form.ts";
import { BOXES, type BoxName, ITEM_TITLES } from "./phrases.ts";
import { recordPhrase } from "./sentences.ts";

export interface DraftItem {
  /** Its number in the form. */
  readonly item: number;
  readonly title: string;
  /** Null where ballastd knows nothing of it. */
  readonly text: string | null;
  /** To be filled in by the officer. */
  readonly boxes: readonly string[];
}

/** A text, and the boxes beside it. */
export interface ItemValue {
  readonly text: string | null;
  readonly boxes: readonly BoxName[];
}

export type ItemValues = Partial<Record<ItemName, ItemValue>>;

export function itemsOf(
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

/** A time and place; `boxes` are those of the item besides. */
export function placeItem(
  at: string | null,
  location: string | null,
  boxes: readonly BoxName[],
): ItemValue {
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

export function volumeItem(
  volume_m3: number | null,
  source: Operation["volume_source"],
  language: RecordLanguage,
): ItemValue {
  if (volume_m3 === null) return { text: null, boxes: ["volume"] };
  const how = source === null ? "" : ` (${recordPhrase(language, `by_${source}`)})`;
  return { text: `${printRecordVolume(volume_m3, language)} m3${how}`, boxes: [] };
}

/** The draft follows one form only; an entry of a time before it says so. */
export function formNotes(start: string, language: RecordLanguage): readonly string[] {
  if (start >= FORM_EFFECTIVE) return [];
  return [recordPhrase(language, "before_form", { effective: FORM_EFFECTIVE })];
}

/** `2026-05-01 05:08 UTC`: entries are to the minute. */
export function printRecordTime(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** To a tenth of a cubic metre, with the language's decimal sign. */
export function printRecordVolume(volume_m3: number, language: RecordLanguage): string {
  const text = String(Math.round(volume_m3 * 10) / 10);
  return language === "en" ? text : text.replace(".", ",");
}
