// Payloads of segments whose links the office has: first those requested by the crew and by the
// office, then, if raw data is always sent, all that the office lacks, newest first. A payload that
// has expired aboard is skipped.

import { createHash } from "node:crypto";
import { endOf, parseTime } from "../ground/clock.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { type Hello, REQUESTS_MAX, RUNS_MAX } from "./hello.ts";
import type { Item, ShoreSource, SourceParts } from "./parts.ts";
import { documentStatement, objectStatement, payloadStatement } from "./statement.ts";

type SegmentRun = readonly [first: number, last: number];

/**
 * The source of payloads. `without`: numbers of segments whose links were sent without their
 * payloads since the hello.
 */
export function payloadSource(parts: SourceParts, without: number[]): ShoreSource {
  const { hello, settings, state, objects } = parts;
  const { common, lacking } = hello.chains.segment;
  const sent = new Set<number>();
  const asked = { hasAhead: false, answered: 0 };
  const items = itemsOf(parts, { sent, asked, flying: new Set(), lost: new Set(), without });
  let isDone = false;
  return {
    what: "payloads",
    isUrgent: false,
    // When all payloads missing at the hello were sent, a new hello may show further ones.
    wantsHello() {
      if (!isDone) return false;
      // Links of requested segments were sent in the meantime.
      if (asked.hasAhead && (state.has?.links.segment ?? 0) > common) return true;
      if (asked.answered > 0 && hello.requests.length === REQUESTS_MAX) return true;
      const isCut = lacking.length === RUNS_MAX && sent.size > 0;
      return settings().raw === "always" && isCut;
    },
    async next() {
      if (objects?.hasRoom() === false) return null;
      const { value = null } = await items.next();
      isDone = value === null;
      return value;
    },
  };
}

interface Payloads {
  /** Numbers of the payloads sent since the hello. */
  readonly sent: Set<number>;
  /**
   * `hasAhead`: true if links of requested segments weren't at the office at the hello. `answered`:
   * number of closed requests.
   */
  readonly asked: { hasAhead: boolean; answered: number };
  /** Numbers of objects in transfer, and of those that the store didn't take. */
  readonly flying: Set<number>;
  readonly lost: Set<number>;
  /** Segments whose links went without payload since the hello. */
  readonly without: number[];
}

/** The payloads in their order; null if there is none now. */
async function* itemsOf(parts: SourceParts, payloads: Payloads): AsyncGenerator<Item | null> {
  const { hello, settings, state } = parts;
  if (settings().raw === "never") return;
  for (const range of [...state.wanted]) {
    const found = yield* inRange(parts, range, payloads);
    // Sent doesn't mean arrived: the range is dropped only when a later hello shows nothing
    // missing.
    if (found.sent === 0 && found.ahead === 0) state.wanted.delete(range);
  }
  for (const request of hello.requests) yield* requested(parts, request, payloads);
  if (settings().raw !== "always") return;
  for (const [first, last] of hello.chains.segment.lacking)
    for (let number = last; number >= first; number -= 1) {
      yield* behindLinks(parts, payloads);
      const item = await payloadItem(parts, number, payloads);
      if (item !== null) yield item;
    }
  while (true) {
    yield* behindLinks(parts, payloads);
    yield null;
  }
}

/** Payloads of segments whose links were sent since the hello, the newest first. */
async function* behindLinks(parts: SourceParts, payloads: Payloads): AsyncGenerator<Item> {
  for (let number = payloads.without.pop(); number !== undefined; ) {
    // The office takes no payload after a link that it refused; the next hello shows the others.
    const item = isRefused(parts, number) ? null : await payloadItem(parts, number, payloads);
    if (item !== null) yield item;
    number = payloads.without.pop();
  }
}

const isRefused = ({ blocked, state }: SourceParts, number: number) =>
  blocked.has("segment") && number > (state.has?.links.segment ?? 0);

