// The names under which sources send the quality of values: a word such as `quality`, `err` or
// `comm_ok`, alone for a whole message, or beside a field's name. A word is read by its kind:
// PLCs and gateways combine the same few words, so the names are a grammar and not a list.

import { TAGS } from "./tags.ts";

/**
 * The fields that a quality tag applies to, as indices into `TAGS`, or all fields of the reading.
 */
export type QualifiedFields = readonly number[] | "all";

/** A code or word of quality; a status code of OPC UA; a flag; a fault; a device's status. */
type QualityKind = "quality" | "opc_ua" | "good" | "fault" | "status";

/** A name of quality taken apart. */
export interface QualityName {
  /** The part before the word; "" for a word alone. */
  readonly base: string;
  readonly word: string;
  readonly kind: QualityKind;
}

/** The things of which a source says that they are good or bad, so that its values are. */
export const SOURCES =
  "comms?|communications?|connection|conn|link|sensor|transmitter|data|values?|val|pv|signal|" +
  "readings?|measurement|meas|input|channel|device|plc|gateway|opc|modbus|quality";
/** One-letter prefixes are of IEC 61131: `xError`, `bValid`, `eError`. */
const BEFORE = `(?:(?:is|has|sts|[xbe]|${SOURCES})[_-]?){0,2}`;
const QUALITY =
  "(?:(?:data|value|val|pv|sensor|opc|tag|measurement|meas)_?)?" +
  "(?:q|qc|qual|quality)(?:_?(?:code|string|status|flag|text|name|state))?";
/** Nouns behind the word of a flag: `bad_quality`, `goodData`. Those of more than one count. */
const QUALIFIED = "quality|data|value|reading|measurement|signal|sensor|comms?|connection";
/** Faults of a single sensor; as a member of a whole message they may be of anything. */
const OF_ONE_VALUE =
  "forced|substituted?|overridden|held|frozen|stuck|broken|out_?of_?service|" +
  "(?:over|under|out_?of)_?range|(?:wire|cable)_?break|broken_?wire|" +
  "(?:open|short)_?(?:wire|circuit|loop)";
const DETAIL = "(?:_?(?:code|flag|bit|id|no|num|number|text|msg|message|string))?";
const FAULT =
  `(?:errors?|err|faults?|exception)${DETAIL}|` +
  "bad|invalid|uncertain|stale|offline|disconnected|lost|unavailable|unreliable|nok|" +
  "not_?(?:ok|good|valid|connected)|simulat(?:ed?|ion)|faulted|fail|failed|failure|" +
  `(?:bad|poor|invalid|uncertain|stale)_?(?:${QUALIFIED})|time_?d?_?out|` +
  `no_?(?:comms?|communication|signal|data|connection|response)|${OF_ONE_VALUE}`;
const GOOD =
  `(?:good|valid)_?(?:${QUALIFIED})|` +
  "good|valid|ok|okay|healthy|online|connected|alive|reliable|success(?:ful)?";
const STATUS =
  "(?:state|status|stat|sts|st|reliability)(?:_?(?:text|string|msg|message))?|" +
  "comms?|communications?|connection|link";

const before = (words: string) => `${BEFORE}(?:${words})(?:_?(?:flag|bit))?`;

/**
 * The kinds in the order in which a name is tried: `invalid` is a fault, and no `valid`, and
 * `bad_quality` is a flag, and no quality of something bad.
 */
const WORDS: readonly (readonly [QualityKind, string])[] = [
  ["opc_ua", "(?:(?:data|value)_?)?status_?code"],
  ["fault", before(FAULT)],
  ["good", before(GOOD)],
  ["quality", QUALITY],
  ["status", before(STATUS)],
];
const kindsBy = (pattern: (word: string) => string) =>
  WORDS.map(([kind, word]) => [kind, new RegExp(pattern(word), "i")] as const);
const ALONE = kindsBy((word) => `^()(${word})$`);
/** The separator makes `UVR_INTENSITY.q` one; Sparkplug puts the quality among `properties`. */
const BEHIND = kindsBy(
  (word) => `^(.+?)[._-](?:(?:properties|props|attributes|meta|metadata)[._-])?(${word})$`,
);

/** For speed: nearly all names end otherwise, and anybody can publish endless ones. */
const ENDS = new RegExp(`(?:^|[._-])(?:${WORDS.map(([, word]) => word).join("|")})$`, "i");

