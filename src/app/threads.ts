// Settings of the writer's and the readers' threads, from the configuration and the build. Used by
// the service, by recovery, and by a command that runs without either.

import path from "node:path";
import { offsetMs } from "../bwts/ship-time.ts";
import type { Config } from "../config/config.ts";
import type { Build } from "../ground/assets.ts";
import { openMap, oursFilter } from "../payload/map-rules.ts";
import { spansAboard } from "../payload/own-spans.ts";
import type { WorkerRole } from "../sqlite/threads/calls.ts";
import { beforeMigration } from "./control/backups.ts";

/**
 * Path of the file for every thread, which the bundler puts beside the program. Not a URL, which a
 * single executable can't load.
 */
export const WORKER_FILE = path.join(import.meta.dirname, "worker.cjs");

export function readerRole({
  storage,
  limits,
  lamps,
}: Config): Extract<WorkerRole, { role: "reader" }> {
  return { role: "reader", dir: storage.dir, limits, lamps };
}

/**
 * The writer's settings. Throws a Failure (exit 78) for a bad map rule or span, which would kill
 * the thread.
 */
export function writerRole(config: Config, build: Build): Extract<WorkerRole, { role: "writer" }> {
  openMap(config.map, oursFilter(config.mqtt, config.system));
  return {
    role: "writer",
    dir: config.storage.dir,
    free_stop_bytes: config.storage.free_stop,
    before_migration: beforeMigration(config, build, Date.now()),
    map: config.map,
    store: {
      prefix: config.mqtt.prefix,
      system_id: config.system.id,
      merge_ms: config.mqtt.merge_ms,
      plc_offset_ms: offsetMs(config.mqtt.plc_utc_offset),
      quarantine_max_bytes: config.quarantine.max_bytes,
      built_ms: build.built_ms,
      spans: spansAboard(config),
    },
  };
}
