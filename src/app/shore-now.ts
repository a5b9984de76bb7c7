// The link to the office as shown to people: the session's state, the backlog as counted by a
// reader, and facts stored by earlier runs. Pages, metrics, a job and a command ask for it, so it
// is kept for some seconds.

import type { ShoreAnswer } from "../bwts/documents/shore-answer.ts";
import { printTime, SECOND_MS } from "../ground/clock.ts";
import { withoutPlaces } from "../ground/redaction.ts";
import { sharing } from "../http/turns.ts";
import type { ShoreService } from "../shore/shore.ts";
import { sendingMinutes } from "../shore/state.ts";
import { ANY_ANSWER } from "../sqlite/exchange/shore-noted.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import type { OpenedParts } from "./parts.ts";

/** Maximum age of the kept answer: counting the backlog of a year takes a reader some 50 ms. */
const KEPT_MS = 2 * SECOND_MS;

/** Resolves with null while the database is being opened. */
export type ShoreNow = () => Promise<ShoreAnswer | null>;

export function openShoreNow(parts: Pick<OpenedParts, "shore" | "readers" | "clock">): ShoreNow {
  let kept: { readonly answer: ShoreAnswer; readonly at_ms: number } | null = null;
  const now = sharing(
    async (_all: null) => {
      const { shore, readers } = parts;
      if (shore === null || readers === null) return null;
      const answer = await answerOf(shore, readers, parts.clock.now_ms());
      kept = { answer, at_ms: performance.now() };
      return answer;
    },
    () => "all",
  );
  return async () => {
    const isFresh = kept !== null && performance.now() - kept.at_ms < KEPT_MS;
    return isFresh ? (kept?.answer ?? null) : now(null);
  };
}

async function answerOf(
  { state, settings, instance, budget }: ShoreService,
  readers: ReaderThreads,
  now_ms: number,
): Promise<ShoreAnswer> {
  const { raw, max_kbit, objects } = settings();
  const noted = await readers.call("shore_noted", now_ms);
  const number = (chain: string) =>
    noted.acknowledged.find((row) => row.chain === chain)?.number ?? 0;
  const links = { segment: number("segment"), event: number("event"), audit: number("audit") };
  const has = state.has ?? { links, lacking: [], hours: 0, ledger: null };
  const backlog =
    state.phase === "off" ? null : await readers.call("shore_backlog", has, raw === "always");
  const last_ms =
    state.answered?.at_ms ??
    noted.acknowledged.find(({ chain }) => chain === ANY_ANSWER)?.at_ms ??
    null;
  return {
    state: state.phase,
    // Without paths of files, which only the log names.
    problem: state.problem && withoutPlaces(state.problem),
    ...{ server: state.server, instance: instance(), raw },
    last_answer: last_ms === null ? null : printTime(last_ms),
    backlog: backlog && {
      ...{ links: backlog.links, payloads: backlog.payloads },
      ...{ hours: backlog.hours, bytes: backlog.bytes },
      oldest: backlog.oldest_ms === null ? null : printTime(backlog.oldest_ms),
      minutes_left: sendingMinutes(state, backlog.bytes, max_kbit),
    },
    round_trip_ms: state.round_trip_ms && Math.round(state.round_trip_ms),
    bytes_per_second: state.bandwidth_bytes_s && Math.round(state.bandwidth_bytes_s),
    clock_offset_seconds: state.clock_offset_ms && rounded(state.clock_offset_ms / SECOND_MS),
    budget_used_up: budget().isUsedUp,
    ...{ today: noted.day, month: noted.month },
    objects:
      objects === ""
        ? null
        : {
            server: new URL(objects).host,
            problem: withoutPlaces(state.objects?.problem ?? "") || null,
          },
    needs_schema: state.has !== null && state.has.ledger === null,
    refused: [...state.refusals.values()],
    // Left out once this box is ahead; links acknowledged since the hello count too.
    parted: state.parted.filter(({ chain, head }) => has.links[chain] < head),
    others: state.others.map(({ last_seen_ms, ...other }) => ({
      ...other,
      last_seen: printTime(last_seen_ms),
    })),
  };
}

const rounded = (value: number) => Math.round(value * 10) / 10;
