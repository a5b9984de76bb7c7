// What /readyz says, from the parts as they are now: whether the appliance can do its work, and in
// words why not. It is asked for every few seconds, so nothing here waits.

import { statfsSync } from "node:fs";
import { printTime } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Readiness } from "../http/readiness.ts";
import type { Parts } from "./parts.ts";

/** Ready: the database is open, the last batch was committed, and messages can be received. */
export function readinessOf(parts: Parts): Readiness {
  const { config, clock, build, writer, mqtt } = parts;
  const totals = writer?.totals() ?? null;
  const now_ms = clock.now_ms();
  const trusted = (totals?.clock_trusted ?? true) && now_ms >= build.built_ms;
  const disk = diskOf(config.storage.dir);
  const reasons = [
    ...(parts.readers === null ? ["the database is being opened"] : []),
    ...(totals?.problem ? [`messages can't be committed: ${totals.problem}`] : []),
    ...(mqtt === null && parts.readers !== null ? ["MQTT is being opened"] : []),
    ...(mqtt !== null && mqtt.status().problem !== null ? [`MQTT: ${mqtt.status().problem}`] : []),
    ...(disk.problem === null ? [] : [`disk: ${disk.problem}`]),
  ];
  return {
    ready: reasons.length === 0,
    reasons,
    simulated: parts.isSimulated,
    system: config.system,
    limits: config.limits,
    last_reading: printed(totals?.last_reading_ms ?? null),
    last_commit: printed(totals?.last_commit_ms ?? null),
    mqtt: mqttOf(parts),
    disk,
    clock: { now: printTime(now_ms), trusted },
  };
}

function mqttOf({ mqtt, config }: Parts): Readiness["mqtt"] {
  if (mqtt === null)
    return { mode: config.mqtt.mode, connected: false, clients: 0, where: "", problem: null };
  const { mode, connected, clients, where, problem } = mqtt.status();
  return { mode, connected, clients, where, problem };
}

function diskOf(dir: string): Readiness["disk"] {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return { free_bytes: bavail * bsize, problem: null };
  } catch (error) {
    return { free_bytes: null, problem: messageOf(error) };
  }
}

function printed(at_ms: number | null): string | null {
  return at_ms === null ? null : printTime(at_ms);
}
