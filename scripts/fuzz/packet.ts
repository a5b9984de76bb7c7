// The fuzzer of the MQTT port: one connection sends a sequence of control packets of MQTT 3.1,
// 3.1.1 or 5, damaged in lengths, flags, order or bytes, and cut into pieces. Layouts: OASIS MQTT
// 3.1.1 and 5.0, section 3.

import type { Random } from "../../test/rig/random.ts";
import { fuzzedMessage } from "./message.ts";

export interface FuzzedPackets {
  readonly kind: string;
  readonly chunks: readonly Buffer[];
}

const STRANGERS = [
  "GET / HTTP/1.1\r\nHost: ballastd\r\n\r\n",
  "SSH-2.0-OpenSSH_9.2\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  "\u0000",
  "\r\n\r\n",
] as const;
const KINDS = ["orderly", "damaged", "random", "disorderly", "stranger", "lengths"] as const;
const CONNECT = 0x10;
const TOPICS = [
  "bwts/BWTS-001/telemetry",
  "",
  "#",
  "bwts/+/telemetry",
  "$SYS/x",
  "a\u0000b",
  "/".repeat(200),
];

/** The bytes of one connection, in the pieces in which they are written. */
export function fuzzedPackets(random: Random): FuzzedPackets {
  const kind = random.pick(KINDS);
  return { kind, chunks: cut(random, bytesOf(kind, random)) };
}

function bytesOf(kind: (typeof KINDS)[number], random: Random): Buffer {
  const some = () => Array.from({ length: random.between(0, 12) }, () => anyPacket(random));
  switch (kind) {
    case "orderly":
      return Buffer.concat([connectPacket(random), ...some()]);
    case "damaged":
      return damaged(random, Buffer.concat([connectPacket(random), ...some()]));
    case "disorderly":
      return Buffer.concat([...some(), connectPacket(random), ...some(), connectPacket(random)]);
    case "random":
      return Buffer.concat([
        ...(random.chance(0.5) ? [connectPacket(random)] : []),
        randomBytes(random, random.pick([1, 2, 10, 200, 5000])),
      ]);
    case "stranger":
      return Buffer.from(random.pick(STRANGERS), "latin1");
    case "lengths":
      return Buffer.concat([
        ...(random.chance(0.5) ? [connectPacket(random)] : []),
        Buffer.from([random.between(0, 255)]),
        Buffer.from(random.pick(["ffffffff", "ffffff7f", "80808000", "8000", "ff7f", "00"]), "hex"),
        randomBytes(random, random.between(0, 100)),
      ]);
  }
}

function connectPacket(random: Random): Buffer {
  const version = random.pick([4, 4, 4, 4, 3, 5, 0, 6, 132, 255]);
  const name = random.chance(0.05) ? random.pick(["MQTTX", "", "mqtt"]) : protocolName(version);
  const will = random.chance(0.3);
  const login = random.chance(0.3);
  const sloppy = random.chance(0.1) ? random.between(0, 255) : 2;
  const flags = sloppy | (will ? 4 : 0) | (login ? 0xc0 : 0);
  const properties =
    version === 5 ? [Buffer.from(random.pick(["00", "0511000003e8", "7f"]), "hex")] : [];
  return packet(CONNECT, [
    text(name),
    Buffer.from([version, flags]),
    short(random.pick([0, 1, 60, 65_535])),
    ...properties,
    text(random.pick(["", "plc", "x".repeat(300), "\u0000", "é", `c${random.between(0, 50)}`])),
    ...(will ? [text(random.pick(TOPICS)), text(random.pick(["", "gone", "{}"]))] : []),
    ...(login ? [text("user"), text("password")] : []),
  ]);
}

const protocolName = (version: number) => (version === 3 ? "MQIsdp" : "MQTT");

function anyPacket(random: Random): Buffer {
  const type = random.chance(0.4) ? 3 : random.between(0, 15);
  const id = short(random.pick([0, 1, 2, 3, 65_535]));
  const right = random.chance(0.9);
  switch (type) {
    case 3: {
      const flags = right ? random.pick([0, 2, 2, 4, 10]) : random.between(0, 15);
      const { payload } = fuzzedMessage(random, Date.now());
      return packet(0x30 | flags, [
        text(random.chance(0.8) ? TOPICS[0] : random.pick(TOPICS)),
        ...((flags & 6) > 0 ? [id] : []),
        payload.subarray(0, 3000),
      ]);
    }
    case 6:
      return packet(right ? 0x62 : 0x60, [id]);
    case 8:
      return packet(right ? 0x82 : 0x80, [
        id,
        ...Array.from({ length: random.between(0, 5) }, () =>
          Buffer.concat([text(random.pick(TOPICS)), Buffer.from([random.between(0, 4)])]),
        ),
      ]);
    case 10:
      return packet(0xa2, [id, text(random.pick(TOPICS))]);
    case 12:
    case 14:
      return packet(type << 4, right ? [] : [randomBytes(random, 3)]);
    default:
      return packet(type << 4, [
        random.chance(0.7) ? id : randomBytes(random, random.between(0, 20)),
      ]);
  }
}

function damaged(random: Random, bytes: Buffer): Buffer {
  for (let times = random.between(1, 6); times > 0; times -= 1)
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return random.chance(0.3) ? bytes.subarray(0, random.between(0, bytes.length)) : bytes;
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.5)) return [bytes];
  const chunks: Buffer[] = [];
  const size_max = random.pick([1, 7, 100]);
  for (let at = 0; at < bytes.length && chunks.length < 50; ) {
    const size = chunks.length === 49 ? bytes.length : random.between(1, size_max);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function packet(first: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  for (; rest > 127; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([first, ...length, rest]), body]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([short(bytes.length), bytes]);
}

function short(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

function randomBytes(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.between(0, 255)));
}