/** Words that apply to lamps and to fields without a span too: there, a fault is the plant's. */
const OF_ANY_FIELD = /^((is|data|value|quality)_?)?(good|valid|bad|invalid|uncertain)$|^status$/i;
const ONE_VALUE = new RegExp(`^${BEFORE}(?:${OF_ONE_VALUE})$`, "i");
/** Tags for the quality of a whole stored message; others are spread when it comes. */
const OF_MESSAGE = /^(quality|quality_?code)$/i;
/** Members of a quality sent as an object; the first one present is used. */
export const QUALITY_MEMBERS = ["code", "name", "level", "symbol", "value"] as const;
/** End of a tag's name that names one of these members, such as `.code`. */
const MEMBER_END = new RegExp(`\\.(${QUALITY_MEMBERS.join("|")})$`, "i");
/** Maximum length of a name that is taken apart, in characters. */
const LENGTH_MAX = 128;

const QUALITY_END = ".quality";

/** The name under which the quality of `field` is kept, if it was sent in another form. */
export function qualityTag(field: string): string {
  return field + QUALITY_END;
}

/** True for a name made by `qualityTag`; since fields are few, so are these names. */
export function isQualityTag(name: string): boolean {
  return name.endsWith(QUALITY_END) && qualifiedBy(name) !== null;
}

/** The name without the member of a quality that is an object. */
export const withoutMember = (name: string): string => name.replace(MEMBER_END, "");

/**
 * The part of a tag's name before its word for quality; "" for a message's quality; null for other
 * tags.
 */
export function qualifiedName(tag: string): string | null {
  const named = qualityName(tag);
  if (named === null) return null;
  if (named.base === "") return OF_MESSAGE.test(named.word) ? "" : null;
  return isLampsOwn(named) ? null : named.base;
}

/** True for a fault of one sensor, which isn't a fault of the message that has it alone. */
export const isOfOneValue = ({ word }: QualityName): boolean => ONE_VALUE.test(word);

const isOfDevice = ({ kind, word }: QualityName) =>
  kind !== "quality" && kind !== "opc_ua" && !OF_ANY_FIELD.test(word);

/** A lamp's status or fault is the lamp's, and says nothing of its values. */
const isLampsOwn = (named: QualityName) =>
  (isOfDevice(named) || named.kind === "status") && /lamp/i.test(named.base);

interface KnownName {
  readonly named: QualityName | null;
  readonly qualified: QualifiedFields | null;
}

/** Names looked up before; as many as a database keeps, for anybody can publish endless names. */
const known = new Map<string, KnownName>();
const KNOWN_MAX = 4096;

/** The fields that the tag `name` gives the quality of; null for another tag. */
export const qualifiedBy = (name: string): QualifiedFields | null => lookedUp(name).qualified;

/** The name taken apart; null if it has no word for quality. */
export const qualityName = (name: string): QualityName | null => lookedUp(name).named;

function lookedUp(name: string): KnownName {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const named = name.length > LENGTH_MAX ? null : takenApart(withoutMember(name));
  const made = { named, qualified: named === null ? null : fieldsOf(named) };
  known.set(name, made);
  return made;
}

function takenApart(name: string): QualityName | null {
  const patterns = ENDS.test(name) ? [...ALONE, ...BEHIND] : [];
  for (const [kind, pattern] of patterns) {
    const [, base, word] = pattern.exec(name) ?? [];
    if (word !== undefined) return { base, word, kind };
  }
  return beforeField(name);
}

const FIELD_NAMES = TAGS.map(({ name }) => name.toUpperCase());

/** A word before a field's name: `quality.UVR_INTENSITY`. */
function beforeField(name: string): QualityName | null {
  const upper = name.toUpperCase();
  const field = FIELD_NAMES.find((one) => upper.endsWith(one));
  const start = field === undefined ? "" : name.slice(0, -field.length);
  if (field === undefined || !/[._-]$/.test(start)) return null;
  const alone = takenApart(start.slice(0, -1));
  return alone === null || alone.base !== "" ? null : { ...alone, base: field };
}

function fieldsOf(named: QualityName): QualifiedFields | null {
  const { base, word } = named;
  if (base === "") return OF_MESSAGE.test(word) ? "all" : null;
  if (isLampsOwn(named)) return null;
  const isAny = !isOfDevice(named);
  const found = fieldsNamed(base.toUpperCase()).filter(
    (index) => isAny || TAGS[index].span !== null,
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
