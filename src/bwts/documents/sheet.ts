// Makes the inspection sheet from its facts: counts over twelve months, exceptions, the newest
// operations, a traced example, the officer's questions. Pure; the facts come from the database and
// the configuration. Cleanings and withdrawn operations aren't counted.

import { printTime } from "../../ground/clock.ts";
import type { LimitsFrom } from "../operations/judging.ts";
import type { Operation } from "../operations/operation.ts";
import { isCleaning, LIMIT_WORDS } from "../operations/operation-words.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import { withShipTime } from "../ship-time.ts";
import type { InspectedShip, Inspection } from "./inspection.ts";
import { isRelaxed, relaxedLimits } from "./relaxed-limits.ts";
import { exceptionLine, isException, isJudged, operationLine } from "./sheet-lines.ts";
import { answeredQuestions } from "./sheet-questions.ts";
import { replacedException, trustSentences, upkeepSentence } from "./sheet-sentences.ts";
import { summaryOf } from "./sheet-summary.ts";
import { tracedExample } from "./sheet-trace.ts";

/** The configuration's part of the sheet. */
export interface SheetSource {
  /** Time of the program's build; an earlier clock of the box isn't trusted. */
  readonly built_ms: number;
  readonly ship: InspectedShip;
  readonly utc_offset: string;
  readonly version: string;
  readonly simulated: boolean;
}

type StoredTrust = Omit<Inspection["trust"], "gap_seconds" | "operation_seconds" | "sentences">;

export interface InspectionFacts {
  readonly now_ms: number;
  readonly source: SheetSource;
  readonly limits: ShownLimits;
  /** Operations of the period, newest first. */
  readonly operations: readonly Operation[];
  /** Number of further operations of the period whose rows are damaged. */
  readonly unreadable: number;
  readonly oldest_reading_ms: number | null;
  readonly system: Inspection["system"];
  readonly hours_since_cip: number | null;
  readonly lamps_failed: number[] | null;
  readonly lamps_unknown: number[] | null;
  readonly trust: StoredTrust;
  /** The limits in force from each time on, ascending. */
  readonly limit_history: readonly LimitsFrom[];
}

export const PERIOD_MONTHS = 12;
/** Maximum number of operations and exceptions, for which one page has room. */
const OPERATIONS_MAX = 10;
const EXCEPTIONS_MAX = 5;

const NOTICE =
  "Advisory: the treatment system's own alarms and its type approval certificate govern. " +
  "This is not a ballast water record book. It doesn't tell if water met a discharge standard.";

/** Start and end of the twelve months before `now_ms`. */
export function inspectedPeriod(now_ms: number) {
  const start = new Date(now_ms);
  start.setUTCMonth(start.getUTCMonth() - PERIOD_MONTHS);
  return { start_ms: start.getTime(), end_ms: now_ms };
}

