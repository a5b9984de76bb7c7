// Random readings for the codec and for databases: columns that behave as a plant's do (constant,
// drifting, counting, in decimals of their own, sometimes absent), and some that hold anything.

import type { Reading, Scalar, Value } from "../../src/bwts/reading.ts";
import { TAGS, type TagType } from "../../src/bwts/tags.ts";
import type { Random } from "../../test/rig/random.ts";

const EDGES = [-0, 0, 5e-324, -1.7976931348623157e308, 2 ** 53, -(2 ** 53), 1e-7, 0.1 + 0.2, 1e21];
const TEXTS = ["ACTIVE", "FAILED", "", '"\\', "\u0000", "\ud800", "🚢é", "x".repeat(300), "1.5"];
const NAMES = ["X", "Y.1", "__proto__", "constructor", "C é", "toString"];

type Column = () => Value;

/** `count` readings, ascending, from `start_ms` on. */
export function randomReadings(random: Random, count: number, start_ms: number): Reading[] {
  const columns = TAGS.map(({ type }, index) => (index === 0 ? () => null : column(random, type)));
  const extras = NAMES.filter(() => random.chance(0.2)).map((name) => ({
    name,
    next: column(random, random.pick(["number", "string", "boolean"])),
  }));
  const step_ms = random.pick([1, 1000, 180_000, 86_400_000]);
  const jitter_ms = random.chance(0.5) ? 0 : step_ms - 1;
  let at_ms = start_ms;
  return Array.from({ length: count }, () => {
    at_ms += step_ms + random.between(0, jitter_ms);
    const received_ms = random.chance(0.1)
      ? random.between(0, 1e12)
      : at_ms + random.between(0, 90);
    return {
      at_ms,
      received_ms,
      clock_trusted: random.chance(0.9),
      values: columns.map((next) => next()),
      derived: random.between(0, 7),
      extra: extraOf(random, extras),
    };
  });
}

function extraOf(random: Random, columns: readonly { name: string; next: Column }[]) {
  const extra = new Map<string, Scalar>();
  for (const { name, next } of random.chance(0.1) ? random.shuffled(columns) : columns) {
    const value = next();
    if (value !== null) extra.set(name, value);
  }
  return extra;
}

function column(random: Random, type: TagType): Column {
  const missing = random.pick([0, 0, 0, 0.01, 0.5, 1]);
  const next = valuesOf(random, type);
  return () => (random.chance(missing) ? null : next());
}

function valuesOf(random: Random, type: TagType): () => Scalar {
  if (type === "boolean") return () => random.chance(0.2);
  if (type === "string") {
    const texts = random.shuffled(TEXTS).slice(0, random.between(1, TEXTS.length));
    const alike = random.chance(0.9);
    return () => (alike ? random.pick(texts) : `text ${random.next()}`);
  }
  if (random.chance(0.05)) return () => random.pick(EDGES);
  if (random.chance(0.03)) return () => (random.next() - 0.5) * 10 ** random.between(-300, 300);
  const factor = 10 ** random.between(0, type === "integer" ? 0 : 7);
  const step = random.chance(0.3) ? 0 : random.next() * 10 ** random.between(-3, 5);
  const lean = random.chance(0.2) ? 0 : 0.5;
  const outlier = random.chance(0.1) ? 0.01 : 0;
  let level = random.next() * 2000 - 200;
  return () => {
    level += (random.next() - lean) * step;
    if (random.chance(outlier)) return random.pick(EDGES);
    return Math.round(level * factor) / factor;
  };
}
