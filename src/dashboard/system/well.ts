// The six lines of `Is it well?`: messages, stored data, clocks, disk, backup, jobs. Each is well
// only if every fact that it needs is known, plausible and current; otherwise it names the problem,
// or says that it isn't known.

import { partsWords, systemWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { printBytes, printNumber } from "../parts/numbers.ts";
import type { PagePart } from "../store/ask.ts";
import { backupIn } from "./backup.tsx";
import {
  brokerIn,
  chainIn,
  databaseIn,
  diskIn,
  ingestIn,
  jobsIn,
  type KnownClocks,
  type UncheckedSystem,
} from "./facts.ts";

export type Wellness = "well" | "look" | "unknown";

export interface WellLine {
  readonly title: string;
  readonly state: Wellness;
  readonly text: string;
}

type StateText = readonly [Wellness, string];
const UNKNOWN_FACT: StateText = ["unknown", ""];

const DAY_MS = 86_400_000;
/**
 * Maximum age of nightly work, and maximum time ahead of the clock; beyond the latter the clock is
 * wrong.
 */
const NIGHTLY_MAX_MS = 1.25 * DAY_MS;
const AHEAD_MAX_MS = 60_000;
/** Maximum difference of the PLC's clock in seconds; above, it is wrong. */
const OFFSET_MAX_S = 60;
const DISK_DAYS_MIN = 90;
/** A job is late after this number of its intervals plus this time. */
const LATE_RUNS = 5;
const LATE_MAX_MS = 60_000;

/**
 * The six lines. `system` and `clock` are the last answers; without a present answer their facts
 * are unknown.
 */
export function wellLines(
  system: PagePart<UncheckedSystem>,
  clock: PagePart<KnownClocks>,
  now_ms: number,
): readonly WellLine[] {
  const facts = system.problem === null ? (system.known?.value ?? null) : null;
  const clocks = clock.problem === null ? (clock.known?.value ?? null) : null;
  const from = (say: (facts: UncheckedSystem) => StateText) =>
    facts === null ? UNKNOWN_FACT : say(facts);
  const lines = [
    [t("receiving"), from(messagesOf)],
    [t("stored_data"), from((known) => storedDataOf(known, now_ms))],
    [t("clocks"), clocks === null ? UNKNOWN_FACT : clocksOf(clocks)],
    [t("disk"), from(diskOf)],
    [t("backup"), from((known) => backupOf(known, now_ms))],
    [t("jobs"), from((known) => jobsOf(known, now_ms))],
  ] as const;
  return lines.map(([title, [state, text]]) => ({
    ...{ title, state },
    text: text === "" ? t("unknown_now") : text,
  }));
}

function messagesOf(system: UncheckedSystem): StateText {
  const [broker, ingest] = [brokerIn(system), ingestIn(system)];
  if (broker === null || ingest === null) return UNKNOWN_FACT;
  const { messages_per_minute: rate, quarantined, withheld } = ingest;
  if (!broker.connected || broker.problem !== null) return ["look", t("well_unconnected")];
  if (rate === null || quarantined === null || withheld === null) return UNKNOWN_FACT;
  if (broker.isOurs && broker.clients === 0) return ["look", t("well_no_plc")];
  if (broker.isOurs && broker.clients === null) return UNKNOWN_FACT;
  if (rate === 0) return ["look", t("well_no_messages")];
  const lost = quarantined + withheld;
  if (lost > 0) return ["look", t("well_quarantined", { n: lost })];
  return ["well", t("well_messages", { n: rate })];
}

function storedDataOf(system: UncheckedSystem, now_ms: number): StateText {
  const [chain, stored] = [chainIn(system), databaseIn(system)];
  if (chain === null || stored === null || chain.damage_found === null) return UNKNOWN_FACT;
  if (chain.damage_found > 0) return ["look", t("well_damaged", { n: chain.damage_found })];
  if (chain.proven_ms === null) return ["unknown", t("not_proven")];
  const moment = printMoment(chain.proven_ms, now_ms);
  return [nightly(chain.proven_ms, now_ms), t("well_proven", { moment })];
}

function clocksOf({ trusted, problem, offset_s }: KnownClocks): StateText {
  if (!trusted || problem !== null) return ["look", t("well_untrusted")];
  if (offset_s === null) return ["unknown", t("well_no_offset")];
  const n = printNumber(offset_s);
  const isNear = Math.abs(offset_s) <= OFFSET_MAX_S;
  return [isNear ? "well" : "look", t("well_offset", { seconds: partsWords("seconds", { n }) })];
}

function diskOf(system: UncheckedSystem): StateText {
  const disk = diskIn(system);
  if (disk === null) return UNKNOWN_FACT;
  const { free_bytes, warn_bytes, problem, forecast } = disk;
  if (problem !== null) return ["look", t("well_disk_problem")];
  if (free_bytes === null || warn_bytes === null) return UNKNOWN_FACT;
  const days = forecast?.days_left ?? null;
  const isFilling = days !== null && days < DISK_DAYS_MIN;
  const free = printBytes(free_bytes);
  if (isFilling)
    return ["look", t("well_filling", { free, days: partsWords("days", { n: days }) })];
  return [free_bytes > warn_bytes ? "well" : "look", t("well_free", { free })];
}

/** The newest backup, and whether it is recent enough. */
export function backupOf(system: UncheckedSystem, now_ms: number): StateText {
  const backup = backupIn(system);
  if (backup === null) return UNKNOWN_FACT;
  if (backup.made_ms === null) return ["look", t("well_no_backup")];
  const moment = printMoment(backup.made_ms, now_ms);
  return [nightly(backup.made_ms, now_ms), t("well_backup", { moment })];
}

function jobsOf(system: UncheckedSystem, now_ms: number): StateText {
  const jobs = jobsIn(system);
  if (jobs === null || jobs.length === 0) return UNKNOWN_FACT;
  const failing = jobs.filter(({ failures, problem }) => failures > 0 || problem !== null);
  if (failing.length > 0)
    return ["look", t("well_failing", { names: failing.map(({ name }) => name).join(", ") })];
  // A job with an interval that hasn't succeeded for long hangs, or never ran.
  const late = jobs.filter(
    ({ every_s, success_ms }) =>
      every_s !== null && now_ms - (success_ms ?? 0) > LATE_MAX_MS + every_s * LATE_RUNS * 1000,
  );
  if (late.length > 0)
    return ["unknown", t("well_late", { names: late.map(({ name }) => name).join(", ") })];
  return ["well", t("well_jobs", { n: jobs.length })];
}

/** Nightly work is well if its last run was last night, by a plausible clock. */
function nightly(done_ms: number, now_ms: number): Wellness {
  const age_ms = now_ms - done_ms;
  if (age_ms < -AHEAD_MAX_MS) return "unknown";
  return age_ms <= NIGHTLY_MAX_MS ? "well" : "look";
}
