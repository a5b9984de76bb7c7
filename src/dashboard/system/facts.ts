// Reads the parts of /api/system and of /api/clock, each for the panel that shows it: a part of an
// unknown shape affects only that panel.

import type * as z from "zod";
import type { AuditAnswer, AuditDetail } from "../../bwts/audit.ts";
import type { ClockAnswer } from "../../bwts/clock-step.ts";
import type { SystemAnswer } from "../../bwts/system.ts";
import type { PagePart } from "../store/ask.ts";
import {
  flagOrNull,
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
} from "../store/checks.ts";

export const SYSTEM_PATH = "/api/system";
export const CLOCK_PATH = "/api/clock?limit=10";

export type UncheckedSystem = UncheckedAnswer<SystemAnswer>;

export const readSystem: Read<UncheckedSystem> = (body) =>
  isLike<SystemAnswer>(body) ? { value: body } : null;

/** The whole answer, and the present time by the box's clock. */
export interface SystemPanelProps {
  readonly system: PagePart<UncheckedSystem>;
  readonly now_ms: number;
}

/** The part of the answer that one panel shows; odd if it has an unknown shape. */
export function panelPart<T>(
  whole: PagePart<UncheckedSystem>,
  read: (system: UncheckedSystem) => T | null,
): PagePart<T> {
  if (whole.known === null) return { known: null, problem: whole.problem };
  const value = read(whole.known.value);
  if (value !== null) return { known: { value }, problem: whole.problem };
  return {
    known: null,
    problem: { kind: "odd", path: SYSTEM_PATH, status: null, message: null },
  };
}

type ClockFacts = z.output<typeof ClockAnswer>;
type Ingest = SystemAnswer["ingest"];

export function ingestIn({ ingest }: UncheckedSystem) {
  if (!isLike<Ingest>(ingest)) return null;
  const messages = numberOrNull(ingest.messages);
  if (messages === null) return null;
  return {
    messages,
    quarantined: numberOrNull(ingest.quarantined),
    repeated: numberOrNull(ingest.repeated),
    withheld: numberOrNull(ingest.withheld),
    messages_per_minute: numberOrNull(ingest.messages_per_minute),
    readings_per_minute: numberOrNull(ingest.readings_per_minute),
    over_s: numberOrNull(ingest.over_seconds),
  };
}

type Mqtt = SystemAnswer["mqtt"];

export function brokerIn({ mqtt }: UncheckedSystem) {
  if (!isLike<Mqtt>(mqtt)) return null;
  const connected = flagOrNull(mqtt.connected);
  const isOurs = mqtt.mode === "embedded";
  if (connected === null || (!isOurs && mqtt.mode !== "client")) return null;
  return {
    ...{ connected, isOurs },
    clients: numberOrNull(mqtt.clients),
    where: textOrNull(mqtt.where),
    problem: textOrNull(mqtt.problem),
    since_ms: instant(mqtt.since),
    session_lost_ms: instant(mqtt.session_lost),
    login_refused_ms: instant(mqtt.login_refused),
    login_refused_from: textOrNull(mqtt.login_refused_from),
    faults: countsIn(mqtt.faults),
  };
}

/** Pairs of a name and a count; counts of 0 are left out. */
function countsIn(given: unknown): readonly (readonly [string, number])[] {
  if (!isLike<Record<string, number>>(given)) return [];
  return Object.entries(given).flatMap(([name, count]) =>
    typeof count === "number" && count > 0 ? [[name, count] as const] : [],
  );
}

type Disk = SystemAnswer["disk"];
type DiskForecast = NonNullable<Disk["forecast"]>;

export function diskIn({ disk }: UncheckedSystem) {
  if (!isLike<Disk>(disk)) return null;
  const stop_bytes = numberOrNull(disk.stop_bytes);
  if (stop_bytes === null) return null;
  return {
    ...{ stop_bytes, free_bytes: numberOrNull(disk.free_bytes) },
    warn_bytes: numberOrNull(disk.warn_bytes),
    problem: textOrNull(disk.problem),
    forecast: forecastIn(disk.forecast),
  };
}

function forecastIn(given: unknown) {
  if (!isLike<DiskForecast>(given)) return null;
  const bytes_per_day = numberOrNull(given.bytes_per_day);
  const basis_days = numberOrNull(given.basis_days);
  if (bytes_per_day === null || basis_days === null) return null;
  const basis_readings = numberOrNull(given.basis_readings) ?? 0;
  const days_left = numberOrNull(given.days_left);
  return { bytes_per_day, days_left, basis_days, basis_readings };
}

type StoredFile = SystemAnswer["database"];

