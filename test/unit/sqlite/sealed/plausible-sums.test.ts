// Hours, days and the month's means without values that aren't believed, hot and sealed; and the
// same after spans changed, and after an upgrade from a version that believed every value.

import { describe, expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { spansOf } from "../../../../src/bwts/plausible.ts";
import type { Span, TagName } from "../../../../src/bwts/tags.ts";
import { JsonWriter } from "../../../../src/codec/json-writer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { answer, type Query } from "../../../../src/sqlite/answers/queries.ts";
import { checkBuckets } from "../../../../src/sqlite/care/bucket-check.ts";
import { type Connection, prepare, write } from "../../../../src/sqlite/file/open.ts";
import { sumDayAgain, sumHourAgain } from "../../../../src/sqlite/sealed/sums.ts";
import { contentOf, openRig, type Rig, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";

const rigOf = rigsOfTests();
const FLT_MAX = 3.4028234663852886e38;
const START_MS = Math.floor(AT_MS / DAY_MS) * DAY_MS;
const COUNT = 120;

/** A reading each three minutes; `odd` gives what differs from a sound one. */
function publish(rig: Rig, odd: (index: number) => object): void {
  const readings = Array.from({ length: COUNT }, (_, index) => ({
    timestamp: printTime(START_MS + index * 3 * MINUTE_MS),
    ...{ PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600, SYS_FLOW_RATE: 500, UVR_POWER_OUTPUT: 80 },
    ...{ LAMP_01_EFFICIENCY: 90, LAMP_02_EFFICIENCY: 80, LAMP_01_RUNTIME: 1000 },
    ...odd(index),
  }));
  rig.store.commit([messageOf("telemetry", readings)]);
}

function sealed(rig: Rig): void {
  while (rig.store.sealOld(RECEIVED_MS + 2 * DAY_MS));
}

function asked(db: Connection, query: Query) {
  const out = new JsonWriter();
  for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
  return JSON.parse(out.written.toString());
}

const EVER = { start_ms: null, end_ms: null };
const days = (db: Connection) =>
  asked(db, { name: "aggregated", interval: "day", range: EVER, hours: 1 });

/** The forms of one bad value or more in 120, and what the day then says. */
const cases: readonly {
  readonly what: string;
  readonly odd: (index: number) => object;
  readonly day: Partial<Record<TagName, number | null>>;
}[] = [
  {
    what: "one FLT_MAX",
    odd: (index) => (index === 60 ? { UVR_INTENSITY: FLT_MAX } : {}),
    day: { UVR_INTENSITY: 600 },
  },
  { what: "32767 throughout", odd: () => ({ UVR_INTENSITY: 32767 }), day: { UVR_INTENSITY: null } },
  {
    what: "a negative flow",
    odd: (index) => (index % 2 === 0 ? { SYS_FLOW_RATE: -40 } : {}),
    day: { SYS_FLOW_RATE: 500 },
  },
  {
    what: "65535 in an integer",
    odd: (index) => ({ FAILED_LAMP_COUNT: index === 3 ? 65535 : 2 }),
    day: { FAILED_LAMP_COUNT: 2 },
  },
  {
    what: "-32768 in a counter's last reading",
    odd: (index) => (index === COUNT - 1 ? { LAMP_01_RUNTIME: -32768 } : {}),
    day: { LAMP_01_RUNTIME: 1000 },
  },
  {
    what: "a lamp's broken wire, of which a mean was derived",
    odd: () => ({ LAMP_02_EFFICIENCY: 32767 }),
    day: { LAMP_02_EFFICIENCY: null, AVG_LAMP_EFFICIENCY: 90, LAMP_01_EFFICIENCY: 90 },
  },
  {
    what: "a bad quality beside 0",
    odd: (index) => (index < 3 ? { UVR_INTENSITY: 0, "UVR_INTENSITY.q": false } : {}),
    day: { UVR_INTENSITY: 600 },
  },
  {
    what: "the bad quality of whole messages",
    odd: (index) => (index < 60 ? { UVR_POWER_OUTPUT: 0, quality: "Bad_Stale" } : {}),
    day: { UVR_POWER_OUTPUT: 80, UVR_INTENSITY: 600 },
  },
];

describe.each(cases)("$what", ({ odd, day }) => {
  test("is no value of a day, hot, sealed and opened again, but is answered as it came", () => {
    const rig = rigOf();
    publish(rig, odd);
    const came = contentOf(rig.db).readings;
    expect(days(rig.db)).toMatchObject([{ ...day, recordCount: COUNT }]);
    sealed(rig);
    expect(contentOf(rig.db).hot).toBe(0);
    expect(days(rig.db)).toMatchObject([{ ...day, recordCount: COUNT }]);
    expect(checkBuckets(rig.db, null)).toMatchObject({ problem: null, checked: 1 });
    const { hours, days: stored } = contentOf(rig.db);
    expect({ hours, days: stored }).toEqual(recomputed(rig.db));
    expect(contentOf(rig.db).readings).toEqual(came);
  });

  test("is left out where a range cuts an hour, and of curves of fields", () => {
    const rig = rigOf();
    publish(rig, odd);
    sealed(rig);
    const range = { start_ms: START_MS + 30 * MINUTE_MS, end_ms: START_MS + 5.5 * HOUR_MS };
    const [found] = asked(rig.db, { name: "aggregated", interval: "day", range, hours: 1 });
    expect(found).toMatchObject(day);
  });

  test("is taken out of the hours of a database that believed it", () => {
    const rig = rigOf();
    publish(rig, odd);
    sealed(rig);
    const right = contentOf(rig.db);
    forgetSpans(rig.db);
    const before = contentOf(rig.db);
    expect(before.days).not.toEqual(right.days);
    expect(checkBuckets(rig.db, null).problem).toBe(null);
    const again = openRig({}, rig.dir);
    try {
      expect(contentOf(again.db)).toEqual(right);
      expect(checkBuckets(again.db, null)).toMatchObject({ problem: null, checked: 1 });
      expect(prepare(again.db, "due.all").all({})).not.toEqual([]);
    } finally {
      again.close();
    }
  });
});

test("the month's mean of the statistics is without one FLT_MAX", () => {
  const rig = rigOf();
  publish(rig, (index) => (index === 7 ? { UVR_INTENSITY: FLT_MAX } : {}));
  expect(asked(rig.db, { name: "stats" })).toMatchObject({ monthlyAvg: { avgUVIntensity: 600 } });
  sealed(rig);
  expect(asked(rig.db, { name: "stats" })).toMatchObject({ monthlyAvg: { avgUVIntensity: 600 } });
});

test("spans of the configuration count from the next start, for all that is stored", () => {
  const rig = rigOf();
  publish(rig, (index) => ({ UVR_INTENSITY: index < 60 ? 600 : 900 }));
  sealed(rig);
  const mean = () => days(rig.db)[0].UVR_INTENSITY;
  expect(mean()).toBe(750);
  const withSpan = (...spans: readonly Span[]) => {
    const own = new Map(spans.map((span): [string, Span] => ["UVR_INTENSITY", span]));
    openRig({ spans: spansOf({ flow_max_imo: 1000, own }) }, rig.dir).close();
    expect(checkBuckets(rig.db, null)).toMatchObject({ problem: null, checked: 1 });
    const { hours, days: stored } = contentOf(rig.db);
    expect({ hours, days: stored }).toEqual(recomputed(rig.db));
    return mean();
  };
  expect([withSpan([0, 700]), withSpan([700, 1000]), withSpan([0, 10]), withSpan()]).toEqual([
    ...[600, 900, null, 750],
  ]);
});

test("a start with the same spans changes nothing, nor does one whose spans fit all", () => {
  const rig = rigOf();
  publish(rig, () => ({}));
  sealed(rig);
  write(rig.db, () => {
    for (const { derivation, start_ms } of prepare<"due.all", DueRow>(rig.db, "due.all").all({}))
      prepare(rig.db, "due.remove").run({ name: derivation, start_ms });
  });
  openRig({}, rig.dir).close();
  openRig({ spans: spansOf({ flow_max_imo: 700 }) }, rig.dir).close();
  expect(prepare(rig.db, "due.all").all({})).toEqual([]);
});

interface DueRow {
  readonly derivation: string;
  readonly start_ms: number;
  readonly quoted: string;
}

test("a void, and its end, keep what isn't believed out", () => {
  const rig = rigOf();
  publish(rig, (index) => (index % 7 === 0 ? { UVR_INTENSITY: 65535 } : {}));
  sealed(rig);
  const act = { ...BY_SELF, at_ms: RECEIVED_MS };
  const range = { start_ms: START_MS, end_ms: START_MS + HOUR_MS / 2 };
  const { id } = voided(rig, range, act);
  expect(days(rig.db)).toMatchObject([{ UVR_INTENSITY: 600 }]);
  rig.store.undoVoid(id, act);
  expect(days(rig.db)).toMatchObject([{ UVR_INTENSITY: 600, recordCount: COUNT }]);
  expect(checkBuckets(rig.db, null).problem).toBe(null);
});

function voided(
  rig: Rig,
  range: { readonly start_ms: number; readonly end_ms: number },
  act: Parameters<Rig["store"]["addVoid"]>[1],
): { readonly id: number } {
  const given = { ...range, reason: "test", what: "readings" } as const;
  const done = rig.store.addVoid(given, act);
  if (!("id" in done)) throw new Error(JSON.stringify(done));
  return { id: done.id };
}

/** The database as a version left it that knew no spans: sums of all values. */
function forgetSpans(db: Connection): void {
  write(db, () => {
    for (const { name } of prepare(db, "mark.spans").all({}))
      prepare(db, "mark.remove").run({ name });
    for (let at_ms = START_MS; at_ms < START_MS + DAY_MS; at_ms += HOUR_MS) sumHourAgain(db, at_ms);
    sumDayAgain(db, START_MS);
    for (const { derivation, start_ms } of prepare<"due.all", DueRow>(db, "due.all").all({}))
      prepare(db, "due.remove").run({ name: derivation, start_ms });
  });
}
