// Proves after a restart, over HTTP: all acknowledged data is there with every field, nothing is
// there twice or was never sent, hours and days agree with the readings, and the chains verify.

import { asExpected, expectedRows, type Interval, rowProblems } from "../../test/rig/grouping.ts";
import { type Installed, runInstalled, type Served } from "../../test/rig/served.ts";
import { atOf, fieldsOf, numberOf, PARTS, type Told, type Voyage } from "../../test/rig/voyage.ts";

const PAGE = 10_000;
const RANGE = "startDate=2000-01-01&endDate=2100-01-01";

type Answered = Readonly<Record<string, unknown>>;

/** The result of a proof. */
export interface Findings {
  readonly readings: number;
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly other: readonly string[];
}

export async function findings(
  { ship, installed }: { readonly ship: Served; readonly installed: Installed },
  voyage: Voyage,
  first_ms: number,
): Promise<Findings> {
  const { readings, double: paged } = await allReadings(ship);
  const lost: string[] = [];
  const other: string[] = [];
  const double = [...paged];
  const byNumber = new Map(
    readings.map((reading) => [numberOf(first_ms, timeOf(reading)), reading]),
  );
  if (byNumber.size < readings.length) double.push("two readings have one timestamp");
  const told = voyage.readings();
  for (const [number, reading] of byNumber) other.push(...strayFields(number, reading, told));
  for (const [number, of] of told)
    for (const part of PARTS)
      if (of.acknowledged.has(part))
        lost.push(...missingFields({ number, part, first_ms }, byNumber.get(number) ?? null));
  for (const interval of ["hour", "day"] as const)
    other.push(...(await bucketProblems(ship, readings, interval)));
  const events = await eventProblems(ship, voyage.events());
  await runInstalled(installed, "verify").catch((error: Error) => other.push(error.message));
  return {
    readings: readings.length,
    lost: [...lost, ...events.lost],
    double: [...double, ...events.double],
    other: [...other, ...events.other],
  };
}

async function allReadings(ship: Served) {
  const readings: Answered[] = [];
  const double: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const path = `/api/telemetry/chunked?${RANGE}&offset=${offset}&limit=${PAGE}`;
    const { data, pagination } = await ship.json(path);
    readings.push(...data);
    if (pagination.hasMore) continue;
    if (pagination.total !== readings.length)
      double.push(`the total says ${pagination.total}, the pages hold ${readings.length}`);
    return { readings, double };
  }
}

const timeOf = ({ timestamp }: Answered): number => Date.parse(String(timestamp));

function missingFields(
  told: { readonly number: number; readonly part: (typeof PARTS)[number]; first_ms: number },
  reading: Answered | null,
): readonly string[] {
  const place = new Date(atOf(told.first_ms, told.number)).toISOString();
  if (reading === null) return [`${place}: acknowledged, and not there`];
  return [...fieldsOf(told.number, told.part)]
    .filter(([name, value]) => !Object.is(reading[name], value))
    .map(([name, value]) => `${place} ${name}: got ${reading[name]}, expected ${value}`);
}

/** Values of parts that were never sent. */
function strayFields(
  number: number,
  reading: Answered,
  told: ReadonlyMap<number, Told>,
): readonly string[] {
  const of = told.get(number);
  if (of === undefined) return [`${reading.timestamp}: was never sent`];
  return PARTS.filter((part) => !of.sent.has(part))
    .flatMap((part) => [...fieldsOf(number, part).keys()])
    .filter((name) => (reading[name] ?? null) !== null)
    .map((name) => `${reading.timestamp} ${name}: was never sent`);
}

async function bucketProblems(
  ship: Served,
  readings: readonly Answered[],
  interval: Interval,
): Promise<readonly string[]> {
  const rows = await ship.json(`/api/telemetry/aggregated?interval=${interval}&${RANGE}`);
  return rowProblems(expectedRows(readings.map(asExpected), interval), rows);
}

async function eventProblems(ship: Served, told: Told) {
  const events: { data: { number?: unknown } }[] = await ship.json(`/api/events?limit=${PAGE}`);
  const stored = events.map(({ data, ...event }) => String(data.number ?? JSON.stringify(event)));
  const there = new Set(stored);
  return {
    lost: [...told.acknowledged]
      .filter((number) => !there.has(number))
      .map((number) => `event ${number}: acknowledged, and not there`),
    double: stored.length === there.size ? [] : ["an event is there twice"],
    other: [...there]
      .filter((number) => !told.sent.has(number))
      .map((number) => `event ${number}: was never sent`),
  };
}
