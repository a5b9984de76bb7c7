// A Sparkplug host application, written from the specification 3.0: its STATE, and a model of each
// edge node and device that births, data and deaths make. What breaks a rule of the specification
// is listed. It reads Protocol Buffers by itself.

import { connectAsync, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import { PATIENT_CLIENT } from "./patience.ts";

type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** A metric as it came; its name by the alias where data has no other. */
export interface HeardMetric {
  readonly name: string;
  readonly value: bigint | number | boolean | string | null;
  readonly at_ms: number;
  readonly type: number;
  readonly unit: string | null;
  readonly isHistorical: boolean;
}

export interface Heard {
  /** NBIRTH, DDATA and so on. */
  readonly word: string;
  readonly topic: string;
  readonly seq: number | null;
  readonly metrics: readonly HeardMetric[];
}

export interface SparkplugHost {
  /** All messages, as they came. */
  readonly heard: readonly Heard[];
  /** The rules that were broken. */
  readonly broken: readonly string[];
  /** The present value of a metric of a device, by its last birth and data. */
  value(name: string): HeardMetric["value"] | undefined;
  /** Publishes STATE. */
  say(online: boolean, at_ms: number): Promise<void>;
  /** Publishes NCMD. */
  command(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A host that hears all of `group`. */
export async function openHost(
  url: string,
  { id, group, node, ...options }: IClientOptions & Record<"id" | "group" | "node", string>,
): Promise<SparkplugHost> {
  const client: MqttClient = await connectAsync(url, {
    ...PATIENT_CLIENT,
    reconnectPeriod: 0,
    ...options,
  });
  const heard: Heard[] = [];
  const broken: string[] = [];
  const model = new HostModel((rule) => broken.push(rule));
  client.on("message", (topic, payload, packet) => {
    const isOwn = /^spBv1\.0\/(STATE|[^/]+\/NCMD)\//.test(topic);
    if (!isOwn) heard.push(model.hear(topic, payload, packet));
  });
  await client.subscribeAsync([`spBv1.0/${group}/#`, `spBv1.0/STATE/${id}`], { qos: 1 });
  return {
    heard,
    broken,
    value: (name) => model.values.get(name),
    async say(online, timestamp) {
      const state = JSON.stringify({ online, timestamp });
      await client.publishAsync(`spBv1.0/STATE/${id}`, state, { qos: 1, retain: true });
    },
    async command(bytes) {
      await client.publishAsync(`spBv1.0/${group}/NCMD/${node}`, Buffer.from(bytes));
    },
    close: () => client.endAsync(),
  };
}

/** NCMD that asks for a rebirth: a payload with one metric, its name and boolean value. */
export function rebirthCommand(): Uint8Array {
  const name = Buffer.from("Node Control/Rebirth");
  const metric = Buffer.concat([
    ...[Buffer.of(0x0a, name.length), name, Buffer.of(0x20, 11, 0x70, 1)],
  ]);
  return Buffer.concat([Buffer.of(0x08, 1, 0x12, metric.length), metric]);
}

/** The first word of a session, and those that may follow at any time. */
const WORDS = ["NBIRTH", "DBIRTH", "NDATA", "DDATA", "DDEATH", "NDEATH"];

/** A node and its device, by their messages; `broke` is called for each broken rule. */
export class HostModel {
  readonly values = new Map<string, HeardMetric["value"]>();
  readonly #break: (rule: string) => void;
  readonly #names = new Map<bigint, { readonly name: string; readonly type: number }>();
  #seq: number | null = null;
  #birth: HeardMetric["value"] = null;
  #hasDevice = false;

  constructor(broke: (rule: string) => void) {
    this.#break = broke;
  }

  hear(topic: string, payload: Buffer, packet: Pick<IPublishPacket, "qos" | "retain">): Heard {
    const word = topic.split("/")[2] ?? "";
    const fields = read(payload);
    const seq = numberIn(fields, 3);
    const metrics = (fields.get(2) ?? []).map((bytes) => this.#metric(word, read(bytes)));
    const message = { word, topic, seq, metrics };
    this.#check(message, packet, numberIn(fields, 1));
    for (const { name, value, isHistorical } of metrics)
      if (!isHistorical) this.values.set(name, value);
    return message;
  }

  #check(
    { word, seq, metrics }: Heard,
    packet: Pick<IPublishPacket, "qos" | "retain">,
    at_ms: number | null,
  ): void {
    const birth = metrics.find(({ name }) => name === "bdSeq");
    if (!WORDS.includes(word)) this.#break(`${word}: unknown`);
    if (packet.retain) this.#break(`${word}: retained`);
    if (at_ms === null) this.#break(`${word}: without its time`);
    if (word === "NDEATH") {
      if (seq !== null || metrics.length !== 1) this.#break("NDEATH: more than bdSeq");
      if (birth?.value === this.#birth) [this.#seq, this.#hasDevice] = [null, false];
      return;
    }
    if (packet.qos !== 0) this.#break(`${word}: QoS ${packet.qos}`);
    if (word === "NBIRTH") {
      if (seq !== 0) this.#break(`NBIRTH: seq ${seq}`);
      if (birth === undefined) this.#break("NBIRTH: no bdSeq");
      this.#birth = birth?.value ?? null;
      this.#hasDevice = false;
    } else if (this.#seq === null || seq !== (this.#seq + 1) % 256)
      this.#break(`${word}: seq ${seq} after ${this.#seq}`);
    this.#seq = seq;
    if (word === "DBIRTH") this.#hasDevice = true;
    if (word === "DDATA" && !this.#hasDevice) this.#break("DDATA: before its birth");
    if (word === "DDEATH") this.#hasDevice = false;
    const live = metrics.filter(({ isHistorical }) => !isHistorical).map((one) => one.at_ms);
    if (live.some((one, index) => one < live[Math.max(0, index - 1)]))
      this.#break(`${word}: not in order of time`);
  }

  #metric(word: string, fields: Fields): HeardMetric {
    const alias = fields.get(2)?.[0];
    const own = textIn(fields, 1);
    const isBirth = word === "NBIRTH" || word === "DBIRTH";
    if (isBirth && typeof alias === "bigint" && own !== null) {
      const known = this.#names.get(alias);
      if (known !== undefined && known.name !== own) this.#break(`alias ${alias}: two names`);
      this.#names.set(alias, { name: own, type: numberIn(fields, 4) ?? 0 });
    }
    if (isBirth && !fields.has(4)) this.#break(`${own}: without a type`);
    if (word === "DDATA" && (own !== null || fields.has(4))) this.#break(`${own}: defined in data`);
    if (!fields.has(3)) this.#break(`${own}: without its time`);
    const defined = typeof alias === "bigint" ? this.#names.get(alias) : undefined;
    if (own === null && defined === undefined) this.#break(`alias ${alias}: unknown`);
    const type = numberIn(fields, 4) ?? defined?.type ?? 0;
    const isNull = fields.get(7)?.[0] === 1n;
    const units = fields.get(9)?.map((bytes) => textIn(read(read(bytes).get(2)?.[0]), 8));
    return {
      name: own ?? defined?.name ?? "",
      value: isNull ? null : valueIn(fields, type),
      at_ms: numberIn(fields, 3) ?? 0,
      type,
      unit: units?.[0] ?? null,
      isHistorical: fields.get(5)?.[0] === 1n,
    };
  }
}

function valueIn(fields: Fields, type: number): HeardMetric["value"] {
  const [long, double, flag] = [11, 13, 14].map((field) => fields.get(field)?.[0]);
  switch (type) {
    case 4:
      return typeof long === "bigint" ? BigInt.asIntN(64, long) : null;
    case 10:
      return Buffer.isBuffer(double) ? double.readDoubleLE() : null;
    case 11:
      return flag === 1n;
    default:
      return textIn(fields, 15);
  }
}

/** The fields of a message: varints as numbers, all else as bytes. */
function read(bytes: bigint | Buffer | undefined): Fields {
  if (!Buffer.isBuffer(bytes)) throw new Error("expected a message of Protocol Buffers");
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error("the message ends within a number");
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const taken = (length: number) => {
    at += length;
    if (at > bytes.length) throw new Error("the message ends within a field");
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    if (type !== 0 && type !== 1 && type !== 2) throw new Error(`wire type ${type}`);
    const value = type === 0 ? varint() : taken(type === 1 ? 8 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function numberIn(fields: Fields, field: number): number | null {
  const value = fields.get(field)?.[0];
  return typeof value === "bigint" ? Number(value) : null;
}

function textIn(fields: Fields, field: number): string | null {
  const value = fields.get(field)?.[0];
  return Buffer.isBuffer(value) ? value.toString() : null;
}
