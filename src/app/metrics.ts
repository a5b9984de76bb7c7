// The text of /metrics for Prometheus. Totals of other parts are read at a scrape, so that the hot
// path counts nothing but a histogram of HTTP requests.

import { statSync } from "node:fs";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "@prometheus-io/client";
import { HOUR_MS, SECOND_MS } from "../ground/clock.ts";
import { freeBytes } from "../ground/disk.ts";
import { codeOf } from "../ground/errors.ts";
import type { AnsweredRequest } from "../http/route.ts";
import { sharing } from "../http/turns.ts";
import type { JobState } from "../jobs/job-states.ts";
import type { MqttStatus } from "../mqtt/endpoint.ts";
import { databaseFile } from "../sqlite/file/open.ts";
import { TAG_NAMES_MAX } from "../sqlite/sealed/tag-names.ts";
import type { WriterTotals } from "../sqlite/threads/writer-totals.ts";
import type { OpenedParts } from "./parts.ts";
import { addPlant, type PlantMetrics } from "./plant-metrics.ts";
import { addShore, addSparkplug } from "./shore-metrics.ts";
import type { ShoreNow } from "./shore-now.ts";

const PREFIX = "ballastd_";

/**
 * Metrics of the library that break Prometheus's naming rules (`promtool check metrics`): gauges
 * that end like counters, each the sum of another gauge, and types in names.
 */
const BADLY_NAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
  "nodejs_eventloop_utilization_summary",
  "nodejs_eventloop_utilization_histogram",
];

/** The parts from which metrics are read. */
type MetricParts = Omit<
  OpenedParts,
  "audit" | "clock" | "isSimulated" | "stream" | "modbus" | "schedule" | "ingestRate" | "shore"
> & {
  readonly stream: Pick<OpenedParts["stream"], "count">;
};

export interface Metrics {
  /** Resolves with the Prometheus text of the parts' present state. */
  readonly text: () => Promise<string>;
  /** Counts an HTTP request. */
  readonly onAnswered: (answered: AnsweredRequest) => void;
}

export function openMetrics(parts: MetricParts, shoreNow: ShoreNow): Metrics {
  const { register, plant, onAnswered } = ownMetrics(parts, shoreNow);
  // An hour, because the default of ten samples a second would wake an idle machine.
  collectDefaultMetrics({ register, prefix: PREFIX, eventLoopUtilizationTimeout: HOUR_MS });
  for (const name of BADLY_NAMED) register.removeSingleMetric(`${PREFIX}${name}`);
  const printed = sharing(
    async (_all: null) => {
      await plant.refresh();
      return register.metrics();
    },
    () => "all",
  );
  return { text: () => printed(null), onAnswered };
}

/** ballastd's own metrics, without those of the process. */
export function ownMetrics(
  parts: MetricParts,
  shoreNow: ShoreNow,
): {
  readonly register: Registry;
  readonly plant: PlantMetrics;
  readonly onAnswered: Metrics["onAnswered"];
} {
  const register = new Registry();
  const info = new Gauge({
    name: `${PREFIX}build_info`,
    help: "Which build this is; always 1.",
    labelNames: ["version", "commit"],
    registers: [register],
  });
  info.set({ version: parts.build.version, commit: parts.build.commit }, 1);
  addTotals(register, parts);
  addGauges(register, parts);
  addSteps(register, parts);
  addCertificates(register, parts);
  addJobs(register, parts);
  addMqttCounts(register, parts);
  addShore(register, shoreNow);
  addSparkplug(register, parts);
  return { register, plant: addPlant(register, parts), onAnswered: addRequests(register) };
}

/** Limits of the buckets, s: answers from memory, of a page, of a year, and those that wait. */
const SECONDS = [0.005, 0.05, 0.5, 5];

function addRequests(register: Registry): Metrics["onAnswered"] {
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: "HTTP requests and how long they took, by route, method and class of status.",
    labelNames: ["route", "method", "status"],
    buckets: SECONDS,
    registers: [register],
  });
  return ({ route, method, status, took_ms }) =>
    durations.observe({ route, method, status }, took_ms / SECOND_MS);
}

function addTotals(register: Registry, parts: MetricParts): void {
  const total = (name: string, help: string, value: (totals: WriterTotals) => number) =>
    new Counter({
      name: `${PREFIX}${name}_total`,
      help,
      registers: [register],
      collect() {
        this.reset();
        this.inc(parts.writer === null ? 0 : value(parts.writer.totals()));
      },
    });
  total("ingest_messages", "Messages committed.", (totals) => totals.messages);
  total("ingest_commits", "Commits, each of one or more messages.", (totals) => totals.commits);
  total("readings", "Readings stored, merged ones counted once.", (totals) => totals.readings);
  total("events", "Events stored.", (totals) => totals.events);
  total("quarantined_messages", "Messages set aside.", (totals) => totals.quarantined);
  total("repeated_messages", "Redeliveries without effect.", (totals) => totals.repeated);
  total("withheld_messages", "Messages that couldn't be committed.", (totals) => totals.withheld);
  total("faults", "Faults of ballastd itself that it got around.", (totals) => totals.faults);
  new Counter({
    name: `${PREFIX}reader_threads_lost_total`,
    help: "Reader threads that died and were replaced.",
    registers: [register],
    collect() {
      this.reset();
      this.inc(parts.readers?.lost() ?? 0);
    },
  });
}