export function inspectionSheet(facts: InspectionFacts): Inspection {
  const { now_ms, source, limits, system } = facts;
  const { ship, version, simulated } = source;
  const { start_ms } = inspectedPeriod(now_ms);
  const data_from_ms = facts.oldest_reading_ms;
  const period = {
    ...{ start: printTime(start_ms), end: printTime(now_ms) },
    data_from: data_from_ms === null ? null : printTime(Math.max(start_ms, data_from_ms)),
  };
  const standing = facts.operations.filter(({ remarks }) => !remarks.includes("withdrawn"));
  const treating = standing.filter((one) => !isCleaning(one));
  const relaxedIn = (operation: Operation) => relaxedLimits(operation, facts.limit_history);
  const exceptions = treating.filter((one) => isException(one) || isRelaxed(one, relaxedIn(one)));
  const counts = { ...countsOf(standing, treating), unreadable: facts.unreadable };
  const made = printTime(now_ms);
  const { hours_since_cip, lamps_failed, lamps_unknown } = facts;
  const lamps = { lamps_failed, lamps_unknown };
  const upkeep = { hours_since_cip, cip_hours: limits.cip_hours, ...lamps, calibrated: null };
  const trust = {
    ...facts.trust,
    gap_seconds: sum(treating, ({ gaps }) => sum(gaps, ({ seconds }) => seconds)),
    operation_seconds: sum(treating, secondsOf),
  };
  return {
    made,
    ship_time: shipTime(made, source.utc_offset),
    ...{ version, simulated, ship },
    limits: shownLimits(limits),
    limits_source: limits.source === "" ? null : limits.source,
    ...{ period, counts, system },
    summary: summaryOf({ counts, period, system }),
    exceptions: exceptions
      .slice(0, EXCEPTIONS_MAX)
      .map((one) => exceptionLine(one, relaxedIn(one))),
    data_exceptions: [
      ...(period.data_from === null ? ["No readings: exceptions can't be known."] : []),
      ...facts.trust.replaced.map(replacedException),
    ],
    exceptions_left_out: Math.max(0, exceptions.length - EXCEPTIONS_MAX),
    operations: treating.slice(0, OPERATIONS_MAX).map(operationLine),
    trace: tracedExample(treating),
    questions: answeredQuestions({ counts, ship, system }),
    upkeep: { ...upkeep, sentence: upkeepSentence(upkeep) },
    trust: { ...trust, sentences: trustSentences(trust) },
    notice: NOTICE,
  };
}

function shipTime(made: string, utc_offset: string): string | null {
  const both = withShipTime(made, utc_offset);
  return both === made ? null : both.slice(made.length + 2, -1);
}

function shownLimits({ uv_imo, uv_uscg, flow_max_imo, flow_max_uscg }: ShownLimits) {
  const shown = [
    { key: "limits.uv_imo", value: uv_imo, unit: "W/m2" },
    { key: "limits.uv_uscg", value: uv_uscg, unit: "W/m2" },
    { key: "limits.flow_max_imo", value: flow_max_imo, unit: "m3/h" },
    { key: "limits.flow_max_uscg", value: flow_max_uscg, unit: "m3/h" },
  ];
  return shown.map((one) => ({ ...one, about: LIMIT_WORDS[one.key] ?? one.key }));
}

function countsOf(
  standing: readonly Operation[],
  treating: readonly Operation[],
): Omit<Inspection["counts"], "unreadable"> {
  const judged = treating.filter(isJudged);
  const of = (word: Operation["verdict"]) =>
    judged.filter(({ verdict }) => verdict === word).length;
  const bypassed = treating.filter(({ bypass_seconds }) => bypass_seconds > 0);
  return {
    operations: judged.length,
    within_limits: of("within_limits"),
    outside_limits: of("outside_limits"),
    cannot_tell: of("cannot_tell"),
    running: treating.filter(({ end }) => end === null).length,
    waiting: treating.filter((one) => one.end !== null && !isJudged(one)).length,
    cleanings: standing.length - treating.length,
    bypassed: bypassed.length,
    bypass_seconds: sum(bypassed, ({ bypass_seconds }) => bypass_seconds),
    bypass_m3: bypassVolume(bypassed),
    superseded: treating.filter(isSuperseded).length,
  };
}

/** True if an earlier version of the verdict was given out. */
function isSuperseded({ version, versions }: Operation): boolean {
  return versions.some((one) => one.version < version && one.given_out !== null);
}

function bypassVolume(bypassed: readonly Operation[]): number | null {
  const parts = bypassed.flatMap((one) => one.parts.filter(({ part }) => part === "bypassed"));
  if (parts.some(({ volume_m3 }) => volume_m3 === null)) return null;
  return bypassed.length > 0 && parts.length === 0 ? null : sum(parts, (one) => one.volume_m3 ?? 0);
}

function secondsOf({ start, end }: Operation): number {
  return end === null ? 0 : (Date.parse(end) - Date.parse(start)) / 1000;
}

function sum<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
