// Limits of the embedded broker: packets, connections,
// silence and waiting messages.

import { afterEach, expect, test } from "vitest";
import { PAYLOAD_HEAD_BYTES } from "../../../src/bwts/message.ts";
import { fixedHeader, PACKET_MAX_BYTES } from "../../../src/mqtt/framing.ts";
import { CONNECT_MAX_BYTES } from "../../../src/mqtt/guard.ts";
import { BROKER_LIMITS } from "../../../src/mqtt/shared-limits.ts";
import {
  brokerRig,
  closeAll,
  connectedRaw,
  type Opened,
  publisher,
  TOPIC,
} from "../../rig/broker-rig.ts";
import { quiet, until } from "../../rig/mqtt-receiver.ts";
import {
  CONNACK_ACCEPTED,
  connectPacket,
  publishPacket,
  pubrelPacket,
  type RawClient,
  rawClient,
  subscribePacket,
} from "../../rig/raw-mqtt.ts";

const opened: Opened = [];
afterEach(() => closeAll(opened));

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
  const { in_hand_max_bytes } = BROKER_LIMITS;
  await until("the limit to be reached", () => plc.held() * payload.length >= in_hand_max_bytes);
  await quiet();
  expect(plc.held()).toBeLessThan(150);
  plc.accept();
  await Promise.all(sent);
  expect(plc.messages).toHaveLength(300);
});

test("tiny packets go on a few at a time, however many a chunk holds", async () => {
  const { port, plc, count } = await brokerRig(opened);
  plc.hold();
  const client = await connectedRaw(opened, port, "plc-1");
  const tiny = publishPacket({ topic: "t", payload: "", qos: 1, packet_id: 1 });
  client.send(...Array.from({ length: 5000 }, () => tiny));
  await until("some to be in hand", () => plc.held() > 0);
  await quiet();
  expect(plc.held()).toBeLessThan(1000);
  plc.accept();
  await until("all", () => count("messages_total") === 5000);
});

test("the real limits are those of the manual", () => {
  expect(BROKER_LIMITS).toMatchObject({
    ...{ connections_max: 2048, connect_ms: 30_000, packet_ms: 60_000 },
    ...{ unfinished_max_bytes: 64 * 1024 * 1024, in_hand_shared_bytes: 48 * 1024 },
  });
});

test("when it is full, whoever came first and published nothing makes room", async () => {
  const { port, count, plc } = await brokerRig(opened, undefined, { connections_max: 5 });
  const clients = await Promise.all(Array.from({ length: 5 }, () => rawClient(port)));
  for (const client of clients) opened.push(client.cut);
  const late = await publisher(opened, port);
  await late.publishAsync(TOPIC, "{}", { qos: 1 });
  expect(plc.messages).toHaveLength(1);
  expect(count("refused_connections_total")).toBe(1);
  const closed = () => clients.filter((client) => client.closed());
  await until("one to be closed", () => closed().length > 0);
  await quiet();
  expect(closed()).toHaveLength(1);
});

test("nobody who publishes makes room: more connections are closed at once", async () => {
  const { port, count, plc } = await brokerRig(opened, undefined, { connections_max: 5 });
  const clients = await Promise.all(Array.from({ length: 5 }, () => rawClient(port)));
  const published = publishPacket({ topic: TOPIC, payload: "{}" });
  for (const [number, client] of clients.entries()) {
    opened.push(client.cut);
    client.send(connectPacket({ client_id: `plc-${number}` }), published);
  }
  await until("all to publish", () => plc.messages.length === 5);
  const refused = await rawClient(port);
  await refused.isClosed();
  expect(count("refused_connections_total")).toBe(1);
});

test("who sends no whole CONNECT, or no whole packet, in time is closed and counted", async () => {
  const limits = { connect_ms: 6000, packet_ms: 6000 };
  const { port, count } = await brokerRig(opened, undefined, limits);
  const silent = await rawClient(port);
  const slow = await rawClient(port);
  const connect = connectPacket({ client_id: "slow" });
  let at = 0;
  const dripping = setInterval(() => slow.send(connect.subarray(at, ++at)), 1000);
  opened.push(() => clearInterval(dripping));
  const idle = await connectedRaw(opened, port, "idle");
  const half = await connectedRaw(opened, port, "half");
  half.send(publishPacket({ topic: TOPIC, payload: "{}" }).subarray(0, 9));
  for (const client of [silent, slow, half]) await client.isClosed();
  expect(count("slow_connections_total")).toBe(3);
  expect(idle.closed()).toBe(false);
});

