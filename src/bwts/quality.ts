// The meaning of a quality that a source sends beside its values: gateways mark each value as good
// or not, and go on sending the last one or 0 when it isn't. A value without good quality isn't
// believed, like an implausible one. The quality is kept as an unknown tag beside the field, so
// that rows and segments need no format of their own.

import { isOfOneValue, type QualityName, qualityName, SOURCES } from "./quality-names.ts";
import {
  isBadGrade,
  isBadWord,
  isDenied,
  isGoodGrade,
  isGoodWord,
  isNo,
  isNoneWord,
  isOnlyNone,
  isYes,
  wordsJoined,
} from "./quality-words.ts";
import type { Scalar } from "./reading.ts";

/** True if `quality`, sent under the tag `name`, means that a value is good. */
export function isGoodQuality(name: string, quality: Scalar): boolean {
  const named = qualityName(name);
  switch (named?.kind) {
    case "status":
      return !isBadStatus(quality);
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
 * the plant too, so only what can't mean anything else counts.
 */
export function isBadMessage(name: string, told: Scalar): boolean {
  const named = qualityName(name);
  if (named === null || named.base !== "" || isOfOneValue(named)) return false;
  switch (named.kind) {
    case "status":
    case "opc_ua":
      return isBadOfSource(told);
    case "fault":
      return isFlagOrCode(named, told) && isFault(named, told);
    case "good":
      return isFalse(told);
    case "quality":
      return isOfQuality(told) && !(isShort(named) && isFlow(told)) && !isGood(told, false);
  }
}

/** True for a name that as often is a flow. */
const isShort = ({ word }: QualityName) => /^qc?$/i.test(word);

/** True for a number that is none of OPC's codes of bad (0, 4 to 28). */
function isFlow(told: Scalar): boolean {
  const code = typeof told === "boolean" ? null : numberIn(told);
  return code !== null && (code < 0 || code > 28 || code % 4 !== 0);
}

/** False for a text of letters that no source uses for a quality, such as of the water's. */
function isOfQuality(told: Scalar): boolean {
  if (typeof told !== "string" || numberIn(told.replace(/\s*%$/, "")) !== null) return true;
  return !/\p{L}/u.test(told) || isFalse(told) || isBadGrade(told) || BAD.test(told.trim());
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
    "^(allok|allgood|inactive|clear(ed)?|passed|\\[\\]|\\{\\})$",
    "^(?!.*not)(.*completed)?success(ful(ly)?)?$",
  ].join("|"),
  "i",
);

function isFaultText(text: string): boolean {
  if (NOTHING_WRONG.test(wordsJoined(text)) || MEASURE.test(text.trim())) return false;
  return !isGoodText(text.trim()) && !isNoFault(text) && !isNo(text);
}

const FAULTS = "(faults?|fail(ures?)?|err(ors?)?|alarms?|problems?|exceptions?)";
const NO_FAULT = new RegExp(
  [
    `^(no|without)(active|known|present|current)?${FAULTS}(detected|found|present|active|s)*$`,
    `${FAULTS}(free|none)$|^(err|error|fault)(none|ok|no)$`,
    "^not(in)?(fault|error|failed|faulted|stale|bad|invalid|simulated|forced|active)",
  ].join("|"),
  "i",
);
/** A text that ends so says that it is over, unless a part of it is of another thing. */
const OVER = new RegExp(
  "(faults?|errors?|failures?|alarms?|comms?|communications?|timeout|" +
    "simulation|mode|manual|forced|override|hold)" +
    "(is|are|=)?(ok|off|cleared|none|no|normal|inactive|disabled|reset|false|0)$",
  "i",
);
const OF_PARTS = /[,;/&]|\s-\s/;

function isNoFault(text: string): boolean {
  const word = wordsJoined(text);
  return isNoneWord(text) || ((NO_FAULT.test(word) || OVER.test(word)) && !OF_PARTS.test(text));
}

// -- States of a device

/** A status may be any word of the device: only some are of a quality. */
const BAD_STATUS = new RegExp(
  [
    "^(bad|uncertain|invalid|stale|frozen|offline|outofservice|forced|manual|overrid|substitut)",
    "^(nok|err|defect|lost|missing|unavailable|unreliable|unknown|undefined)",
    "^not?(ok$|valid|comm|connect|signal|response|data|sensor|good)|notok$",
    "simulat|disconnect|broken|break|circuit|openloop|outofrange|(over|under)range",
    "comm(unications?)?(fail|lost|loss|err|fault|down|time)|timeout|timedout|fault|fail|error",
    // OPC's text for a sensor that measures wrongly.
    "^(hold|held)$|notaccurate|lastknown",
  ].join("|"),
  "i",
);

/** True for a status that means bad quality, written with blanks, `_`, `-` or none. */
function isBadStatus(told: Scalar): boolean {
  if (typeof told === "boolean") return false;
  if (typeof told !== "string" || numberIn(told) !== null) return isBadOfSource(told);
  return (BAD_STATUS.test(wordsJoined(told)) || isBadWord(told)) && !isNoFault(told);
}

const BAD = new RegExp(
  "^(bad|uncertain|invalid|stale)" +
    `($|[^a-z\\s]|\\s+(${SOURCES}|no|not|last|out|waiting|config)\\b|\\s+\\W)`,
  "i",
);
const FAULT = new RegExp(
  `^((${SOURCES})[\\s_.:-]*){0,3}` +
    "(fault|faulted|fail|failed|failure|err|error|offline|lost|loss|down|disconnected|" +
    "time_?d?[ _-]?out|broken|unavailable|unreliable|nok|defect(ive)?|" +
    "no[ _-]?(comms?|communications?|connection|signal|data|response)|" +
    "not[ _-]?(ok|connected|valid|available|responding))($|[^a-z])" +
    "(?![\\W_]*(reset|log|ack|clear|history|count|relay|memory)\\w*)",
  "i",
);
/** Codes of OPC UA that aren't good, and a Siemens block's word of an error. */
const BAD_CODE = /^\s*(0x[4-9a-f][0-9a-f]{7}|d?w?#?16#([4-9a-f][0-9a-f]{7}|[89a-f][0-9a-f]{3}))/i;

/** True if a whole message's status is of its source, and bad. The plant's own says nothing. */
function isBadOfSource(told: Scalar): boolean {
  if (typeof told === "boolean") return false;
  if (typeof told !== "string") return Math.abs(Number(told)) >= 2 ** 30;
  // Symbols of OPC UA are words wordsJoined by capitals: BadNoCommunication.
  const text = told.trim().replace(/([a-z])(?=[A-Z])/g, "$1_");
  if (BAD_CODE.test(told) || Math.abs(numberIn(told) ?? 0) >= 2 ** 30) return true;
  return (BAD.test(text) || FAULT.test(text) || isBadWord(told)) && !isNoFault(told);
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
const FALSE =
  /^\s*(false|f|no?|off|0([.,]0+)?|invalid|nok|not[ _-]?(ok|good|valid|connected)|offline)\s*$/i;

/** A flag that is neither true nor false is neither good. */
function isTrue(flag: Scalar): boolean {
  if (typeof flag === "string") return isTrueText(flag);
  return typeof flag === "boolean" ? flag : Number(flag) === 1;
}

const isTrueText = (text: string) => TRUE.test(text) || isYes(text) || isGoodText(text.trim());

function isFalse(flag: Scalar): boolean {
  if (typeof flag === "string") return FALSE.test(flag) || isDenied(flag) || isBadStatus(flag);
  return typeof flag === "boolean" ? !flag : Number(flag) === 0;
}

/** `bad: simulation off` is bad, whatever is over. */
const BEGINS_BAD = /^(bad|uncertain|invalid|stale)/i;

function isGood(quality: Scalar, isOpcUa: boolean): boolean {
  if (typeof quality === "boolean") return quality;
  if (typeof quality !== "string") return isGoodCode(Number(quality), isOpcUa);
  const text = quality.trim();
  if (isGoodText(text)) return true;
  const code = numberIn(text.replace(/\s*%$/, ""));
  if (code !== null) return isGoodCode(code, isOpcUa);
  if (isTrueText(text) || isGoodGrade(text)) return true;
  return isNoFault(text) && !isOnlyNone(text) && !BEGINS_BAD.test(text);
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

/** Telegraf writes `OK (0x0)`; but `ok=false` and `OK/BAD` deny it. */
const GOOD_TEXT =
  /^(good|ok|okay)(?!\s*[:=]\s*(0|n|no|f|false|off)\s*$)(?!.*\b(bad|nok)\b)([^a-z].*)?$/i;
/** OPC UA's further names of good quality, such as GoodClamped and GoodLocalOverride. */
const GOOD_SYMBOL = /^Good[A-Z]\w*$/;

const isGoodText = (text: string) =>
  GOOD_TEXT.test(text) || GOOD_SYMBOL.test(text) || isGoodWord(text);
