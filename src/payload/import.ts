// Decodes a reading of a file like a telemetry message with the same members: pure, and as
// tolerant, because a file may come from a spreadsheet. Unlike in a message, one bad field refuses
// the whole line: the user is there to correct it.

import type { ReadingPart } from "../bwts/reading.ts";
import { memberTwice } from "../ground/repeated-members.ts";
import { parseText } from "./json.ts";
import { isMembers } from "./members.ts";
import { decodeTags } from "./reading.ts";
import { readInstant, readValue, saysNothing, shown } from "./value.ts";

/**
 * Maximum length of a record, in every format, in bytes (of CSV over several lines: characters): a
 * reading with 256 unknown tags of 16 kB.
 */
export const IMPORT_RECORD_MAX = 4 * 1024 * 1024;

/** A reading of a file as a line of NDJSON; `line` is its number in the file. */
export interface ImportRecord {
  readonly line: number;
  readonly json: string;
}

/** A decoded record; null for facts that the file doesn't have. */
export interface ImportedReading {
  readonly line: number;
  readonly part: ReadingPart;
  readonly received_ms: number | null;
  readonly clock_trusted: boolean | null;
}

/** A line that wasn't stored, with the reason. */
export interface RefusedLine {
  readonly line: number;
  readonly problem: string;
}

/**
 * The members of a line beside its fields; `extra` holds unknown tags of any name, even of these.
 */
const OF_RECEIPT: ReadonlySet<string> = new Set([
  "received_at",
  "clock_trusted",
  "extra",
  "voided",
  "not_believed",
]);

/** Maximum number of characters of a member's name in a message. */
const NAME_MAX = 120;
/** Maximum number of faults reported for a line. */
const PROBLEMS_MAX = 3;

/** Decodes a line of NDJSON as `ballastd export` writes it; a Refused names what was expected. */
export function decodeImported(
  { line, json }: ImportRecord,
  system_id: string,
): ImportedReading | RefusedLine {
  const problems: string[] = [];
  const add = (problem: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  const reading = decode(json, system_id, add);
  if (reading === null || problems.length > 0) return { line, problem: problems.join(", ") };
  return { line, ...reading };
}

function decode(
  json: string,
  system_id: string,
  add: (problem: string) => void,
): Omit<ImportedReading, "line"> | null {
  const parsed = parseText(json);
  if ("problem" in parsed || !isMembers(parsed.value)) {
    add(`got ${json.trim().slice(0, 80)}, expected a JSON object`);
    return null;
  }
  const all = parsed.value;
  const twice = memberTwice(parsed.text, all);
  if (twice !== null) add(`${twice.slice(0, NAME_MAX)}: is there twice, expected each member once`);
  const { received_at, clock_trusted, extra, timestamp } = all;
  const voided = readValue(all.voided, "boolean");
  if ("problem" in voided) add(`voided: got ${voided.problem}`);
  // Imported readings are never hidden.
  else if (voided.value === true) add("voided: got true, expected readings that count");
  // Health is the only other exported record that has the form of a reading.
  if (Object.hasOwn(all, "componentsUvHealth"))
    add("componentsUvHealth: is a health record's, expected a reading");
  const time = instant("timestamp", timestamp, add);
  if (saysNothing(timestamp)) add("timestamp: is missing, expected ISO 8601");
  if (!saysNothing(all.system_id) && all.system_id !== system_id)
    add(`system_id: got ${shown(all.system_id)}, expected ${system_id}, this instance's`);
  const trusted = readValue(clock_trusted, "boolean");
  if ("problem" in trusted) add(`clock_trusted: got ${trusted.problem}`);
  const isObject = typeof extra === "object" && !Array.isArray(extra);
  const tags = Object.entries(isObject ? { ...extra } : { extra });
  const members = Object.entries(all).filter(([name]) => !OF_RECEIPT.has(name));
  const part = decodeTags(
    [...members, ...tags],
    { at_ms: time ?? 0, timed_by_receipt: false },
    { rejects: { add: (_reason, detail) => add(detail) }, rules: null, note: null },
  );
  return {
    part,
    received_ms: instant("received_at", received_at, add),
    clock_trusted: "value" in trusted && typeof trusted.value === "boolean" ? trusted.value : null,
  };
}

function instant(name: string, given: unknown, add: (problem: string) => void): number | null {
  const read = readInstant(given);
  if ("at_ms" in read) return read.at_ms;
  add(`${name}: got ${read.problem}`);
  return null;
}

/** The JSON text of a cell for unknown tags; text that isn't an object is refused later. */
export function tagsJsonOf(cell: string): string {
  try {
    JSON.parse(cell);
    return cell;
  } catch {
    return JSON.stringify([cell]);
  }
}
