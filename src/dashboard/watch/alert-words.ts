// An alert in words: name, meaning, place, value with its limit, and remedy. Meaning and remedy
// follow from the code and are translated; a text of the plant's PLC stays as sent.

import { TAGS, tagIndex } from "../../bwts/tags.ts";
import { alertCodesWords } from "../lang/alert-codes.ts";
import { printLabel } from "../lang/fields.ts";
import { partsWords as t } from "../lang/words.ts";
import { limitSource, printNumber, writtenUnit } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";

export function alertName({ code, description }: ShownAlert): string {
  return code ?? description;
}

/** The meaning; null for an alarm of the treatment system, and for a code unknown to this page. */
export function alertMeaning({ source, code, isPastLife }: ShownAlert): string | null {
  if (isPastLife === true) return alertCodesWords("PAST_LIFE");
  return source === "ballastd" && isKnown(code) ? alertCodesWords(code) : null;
}

export function alertAction({ source, code, isPastLife }: ShownAlert): string {
  if (isPastLife === true) return alertCodesWords("PAST_LIFE.action");
  if (source === "plc") return alertCodesWords("PLANT.action");
  return alertCodesWords(isKnown(code) ? `${code}.action` : "OTHER.action");
}

/** The place: the lamp, the field's label, or the name that was sent; null if it isn't known. */
export function alertPlace({ lamp, parameter }: ShownAlert): string | null {
  if (lamp !== null) return t("lamp", { lamp });
  if (parameter === null) return null;
  const index = tagIndex(parameter);
  return index === null ? parameter : printLabel(TAGS[index]);
}

/** Value and limit: `231 W/m², limit 252 W/m²`; null without a value. */
export function alertValue({ value, limit, unit, limit_source }: ShownAlert): string | null {
  const print = (one: number) =>
    unit === null ? printNumber(one) : `${printNumber(one)}\u00a0${writtenUnit(unit)}`;
  if (value === null) return limit === null ? null : t("limit", { limit: print(limit) });
  if (limit === null) return print(value);
  const given = { value: print(value), limit: print(limit) };
  return limit_source === null
    ? t("value_limit", given)
    : t("value_limit_source", { ...given, source: limitSource(limit_source) });
}

function isKnown(code: string | null): code is string {
  return code !== null && Object.keys(alertCodesWords.source).includes(`${code}.action`);
}
