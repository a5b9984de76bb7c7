// The office's data of a ship at its last verification, remembered in a file of the office's own:
// the owner of the database can remove the newest data together with the report that would reveal
// it. Links are remembered by the ends of their branches, since each follows from the one before.

import * as z from "zod";
import { HOUR_MS } from "../../ground/clock.ts";
import type { Office } from "../office.ts";

const run = z.tuple([z.number(), z.number()]);

const RememberedShip = z.object({
  /** The ends of branches: chain, number and hash. */
  links: z.array(z.string()),
  /** Signed heads and statements by the beginning of their keys, and boxes that reported. */
  documents: z.array(z.string()),
  /** Segments with readings, by number, and hours since 1970, both as runs. */
  payloads: z.array(run),
  hours: z.array(run),
});
export type RememberedShip = z.output<typeof RememberedShip>;

const FORMAT = "ballastd fleet seen 1";
export const RememberedFile = z.object({
  format: z.literal(FORMAT),
  ships: z.record(z.string(), RememberedShip),
});
export type RememberedFile = z.output<typeof RememberedFile>;

export const NOTHING_REMEMBERED: RememberedFile = { format: FORMAT, ships: {} };

/** A row of office.seen. */
interface SeenRow {
  readonly what: "link" | "document" | "payload" | "hour";
  readonly name: string;
}

/** The present data of a ship here, and the parts of `before` that are missing now. */
export async function rememberedNow(
  office: Office,
  ship: string,
  before: RememberedShip | undefined,
): Promise<{ readonly now: RememberedShip; readonly lost: readonly string[] }> {
  const rows = await office.ask<SeenRow>("office.seen", [ship]);
  const named = (what: SeenRow["what"]) =>
    rows.flatMap((row) => (row.what === what ? [row.name] : []));
  const now = {
    links: named("link"),
    documents: named("document"),
    payloads: runsOf(named("payload").map(Number)),
    hours: runsOf(named("hour").map((key) => Number(key) / HOUR_MS)),
  };
  if (before === undefined) return { now, lost: [] };
  const gone = await office.ask<{ name: string }>("office.links_gone", [
    ship,
    JSON.stringify(before.links),
  ]);
  const documents = new Set(now.documents);
  return {
    now,
    lost: [
      ...gone.map(({ name }) => name),
      ...before.documents.filter((name) => !documents.has(name)),
      ...gapsIn(before.payloads, now.payloads).map((one) => `the readings of segment ${one}`),
      ...gapsIn(before.hours, now.hours).map(
        (hour) => `the hour ${new Date(hour * HOUR_MS).toISOString()}`,
      ),
    ],
  };
}

/** Ascending numbers as runs; values that aren't whole numbers are left out. */
function runsOf(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  const whole = numbers.filter(Number.isSafeInteger);
  for (const number of whole.sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** The first number of each stretch that was there before and is missing now. */
function gapsIn(
  before: readonly (readonly [number, number])[],
  now: readonly (readonly [number, number])[],
): readonly number[] {
  return before.flatMap(([first, last]) => {
    const gaps: number[] = [];
    for (let at = first; at <= last; ) {
      const cover = now.find(([from, to]) => from <= at && to >= at);
      if (cover !== undefined) {
        at = cover[1] + 1;
        continue;
      }
      gaps.push(at);
      at = now.find(([from]) => from > at)?.[0] ?? last + 1;
    }
    return gaps;
  });
}
