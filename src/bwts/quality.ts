// The quality that a source sends beside its values: gateways (Kepware, Ignition, Advantech) mark
// each value as good or not, and go on sending the last one or 0 when it isn't. A value without
// good quality isn't believed, like an implausible one. The quality is kept as an unknown tag
// beside the field, so that rows and segments need no format of their own.

import type { Scalar } from "./reading.ts";
import { TAGS } from "./tags.ts";

/**
 * The fields that a quality tag applies to, as indices into `TAGS`, or all fields of the reading.
 */
export type Qualified = readonly number[] | "all";

const FAULTS = "(?:(?:comm|sensor)_?)?(?:error|fault|fail|failed|failure)|stale|frozen|timeout";
const DEVICE_STATUS = "state|stat|sts|st";
/** Words of a device about a sensor. Of a lamp or a field without a span they say other things. */
const OF_SENSOR = `(?:is_?)?ok|${FAULTS}|${DEVICE_STATUS}`;
const OF_VALUE =
  "q|qc|qual|quality|quality_?code|qualitystring|quality_?status|status_?code|status|" +
  "(?:is_?)?(?:good|valid|bad|invalid)";
/** Words for quality behind a field's name and a separator: `UVR_INTENSITY.q`. */
const BESIDE_FIELD = new RegExp(`^(.+?)[._-](${OF_VALUE}|${OF_SENSOR})$`, "i");
const SENSOR = new RegExp(`(^|[._-])(${OF_SENSOR})$`, "i");
/** Words that say with true that a value is bad. */
const SAYS_BAD = /(^|[._-])(is_?)?(bad|invalid)$/i;
/** A flag, of which 1 says true. */
const FLAG = /(^|[._-])(is_?)?(good|valid|bad|invalid|ok)$/i;
/** A fault says so with true, 1 or a text; any other number beside a field may be a deviation. */
const FAULT = new RegExp(`(^|[._-])(${FAULTS})$`, "i");
const NOTHING_WRONG =
  /^(0|0x0+|no?|off|false|none|null|n\/?a|ok|good|normal|valid|healthy|inactive|clear(ed)?)?$/i;
/** A status may be any word of the device: only some are of a quality. A lamp's status never is. */
const STATUS = new RegExp(`(^|[._-])(status|${DEVICE_STATUS})$`, "i");
const BAD_STATUS = new RegExp(
  [
    "^(bad|uncertain|invalid|stale|frozen|offline|outofservice|forced|manual|overrid|substitut)",
    "^(nok|err|defect|lost)|^not?(ok$|valid|comm|connect|signal|response)",
    "simulat|disconnect|broken|break|circuit|outofrange",
    "comm(unications?)?(fail|lost|loss|err|fault|down|time)|timeout|fault|fail|error",
    // OPC UA's codes of Bad, and OPC's text for one that measures wrongly.
    "^(hold|held)$|notaccurate|lastknown|^0x[89a-f][0-9a-f]{7}$",
  ].join("|"),
  "i",
);
const NO_FAULT = /^(no|without)(fault|fail|error)|(fault|error)(free|none)$/i;
/** Tags for the quality of a whole message; not `q`, which as often is a flow. */
const OF_MESSAGE = /^(quality|quality_?code)$/i;
/** Members of a quality sent as an object; the first one present is used. */
export const QUALITY_MEMBERS = ["code", "name", "level", "symbol"] as const;
/** End of a tag's name that names one of these members, such as `.code`. */
const MEMBER_END = new RegExp(`\\.(${QUALITY_MEMBERS.join("|")})$`, "i");
const OPC_UA = /status_?code$/i;

const QUALITY_END = ".quality";

/** The name under which the quality of `field` is kept, if it was sent in another form. */
export function qualityTag(field: string): string {
  return field + QUALITY_END;
}

/** True for a name made by `qualityTag`; since fields are few, so are these names. */
export function isQualityTag(name: string): boolean {
  return name.endsWith(QUALITY_END) && qualifiedBy(name) !== null;
}

/**
 * The part of a tag's name before its word for quality; "" for a message's quality; null for other
 * tags.
 */
