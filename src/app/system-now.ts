// The present state of the parts for /api/system, as far as the main thread knows it. Each open
// page requests it every few seconds, so nothing here waits.

import type { SystemPresent } from "../bwts/system.ts";
import { printTime, SECOND_MS } from "../ground/clock.ts";
import { databaseFile } from "../sqlite/file/open.ts";
import { freeOf, sizeOf } from "./metrics.ts";
import type { OpenedParts } from "./parts.ts";
import { readinessOf } from "./readiness.ts";

export function systemNow(parts: OpenedParts, sqlite: string): SystemPresent {
  const { config, build, writer, clock } = parts;
  const { storage, backup } = config;
  const totals = writer?.totals();
  const readiness = readinessOf(parts);
  const status = parts.mqtt?.status();
  const file = databaseFile(storage.dir);
  return {
    now: printTime(clock.now_ms()),
    uptime_seconds: Math.floor(process.uptime()),
    version: {
      ...{ ballastd: build.version, commit: build.commit },
      ...{ node: process.versions.node, sqlite },
    },
    ingest: {
      messages: totals?.messages ?? 0,
      readings: totals?.readings ?? 0,
      events: totals?.events ?? 0,
      quarantined: totals?.quarantined ?? 0,
      repeated: totals?.repeated ?? 0,
      withheld: totals?.withheld ?? 0,
      ...parts.ingestRate(),
    },
    mqtt: {
      ...readiness.mqtt,
      login_refused_from: status?.login_refused?.address ?? null,
      ...{ counts: status?.counts ?? {}, faults: status?.faults ?? {} },
    },
    disk: {
      free_bytes: freeOf(storage.dir),
      warn_bytes: storage.free_warn,
      stop_bytes: storage.free_stop,
      problem: readiness.disk.problem,
    },
    database: {
      bytes: sizeOf(file),
      wal_bytes: sizeOf(`${file}-wal`),
      retention_months: storage.retention_months,
    },
    chain: { proven: readiness.damage.proven, damage_found: readiness.damage.found },
    jobs: jobsOf(parts),
    backup: { folder: backup.dir, keep_daily: backup.keep_daily },
  };
}

function jobsOf({ jobs, schedule }: OpenedParts): SystemPresent["jobs"] {
  const states = new Map(jobs.all().map((state) => [state.name, state]));
  return (schedule?.table() ?? []).map(({ name, every_ms, next_ms }) => {
    const { last_success_ms = null, failures = 0, problem = null } = states.get(name) ?? {};
    return {
      name,
      every_seconds: every_ms === null ? null : every_ms / SECOND_MS,
      next: next_ms === null ? null : printTime(next_ms),
      last_success: last_success_ms === null ? null : printTime(last_success_ms),
      ...{ failures, problem },
    };
  });
}