export function databaseIn({ database }: UncheckedSystem) {
  if (!isLike<StoredFile>(database)) return null;
  return {
    bytes: numberOrNull(database.bytes),
    wal_bytes: numberOrNull(database.wal_bytes),
    readings: numberOrNull(database.readings),
    oldest_ms: instant(database.oldest),
    newest_ms: instant(database.newest),
    retention_months: numberOrNull(database.retention_months),
    schema: numberOrNull(database.schema),
  };
}

type ChainFacts = SystemAnswer["chain"];
type ShownHead = ChainFacts["heads"][number];

export function chainIn({ chain }: UncheckedSystem) {
  if (!isLike<ChainFacts>(chain)) return null;
  const heads = listOf(chain.heads, (one) => {
    if (!isLike<ShownHead>(one)) return null;
    const [name, hash] = [textOrNull(one.chain), textOrNull(one.hash)];
    const count = numberOrNull(one.count);
    return name === null || hash === null || count === null ? null : { name, hash, count };
  });
  if (heads === null) return null;
  const damage_found = numberOrNull(chain.damage_found);
  return { heads: heads.value, damage_found, proven_ms: instant(chain.proven) };
}

type JobAnswer = SystemAnswer["jobs"][number];
export type ShownJob = NonNullable<ReturnType<typeof jobIn>>;

export function jobsIn({ jobs }: UncheckedSystem): readonly ShownJob[] | null {
  return listOf(jobs, jobIn)?.value ?? null;
}

function jobIn(given: unknown) {
  if (!isLike<JobAnswer>(given)) return null;
  const name = textOrNull(given.name);
  if (name === null) return null;
  const run: UncheckedAnswer<NonNullable<JobAnswer["last_run"]>> = isLike(given.last_run)
    ? given.last_run
    : {};
  return {
    ...{ name, every_s: numberOrNull(given.every_seconds), next_ms: instant(given.next) },
    success_ms: instant(given.last_success),
    failures: numberOrNull(given.failures) ?? 0,
    problem: textOrNull(given.problem),
    ...{ ended_ms: instant(run.ended), result: textOrNull(run.result) },
  };
}

type VersionFacts = SystemAnswer["version"];

export function versionIn({ version, uptime_seconds }: UncheckedSystem) {
  if (!isLike<VersionFacts>(version)) return null;
  const uptime_s = numberOrNull(uptime_seconds);
  const lines = [
    ["ballastd", version.ballastd],
    ["commit", textOrNull(version.commit)?.slice(0, 12)],
    ["Node", version.node],
    ["SQLite", version.sqlite],
  ] as const;
  return {
    uptime_s,
    parts: lines.map(([name, value]) => [name, textOrNull(value)] as const),
  };
}

export type KnownClocks = ReturnType<typeof clockIn>;

export const readClock: Read<KnownClocks> = (body) => {
  if (!isLike<ClockFacts>(body) || flagOrNull(body.trusted) === null) return null;
  const steps = listOf(body.steps, stepIn);
  return steps === null ? null : { value: clockIn(body, steps.value) };
};

type ShownSteps = readonly NonNullable<ReturnType<typeof stepIn>>[];

function clockIn(body: UncheckedAnswer<ClockFacts>, steps: ShownSteps) {
  return {
    trusted: body.trusted === true,
    problem: textOrNull(body.problem),
    offset_s: numberOrNull(body.offset_seconds),
    drift_s: numberOrNull(body.drift_seconds_per_day),
    steps,
  };
}

function stepIn(given: unknown) {
  if (!isLike<ClockFacts["steps"][number]>(given)) return null;
  const at_ms = instant(given.at);
  const seconds = numberOrNull(given.seconds);
  if (at_ms === null || seconds === null) return null;
  return { at_ms, seconds, isPlc: given.clock === "plc", name: textOrNull(given.name) };
}

export const readAudit: Read<readonly NonNullable<ReturnType<typeof entryIn>>[]> = (body) =>
  isLike<{ data: unknown }>(body) ? listOf(body.data, entryIn) : null;

function entryIn(given: unknown) {
  if (!isLike<z.output<typeof AuditAnswer>>(given)) return null;
  const [id, at_ms] = [numberOrNull(given.id), instant(given.timestamp)];
  const [kind, actor] = [textOrNull(given.kind), textOrNull(given.actor)];
  if (id === null || at_ms === null || kind === null || actor === null) return null;
  const address = textOrNull(given.address);
  const detail: AuditDetail = isLike<Record<string, unknown>>(given.detail) ? given.detail : {};
  return { id, at_ms, kind, actor, address, detail };
}
