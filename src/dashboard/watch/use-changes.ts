// Requests everything that may have changed since a time, and makes the sentences about it. An
// invalid part is reported as a problem; the others are shown.

import { readAlertList } from "../store/alerts.ts";
import type { AnswerProblem, PagePart } from "../store/ask.ts";
import { readOperations } from "../store/operations.ts";
import { useAnswer, useSnapshot } from "../store/use-store.ts";
import {
  readAside,
  readClockChanges,
  readGaps,
  readNewLamps,
  readReadings,
  readScores,
  type Score,
} from "./handover-answers.ts";
import {
  type ReportedChange,
  saidOfAside,
  saidOfClocks,
  saidOfGaps,
  saidOfHealth,
  saidOfIntensity,
  saidOfLamps,
  saidOfOperations,
} from "./said.ts";
import { saidOfAlerts } from "./said-alerts.ts";
import { hiddenBy, readRecorded, saidOfChanges } from "./said-changes.ts";

interface ToldChanges {
  readonly said: readonly ReportedChange[];
  readonly problems: readonly AnswerProblem[];
  /** True until every answer has come: before that, no data doesn't mean no changes. */
  readonly isAsking: boolean;
  /** True if a list may be longer than the maximum asked for. */
  readonly isCut: boolean;
}

/** Maximum number of changes of each kind, the newest first. */
export const TOLD_MAX = 1000;
const LIMIT = `limit=${TOLD_MAX}`;
/** Interval of requesting operations: a running one continues without an event. */
const OPERATIONS_EVERY_MS = 60_000;
const ASIDE_EVERY_MS = 60_000;
const CHANGES_EVERY_MS = 60_000;

export function useChanges(since_ms: number, now_ms: number): ToldChanges {
  const since = `${LIMIT}&startDate=${new Date(since_ms).toISOString()}`;
  const span = { since_ms, now_ms };
  const operations = useAnswer(
    `/api/operations?${since}`,
    readOperations,
    ["event", "operation"],
    OPERATIONS_EVERY_MS,
  );
  // No start is given, because an alert that rose earlier may have ended since.
  const alerts = useAnswer(`/api/alarms?${LIMIT}`, readAlertList, ["alert"]);
  const lamps = useAnswer("/api/lamps", readNewLamps, ["forecast"]);
  const scores = useScores(since_ms);
  const gaps = useAnswer(`/api/gaps?${since}`, readGaps, ["alert"]);
  const aside = useAnswer(`/api/quarantine?${since}`, readAside, [], ASIDE_EVERY_MS);
  const changes = useAnswer(`/api/changes?${since}`, readRecorded, ["note"], CHANGES_EVERY_MS);
  const clocks = useAnswer(`/api/clock?${since}`, readClockChanges, ["alert"]);
  // Health is scored while water is treated, so its times are suitable for comparing the intensity.
  const { scored } = scores;
  const first = useAnswer(slotPath(scored[scored.length - 1]), readReadings);
  const last = useAnswer(slotPath(scored[0]), readReadings);
  const slots = scored.length === 0 ? [] : [first, last];
  const limits = useSnapshot().readiness.known?.value.limits ?? null;
  const lists = [operations, alerts, gaps, clocks, changes];
  const all = [lamps, aside, ...lists, ...scores.parts, ...slots];
  const changed = changes.known?.value ?? [];
  return {
    isCut: lists.some(({ known }) => (known?.value.length ?? 0) >= TOLD_MAX),
    isAsking: all.some(({ known, problem }) => known === null && problem === null),
    problems: all.flatMap(({ problem }) => (problem === null ? [] : [problem])),
    said: [
      ...saidOfOperations(operations.known?.value ?? [], span),
      ...saidOfAlerts(alerts.known?.value ?? [], span),
      ...saidOfLamps(lamps.known?.value ?? [], span),
      ...saidOfHealth(scored),
      ...(scored.length === 0
        ? []
        : saidOfIntensity(first.known?.value ?? [], last.known?.value ?? [], limits)),
      ...saidOfGaps(gaps.known?.value ?? [], hiddenBy(changed), span),
      ...saidOfChanges(changed, span),
      ...saidOfAside(aside.known?.value ?? [], span),
      ...saidOfClocks(clocks.known?.value ?? [], span),
    ],
  };
}

const SLOT_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Limit of scores asked for: the answer's maximum. A day has 96 of ballastd's own. */
const DAY_SCORES = "limit=10000";

/**
 * The last and the first score since `since`, however many there are. The days that have scores
 * show on which day the first is.
 */
function useScores(since_ms: number): {
  readonly scored: readonly Score[];
  readonly parts: readonly PagePart<readonly Score[]>[];
} {
  const since = new Date(since_ms).toISOString();
  const latest = useAnswer(`/api/health?startDate=${since}&limit=1`, readScores, ["health"]);
  const days = useAnswer(`/api/health/aggregated?interval=day&startDate=${since}`, readScores, [
    "health",
  ]);
  const first_ms = days.known?.value[0]?.at_ms ?? 0;
  // Days of an earlier, longer range, which is still shown, may have ended before `since`.
  const day_ms = first_ms + DAY_MS > since_ms ? first_ms : null;
  const end = day_ms === null ? "" : new Date(day_ms + DAY_MS - 1).toISOString();
  const early = useAnswer(
    day_ms === null ? null : `/api/health?startDate=${since}&endDate=${end}&${DAY_SCORES}`,
    readScores,
  );
  if (day_ms === null) return { scored: [], parts: [latest, days] };
  const [last] = latest.known?.value ?? [];
  const first = early.known?.value[early.known.value.length - 1];
  const scored = last === undefined || first === undefined ? [] : [last, first];
  return { scored, parts: [latest, days, early] };
}

/** The path of the believed readings in a score's quarter of an hour. */
function slotPath(score: Score | undefined): string | null {
  if (score === undefined) return null;
  const start_ms = Math.floor(score.at_ms / SLOT_MS) * SLOT_MS;
  const [start, end] = [start_ms, start_ms + SLOT_MS - 1].map((at_ms) =>
    new Date(at_ms).toISOString(),
  );
  const fields = "fields=PROCESS_STATE,SYS_FLOW_RATE,UVR_INTENSITY&believed=true";
  return `/api/telemetry/chunked?startDate=${start}&endDate=${end}&${fields}&${LIMIT}`;
}
