// The items of draft entries: the log's facts for each, and the boxes beside it for the officer.
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
  /** Number of the item in the form. */
  readonly item: number;
  readonly title: string;
  /** The log's facts; null if it has none. */
  readonly text: string | null;
  /** Labels of the empty boxes for the officer. */
  readonly boxes: readonly string[];
}

/** The text of an item, and the boxes beside it. */
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

/** An item of a time and a place, with boxes for missing ones; `boxes` are further boxes. */
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

/** Note on an entry from before the present form, which every draft follows. */
export function formNotes(start: string, language: RecordLanguage): readonly string[] {
  if (start >= FORM_EFFECTIVE) return [];
  return [recordPhrase(language, "before_form", { effective: FORM_EFFECTIVE })];
}

/** The time of an entry to the minute, as `2026-05-01 05:08 UTC`. */
export function printRecordTime(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** The volume to a tenth of a cubic metre, with the language's decimal sign. */
export function printRecordVolume(volume_m3: number, language: RecordLanguage): string {
  const text = String(Math.round(volume_m3 * 10) / 10);
  return language === "en" ? text : text.replace(".", ",");
}
