// An officer's record book as lines of CSV, and faults sown into it: for each, where it has to be
// found. The right book follows from operations without the code that is tested.

import type { Operation } from "../../src/bwts/operations/operation.ts";
import type { Random } from "./random.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Written {
  code: string;
  start_ms: number | null;
  end_ms: number | null;
  location: string;
  volume: string;
  tanks: string;
  /** In place of the start, as it is written. */
  start_text?: string;
  /** The operation that it is of, for the test. */
  operation_id: number;
}

/** The entries of a diligent officer: to the minute, in whole cubic metres, off by a little. */
export function rightBook(operations: readonly Operation[], random: Random): Written[] {
  return operations.flatMap((operation) => {
    const { id, operation_type, location, alerts } = operation;
    const letter = operation_type === "BALLAST" ? "A" : "B";
    const water = operation.parts.map((part) => ({
      code: part.part === "bypassed" ? "E" : letter,
      start_ms: minute(Date.parse(part.start) + random.between(-4, 4) * MINUTE_MS),
      end_ms: minute(Date.parse(part.end) + random.between(-4, 4) * MINUTE_MS),
      location: location ?? "",
      volume: String(Math.round((part.volume_m3 ?? 0) * (1 + random.between(-30, 30) / 1000))),
      tanks: "WBT 1P 1S",
      operation_id: id,
    }));
    for (const [index, part] of water.entries())
      if (index > 0) part.start_ms = Math.max(part.start_ms, water[index - 1].end_ms);
    const failures = alerts.map(({ raised }) => ({
      ...{ code: "F", start_ms: minute(Date.parse(raised)), end_ms: null, volume: "" },
      ...{ location: location ?? "", tanks: "", operation_id: id },
    }));
    return [...water, ...failures];
  });
}

const minute = (at_ms: number) => Math.round(at_ms / MINUTE_MS) * MINUTE_MS;

const HEADER = "Code,Start (UTC),Completion (UTC),Place,Volume m3,Tanks\r\n";

/** The first entry is on line 2. */
export function bookCsv(book: readonly Written[]): string {
  const time = (at_ms: number | null) =>
    at_ms === null ? "" : new Date(at_ms).toISOString().slice(0, 16).replace("T", " ");
  const lines = book.map((one) =>
    [
      ...[one.code, one.start_text ?? time(one.start_ms), time(one.end_ms)],
      ...[one.location, one.volume, one.tanks],
    ].join(","),
  );
  return `${HEADER}${lines.map((line) => `${line}\r\n`).join("")}`;
}

/** A fault that was sown: its kind, and the entry it is in; null where the entry was taken out. */
export interface Sown {
  readonly kind: string;
  readonly entry: Written | null;
  readonly operation_id: number;
}

type Sow = (entry: Written, random: Random) => void;

const OTHER_DAY = 40 * DAY_MS;

/** Faults of an uptake or a discharge, by what finds them. */
const CHANGES: Readonly<Record<string, Sow>> = {
  start: (one, random) => {
    one.start_ms = (one.start_ms ?? 0) - random.between(16, 170) * MINUTE_MS;
  },
  end: (one, random) => {
    one.end_ms = (one.end_ms ?? 0) + random.between(16, 170) * MINUTE_MS;
  },
  volume: (one, random) => {
    one.volume = String(Math.round(Number(one.volume) * random.pick([0.5, 0.88, 1.12, 2, 10])));
  },
  place: (one) => {
    one.location = "Valparaiso";
  },
  code: (one) => {
    one.code = one.code === "A" ? "B" : "A";
  },
  other_day: (one) => {
    one.start_ms = (one.start_ms ?? 0) + OTHER_DAY;
    one.end_ms = (one.end_ms ?? 0) + OTHER_DAY;
  },
  old_item: (one) => {
    one.code = one.code === "A" ? "3.1" : "3.3";
  },
  missing_end: (one) => {
    one.end_ms = null;
  },
  missing_volume: (one) => {
    one.volume = "";
  },
  end_before_start: (one) => {
    [one.start_ms, one.end_ms] = [one.end_ms, one.start_ms];
  },
  no_such_date: (one) => {
    const year = new Date(one.start_ms ?? 0).getUTCFullYear();
    one.start_text = `${year}-02-30 08:00`;
  },
};

export const SOWN_KINDS = [
  ...Object.keys(CHANGES),
  ...["taken_out", "added", "wrong_order", "overlap", "no_failure_entry"],
];

/** Sows `count` faults, each into an operation of its own. */
export function sowFaults(
  right: readonly Written[],
  count: number,
  random: Random,
): { readonly book: readonly Written[]; readonly sown: readonly Sown[] } {
  const book: (Written | null)[] = [...right];
  const malfunctions = right.filter(({ code }) => code === "E" || code === "F");
  const touched = new Set(malfunctions.map(({ operation_id }) => operation_id));
  const plain = random.shuffled(
    right.flatMap((one, index) =>
      touched.has(one.operation_id) || index === 0 || index === right.length - 1 ? [] : [index],
    ),
  );
  const sown: Sown[] = [];
  const added: { readonly after: Written; readonly entry: Written }[] = [];
  // Without the book's last operation: what lies after the last entry isn't looked for.
  const last = right.at(-1)?.operation_id;
  const lost = random.shuffled(malfunctions.filter(({ operation_id }) => operation_id !== last));
  const used = new Set<number>();
  let next = 0;
  while (sown.length < count) {
    const kind = SOWN_KINDS[sown.length % SOWN_KINDS.length];
    if (kind === "no_failure_entry") {
      const entry = lost[Math.floor(sown.length / SOWN_KINDS.length)];
      book[right.indexOf(entry)] = null;
      sown.push({ kind, entry: null, operation_id: entry.operation_id });
      continue;
    }
    const index = plain[next];
    next += 1;
    // A neighbour of a fault stays right, so that each can be told from the others.
    if ([index - 1, index, index + 1].some((one) => used.has(one))) continue;
    used.add(index);
    const { operation_id } = right[index];
    const entry = { ...right[index] };
    book[index] = kind === "taken_out" ? null : entry;
    if (Object.hasOwn(CHANGES, kind)) CHANGES[kind](entry, random);
    if (kind === "added") {
      const end_ms = entry.end_ms ?? 0;
      const more = { ...entry, start_ms: end_ms + 2 * HOUR_MS, end_ms: end_ms + 5 * HOUR_MS };
      added.push({ after: entry, entry: { ...more, location: "Nowhere", operation_id: 0 } });
      sown.push({ kind, entry: added[added.length - 1].entry, operation_id: 0 });
      continue;
    }
    if (kind === "overlap") {
      const middle_ms = minute(((entry.start_ms ?? 0) + (entry.end_ms ?? 0)) / 2);
      const more = { ...entry, start_ms: middle_ms, operation_id: 0 };
      added.push({ after: entry, entry: more });
      sown.push({ kind, entry: more, operation_id: 0 });
      continue;
    }
    if (kind === "wrong_order") {
      [book[index], book[index + 1]] = [book[index + 1], entry];
      used.add(index + 1).add(index + 2);
    }
    sown.push({ kind, entry: kind === "taken_out" ? null : entry, operation_id });
  }
  const kept = book.filter((one) => one !== null);
  const whole = kept.flatMap((one) => [
    one,
    ...added.filter(({ after }) => after === one).map(({ entry }) => entry),
  ]);
  return { book: whole, sown };
}
