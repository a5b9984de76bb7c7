// Compares the hours that a ship sent with those made from its readings here. Only hours with the
// same number of readings are compared value by value: aboard, a void may hide some, and late ones
// may be known that aren't sealed yet.

import { addReading, type Bucket, bucketRow, emptyBucket } from "../../bwts/bucket.ts";
import { Hour } from "../../bwts/documents/document.ts";
import { believed, type Spans, spansWith } from "../../bwts/plausible.ts";
import { AGGREGATED, TAGS } from "../../bwts/tags.ts";
import { HOUR_MS, printTime } from "../../ground/clock.ts";
import { runsOf } from "../../sqlite/sealed/sweep.ts";
import { openLineReader } from "../line-reader.ts";
import type { Office } from "../office.ts";
import type { ShoreSegment } from "../segments.ts";

export interface HoursResult {
  readonly equal: number;
  readonly differing: number;
  /** Number of hours with fewer readings in the ship's sum than here: a void hides some aboard. */
  readonly fewer_aboard: number;
  /** Number of hours whose readings aren't all here yet. */
  readonly not_here: number;
  /** Number of hours that are equal only with the plausible spans sent in the hour itself. */
  readonly own_spans: number;
  readonly first_differing: string | null;
}

export async function verifyHours(
  office: Office,
  ship: string,
  line: readonly ShoreSegment[],
): Promise<HoursResult> {
  const found = { equal: 0, differing: 0, fewer_aboard: 0, not_here: 0, own_spans: 0 };
  let first_differing: string | null = null;
  // Damaged segments were reported by the walk over the chain; their hours count as not here.
  const reader = openLineReader(office, ship, () => undefined);
  for (const { key, body } of await office.ask<HourAshore>("office.hours", [ship])) {
    const { data: sent } = Hour.safeParse(body);
    if (sent === undefined || String(sent.start_ms) !== key) {
      found.differing += 1;
      first_differing ??= `hour ${nameOf(key)}: isn't an hour as ships send it`;
      continue;
    }
    const made = await hourOf(sent.start_ms, null);
    if (made.count < sent.count) {
      found.not_here += 1;
      continue;
    }
    if (made.count > sent.count) {
      found.fewer_aboard += 1;
      continue;
    }
    const plain = differenceOf(sent, made);
    const difference = plain && (await believedDifference(sent));
    found[difference === null ? "equal" : "differing"] += 1;
    if (plain !== null && difference === null && sent.spans?.length) found.own_spans += 1;
    first_differing ??= difference;
  }
  return { ...found, first_differing };

  /** As `differenceOf`, without values outside the spans that the ship sent; rarely needed. */
  async function believedDifference(sent: Hour): Promise<string | null> {
    const { spans = null } = sent;
    return differenceOf(sent, await hourOf(sent.start_ms, spans && spansWith(spans)));
  }

  async function hourOf(start_ms: number, spans: Spans | null): Promise<Bucket> {
    const range = { start_ms, end_ms: start_ms + HOUR_MS - 1 };
    const within = line.filter(
      ({ first_ms, last_ms, is_here }) =>
        is_here && first_ms <= range.end_ms && last_ms >= range.start_ms,
    );
    const bucket = emptyBucket();
    for (const { block, from, to } of runsOf(await reader.sources(within), range))
      if (spans === null) block.fold({ from, to }, bucket);
      else
        for (let index = from; index < to; index += 1)
          addReading(bucket, believed(block.reading(index), spans));
    return bucket;
  }
}

/** A row of office.hours. */
interface HourAshore {
  readonly key: string;
  readonly body: unknown;
}

function nameOf(key: string): string {
  return /^\d{12,13}$/.test(key) ? printTime(Number(key)) : JSON.stringify(key);
}

/** The first value of an hour that differs, as text. */
function differenceOf({ start_ms, values }: Hour, made: Bucket): string | null {
  const here = bucketRow(made);
  const place = values.findIndex(
    (value, position) => !Object.is(value ?? Number.NaN, here[position]),
  );
  if (place < 0) return null;
  const { name } = TAGS[AGGREGATED[place]];
  const [is, made_here] = [values[place], here[place]];
  return `hour ${printTime(start_ms)}: ${name} is ${is}, the readings make ${made_here}`;
}
