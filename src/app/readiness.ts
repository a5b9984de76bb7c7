// The answer of /readyz, from the present state of the parts: whether the appliance can do its
// work, and the reasons if it can't. It is requested every few seconds, so nothing here waits.

import { type AsideNow, asideText, plcClockFault } from "../bwts/aside-watch.ts";
import { type ClockNow, untrustedText } from "../bwts/clock-step.ts";
import type { Readiness } from "../bwts/readiness.ts";
import type { Config } from "../config/config.ts";
import { printTime, SECOND_MS } from "../ground/clock.ts";
import { freeBytes, printedSize } from "../ground/disk.ts";
import { messageOf } from "../ground/errors.ts";
import { failingJobs } from "../jobs/job-states.ts";
import type { OpenedParts } from "./parts.ts";

/**
 * The state of the appliance. Ready means: the database is open, the last batch was committed,
 * messages can be received and stored, the clocks are right as far as is known, and no background
 * work keeps failing.
 */
export function readinessOf(parts: OpenedParts): Readiness {
  const { config, clock, writer, mqtt } = parts;
  const totals = writer?.totals() ?? null;
  const now_ms = clock.now_ms();
  const ago_ms = totals?.last_received_ago_ms ?? null;
  const { stops, ...disk } = diskOf(config.storage);
  const failing = failingJobs(parts.jobs);
  const { quarantining, plc_clock } = wronglyTimed(parts);
  const trust = trustOf(parts, now_ms);
  const reasons = [
    ...(parts.readers === null ? ["the database is being opened"] : []),
    ...(totals?.problem ? [`messages can't be committed: ${totals.problem}`] : []),
    ...(mqtt === null && parts.readers !== null ? ["MQTT is being opened"] : []),
    ...(mqtt !== null && mqtt.status().problem !== null ? [`MQTT: ${mqtt.status().problem}`] : []),
    ...(parts.http?.problems() ?? []).map((problem) => `web: ${problem}`),
    ...(parts.modbus?.problems() ?? []).map((problem) => `Modbus: ${problem}`),
    ...(stops ? [`disk: ${disk.problem}`] : []),
    ...(trust.problem === null ? [] : [untrustedText(trust.problem)]),
    // If the clock's problem causes the quarantining, it is already in that text.
    ...(quarantining === null ? [] : [quarantining.problem]),
    ...(plc_clock === null || plc_clock.problem === quarantining?.problem
      ? []
      : [plc_clock.problem]),
    ...failing.map(({ name, problem }) => `the job ${name} fails: ${problem}`),
  ];
  return {
    ready: reasons.length === 0,
    reasons,
    simulated: parts.isSimulated,
    system: shipOf(config),
    limits: config.limits,
    last_reading: printed(totals?.last_reading_ms ?? null),
    last_commit: printed(totals?.last_commit_ms ?? null),
    last_received_seconds_ago: ago_ms === null ? null : Math.round(ago_ms / SECOND_MS),
    mqtt: mqttOf(parts),
    disk,
    not_stored: stops ? "disk_full" : totals?.problem ? "failing" : null,
    clock: { now: printTime(now_ms), ...trust },
    ...{ quarantining, plc_clock },
    damage: damageStateOf(parts),
    jobs: failing.map((job) => ({
      name: job.name,
      problem: job.problem,
      failing_seconds: Math.round((job.failing_ms ?? 0) / SECOND_MS),
      failures: job.failures,
      last_success: printed(job.last_success_ms),
    })),
    certificates: parts.certificates.all
      .map((certificate) => certificate.state())
      .map(({ use, ends_ms, problem }) => ({ use, ends: printTime(ends_ms), problem })),
  };
}

/**
 * Quarantining of live messages, and a wrong clock of the PLC: with either, the appliance isn't
 * ready.
 */
function wronglyTimed({ writer }: OpenedParts): Pick<Readiness, "quarantining" | "plc_clock"> {
  if (writer === null) return { quarantining: null, plc_clock: null };
  const { problem: untrusted, plc, two } = writer.clock();
  const { aside } = writer.totals();
  const fault = plcClockFault({ aside, plc, two, isTrusted: untrusted === null });
  const quarantining = aside === null ? null : quarantiningOf(aside, asideText(aside, plc));
  if (fault === null) return { quarantining, plc_clock: null };
  const { off_ms } = fault;
  const isFuture = aside?.reasons[0]?.reason === "future";
  const isSaid = quarantining !== null && isFuture && off_ms > 0 && two === null;
  const problem = isSaid ? quarantining.problem : fault.problem;
  const off_seconds = Math.round(off_ms / SECOND_MS);
  const plc_clock = { off_seconds, problem, two_clocks: two !== null };
  return { quarantining, plc_clock };
}