export function qualifiedName(tag: string): string | null {
  const name = tag.replace(MEMBER_END, "");
  const beside = BESIDE_FIELD.exec(name)?.[1] ?? null;
  if (beside !== null && isOfDevice(name) && /lamp/i.test(beside)) return null;
  return beside ?? (OF_MESSAGE.test(name) ? "" : null);
}

const isOfDevice = (name: string) => STATUS.test(name) || SENSOR.test(name);

/** Names looked up before; as many as a database keeps, for anybody can publish endless names. */
const known = new Map<string, Qualified | null>();
const KNOWN_MAX = 4096;

/** The fields that the tag `name` gives the quality of; null for another tag. */
export function qualifiedBy(name: string): Qualified | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const qualified = lookedUp(name);
  known.set(name, qualified);
  return qualified;
}

function lookedUp(name: string): Qualified | null {
  const field = qualifiedName(name);
  if (field === null) return null;
  if (field === "") return "all";
  const isOfSensor = SENSOR.test(name.replace(MEMBER_END, ""));
  const found = fieldsNamed(field.toUpperCase()).filter(
    (index) => !isOfSensor || TAGS[index].span !== null,
  );
  return found.length === 0 ? null : found;
}

/** Indices of the field with this name, or of all fields of a lamp (`LAMP_07`). */
function fieldsNamed(name: string): readonly number[] {
  const isLamp = /^LAMP_\d\d$/.test(name);
  return TAGS.flatMap((tag, index) =>
    tag.name === name || (isLamp && tag.name.startsWith(`${name}_`)) ? [index] : [],
  );
}

/** True if `quality`, sent under the tag `name`, means that a value is good. */
export function isGoodQuality(name: string, quality: Scalar): boolean {
  if (STATUS.test(name)) return typeof quality !== "string" || !isBadStatus(quality);
  if (FAULT.test(name)) return !isFault(name, quality);
  if (FLAG.test(name)) return isTrue(quality) !== SAYS_BAD.test(name);
  if (typeof quality === "boolean") return quality;
  if (typeof quality === "string") return isGoodWord(name, quality);
  return isGoodCode(name, Number(quality));
}

/** True for a status that means bad quality, written with blanks, `_`, `-` or none. */
function isBadStatus(status: string): boolean {
  const word = status.replace(/[\s_.:-]+/g, "");
  return BAD_STATUS.test(word) && !NO_FAULT.test(word);
}

/** True for a fault: a text, true or 1, and in an object with the value any code but 0. */
function isFault(name: string, told: Scalar): boolean {
  if (typeof told === "boolean") return told;
  const word = String(told).replace(/[\s_.:-]+/g, "");
  if (typeof told === "string" && !/^\d+$/.test(word))
    return !NOTHING_WRONG.test(word) && !NO_FAULT.test(word);
  const code = Number(told);
  return BESIDE_FIELD.test(name) ? code === 1 : code !== 0;
}

/** A flag that is neither true nor false is neither good. */
function isTrue(flag: Scalar): boolean {
  if (typeof flag === "string") return /^\s*(true|yes|y|on|ok|good|valid|1)\s*$/i.test(flag);
  return typeof flag === "boolean" ? flag : Number(flag) === 1;
}

/**
 * True for a numeric code of good quality. OPC: the two highest bits of the low byte, both set for
 * good. OPC UA: the two highest of 32 bits, neither set for good.
 */
function isGoodCode(name: string, code: number): boolean {
  if (!Number.isSafeInteger(code) || code < 0) return false;
  const isOpcUa = OPC_UA.test(name.replace(MEMBER_END, ""));
  return isOpcUa ? code < 2 ** 30 : (code & 0xc0) === 0xc0;
}

const GOOD_WORD = /^(good([^a-z].*)?|ok|valid|true)$/i;
/** OPC UA's further names of good quality, such as GoodClamped and GoodLocalOverride. */
const GOOD_SYMBOL = /^Good[A-Z]\w*$/;

function isGoodWord(name: string, word: string): boolean {
  const text = word.trim();
  return /^\d+$/.test(text) ? isGoodCode(name, Number(text)) : isGoodText(text);
}

const isGoodText = (text: string) => GOOD_WORD.test(text) || GOOD_SYMBOL.test(text);
