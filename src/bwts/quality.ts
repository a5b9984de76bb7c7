// The meaning of a quality that a source sends beside its values: gateways mark each value as good
// or not, and go on sending the last one or 0 when it isn't. A value without good quality isn't
// believed, like an implausible one. The quality is kept as an unknown tag beside the field, so
// that rows and segments need no format of their own.

import { isOfOneValue, type QualityName, qualityName, SOURCES } from "./quality-names.ts";
import {
  isGoodGrade,
  isGoodWord,
  isKnownState,
  isNo,
  isNoFault,
  isNoneWord,
  isYes,
  joinedByCapitals,
  wordsJoined,
} from "./quality-words.ts";
import type { Scalar } from "./reading.ts";

/** True if `quality`, sent under the tag `name`, means that a value is good. */
export function isGoodQuality(name: string, quality: Scalar): boolean {
  const named = qualityName(name);
  switch (named?.kind) {
    case "status":
      return isGoodStatus(quality, "source");
    case "fault":
      return !isFault(named, quality);
    case "good":
      return isTrue(quality);
    default:
      return isGood(quality, named?.kind === "opc_ua");
  }
}

/** True if a tag that is kept in a reading, of its quality or of a field's, doesn't mean bad. */
export const isGoodTag = (name: string, quality: Scalar): boolean =>
  qualityName(name)?.base === "" ? !isBadMessage(name, quality) : isGoodQuality(name, quality);

/**
 * True if a member of a whole message says that the values in it are bad. A message has members of
 * the plant too: a flow `q`, a count or a date under the word of a flag say nothing.
 */
export function isBadMessage(name: string, told: Scalar): boolean {
  const named = qualityName(name);
  if (named === null || named.base !== "" || isOfOneValue(named)) return false;
  switch (named.kind) {
    case "status":
      return !isGoodStatus(told, OF_SOURCE.test(named.word) ? "source" : "plant");
    case "opc_ua":
      return !isGoodStatus(told, "source");
    case "fault":
      return isFlagOrCode(named, told) && isFault(named, told);
    case "good":
      return isFlagText(told) && !isTrue(told);
    case "quality":
      return !(isShort(named) && isFlow(told)) && !isGood(told, false);
  }
}

/** Names of a status that is of the source; a device may be the plant. */
const OF_SOURCE = new RegExp(`^(?!device)(${SOURCES})`, "i");

/** True for a name that as often is a flow. */
const isShort = ({ word }: QualityName) => /^qc?$/i.test(word);

/** True for a measure, or for a number that is none of OPC's codes of bad (0, 4 to 28). */
function isFlow(told: Scalar): boolean {
  if (typeof told === "boolean") return false;
  const code = numberIn(told);
  if (code === null) return MEASURE.test(String(told).trim());
  return code < 0 || code > 28 || code % 4 !== 0;
}

/** False for a number that counts, and for a text without letters, such as a date. */
function isFlagText(told: Scalar): boolean {
  if (typeof told === "boolean") return true;
  const code = numberIn(told);
  return code === null ? /\p{L}/u.test(String(told)) : code === 0 || code === 1;
}

/** A number that is neither 0 nor 1 counts something, unless the word is of an error. */
function isFlagOrCode({ word }: QualityName, told: Scalar): boolean {
  const code = numberIn(told);
  return code === null || code === 0 || code === 1 || ERROR.test(word);
}

// -- Faults

const ERROR = /(error|err|fault|exception)[_-]?(code|flag|bit|id|no|num|number)?$/i;
/** Words that count faults, of which a number is no fault, or set a limit to them. */
const COUNTS = /(errors|faults)$/i;
const SETS = /time_?d?_?out$/i;
/** Words of which a number beside a field may be its deviation or margin. */
const DEVIATES = /(error|err)$/i;

/**
 * True for a fault: true, a text, or a code. Beside a field, a number under `error` may be a
 * deviation; a number with decimals or with a unit always is, or a setting.
 */
function isFault({ word, base }: QualityName, told: Scalar): boolean {
  if (typeof told === "boolean") return told;
  const code = numberIn(told);
  if (code === null) return isFaultText(String(told));
  if (code === 0 || code === 1 || isHexadecimal(told)) return code !== 0 && !COUNTS.test(word);
  if (!Number.isInteger(code) || COUNTS.test(word) || SETS.test(word)) return false;
  return base === "" || (ERROR.test(word) && !DEVIATES.test(word));
}

