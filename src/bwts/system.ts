// The answer of /api/system: ballastd itself in numbers. The main thread knows the present of its
// parts; a reader adds what is stored. Nothing in it is secret; requests without a token get no
// files and addresses either.

import * as z from "zod";
import { withoutPlaces } from "../ground/redaction.ts";
import { ReadinessAnswer } from "./readiness.ts";

const instant = z.iso.datetime().nullable();
const count = z.number().int().min(0);

const Version = z.object({
  ...{ ballastd: z.string(), commit: z.string(), node: z.string(), sqlite: z.string() },
});

const Ingest = z.object({
  ...{ messages: count, readings: count, events: count },
  quarantined: count.meta({ description: "messages set aside since the start" }),
  repeated: count.meta({ description: "redeliveries without effect since the start" }),
  withheld: count.meta({ description: "messages that couldn't be committed since the start" }),
  messages_per_minute: z.number().nullable().meta({
    description: "over the last minute, over up to five of few messages; null in the first 10 s",
  }),
  readings_per_minute: z.number().nullable(),
  over_seconds: z.number().nullable().meta({ description: "the time that the rates are over" }),
});

const Job = z.object({
  name: z.string(),
  every_seconds: z.number().nullable().meta({ description: "null: at a time of day" }),
  next: instant.meta({ description: "next run of a job with a time of day" }),
  last_success: instant.meta({ description: "null: none since the start" }),
  failures: count.meta({ description: "runs since the last that succeeded" }),
  problem: z.string().nullable().meta({ description: "why the last run failed" }),
});

const LastRun = z.object({ started: instant, ended: instant, result: z.string() });

/** The part of /api/system that the main thread knows. */
export const SystemPresent = z.object({
  now: z.iso.datetime(),
  uptime_seconds: count,
  version: Version,
  ingest: Ingest,
  mqtt: ReadinessAnswer.shape.mqtt.extend({
    login_refused_from: z.string().nullable().meta({
      description: "its address, for requests with a token",
    }),
    counts: z.record(z.string(), z.number()).meta({ description: "since the start, by kind" }),
    faults: z.record(z.string(), z.number()).meta({ description: "since the start, by kind" }),
  }),
  disk: z.object({
    free_bytes: z.number().nullable(),
    warn_bytes: z.number().meta({ description: "storage.free_warn" }),
    stop_bytes: z.number().meta({ description: "storage.free_stop: below it nothing is stored" }),
    problem: z.string().nullable(),
  }),
  database: z.object({
    bytes: z.number().nullable(),
    wal_bytes: z.number().nullable().meta({ description: "size of the write-ahead log" }),
    retention_months: z.number(),
  }),
  chain: z.object({
    proven: instant.meta({ description: "end of the last complete proof in this run" }),
    damage_found: count,
  }),
  jobs: z.array(Job),
  backup: z.object({
    folder: z.string().nullable().meta({ description: "for requests with a token, else null" }),
    keep_daily: count.meta({ description: "0: no daily backups are made" }),
  }),
});
export type SystemPresent = z.output<typeof SystemPresent>;

const Forecast = z.object({
  bytes_per_day: z.number(),
  days_left: z.number().nullable().meta({
    description: "until free_bytes has fallen to stop_bytes; null where nothing grows",
  }),
  basis_days: z.number().meta({ description: "the days whose readings were counted" }),
  basis_readings: count,
});

const { shape } = SystemPresent;

/** The whole answer of /api/system. */
export const SystemAnswer = SystemPresent.extend({
  disk: shape.disk.extend({
    forecast: Forecast.nullable().meta({
      description:
        "the database's bytes a reading times the readings a day of the last 30 days at most, " +
        "without backups; null with less than a day of readings",
    }),
  }),
  database: shape.database.extend({
    schema: count,
    readings: count.nullable().meta({
      description: "those that can be answered, as days count them; null if damage hides it",
    }),
    oldest: instant,
    newest: instant,
  }),
  chain: shape.chain.extend({
    heads: z
      .array(z.object({ chain: z.string(), count, hash: z.string() }))
      .meta({ description: "length and newest hash of each chain; segment: the sealed readings" }),
  }),
  jobs: z.array(
    Job.extend({ last_run: LastRun.nullable().meta({ description: "the last with a result" }) }),
  ),
  quarantine: z.object({
    ...{ entries: count, bytes: count },
    reasons: z
      .array(
        z.object({
          reason: z.string(),
          entries: count,
          messages: count.meta({ description: "with repetitions" }),
          waiting: count.meta({ description: "entries of which not all was taken in since" }),
        }),
      )
      .meta({ description: "most entries first" }),
  }),
  backup: shape.backup.extend({
    last: z
      .object({ made: z.iso.datetime(), file: z.string(), bytes: z.number().nullable() })
      .nullable()
      .meta({ description: "the newest in the audit log" }),
  }),
}).meta({ id: "System", example: example() });
export type SystemAnswer = z.output<typeof SystemAnswer>;

/** The main thread's part for requests without a token. */
export function systemToStrangers(present: SystemPresent): SystemPresent {
  const { mqtt, backup } = present;
  const broker = mqtt.mode === "client" ? mqtt.where : "";
  const shown: SystemPresent = JSON.parse(JSON.stringify(present), (name, value) =>
    name === "problem" && typeof value === "string" ? withoutPlaces(value, broker) : value,
  );
  const where = mqtt.mode === "client" ? "" : mqtt.where;
  return {
    ...shown,
    mqtt: { ...shown.mqtt, where, login_refused_from: null },
    backup: { ...backup, folder: null },
  };
}

function example() {
  const at = "2026-05-01T06:30:00.000Z";
  return {
    now: at,
    uptime_seconds: 86_400,
    version: { ballastd: "0.2.0", commit: "unbuilt", node: "24.21.0", sqlite: "3.51.0" },
    ingest: {
      ...{ messages: 17_280, readings: 17_270, events: 10, quarantined: 0, repeated: 0 },
      ...{ withheld: 0, messages_per_minute: 12, readings_per_minute: 12, over_seconds: 300 },
    },
    mqtt: {
      ...{ mode: "embedded", connected: true, clients: 1, where: "127.0.0.1:1883" },
      ...{ problem: null, since: at, session_lost: null, login_refused: null },
      ...{ login_refused_from: null, counts: {}, faults: {} },
    },
    disk: {
      ...{ free_bytes: 17_179_869_184, warn_bytes: 1_073_741_824, stop_bytes: 134_217_728 },
      problem: null,
      forecast: {
        ...{ bytes_per_day: 1_500_000, days_left: 11_363, basis_days: 30 },
        basis_readings: 518_400,
      },
    },
    database: {
      ...{ bytes: 61_300_000, wal_bytes: 0, retention_months: 24, schema: 1 },
      ...{ readings: 1_036_800, oldest: "2026-03-02T00:00:00.000Z", newest: at },
    },
    chain: {
      ...{ proven: at, damage_found: 0 },
      heads: [{ chain: "segment", count: 506, hash: "5b2c1e7f" }],
    },
    jobs: [
      {
        ...{ name: "backup", every_seconds: null, next: at, last_success: at, failures: 0 },
        ...{ problem: null, last_run: { started: at, ended: at, result: "61300000 bytes" } },
      },
    ],
    quarantine: {
      ...{ entries: 2, bytes: 400 },
      reasons: [{ reason: "bad_time", entries: 2, messages: 5, waiting: 1 }],
    },
    backup: {
      ...{ folder: null, keep_daily: 7 },
      last: { made: at, file: "ballastd-BWTS-001-20260501T024700Z-daily.db", bytes: 61_000_000 },
    },
  };
}