test("of unfinished packets only so much is kept, and who holds most goes first", async () => {
  const limits = { unfinished_max_bytes: 3_000_000 };
  const { port, plc, count } = await brokerRig(opened, undefined, limits);
  const payload = Buffer.alloc(2_000_000, "x");
  const small = await connectedRaw(opened, port, "small");
  const packet = publishPacket({ topic: TOPIC, payload, qos: 1, packet_id: 1 });
  small.send(packet.subarray(0, 900_000));
  const large = await connectedRaw(opened, port, "large");
  large.send(packet.subarray(0, 1_900_000));
  const larger = await connectedRaw(opened, port, "larger");
  larger.send(packet.subarray(0, 1_950_000));
  await until("one to go", () => count("crowded_out_connections_total") === 1);
  await quiet();
  expect(small.closed()).toBe(false);
  expect(large.closed() || larger.closed()).toBe(true);
  small.send(packet.subarray(900_000));
  await small.receives(`${CONNACK_ACCEPTED}40020001`);
  expect(plc.messages[0]?.payload_bytes).toBe(payload.length);
});

test("what begins otherwise than MQTT is closed at its first byte, and named", async () => {
  const { port, count, lines } = await brokerRig(opened);
  for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01", "nonsense"]) {
    const client = await rawClient(port);
    client.send(Buffer.from(bytes));
    await client.isClosed();
  }
  expect(count("foreign_connections_total")).toBe(3);
  expect(lines.filter((line) => line.startsWith("warn connection closed"))).toHaveLength(3);
});

test("a client that doesn't read its acknowledgements harms nobody", async () => {
  const { port } = await brokerRig(opened);
  const frozen = await connectedRaw(opened, port, "frozen");
  frozen.stopReading();
  const tiny = publishPacket({ topic: "t", payload: "", qos: 1, packet_id: 1 });
  const many = Buffer.concat(Array.from({ length: 1000 }, () => tiny));
  const flooding = setInterval(() => frozen.send(many), 10);
  opened.push(() => clearInterval(flooding));
  const plc = await publisher(opened, port);
  for (let number = 0; number < 100; number += 1)
    await plc.publishAsync(TOPIC, String(number), { qos: 1 });
  expect(frozen.received()).toBe(CONNACK_ACCEPTED);
});

test("QoS 2 messages that are never finished are bounded over all connections", async () => {
  const { port } = await brokerRig(opened, undefined, { half_done_max: 1000 });
  const flood = async (client_id: string, from: number) => {
    const client = await connectedRaw(opened, port, client_id);
    const packets = Array.from({ length: 600 }, (_, at) =>
      publishPacket({ topic: "t", payload: "", qos: 2, packet_id: from + at }),
    );
    client.send(...packets);
    return client;
  };
  const small = await connectedRaw(opened, port, "small");
  small.send(publishPacket({ topic: TOPIC, payload: "", qos: 2, packet_id: 5 }));
  const flooders = await Promise.all([flood("one", 1), flood("two", 1000)]);
  await until("one of them to be closed", () => flooders.some((client) => client.closed()));
  await quiet();
  expect(flooders.every((client) => client.closed())).toBe(false);
  small.send(pubrelPacket(5));
  await small.receives(`${CONNACK_ACCEPTED}5002000570020005`);
});

test("a SUBSCRIBE with thousands of filters closes the connection and is counted", async () => {
  const { port, count } = await brokerRig(opened);
  const client = await connectedRaw(opened, port, "plc-1");
  client.send(subscribePacket(1, ...Array.from({ length: 2000 }, () => "#")));
  await client.isClosed();
  expect(count("oversized_packets_total")).toBe(1);
  expect(count("refused_subscriptions_total")).toBe(0);
});

test("a client id over 256 characters is refused, of a will the head is kept", async () => {
  const { port, plc, count } = await brokerRig(opened);
  const client = await rawClient(port);
  client.send(connectPacket({ client_id: "x".repeat(257) }));
  await client.receives("20020002");
  expect(count("refused_connections_total")).toBe(1);
  const will = { topic: TOPIC, payload: Buffer.alloc(60_000, "x"), qos: 1 } as const;
  const dying = await publisher(opened, port, { will, reconnectPeriod: 0 });
  dying.stream.destroy();
  await until("the will", () => plc.messages.length === 1);
  expect(plc.messages[0]?.payload).toHaveLength(256);
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
  expect(idle.some((client) => client.closed())).toBe(false);
});

test("a client that falls silent beyond its keep-alive is disconnected", async () => {
  const { port } = await brokerRig(opened);
  const client = await rawClient(port);
  client.send(connectPacket({ client_id: "plc-1", keepalive_s: 1 }));
  await client.isClosed();
  expect(client.received()).toBe(CONNACK_ACCEPTED);
});
