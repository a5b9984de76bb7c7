// The routes of the first page: the plant at a moment, and the evidence of one of its numbers. The
// main thread's facts of the present go to the reader with the query.

import { EvidenceAnswer } from "../../bwts/present/evidence.ts";
import { OverviewAnswer } from "../../bwts/present/overview.ts";
import { printTime } from "../../ground/clock.ts";
import { dateParameter } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, type HttpContext, route } from "../route.ts";

/**
 * Maximum time ahead of ballastd's clock that still counts as now: a client's clock may be fast.
 */
const AHEAD_MAX_MS = 60_000;

/** The rows of the overview in the route table. */
export const OVERVIEW_ROUTES = [
  route({
    path: "/api/overview",
    operation: "getOverview",
    summary: "All that the first page shows, now or at a moment of the past",
    query: {
      at: dateParameter(
        "the moment, ISO 8601, from what was there up to it; without it: now; ahead of " +
          "ballastd's clock by more than a minute it is refused",
      ).optional(),
    },
    answer: OverviewAnswer,
    errors: [503],
    handle: ({ query }, context) =>
      ask(context, {
        name: "overview",
        ...(query.at === undefined ? presentOf(context) : pastOf(context, query.at.at_ms)),
      }),
  }),
  route({
    path: "/api/evidence",
    operation: "getEvidence",
    summary: "The stored readings of an instant, their times, and their places in the chain",
    query: {
      timestamp: dateParameter("time of the reading, as another answer tells it").meta({
        examples: ["2026-05-01T06:30:00Z"],
      }),
    },
    answer: EvidenceAnswer,
    errors: [404, 503],
    handle({ query }, context) {
      const { at_ms } = query.timestamp;
      return ask(
        context,
        { name: "evidence", at_ms },
        `timestamp: no reading of ${printTime(at_ms)} is stored, expected the time of one, ` +
          "to the millisecond; readings that have expired have no evidence left",
      );
    },
  }),
];

function presentOf(context: HttpContext) {
  const told = context.readiness();
  const { ready, simulated, last_received_seconds_ago, damage, quarantining } = told;
  const { mqtt, plc_clock } = told;
  const { now, trusted, reading_offset_seconds } = context.clock();
  return {
    ...{ at_ms: null, now_ms: Date.parse(now), simulated },
    // Taken before the answer is made: later events may be in the answer too, but none is lost.
    last_event_id: context.stream.last_id(),
    received_seconds_ago: last_received_seconds_ago,
    plant_clock_offset_seconds: reading_offset_seconds,
    ...{ is_clock_trusted: trusted, is_ready: ready, is_damaged: damage.found > 0 },
    is_quarantining: quarantining?.all === true,
    is_cut: !mqtt.connected || mqtt.clients === 0,
    has_two_clocks: plc_clock?.two_clocks === true,
  };
}

/** Throws a refusal for a moment in the future. */
export function refuseAhead(at_ms: number, now_ms: number): void {
  if (at_ms > now_ms + AHEAD_MAX_MS)
    throw new Refusal(
      400,
      `at: ${printTime(at_ms)} is ahead of ballastd's clock, expected a time up to now`,
    );
}

/**
 * The facts for a moment of the past, at which the states of the link, the plant's clock and
 * ballastd itself aren't known.
 */
function pastOf(context: HttpContext, at_ms: number) {
  const { simulated, now_ms } = presentOf(context);
  refuseAhead(at_ms, now_ms);
  const unknown = { received_seconds_ago: null, plant_clock_offset_seconds: null };
  const own = { is_clock_trusted: true, is_ready: true, is_damaged: false };
  return {
    ...unknown,
    ...own,
    ...{ is_quarantining: false, is_cut: false, has_two_clocks: false },
    last_event_id: null,
    at_ms,
    now_ms,
    simulated,
  };
}