const UNIT =
  "%|‰|ms|s|sec|seconds?|min|minutes?|h|hours?|m?w/(m2|m²|cm2|cm²)|m[3³]/h|m?bar|k?pa|" +
  "°?c|degc|k|k?w|m?v|m?a|rpm|hz|ppm|pct|percent";
const MEASURE = new RegExp(`^\\s*(±|\\+/?-|[<>~])?\\s*[+-]?\\d+([.,]\\d+)?\\s*(${UNIT})$`, "i");
const NOTHING_WRONG = new RegExp(
  [
    "^(no?|off|false|none|null|nil|nothing|never|n/a|na|ok|okay|sok|good|normal|valid|healthy)?$",
    "^(allok|allgood|inactive|notactive|clear(ed)?|passed|\\[\\]|\\{\\})$",
    "^(?!.*not)(.*completed)?success(ful(ly)?)?$",
  ].join("|"),
  "i",
);

function isFaultText(text: string): boolean {
  if (NOTHING_WRONG.test(wordsJoined(text)) || MEASURE.test(text.trim())) return false;
  return !isGoodText(text.trim()) && !isNoFault(text) && !isNoneWord(text) && !isNo(text);
}

// -- States of a device

/** A Siemens block's word of an error. */
const SIEMENS_ERROR = /^\s*d?w?#?16#[89a-f][0-9a-f]{3}\s*$/i;

/**
 * True for a status that may be any word of the device: a good one or a known state, and a number
 * that is no code of OPC UA of a bad quality.
 */
function isGoodStatus(told: Scalar, of: "source" | "plant"): boolean {
  if (typeof told === "boolean") return true;
  const code = numberIn(told);
  if (code !== null) return Math.abs(code) < 2 ** 30 && !SIEMENS_ERROR.test(String(told));
  const text = String(told).trim();
  return isGoodText(text) || isNoFault(text) || isKnownState(text, of);
}

// -- Flags, words and codes

const HEXADECIMAL = /^\s*(?:0x|d?w?#?16#)([0-9a-f]{1,8})\s*$/i;
const isHexadecimal = (told: Scalar) => typeof told === "string" && HEXADECIMAL.test(told);

/** The number in a number or a text, also a hexadecimal one; null for none. */
function numberIn(told: Scalar): number | null {
  if (typeof told !== "string") return Number(told);
  const hexadecimal = HEXADECIMAL.exec(told)?.[1];
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  const text = told.trim();
  return /^[+-]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : null;
}

const TRUE =
  /^\s*(true|t|yes|y|on|1|valid|healthy|normal|online|connected|alive|success(ful)?)\s*$/i;

/** A flag that is neither true nor false is neither good. */
function isTrue(flag: Scalar): boolean {
  if (typeof flag === "string") return isTrueText(flag);
  return typeof flag === "boolean" ? flag : Number(flag) === 1;
}

const isTrueText = (text: string) => TRUE.test(text) || isYes(text) || isGoodText(text.trim());

function isGood(quality: Scalar, isOpcUa: boolean): boolean {
  if (typeof quality === "boolean") return quality;
  if (typeof quality !== "string") return isGoodCode(Number(quality), isOpcUa);
  const text = quality.trim();
  const code = numberIn(text.replace(/\s*%$/, ""));
  if (code !== null) return isGoodCode(code, isOpcUa);
  return isTrueText(text) || isGoodGrade(text);
}

/**
 * True for a numeric code of good quality. OPC UA: below 2^30. OPC: 192 to 255, and not 500, which
 * is a stale value in Sparkplug. 92 to 100 are no codes of OPC, so they are percentages.
 */
function isGoodCode(code: number, isOpcUa: boolean): boolean {
  if (!Number.isSafeInteger(code) || code < 0) return false;
  if (isOpcUa) return code < 2 ** 30;
  return (code >= 192 && code <= 255) || (code >= 92 && code <= 100);
}

/**
 * Good, alone or with OPC's further words of it (GoodClamped) and with a code: Telegraf writes
 * `OK (0x0)`. Good with any other word may be denied by it.
 */
const GOOD_TEXT = new RegExp(
  "^(good|ok|okay)([\\s_,;:.!\\-\\[\\]()]+|$)" +
    "((non[ -]?specific|unspecified|quality|local ?override|clamped|overload|edited|cascade)" +
    "[\\s,;.:\\[\\]()]*)?(\\(0\\)|\\(?(0x[0-3][0-9a-f]{0,7}|0x0*c0|192|21[6-9])\\)?)?$",
  "i",
);

function isGoodText(text: string): boolean {
  return GOOD_TEXT.test(joinedByCapitals(text).replace(/_/g, " ")) || isGoodWord(text);
}
