// Payloads of segments whose links are ashore: first those that were asked for, by the crew and by
// the office, then, if raw data always goes, all that the shore lacks, newest first. One that has
// expired aboard is passed over.

import { endOf, parseTime } from "../ground/clock.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { type Hello, REQUESTS_MAX, RUNS_MAX } from "./hello.ts";
import type { Item, ShoreSource, SourceParts } from "./sources.ts";
import { documentStatement, payloadStatement } from "./statement.ts";

type SegmentRun = readonly [first: number, last: number];

/** `isWithout` tells if links went without their payloads since the hello. */
export function payloadSource(parts: SourceParts, isWithout: () => boolean): ShoreSource {
  const { hello, settings, state } = parts;
  const { common, lacking } = hello.chains.segment;
  const sent = new Set<number>();
  const asked = { hasAhead: false, answered: 0 };
  const items = itemsOf(parts, { sent, asked });
  let isDone = false;
  return {
    what: "payloads",
    isUrgent: false,
    // The shore tells what is left when all is done that it told of.
    wantsHello() {
      if (!isDone) return false;
      // Links that were asked for went meanwhile.
      if (asked.hasAhead && (state.has?.links.segment ?? 0) > common) return true;
      if (asked.answered > 0 && hello.requests.length === REQUESTS_MAX) return true;
      const isCut = lacking.length === RUNS_MAX && sent.size > 0;
      return settings().raw === "always" && (isCut || isWithout());
    },
    async next() {
      const { value, done } = await items.next();
      isDone = done === true;
      return value ?? null;
    },
  };
}

interface Payloads {
  /** Numbers since the hello. */
  readonly sent: Set<number>;
  /** True if links that were asked for weren't ashore at the hello; requests that are closed. */
  readonly asked: { hasAhead: boolean; answered: number };
}

async function* itemsOf(parts: SourceParts, payloads: Payloads): AsyncGenerator<Item, null> {
  const { hello, settings, state } = parts;
  if (settings().raw === "never") return null;
  for (const range of [...state.wanted]) {
    const found = yield* inRange(parts, range, payloads);
    // Sent isn't arrived: the next hello tells.
    if (found.sent === 0 && found.ahead === 0) state.wanted.delete(range);
  }
  for (const request of hello.requests) yield* requested(parts, request, payloads);
  if (settings().raw !== "always") return null;
  for (const [first, last] of hello.chains.segment.lacking)
    for (let number = last; number >= first; number -= 1) {
      const item = await payloadItem(parts, number, payloads.sent);
      if (item !== null) yield item;
    }
  return null;
}

/** The payloads of a request of the office, and the answer that closes it. */
async function* requested(
  parts: SourceParts,
  { id, wanted }: Hello["requests"][number],
  payloads: Payloads,
): AsyncGenerator<Item> {
  const [from, to] = [parseTime(wanted.from), parseTime(wanted.to)];
  const range = { start_ms: from?.at_ms ?? 0, end_ms: to === null ? 0 : endOf(to) };
  const { sent, ahead } = yield* inRange(parts, range, payloads);
  // The next hello brings the request again.
  if (ahead > 0) return;
  payloads.asked.answered += 1;
  parts.state.revision = Math.max(parts.state.revision + 1, parts.now_ms());
  const document = { key: `${id}`, body: { sent }, revision: parts.state.revision };
  yield {
    statement: documentStatement("answer", document),
    ...{ what: `answer ${id}`, chain: null, number: 0 },
    onAcknowledged() {},
  };
}

/** The payloads of a range that the shore lacks. */
async function* inRange(
  parts: SourceParts,
  range: ClosedRange,
  { sent, asked }: Payloads,
): AsyncGenerator<Item, { readonly sent: number; readonly ahead: number }> {
  const { hello, readers } = parts;
  const { common, lacking } = hello.chains.segment;
  const numbers = await readers.call("shore_segments", range);
  let count = 0;
  for (const number of numbers.filter((one) => one <= common && isLacking(lacking, one))) {
    const item = await payloadItem(parts, number, sent);
    if (item === null) continue;
    count += 1;
    yield item;
  }
  const ahead = numbers.filter((number) => number > common).length;
  asked.hasAhead ||= ahead > 0;
  return { sent: count, ahead };
}

/** Null if it was sent before, has expired, or was refused. */
async function payloadItem(
  { readers, state, spoilt }: SourceParts,
  number: number,
  sent: Set<number>,
): Promise<Item | null> {
  if (sent.has(number) || spoilt.has(number)) return null;
  const stored = await readers.call("shore_payload", number);
  if (stored === null || stored.payload === null) return null;
  sent.add(number);
  const { hash, payload } = stored;
  return {
    statement: payloadStatement(number, { hash, payload }),
    ...{ what: `payload ${number}`, chain: null, number },
    onAcknowledged() {
      if (state.has === null) return;
      state.has = { ...state.has, lacking: without(state.has.lacking, number) };
    },
  };
}

function isLacking(runs: readonly SegmentRun[], number: number): boolean {
  const lowest = runs.at(-1)?.[0] ?? 0;
  if (runs.length === RUNS_MAX && number < lowest) return true;
  return runs.some(([first, last]) => number >= first && number <= last);
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
