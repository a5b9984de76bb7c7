// What the embedded broker bears: limits on packets, connections, silence and messages in hand.

import { afterEach, expect, test } from "vitest";
import { PAYLOAD_HEAD_BYTES } from "../src/bwts/message.ts";
import { CONNECTIONS_MAX } from "../src/mqtt/broker.ts";
import {
  CONNECT_MAX_BYTES,
  headerScanner,
  IN_HAND_MAX_BYTES,
  PACKET_MAX_BYTES,
} from "../src/mqtt/guard.ts";
import {
  brokerRig,
  closeAll,
  connectedRaw,
  type Opened,
  publisher,
  TOPIC,
} from "./support/broker-rig.ts";
import { quiet, until } from "./support/door.ts";
import {
  CONNACK_ACCEPTED,
  connectPacket,
  fixedHeader,
  publishPacket,
  type RawClient,
  rawClient,
} from "./support/raw-mqtt.ts";

const opened: Opened = [];
afterEach(() => closeAll(opened));

test("the guard finds what a packet announces however the bytes are cut", () => {
  const seed = Date.now() % 2 ** 31;
  const random = seededRandom(seed);
  const packets = [connectPacket({ client_id: "plc-1" })];
  for (let packet = 0; packet < 200; packet += 1) {
    const payload = Buffer.alloc(Math.floor(random() ** 4 * 100_000), 0xff);
    packets.push(publishPacket({ topic: TOPIC, payload }));
  }
  const stream = Buffer.concat([...packets, fixedHeader(0x30, PACKET_MAX_BYTES - 4)]);
  const announced = headerScanner();
  const found: (number | null)[] = [];
  for (let at = 0; at < stream.length; ) {
    const next = at + 1 + Math.floor(random() ** 3 * 5000);
    found.push(announced(stream.subarray(at, next)));
    at = next;
  }
  expect(
    found.slice(0, -1).every((size) => size === null),
    `seed ${seed}`,
  ).toBe(true);
  expect(found.at(-1), `seed ${seed}`).toBe(PACKET_MAX_BYTES + 1);
});

test("a first packet that announces over 64 KiB closes the connection and is counted", async () => {
  const { port, count } = await brokerRig(opened);
  const client = await rawClient(port);
  client.send(fixedHeader(0x10, CONNECT_MAX_BYTES));
  await client.isClosed();
  expect(count("oversized_packets_total")).toBe(1);
});

test("a packet that announces more than 4 MiB closes the connection and is counted", async () => {
  const { port, plc, count } = await brokerRig(opened);
  const client = await connectedRaw(opened, port, "plc-1");
  client.send(fixedHeader(0x30, PACKET_MAX_BYTES));
  await client.isClosed();
  expect(count("oversized_packets_total")).toBe(1);
  expect(plc.messages).toHaveLength(0);
});

test("of a payload over 1 MiB the head is taken, and it is acknowledged", async () => {
  const { port, plc } = await brokerRig(opened);
  const client = await publisher(opened, port);
  const payload = Buffer.alloc(3 * 1024 * 1024, "x");
  await client.publishAsync(TOPIC, payload, { qos: 1 });
  expect(plc.messages[0]?.payload_bytes).toBe(payload.length);
  expect(plc.messages[0]?.payload).toHaveLength(PAYLOAD_HEAD_BYTES);
});

test("a publisher faster than the disk is read no further, and loses nothing", async () => {
  const { port, plc } = await brokerRig(opened);
  plc.hold();
  const client = await publisher(opened, port);
  const payload = Buffer.alloc(64 * 1024, "x");
  const sent = Array.from({ length: 300 }, () => client.publishAsync(TOPIC, payload, { qos: 1 }));
  await until("the limit to be reached", () => plc.held() * payload.length > IN_HAND_MAX_BYTES);
  await quiet();
  expect(plc.held()).toBeLessThan(150);
  plc.accept();
  await Promise.all(sent);
  expect(plc.messages).toHaveLength(300);
});

test("when it is full, whoever came first and published nothing makes room", async () => {
  const { port, count, plc } = await brokerRig(opened);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => rawClient(port)));
  for (const client of clients) opened.push(client.cut);
  const late = await publisher(opened, port);
  await late.publishAsync(TOPIC, "{}", { qos: 1 });
  expect(plc.messages).toHaveLength(1);
  expect(count("refused_connections_total")).toBe(1);
  expect(clients.filter((client) => client.closed())).toHaveLength(1);
});

test("nobody who publishes makes room: more connections are closed at once", async () => {
  const { port, count, plc } = await brokerRig(opened);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => rawClient(port)));
  const published = publishPacket({ topic: TOPIC, payload: "{}" });
  for (const [number, client] of clients.entries()) {
    opened.push(client.cut);
    client.send(connectPacket({ client_id: `plc-${number}` }), published);
  }
  await until("all to publish", () => plc.messages.length === CONNECTIONS_MAX);
  const refused = await rawClient(port);
  await refused.isClosed();
  expect(count("refused_connections_total")).toBe(1);
  expect(clients.some((client) => client.closed())).toBe(false);
});

test("2,000 connections that say nothing leave a publisher unharmed", async () => {
  const { port, plc } = await brokerRig(opened);
  const plant = await publisher(opened, port, { reconnectPeriod: 0 });
  await plant.publishAsync(TOPIC, "{}", { qos: 1 });
  const idle: RawClient[] = [];
  opened.push(() => {
    for (const client of idle) client.cut();
  });
  for (let batch = 0; batch < 20; batch += 1) {
    idle.push(...(await Promise.all(Array.from({ length: 100 }, () => rawClient(port)))));
    await plant.publishAsync(TOPIC, "{}", { qos: 1 });
  }
  expect(plc.messages).toHaveLength(21);
  const silent = () => idle.filter((client) => !client.closed()).length;
  await until("the silent to be cut", () => silent() < CONNECTIONS_MAX);
});

test("a client that falls silent beyond its keep-alive is disconnected", async () => {
  const { port } = await brokerRig(opened);
  const client = await rawClient(port);
  client.send(connectPacket({ client_id: "plc-1", keepalive_s: 1 }));
  await client.isClosed();
  expect(client.received()).toBe(CONNACK_ACCEPTED);
});

// mulberry32, by seed: the same numbers again for a seed that failed.
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
