// Asks for all that may have changed since a time, and makes the sentences of it. A part that isn't
// understood is told as a problem, and the others stand.

import { readAlertList } from "../store/alerts.ts";
import { readEvents } from "../store/answers.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { useAnswer } from "../store/use-store.ts";
import {
  readClockChanges,
  readGaps,
  readNewLamps,
  readScores,
  readStanding,
  type Score,
} from "./handover-answers.ts";
import {
  saidOfAlerts,
  saidOfClocks,
  saidOfEvents,
  saidOfGaps,
  saidOfHealth,
  saidOfIntensity,
  saidOfLamps,
  type ToldChange,
} from "./said.ts";

interface ToldChanges {
  readonly said: readonly ToldChange[];
  readonly problems: readonly AnswerProblem[];
  /** True until every answer is there: nothing can be said of what is missing. */
  readonly isAsking: boolean;
}

const LIMIT = "limit=1000";

export function useChanges(since_ms: number, now_ms: number): ToldChanges {
  const since = `${LIMIT}&startDate=${new Date(since_ms).toISOString()}`;
  const span = { since_ms, now_ms };
  const starts = useAnswer(`/api/events?${since}&type=PROCESS_START`, readEvents, ["event"]);
  const stops = useAnswer(`/api/events?${since}&type=PROCESS_STOP`, readEvents, ["event"]);
  // Without a start: one that rose before may have ended since.
  const alerts = useAnswer(`/api/alarms?${LIMIT}`, readAlertList, ["alert"]);
  const lamps = useAnswer("/api/lamps", readNewLamps, ["forecast"]);
  const scores = useAnswer(`/api/health?${since}`, readScores, ["health"]);
  const gaps = useAnswer(`/api/gaps?${since}`, readGaps, ["alert"]);
  const clocks = useAnswer(`/api/clock?${since}`, readClockChanges, ["alert"]);
  // Health is scored while water is treated, so its times are those to compare the light at.
  const scored = scores.known?.value ?? [];
  const first = useAnswer(momentPath(scored[scored.length - 1]), readStanding);
  const last = useAnswer(momentPath(scored[0]), readStanding);
  const moments = scored.length === 0 ? [] : [first, last];
  const all = [starts, stops, alerts, lamps, scores, gaps, clocks, ...moments];
  return {
    isAsking: all.some(({ known, problem }) => known === null && problem === null),
    problems: all.flatMap(({ problem }) => (problem === null ? [] : [problem])),
    said: [
      ...saidOfEvents([...(starts.known?.value ?? []), ...(stops.known?.value ?? [])], span),
      ...saidOfAlerts(alerts.known?.value ?? [], span),
      ...saidOfLamps(lamps.known?.value ?? [], span),
      ...saidOfHealth(scored),
      ...(scored.length === 0
        ? []
        : saidOfIntensity(first.known?.value ?? null, last.known?.value ?? null)),
      ...saidOfGaps(gaps.known?.value ?? [], span),
      ...saidOfClocks(clocks.known?.value ?? [], span),
    ],
  };
}

/** The last minute of a scored quarter of an hour. */
const INTO_SLOT_MS = 14 * 60_000;

function momentPath(score: Score | undefined): string | null {
  if (score === undefined) return null;
  return `/api/overview?at=${new Date(score.at_ms + INTO_SLOT_MS).toISOString()}`;
}
