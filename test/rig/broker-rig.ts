// An embedded broker for a test, and those who connect to it; closed by the test's afterEach.

import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import type { Happening } from "../../src/bwts/audit.ts";
import { systemClock } from "../../src/ground/clock.ts";
import type { Fields } from "../../src/ground/log.ts";
import { openBroker } from "../../src/mqtt/broker.ts";
import type { MqttEndpoint } from "../../src/mqtt/endpoint.ts";
import type { BrokerLimits } from "../../src/mqtt/shared-limits.ts";
import { keptLog, type Taken, taken } from "./mqtt-receiver.ts";
import { PATIENT_CLIENT } from "./patience.ts";
import { CONNACK_ACCEPTED, connectPacket, type RawClient, rawClient } from "./raw-mqtt.ts";

export const TOPIC = "bwts/BWTS-001/telemetry";

/** Functions that close the parts opened by the test, in the order of opening. */
export type Opened = (() => unknown)[];

export async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

export interface BrokerRig {
  readonly endpoint: MqttEndpoint;
  readonly port: number;
  readonly plc: Taken;
  readonly lines: readonly string[];
  /** The fields of the log's lines. */
  readonly fields: readonly Fields[];
  /** Entries for the audit log. */
  readonly noted: readonly Happening[];
  /** Connected publishers, in order. */
  readonly connected: readonly string[];
  count(name: string): number | undefined;
}

export async function brokerRig(
  opened: Opened,
  login = { username: "", password: "" },
  limits: Partial<BrokerLimits> = {},
): Promise<BrokerRig> {
  const plc = taken();
  const noted: Happening[] = [];
  const connected: string[] = [];
  const { log, lines, fields } = keptLog();
  const endpoint = await openBroker({
    listen: [{ host: "127.0.0.1", port: 0 }],
    missing: "refuse",
    certificate: null,
    ...login,
    take: plc.take,
    clock: systemClock,
    log,
    note: (happening) => noted.push(happening),
    onConnected: (publisher) => connected.push(publisher),
    onWill: () => null,
    limits,
  });
  opened.push(() => {
    plc.accept();
    return endpoint.close();
  });
  const port = Number(endpoint.status().where.split(":")[1]);
  return {
    endpoint,
    port,
    plc,
    lines,
    fields,
    noted,
    connected,
    count: (name) => endpoint.status().counts[name],
  };
}

/** A PLC with a client library that connects again when it is dropped. */
export async function publisher(
  opened: Opened,
  port: number,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    ...PATIENT_CLIENT,
    reconnectPeriod: 50,
    ...options,
  });
  client.on("error", () => null);
  opened.push(() => client.endAsync(true));
  return client;
}

/** A client by hand, connected. */
export async function connectedRaw(
  opened: Opened,
  port: number,
  client_id: string,
): Promise<RawClient> {
  const client = await rawClient(port);
  opened.push(client.cut);
  client.send(connectPacket({ client_id }));
  await client.receives(CONNACK_ACCEPTED);
  return client;
}
