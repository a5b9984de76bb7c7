// The ports under siege: idle connections, connections that send garbage as fast as they can, the
// same to HTTP, and one good publisher among them that sends a reading every 10 ms and notes how
// long each PUBACK takes. The attackers run in processes of their own, so that it isn't their load
// that is measured.

import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectAsync } from "mqtt";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { PATIENCE_MS, PATIENT_CLIENT } from "../../test/rig/patience.ts";
import { HOSTILE_KINDS } from "./hostile.ts";

export interface Siege {
  readonly port: number;
  readonly seconds: number;
  /** The attack on HTTP; null for none. */
  readonly web: WebSiege | null;
  /** Connections that do nothing. */
  readonly idle: number;
  /** Processes among which the eight hostile connections are divided. */
  readonly processes: number;
}

export interface WebSiege {
  readonly port: number;
  /** `KIND:COUNT` each, of hostile-http.ts. */
  readonly kinds: readonly string[];
}

/** The good publisher's experience. */
export interface Outcome {
  readonly sent: number;
  readonly acknowledged: number;
  /** Times its connection was lost. */
  readonly thrown_out: number;
  /** Waits for PUBACK, in the order of sending. */
  readonly waits_ms: readonly number[];
  /** Timestamps of its first and last reading. */
  readonly from: string;
  readonly to: string;
}

const EVERY_MS = 10;

/** Before the good publisher comes: the others should be there already. */
const HEAD_START_MS = 2 * SECOND_MS;

/** Readings are 10 ms apart from here on, whenever they are sent. */
const FIRST_MS = Date.UTC(2026, 4, 1);

/** Lays siege for so long; resolves when the good publisher has its answers. */
export async function besiege(siege: Siege): Promise<Outcome> {
  const { port, seconds, idle, processes, web } = siege;
  const groups = Array.from({ length: processes }, (_, group) =>
    HOSTILE_KINDS.filter((_kind, at) => at % processes === group),
  );
  const attackers = [...groups, [`idle:${idle}`]].map((kinds) => attacker("hostile", port, kinds));
  if (web !== null) attackers.push(attacker("hostile-http", web.port, web.kinds));
  try {
    await pause(HEAD_START_MS);
    return await publish(port, seconds);
  } finally {
    for (const child of attackers) child.kill("SIGKILL");
  }
}

function attacker(file: string, port: number, kinds: readonly string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, `${file}.ts`), [String(port), ...kinds]);
}

async function publish(port: number, seconds: number): Promise<Outcome> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    // With a keepalive of its own it would leave a busy machine by itself.
    ...{ ...PATIENT_CLIENT, clientId: "good", reconnectPeriod: 100 },
  });
  let thrown_out = 0;
  client.on("error", () => null);
  client.on("close", () => {
    thrown_out += 1;
  });
  const waits_ms: number[] = [];
  let acknowledged = 0;
  const total = (seconds * SECOND_MS) / EVERY_MS;
  const began_ms = performance.now();
  for (let number = 0; number < total; number += 1) {
    const early_ms = began_ms + number * EVERY_MS - performance.now();
    if (early_ms > 0) await pause(early_ms);
    const sent_ms = performance.now();
    client.publish("bwts/BWTS-001/telemetry", reading(number), { qos: 1 }, (error) => {
      if (error) return;
      acknowledged += 1;
      waits_ms[number] = performance.now() - sent_ms;
    });
  }
  const deadline_ms = performance.now() + PATIENCE_MS;
  while (acknowledged < total && performance.now() < deadline_ms) await pause(EVERY_MS);
  const outcome = { sent: total, acknowledged, thrown_out, waits_ms };
  client.end(true);
  return { ...outcome, from: timeOf(0), to: timeOf(total - 1) };
}

const timeOf = (number: number) => new Date(FIRST_MS + number * EVERY_MS).toISOString();

function reading(number: number): string {
  return JSON.stringify({
    ...{ timestamp: timeOf(number), PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600 + (number % 50) },
    ...{ SYS_FLOW_RATE: 800, SYS_PRESSURE: 3.2, UVR_WATER_TEMP: 17.5, NUMBER: number },
  });
}
