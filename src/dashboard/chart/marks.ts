// The marks on the curves: operations and cleanings from events, alerts, replaced lamps, and notes.
// Each kind comes from its own answer; a faulty answer costs only its own marks.

import { useMemo } from "preact/hooks";
import { partsWords } from "../lang/words.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { instant, isLike, listOf, type Read, textOrNull } from "../store/checks.ts";
import { readEvents, type ShownEvent } from "../store/events.ts";
import { notesPath, readNotes, type ShownNote } from "../store/notes.ts";
import { useAnswer, useNewestTime } from "../store/use-store.ts";
import type { ChartMark } from "./curve.ts";
import { askedStretch, levelOf, type Stretch, written } from "./level.ts";

/** Maximum time before the stretch at which an operation marked in it may have begun. */
const BEFORE_MS = 7 * 86_400_000;

export interface Marks {
  /** Ascending by time. */
  readonly marks: readonly ChartMark[];
  readonly problems: readonly AnswerProblem[];
}

export function useMarks(stretch: Stretch): Marks {
  const newest_ms = useNewestTime();
  const { from_ms, to_ms } = askedStretch(stretch, levelOf(stretch, false));
  const until = `endDate=${written(to_ms)}&limit=5000`;
  const events = `/api/events?startDate=${written(Math.max(0, from_ms - BEFORE_MS))}&${until}`;
  const starts = useAnswer(`${events}&type=PROCESS_START`, readEvents, ["event"]);
  const stops = useAnswer(`${events}&type=PROCESS_STOP`, readEvents, ["event"]);
  const range = `startDate=${written(from_ms)}&${until}`;
  const alerts = useAnswer(`/api/alarms?${range}`, readAlertMarks, ["alert"]);
  const lamps = useAnswer("/api/lamps", readReplacements, ["forecast"]);
  const notes = useAnswer(notesPath(from_ms, to_ms), readNotes, ["note"]);
  const marks = useMemo(() => {
    const known = [starts, stops].flatMap((part) => part.known?.value ?? []);
    const all = [
      ...operationsOf(known, Math.min(to_ms, newest_ms ?? to_ms)),
      ...(alerts.known?.value ?? []),
      ...(notes.known?.value ?? []).map(noteMark),
      ...(lamps.known?.value ?? []).map(({ lamp, at_ms }) => replacement(lamp, at_ms)),
    ];
    return all.sort((one, other) => one.at_ms - other.at_ms);
  }, [starts.known, stops.known, alerts.known, lamps.known, notes.known, to_ms, newest_ms]);
  // Starts and stops come from one path, so one line about a problem is enough for both.
  const parts = [starts.problem === null ? stops : starts, alerts, lamps, notes];
  const problems = parts.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return { marks, problems };
}

/**
 * Marks of operations: each from its start to the next event of any operation, or to the end of the
 * stretch asked for.
 */
function operationsOf(events: readonly ShownEvent[], until_ms: number): readonly ChartMark[] {
  const ordered = [...events].sort((one, other) => one.at_ms - other.at_ms);
  return ordered.flatMap((event, index): readonly ChartMark[] => {
    if (event.event_type !== "PROCESS_START") return [];
    const isCleaning = event.operation_type === "CIP";
    const end_ms = ordered[index + 1]?.at_ms ?? Math.max(event.at_ms, until_ms);
    const kind = isCleaning ? "cleaning" : "operation";
    return [{ kind, at_ms: event.at_ms, end_ms, text: event.description }];
  });
}

const readAlertMarks: Read<readonly ChartMark[]> = (body) =>
  listOf(body, (given) => {
    if (!isLike<Record<"since" | "cleared_at" | "description", string>>(given)) return null;
    const at_ms = instant(given.since);
    const text = textOrNull(given.description);
    if (at_ms === null || text === null) return null;
    return { kind: "alert", at_ms, end_ms: instant(given.cleared_at), text };
  });

const noteMark = ({ from_ms, to_ms, text }: ShownNote): ChartMark => ({
  ...{ kind: "note", at_ms: from_ms, end_ms: to_ms, text },
});

interface Replacement {
  readonly lamp: number;
  readonly at_ms: number;
}

function replacement(lamp: number, at_ms: number): ChartMark {
  return { kind: "replacement", at_ms, end_ms: null, text: partsWords("lamp", { lamp }) };
}

const readReplacements: Read<readonly Replacement[]> = (body) => {
  if (!isLike<{ lamps: unknown }>(body)) return null;
  const lists = listOf(body.lamps, replacementsOf);
  return lists === null ? null : { value: lists.value.flat() };
};

/** Replacements: the begin of each life but the first one known. */
function replacementsOf(given: unknown): readonly Replacement[] | null {
  if (!isLike<Record<"lamp" | "present" | "past", unknown>>(given)) return null;
  const { lamp, present, past } = given;
  if (typeof lamp !== "number" || !Array.isArray(past)) return null;
  const lives = [present, ...past].filter((life) => life !== null);
  const found = lives.map((life) => {
    if (!isLike<Record<"began" | "began_by", string>>(life)) return null;
    const at_ms = instant(life.began);
    return at_ms === null ? null : { lamp, at_ms, isFirst: life.began_by === "first_seen" };
  });
  const known = found.filter((one) => one !== null);
  return known.length === found.length ? known.filter(({ isFirst }) => !isFirst) : null;
}
