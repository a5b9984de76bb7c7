// The values that fuzzed messages are made of, as JSON text: those that a PLC sends, and those at
// every edge of what a number, a text, a date or a name can be.

import { TAGS, type TagType } from "../../src/bwts/tags.ts";
import { DAY_MS, MINUTE_MS, printTime, SECOND_MS } from "../../src/ground/clock.ts";
import type { Random } from "../../test/rig/random.ts";

const NUMBERS = [
  ...["0", "-0", "1e308", "1e309", "-1e400", "5e-324", "-5e-324", "9007199254740993", "1E+2"],
  ...["9223372036854775808", "-9223372036854775809", "0.1e1", "-", "01", "+1", ".5", "1.", "0x10"],
  ...["NaN", "Infinity", "-inf", "1.#QNAN", "-nan(ind)", "TRUE", "False", "NULL", "undefined"],
  ...["0.30000000000000004", "2147483648", "-1", "1e-7", "123456789012345678901234567890", "1e21"],
  ...['"1,5"', '"1.234,5"', '" 12 "', '"0x10"', '"1e999"', '"٣"', '"+.5e-3"', '"1_000"', '"-0"'],
];

const TEXTS = [
  ...["", " ", "=1+1", "@home", "<script>alert(1)</script>", '"', "'", "\\", "\r\n", "\t"],
  ...["\\u0000", "\\ud800", "\\udc00x", "\\ud83d\\udea2", "🚢", "\u202eabc", "e\u0301", "\ufeff"],
  ...["__proto__", "constructor", "toString", "null", "true", "1e5", "FAILED", "running", "\u2028"],
];

const NAMES = [
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "length"],
  ...[
    "timestamp",
    "TIMESTAMP",
    "uvr_intensity",
    " UVR_INTENSITY",
    "",
    "a.b",
    "a[0]",
    "é",
    "\\u0000",
  ],
  ...["LAMP_00_POWER", "LAMP_17_POWER", "LAMP_1_POWER", "LAMP_16_X", "LAMP_99999999999_STATUS"],
  ...["month", "system_id", "timestamp_source", "received_at", "extra", "clock_trusted", "name"],
  ...["x".repeat(64), "x".repeat(65), "lamps", "data", "event_type", "\\ud800", "toJSON", "then"],
];

const DATES = [
  ...["1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2000-01-01", "2024-02-29", "2025-02-29"],
  ...["2026-02-30T00:00:00Z", "2026-13-01", "2026-00-00", "0000-01-01", "9999-12-31T23:59:59.999Z"],
  ...["+275760-09-13T00:00:00Z", "-271821-04-20T00:00:00Z", "2026-05-01T24:00:00Z", "2026-W01-1"],
  ...["2026-05-01T23:59:60Z", "2026-05-01T10:00:00+14:00", "2026-05-01T10:00:00+99:99", "2026-121"],
  ...["2026-05-01 10:00", "2026-05-01T10:00:00.123456789Z", "20260501T100000Z", "yesterday", ""],
  ...["2026-03-29T02:30:00", "2026-05-01T10:00:00Z Z", "2026-05-01T10:00:00ZZ", "10:00", "-1", "0"],
];

const INSTANTS = ["0", "-1", "1e3", "1e10", "1e12", "1e13", "1e16", "1e20", "1e308", "2147483647"];

/** A scalar as a PLC sends it. */
export function plainValue(random: Random, type: TagType): string {
  switch (type) {
    case "number":
      return (random.next() * 10 ** random.between(0, 4)).toFixed(random.between(0, 3));
    case "integer":
      return String(random.between(0, 5000));
    case "boolean":
      return random.chance(0.5) ? "true" : "false";
    case "string":
      return quotedText(
        random.pick(["RUNNING", "IDLE", "ACTIVE", "FAILED", "OK", "NORMAL", "IMO"]),
      );
  }
}

/** Anything, not always JSON. */
export function wildValue(random: Random): string {
  const dice = random.next();
  if (dice < 0.5) return random.pick(NUMBERS);
  if (dice < 0.8) return quotedText(random.pick(TEXTS));
  if (dice < 0.9) return nest(random, random.between(1, 5));
  if (dice < 0.92) return nest(random, random.pick([31, 32, 33, 500, 5000]));
  if (dice < 0.93) return quotedText("a".repeat(random.pick([255, 256, 4096, 70_000])));
  return random.pick(["{}", "[]", "[1,2]", '{"a":1}', '{"__proto__":{"x":1}}', "null", "[[],{}]"]);
}

/** A name of the catalogue, of a prototype, or of a tag of one's own. */
export function tagName(random: Random): string {
  if (random.chance(0.6)) return random.pick(TAGS).name;
  return random.chance(0.7) ? random.pick(NAMES) : `TAG_${random.between(1, 500)}`;
}

/** A time as JSON: near `at_ms`, in any spelling; wild ones are anywhere or nowhere. */
export function timeValue(random: Random, at_ms: number, wildness: number): string {
  if (random.chance(wildness)) {
    if (random.chance(0.6)) return quotedText(random.pick(DATES));
    if (random.chance(0.5)) return random.pick(INSTANTS);
    const far_ms = Date.UTC(1995) + random.between(0, 14_000) * DAY_MS;
    return random.chance(0.5) ? quotedText(printTime(far_ms)) : wildValue(random);
  }
  switch (random.between(0, 5)) {
    case 0:
      return String(at_ms);
    case 1:
      return String(Math.floor(at_ms / SECOND_MS));
    case 2:
      return quotedText(printTime(at_ms - (at_ms % MINUTE_MS)).replace("T", " "));
    default:
      return quotedText(printTime(at_ms));
  }
}

/** Between quotes as it is: escapes are in the text already. */
export function quotedText(text: string): string {
  return `"${text.replace(/["\r\n\t]|\\(?!u)/g, (letter) => JSON.stringify(letter).slice(1, -1))}"`;
}

function nest(random: Random, depth: number): string {
  const [open, close] = random.chance(0.5) ? ["[", "]"] : ['{"a":', "}"];
  return `${open.repeat(depth)}${plainValue(random, "integer")}${close.repeat(depth)}`;
}
