// The built program as an appliance: started, published to over MQTT by a client library, asked
// over HTTP, listed by its own command line. Nothing of its insides is used.

import {
  connectAsync,
  type IClientOptions,
  type IClientPublishOptions,
  type MqttClient,
} from "mqtt";
import { PATIENT_CLIENT } from "../rig/patience.ts";
import { type Program, runProgram, startProgram } from "../rig/program.ts";

export const SYSTEM = "BWTS-001";

/** `kind` is what follows the system in the topic; `payload` as it goes on the wire. */
export interface Sent {
  readonly kind: string;
  readonly payload: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An entry of `ballastd quarantine list --json`. */
export interface Entry {
  readonly topic: string;
  readonly reason: string;
  readonly detail: string;
  readonly count: number;
  readonly payload_bytes: number;
  readonly payload: string | null;
  readonly payload_base64: string | null;
}

export interface Appliance extends AsyncDisposable {
  readonly program: Program;
  readonly url: string;
  readonly mqtt_port: number;
  connect(options?: IClientOptions): Promise<MqttClient>;
  /** Publishes with QoS 1, many at a time, in order; resolves when all are acknowledged. */
  publish(messages: readonly Sent[], options?: IClientPublishOptions): Promise<void>;
  get(path: string): Promise<Answered>;
  /** The parsed body of a GET that must be answered 200. */
  json(path: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Newest first. */
  quarantine(): Promise<readonly Entry[]>;
}

export interface ApplianceOptions {
  /** Data and configuration of an appliance before; without, a new folder that is removed. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** As in ProgramOptions. */
  readonly through?: readonly string[];
}

/** Starts `ballastd serve` and resolves when it takes messages. */
export async function startAppliance(options: ApplianceOptions = {}): Promise<Appliance> {
  const { env = {} } = options;
  const program = startProgram({ args: ["serve"], ...options });
  const [, url] = await program.waitForOutput(/^web: (http:\/\/\S+)\/$/m);
  const [, broker] = await program.waitForOutput(/^MQTT: (mqtt:\/\/\S+) /m);
  const clients: MqttClient[] = [];
  const connect = async (given: IClientOptions = {}) => {
    const client = await connectAsync(broker, { ...PATIENT_CLIENT, reconnectPeriod: 0, ...given });
    client.on("error", () => null);
    clients.push(client);
    return client;
  };
  let publisher: Promise<MqttClient> | null = null;
  const get = async (path: string) => {
    // On a connection of its own: one that was idle may be ended by the program just as it is used
    // again, if this process is kept waiting ("fetch failed" in disk.test.ts beside other work).
    const answer = await fetch(url + path, { headers: { connection: "close" } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    program,
    url,
    mqtt_port: Number(new URL(broker).port),
    connect,
    get,
    async publish(messages, given) {
      publisher ??= connect();
      await publishAll(await publisher, messages, given);
    },
    async json(path) {
      const { status, text } = await get(path);
      if (status !== 200) throw new Error(`${path}: got ${status} ${text}, expected 200`);
      return JSON.parse(text);
    },
    quarantine: () => listQuarantine(program.folder, env),
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.endAsync(true);
      await program[Symbol.asyncDispose]();
    },
  };
}

export const topicOf = (kind: string): string => `bwts/${SYSTEM}/${kind}`;

/** As Appliance.publish, by a client of the test's own. */
export async function publishAll(
  client: MqttClient,
  messages: readonly Sent[],
  options: IClientPublishOptions = {},
): Promise<void> {
  await Promise.all(
    messages.map(({ kind, payload }) =>
      client.publishAsync(topicOf(kind), payload, { qos: 1, ...options }),
    ),
  );
}

export async function listQuarantine(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<readonly Entry[]> {
  const args = ["quarantine", "list", "--json", "--limit", "10000"];
  const { code, stdout, stderr } = await runProgram({ args, folder, env });
  if (code !== 0) throw new Error(`quarantine list: exit ${code}, ${stderr}`);
  return JSON.parse(stdout);
}

/** Every reading of a span, page by page. */
export async function pageThrough(
  appliance: Appliance,
  { start, end, limit }: { start: string; end: string; limit: number },
): Promise<Readonly<Record<string, unknown>>[]> {
  const readings: Readonly<Record<string, unknown>>[] = [];
  const range = `startDate=${encodeURIComponent(start)}&endDate=${encodeURIComponent(end)}`;
  for (let offset = 0; ; offset += limit) {
    const path = `/api/telemetry/chunked?${range}&offset=${offset}&limit=${limit}`;
    const { data, pagination } = await appliance.json(path);
    readings.push(...data);
    const { total, hasMore } = pagination;
    const isAsked = pagination.offset === offset && pagination.limit === limit;
    if (
      !isAsked ||
      hasMore !== offset + limit < total ||
      data.length !== Math.min(limit, Math.max(0, total - offset))
    )
      throw new Error(`${path}: ${data.length} readings with ${JSON.stringify(pagination)}`);
    if (!hasMore) return readings;
  }
}
