// A store with far more readings than stay hot, in every order in which they can come, and a model
// of what should be there: a map that knows nothing of segments.

import { mergePart } from "../../src/bwts/merge.ts";
import type { Reading, ReadingPart } from "../../src/bwts/reading.ts";
import { TAGS } from "../../src/bwts/tags.ts";
import { DAY_MS, MINUTE_MS, printTime } from "../../src/ground/clock.ts";
import { type Connection, prepare } from "../../src/sqlite/file/open.ts";
import { timeline } from "../../src/sqlite/sealed/timeline.ts";
import type { Rig } from "./database.ts";
import { messageOf, RECEIVED_MS } from "./decoding.ts";
import { seededRandom } from "./random.ts";
import { type Named, partOf } from "./readings.ts";

const START_MS = Date.UTC(2025, 1, 27, 22, 10);
const RECEIPT = { received_ms: RECEIVED_MS, clock_trusted: true, system_id: "BWTS-001" };

/** Numbers from 0 to 1, the same for the same seed. */
export const randomOf = (seed: number): (() => number) => seededRandom(seed).next;

/** The expected readings, by time. */
export class Model {
  readonly readings = new Map<number, Reading>();

  add(part: ReadingPart): void {
    const merged = mergePart(this.readings.get(part.at_ms) ?? null, part, RECEIPT);
    if (merged.reading !== null) this.readings.set(part.at_ms, merged.reading);
  }

  inOrder(): readonly Reading[] {
    return [...this.readings.values()].sort((one, other) => one.at_ms - other.at_ms);
  }
}

function membersAt(random: () => number, index: number): Named {
  const walk = 600 + 80 * Math.sin(index / 50);
  const all: [string, Named[string], number][] = [
    ["UVR_INTENSITY", Math.round(10 * (walk + random())) / 10, 0.95],
    ["SYS_FLOW_RATE", random() < 0.1 ? -0 : random() * 1000, 0.9],
    ["UVR_WATER_TEMP", 28.5, 0.99],
    ["FLT_BACKFLUSH_COUNT", index % 700, 0.5],
    ["LAMP_07_RUNTIME", Math.round(index % 3000) / 20, 0.8],
    ["LAMP_07_EFFICIENCY", 5e-324 * Math.round(random() * 3), 0.3],
    ["LAMP_03_STATUS", random() < 0.1 ? "FAILED" : "ACTIVE", 0.9],
    ["LDC_WATER_ALARM", random() < 0.5, 0.2],
    ["PROCESS_STATE", "RUNNING", index % 900 < 300 ? 1 : 0],
    [`TAG_${index % 3}`, index % 5 === 0 ? `text ${index}` : index / 3, 0.1],
  ];
  return Object.fromEntries(
    all.flatMap(([name, value, share]) => (random() < share ? [[name, value]] : [])),
  );
}

/** The next batch of parts: in order, late by months, in reverse, again, or further fields. */
function nextParts(random: () => number, model: Model, index: number): readonly ReadingPart[] {
  const kind = random();
  const stretch = (start_ms: number, step_ms: number) =>
    Array.from({ length: 100 }, (_, place) =>
      partOf(start_ms + place * step_ms, membersAt(random, index + place)),
    );
  if (kind < 0.7 || model.readings.size < 300)
    return stretch(START_MS + index * MINUTE_MS, MINUTE_MS);
  const known = model.inOrder();
  const some = known.filter(() => random() < 50 / known.length);
  if (kind < 0.8) return stretch(START_MS - Math.floor(random() * 400) * DAY_MS, 7777).reverse();
  if (kind < 0.9)
    return some.map(({ at_ms }) => partOf(at_ms, { [`LATE_${index % 4}`]: index, month: 12 }));
  return some.map(({ at_ms, values, extra }) => ({
    at_ms,
    values,
    extra,
    timed_by_receipt: false,
  }));
}

/** Fills a store with about `count` readings and seals whatever can be sealed on the way. */
export function fill({ store }: Rig, model: Model, run: { seed: number; count: number }): void {
  const random = randomOf(run.seed);
  for (let index = 0; model.readings.size < run.count; index += 100) {
    const parts = nextParts(random, model, index);
    for (const part of parts) model.add(part);
    store.commit(parts.map(messageOfPart));
    while (store.sealFull());
  }
}

function messageOfPart({ at_ms, values, extra }: ReadingPart) {
  const members = namesWithMinusZero(values, extra);
  return messageOf("telemetry", `{"timestamp":"${printTime(at_ms)}"${members}}`, {
    received_ms: RECEIVED_MS,
  });
}

function namesWithMinusZero(values: ReadingPart["values"], extra: ReadingPart["extra"]): string {
  const json = (value: unknown) => (Object.is(value, -0) ? "-0" : JSON.stringify(value));
  const known = values.flatMap((value, index) =>
    value === null ? [] : [`,"${TAGS[index].name}":${json(value)}`],
  );
  return [...known, ...[...extra].map(([name, value]) => `,"${name}":${json(value)}`)].join("");
}

/** Everything stored, in the order in which it would be answered. */
export function storedReadings(db: Connection): readonly Reading[] {
  const ever = { start_ms: 0, end_ms: 253_402_300_799_999 };
  return [...timeline(db, ever)].flatMap(({ block, from, to }) =>
    Array.from({ length: to - from }, (_, place) => block.reading(from + place)),
  );
}

export function segmentCount(db: Connection): number {
  return prepare(db, "segment.places").all({ id: 0, limit: -1 }).length;
}
