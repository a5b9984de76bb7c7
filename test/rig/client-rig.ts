// Client mode for a test: a endpoint to a broker, and who publishes there; closed by the test's
// afterEach.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { connectAsync } from "mqtt";
import type { WatchedCertificate } from "../../src/config/certificate-watch.ts";
import { systemClock } from "../../src/ground/clock.ts";
import { openClient } from "../../src/mqtt/client.ts";
import type { MqttEndpoint } from "../../src/mqtt/endpoint.ts";
import { statusTopic } from "../../src/mqtt/own-status.ts";
import type { ClientTiming } from "../../src/mqtt/timing.ts";
import { type Opened, TOPIC } from "./broker-rig.ts";
import { keptLog, type Taken, taken, text, until } from "./mqtt-receiver.ts";
import { PATIENT_CLIENT } from "./patience.ts";

export const FILTER = "bwts/BWTS-001/#";
export const CLIENT_ID = "ballastd-BWTS-001";

export interface ClientRig {
  readonly endpoint: MqttEndpoint;
  readonly plc: Taken;
  readonly lines: readonly string[];
}

export interface ClientRigOptions {
  readonly url: string;
  readonly login?: { readonly username: string; readonly password: string };
  readonly certificate?: WatchedCertificate;
  readonly topics?: readonly string[];
  readonly client_id?: string;
  readonly session_file?: string;
  readonly timing?: Partial<ClientTiming>;
  /** Publishes its own status; false by default. */
  readonly status?: boolean;
}

/** A endpoint to the broker, not yet connected. */
export async function clientRig(opened: Opened, options: ClientRigOptions): Promise<ClientRig> {
  const plc = taken();
  const { log, lines } = keptLog();
  const endpoint = await openClient({
    url: options.url,
    certificate: options.certificate ?? null,
    client_id: options.client_id ?? CLIENT_ID,
    topics: options.topics ?? [FILTER],
    ...(options.login ?? { username: "", password: "" }),
    status: { topic: statusTopic("bwts", "BWTS-001"), isWanted: options.status ?? false },
    session_file: options.session_file ?? sessionFile(opened),
    take: plc.take,
    clock: systemClock,
    log,
    timing: options.timing ?? {},
  });
  opened.push(() => {
    plc.accept();
    return endpoint.close();
  });
  return { endpoint, plc, lines };
}

/** A endpoint to the broker, subscribed. */
export async function subscribedRig(opened: Opened, options: ClientRigOptions): Promise<ClientRig> {
  const rig = await clientRig(opened, options);
  await subscribed(rig.endpoint);
  return rig;
}

export const subscribed = (endpoint: MqttEndpoint) =>
  until("to be subscribed", () => isUp(endpoint));
export const isUp = (endpoint: MqttEndpoint) => endpoint.status().connected;

/** A file that isn't there yet, in a folder that goes away. */
export function sessionFile(opened: Opened): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-session-"));
  opened.push(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "mqtt-session.json");
}

/** Publishes the numbers `from` to `to`, both included, each in a message of QoS 1. */
export async function publishNumbers(
  url: string,
  from: number,
  to: number,
  contentOf = (number: string) => number,
): Promise<void> {
  const client = await connectAsync(url, PATIENT_CLIENT);
  await Promise.all(
    numbers(from, to).map((number) => client.publishAsync(TOPIC, contentOf(number), { qos: 1 })),
  );
  await client.endAsync();
}

export const texts = (plc: Taken) => plc.messages.map((message) => text(message.payload));
export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