function addGauges(register: Registry, parts: MetricParts): void {
  const gauge = (name: string, help: string, value: () => number | null) =>
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [register],
      collect() {
        const now = value();
        if (now === null) this.remove();
        else this.set(now);
      },
    });
  const seconds = (at_ms: number | null | undefined) => (at_ms ? at_ms / 1000 : null);
  const totals = () => parts.writer?.totals();
  const { dir } = parts.config.storage;
  const file = databaseFile(dir);
  gauge("last_reading_timestamp_seconds", "Time of the newest reading.", () =>
    seconds(totals()?.last_reading_ms),
  );
  gauge("last_commit_timestamp_seconds", "When something was last stored.", () =>
    seconds(totals()?.last_commit_ms),
  );
  gauge("commits_failing", "1 while messages can't be committed.", () =>
    (totals()?.problem ?? null) === null ? 0 : 1,
  );
  gauge("last_received_seconds_ago", "Since readings came last.", () => {
    const ago_ms = totals()?.last_received_ago_ms ?? null;
    return ago_ms === null ? null : ago_ms / 1000;
  });
  gauge("plc_clock_offset_seconds", "The PLC's clock less the box's.", () => {
    const plc = parts.writer?.clock().plc ?? null;
    return plc === null ? null : plc.offset_ms / 1000;
  });
  gauge("clock_trusted", "1 while the box's clock is trusted.", () =>
    totals()?.clock_trusted === false ? 0 : 1,
  );
  gauge("mqtt_connected", "1 while messages can be received.", () =>
    parts.mqtt?.status().connected === true ? 1 : 0,
  );
  gauge("streams_open", "Clients of /stream.", () => parts.stream.count());
  gauge("http_addresses_missing", "Addresses of http.listen that can't be bound now.", () =>
    parts.http === null ? null : parts.http.problems().length,
  );
  gauge("mqtt_changed_timestamp_seconds", "When mqtt_connected last changed.", () =>
    seconds(parts.mqtt?.status().changed_ms),
  );
  gauge("mqtt_session_lost_timestamp_seconds", "When the broker last lost our session.", () =>
    seconds(parts.mqtt?.status().session_lost_ms),
  );
  gauge("mqtt_clients", "Publishers connected.", () => parts.mqtt?.status().clients ?? 0);
  gauge(
    "damage_found",
    "What of the stored data is known to be damaged.",
    () => parts.damage.state().problems.length,
  );
  gauge("damage_proven_timestamp_seconds", "When all that is stored was proven last.", () =>
    seconds(parts.damage.state().proven_ms),
  );
  gauge(
    "tag_names",
    `Names of unknown tags that are kept, ${TAG_NAMES_MAX} at the most.`,
    () => parts.writer?.tagNames() ?? null,
  );
  gauge("answers_open", "Answers in progress in reader threads.", () => parts.readers?.open() ?? 0);
  gauge("disk_free_bytes", "Free space of the data folder.", () => freeOf(dir));
  gauge("db_bytes", "Size of the database file.", () => sizeOf(file));
  gauge("db_wal_bytes", "Size of its write-ahead log.", () => sizeOf(`${file}-wal`));
}

function addSteps(register: Registry, parts: MetricParts): void {
  const gauge = new Gauge({
    name: `${PREFIX}writer_longest_step_seconds`,
    help: "The longest step of the writer since the start, in which nothing is acknowledged.",
    labelNames: ["step"],
    registers: [register],
    collect() {
      for (const [step, took_ms] of Object.entries(parts.writer?.longestSteps() ?? {}))
        gauge.set({ step }, took_ms / 1000);
    },
  });
}

function addCertificates(register: Registry, { certificates }: MetricParts): void {
  const gauge = new Gauge({
    name: `${PREFIX}certificate_expiry_timestamp_seconds`,
    help: "When the certificate, or the authority, in use ends.",
    labelNames: ["use"],
    registers: [register],
    collect() {
      for (const { use, ends_ms } of certificates.all.map((one) => one.state()))
        gauge.set({ use }, ends_ms / 1000);
    },
  });
}

function addJobs(register: Registry, { jobs }: MetricParts): void {
  const gauge = (name: string, help: string, value: (state: JobState) => number | null) =>
    new Gauge({
      name: `${PREFIX}job_${name}`,
      help,
      labelNames: ["job"],
      registers: [register],
      collect() {
        for (const state of jobs.all()) {
          const now = value(state);
          if (now !== null) this.set({ job: state.name }, now);
        }
      },
    });
  gauge("failing", "1 while the job's last run failed.", ({ problem }) =>
    problem === null ? 0 : 1,
  );
  gauge("last_success_timestamp_seconds", "When the job succeeded last, in this run.", (state) =>
    state.last_success_ms === null ? null : state.last_success_ms / 1000,
  );
}

function addMqttCounts(register: Registry, parts: MetricParts): void {
  const counter = (
    name: string,
    help: string,
    counts: (status: MqttStatus) => Readonly<Record<string, number>>,
  ) =>
    new Counter({
      name: PREFIX + name,
      help,
      labelNames: ["kind"],
      registers: [register],
      collect() {
        this.reset();
        const status = parts.mqtt?.status();
        for (const [kind, count] of Object.entries(status === undefined ? {} : counts(status)))
          this.inc({ kind: kind.replace(/_total$/, "") }, count);
      },
    });
  counter(
    "mqtt_total",
    "MQTT connections and messages since the start, by kind.",
    ({ counts }) => counts,
  );
  counter("mqtt_faults_total", "MQTT faults since the start, by kind.", ({ faults }) => faults);
}

/** Size of a file in bytes, 0 if there is none; null if it can't be read. */
export function sizeOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    return null;
  }
}

/** Free bytes on the disk of `dir`; null if unknown. */
export function freeOf(dir: string): number | null {
  try {
    return freeBytes(dir);
  } catch {
    return null;
  }
}
