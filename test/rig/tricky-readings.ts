// Readings that are hard to write to a file and read back: numbers of every kind, texts that mean
// something to CSV or to a spreadsheet, unknown tags under names that an export uses itself.

import { TAGS, type TagType } from "../../src/bwts/tags.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import type { Random } from "./random.ts";

export type Fields = ReadonlyMap<string, number | string | boolean>;

export interface TrickyReading {
  readonly timestamp: string;
  readonly fields: Fields;
}

const NUMBERS = [-0, 0, 1e21, 5e-324, -1.7976931348623157e308, 0.1, 612.3, 1 / 3, 2 ** 53];
const INTEGERS = [-0, 0, 1, 7, -12, Number.MAX_SAFE_INTEGER];
const TEXTS = [
  "=1+1",
  "+49",
  "-5",
  "@home",
  "\tindented",
  "\rreturned",
  "'quoted",
  "'=1",
  "''=1",
  "'",
  'a "word", and a comma',
  "two\r\nlines\nthree",
  " spaced ",
  "007",
  "1e5",
  "true",
  "null",
  "Brønnøysund 港 🚢",
  "\u0000\u0007",
  "\ufefforder",
  '{"a":1}',
];
const TAG_NAMES = ["received_at", "clock_trusted", "extra", "constructor", "X-1.a_b", "UVR_2"];

/**
 * `count` readings of one system, a minute and something apart; some have few fields, some many.
 */
export function trickyReadings(random: Random, count: number): readonly TrickyReading[] {
  let at_ms = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, () => {
    at_ms += random.between(1, 120_000);
    const share = random.pick([0.05, 0.5, 1]);
    const named = TAGS.slice(2).filter(() => random.chance(share));
    const fields = new Map(named.map(({ name, type }) => [name, randomValue(random, type)]));
    // Sent, it need not be what would be derived.
    if (!random.chance(0.1)) for (const name of DERIVED) fields.delete(name);
    for (const name of TAG_NAMES)
      if (random.chance(0.1)) fields.set(name, randomValue(random, random.pick(TYPES)));
    return { timestamp: new Date(at_ms).toISOString(), fields };
  });
}

const DERIVED = ["month", "AVG_LAMP_EFFICIENCY", "FAILED_LAMP_COUNT"];
const TYPES = ["number", "string", "boolean"] as const;

function randomValue(random: Random, type: TagType): number | string | boolean {
  switch (type) {
    case "number":
      return random.chance(0.3)
        ? random.pick(NUMBERS)
        : random.next() * 10 ** random.between(-3, 6);
    case "integer":
      return random.pick(INTEGERS);
    case "boolean":
      return random.chance(0.5);
    case "string":
      return random.pick(TEXTS);
  }
}

/** A reading as a PLC sends it. */
export function payloadOf({ timestamp, fields }: TrickyReading): string {
  const members = [...fields].map(([name, value]) => {
    const json = Object.is(value, -0) ? "-0" : JSON.stringify(value);
    return `,${JSON.stringify(name)}:${json}`;
  });
  return `{"timestamp":"${timestamp}"${members.join("")}}`;
}

/** An appliance that has received the readings. */
export async function applianceWith(readings: readonly TrickyReading[]): Promise<Appliance> {
  const appliance = await startAppliance();
  const messages = readings.map((reading) => ({ kind: "telemetry", payload: payloadOf(reading) }));
  await appliance.publish(messages);
  return appliance;
}