function quarantiningOf(
  { since_ms, messages, reasons, areAll }: AsideNow,
  problem: string,
): Readiness["quarantining"] {
  const counts = reasons.map(({ reason, count }) => ({ reason, messages: count }));
  return { since: printTime(since_ms), messages, reasons: counts, all: areAll, problem };
}

function shipOf({ system: { id, vessel, imo, utc_offset } }: Config): Readiness["system"] {
  return { id, vessel, imo, utc_offset };
}

/** Maximum number of problems of damaged data in the answer; the log has all of them. */
const DAMAGE_SHOWN_MAX = 20;

/** Trust in the clock as of the last check; before the first check, from the build's time. */
function trustOf(
  { writer, build }: OpenedParts,
  now_ms: number,
): { trusted: boolean; problem: string | null } {
  const state = writer?.clock() ?? null;
  const isOld = state === null && now_ms < build.built_ms;
  const problem = isOld ? "it is earlier than this program was built" : (state?.problem ?? null);
  return { trusted: problem === null && writer?.totals().clock_trusted !== false, problem };
}

/** The present time and its trust, for /api/clock. */
export function clockOf(parts: OpenedParts): ClockNow {
  const now_ms = parts.clock.now_ms();
  const plc = parts.writer?.clock().plc ?? null;
  const reading_ms = parts.writer?.readingOffset_ms() ?? null;
  const drift_ms = plc?.drift_ms_per_day ?? null;
  return {
    now: printTime(now_ms),
    ...trustOf(parts, now_ms),
    offset_seconds: plc === null ? null : plc.offset_ms / SECOND_MS,
    reading_offset_seconds: reading_ms === null ? null : reading_ms / SECOND_MS,
    offset_readings: plc?.readings ?? 0,
    offset_at: printed(plc?.as_of_ms ?? null),
    drift_seconds_per_day: drift_ms === null ? null : Math.round(drift_ms / 10) / 100,
  };
}

/**
 * Free space; `problem` if it is below storage.free_warn, or if it is below free_stop, so that
 * nothing is stored.
 */
interface DiskState {
  readonly free_bytes: number | null;
  readonly problem: string | null;
  readonly stops: boolean;
}

/**
 * The state of damaged data. It doesn't affect readiness: all other data is stored and answered as
 * before.
 */
function damageStateOf({ damage }: OpenedParts): Readiness["damage"] {
  const { problems, proven_ms } = damage.state();
  const shown = problems.slice(0, DAMAGE_SHOWN_MAX);
  return { found: problems.length, problems: [...shown], proven: printed(proven_ms) };
}

function mqttOf({ mqtt, config }: OpenedParts): Readiness["mqtt"] {
  if (mqtt === null)
    return {
      ...{ mode: config.mqtt.mode, connected: false, clients: 0, where: "", problem: null },
      ...{ since: null, session_lost: null, login_refused: null },
    };
  const status = mqtt.status();
  const { mode, connected, clients, where, problem, login_refused } = status;
  const times = {
    since: printTime(status.changed_ms),
    session_lost: printed(status.session_lost_ms),
    login_refused: printed(login_refused?.at_ms ?? null),
  };
  return { mode, connected, clients, where, problem, ...times };
}

function diskOf({ dir, free_warn, free_stop }: Config["storage"]): DiskState {
  try {
    const free_bytes = freeBytes(dir);
    const stops = free_bytes < free_stop;
    const limit = stops ? "storage.free_stop" : "storage.free_warn";
    const problem =
      free_bytes < free_warn ? `${printedSize(free_bytes)} free, below ${limit}` : null;
    return { free_bytes, problem, stops };
  } catch (error) {
    return { free_bytes: null, problem: messageOf(error), stops: true };
  }
}

function printed(at_ms: number | null): string | null {
  return at_ms === null ? null : printTime(at_ms);
}