/** The payloads of a request of the office, and the answer that closes it. */
async function* requested(
  parts: SourceParts,
  { id, wanted }: Hello["requests"][number],
  payloads: Payloads,
): AsyncGenerator<Item | null> {
  const [from, to] = [parseTime(wanted.from), parseTime(wanted.to)];
  const range = { start_ms: from?.at_ms ?? 0, end_ms: to === null ? 0 : endOf(to) };
  const { sent, ahead } = yield* inRange(parts, range, payloads);
  // An object is transferred separately, so the answer could arrive before it.
  while (payloads.flying.size > 0) yield null;
  // The request stays open, and the next hello brings it again.
  if (ahead > 0 || payloads.lost.size > 0) return;
  payloads.asked.answered += 1;
  parts.state.revision = Math.max(parts.state.revision + 1, parts.now_ms());
  const document = { key: `${id}`, body: { sent }, revision: parts.state.revision };
  yield {
    statement: documentStatement("answer", document),
    ...{ what: `answer ${id}`, chain: null, number: 0 },
    onAcknowledged() {},
  };
}

/** The payloads of a range that the office lacks. */
async function* inRange(
  parts: SourceParts,
  range: ClosedRange,
  payloads: Payloads,
): AsyncGenerator<Item, { readonly sent: number; readonly ahead: number }> {
  const { hello, readers } = parts;
  const { common, lacking } = hello.chains.segment;
  const numbers = await readers.call("shore_segments", range);
  let count = 0;
  for (const number of numbers.filter((one) => one <= common && isLacking(lacking, one))) {
    const item = await payloadItem(parts, number, payloads);
    if (item === null) continue;
    count += 1;
    yield item;
  }
  const ahead = numbers.filter((number) => number > common).length;
  payloads.asked.hasAhead ||= ahead > 0;
  return { sent: count, ahead };
}

/** A payload as an item; null if it was sent before, has expired, or was refused. */
async function payloadItem(
  { readers, state, spoilt, objects }: SourceParts,
  number: number,
  { sent, flying, lost }: Payloads,
): Promise<Item | null> {
  if (sent.has(number) || spoilt.has(number)) return null;
  const stored = await readers.call("shore_payload", number);
  if (stored === null || stored.payload === null) return null;
  sent.add(number);
  const { hash, payload } = stored;
  const item = {
    ...{ what: `payload ${number}`, chain: null, number },
    onAcknowledged() {
      flying.delete(number);
      if (state.has === null) return;
      state.has = { ...state.has, lacking: without(state.has.lacking, number) };
    },
  };
  if (objects === null) return { ...item, statement: payloadStatement(number, { hash, payload }) };
  flying.add(number);
  return {
    ...{ ...item, statement: objectStatement(number, hash) },
    upload: { name: createHash("sha256").update(payload).digest("hex"), bytes: payload },
    onAway() {
      flying.delete(number);
      lost.add(number);
    },
  };
}

function isLacking(runs: readonly SegmentRun[], number: number): boolean {
  const lowest = runs.at(-1)?.[0] ?? 0;
  if (runs.length === RUNS_MAX && number < lowest) return true;
  return runs.some(([first, last]) => number >= first && number <= last);
}

/** `runs`, newest first, extended by a number above them. */
export function withNewest(runs: readonly SegmentRun[], number: number): readonly SegmentRun[] {
  const [newest, ...older] = runs;
  if (newest === undefined || newest[1] !== number - 1) return [[number, number], ...runs];
  return [[newest[0], number], ...older];
}

function without(runs: readonly SegmentRun[], number: number): readonly SegmentRun[] {
  return runs.flatMap((run): readonly SegmentRun[] => {
    const [first, last] = run;
    if (number < first || number > last) return [run];
    const parts: readonly SegmentRun[] = [
      [number + 1, last],
      [first, number - 1],
    ];
    return parts.filter(([low, high]) => low <= high);
  });
}
