// The embedded broker from outside: over real sockets, with a client library, with Mosquitto's
// tools, and with packets made by hand. Its limits: mqtt-guard.test.ts.

import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../../src/ground/clock.ts";
import { Failure } from "../../../src/ground/errors.ts";
import { openBroker } from "../../../src/mqtt/broker.ts";
import {
  brokerRig,
  closeAll,
  connectedRaw,
  type Opened,
  publisher,
  TOPIC,
} from "../../rig/broker-rig.ts";
import { runTool } from "../../rig/mosquitto.ts";
import { keptLog, quiet, taken, text, until } from "../../rig/mqtt-receiver.ts";
import {
  CONNACK_ACCEPTED,
  connectPacket,
  publishPacket,
  pubrelPacket,
  rawClient,
  subscribePacket,
} from "../../rig/raw-mqtt.ts";

const opened: Opened = [];
afterEach(() => closeAll(opened));

test("PUBACK is sent after the commit and not before", async () => {
  const { port, plc } = await brokerRig(opened);
  plc.hold();
  const client = await connectedRaw(opened, port, "plc-1");
  client.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 7 }));
  await until("the message to be taken", () => plc.held() === 1);
  await quiet();
  expect(client.received()).toBe(CONNACK_ACCEPTED);
  plc.commit();
  await client.receives(`${CONNACK_ACCEPTED}40020007`);
});

test("messages of one publisher wait for one commit together", async () => {
  const { port, plc, count } = await brokerRig(opened);
  plc.hold();
  const client = await publisher(opened, port);
  const sent = Array.from({ length: 50 }, (_, at) =>
    client.publishAsync(TOPIC, String(at), { qos: 1 }),
  );
  await until("all to be in hand", () => plc.held() === 50);
  plc.commit();
  await Promise.all(sent);
  expect(count("messages_total")).toBe(50);
});

test("a message that can't be committed isn't acknowledged, and can be sent again", async () => {
  const { port, plc, count } = await brokerRig(opened);
  plc.refuse();
  const client = await publisher(opened, port, { clientId: "plc-1" });
  let acknowledged = false;
  const sent = client.publishAsync(TOPIC, "once more", { qos: 1 }).then(() => {
    acknowledged = true;
  });
  await until("it to be sent again", () => plc.messages.length >= 2);
  expect(acknowledged).toBe(false);
  plc.accept();
  await sent;
  expect(plc.messages.every((message) => text(message.payload) === "once more")).toBe(true);
  expect(count("withheld_total")).toBe(plc.messages.length - 1);
});

test("a message of QoS 0, 1 and 2 is taken exactly once, with what was said of it", async () => {
  const { port, plc } = await brokerRig(opened);
  const client = await publisher(opened, port, { clientId: "plc-1" });
  for (const qos of [0, 1, 2] as const) await client.publishAsync(TOPIC, `qos ${qos}`, { qos });
  await client.endAsync();
  expect(plc.messages).toMatchObject(
    [0, 1, 2].map((qos) => ({ topic: TOPIC, qos, client: "plc-1", retain: false, will: false })),
  );
  expect(plc.messages.map((message) => text(message.payload))).toEqual(["qos 0", "qos 1", "qos 2"]);
  expect(plc.messages.map((message) => message.packet_id === null)).toEqual([true, false, false]);
});

test("a QoS 2 message repeated before PUBREL is taken once, PUBREC after its commit", async () => {
  const { port, plc } = await brokerRig(opened);
  plc.hold();
  const client = await connectedRaw(opened, port, "plc-1");
  const publish = { topic: TOPIC, payload: "{}", qos: 2, packet_id: 5 } as const;
  client.send(publishPacket(publish));
  await until("the message to be taken", () => plc.held() === 1);
  client.send(publishPacket({ ...publish, dup: true }));
  await quiet();
  expect(client.received()).toBe(CONNACK_ACCEPTED);
  plc.accept();
  const [pubrec, pubcomp] = ["50020005", "70020005"];
  const twice = `${CONNACK_ACCEPTED}${pubrec}${pubrec}`;
  await client.receives(twice);
  client.send(publishPacket({ ...publish, dup: true }));
  await client.receives(`${twice}${pubrec}`);
  expect(plc.messages).toHaveLength(1);
  client.send(pubrelPacket(5));
  await client.receives(`${twice}${pubrec}${pubcomp}`);
  client.send(publishPacket(publish)); // the packet id is free again: another message
  await client.receives(`${twice}${pubrec}${pubcomp}${pubrec}`);
  expect(plc.messages).toHaveLength(2);
});

test("mosquitto_pub and mosquitto_sub: the message is taken and nobody else gets it", async () => {
  const { port, plc, count } = await brokerRig(opened);
  const host = ["-h", "127.0.0.1", "-p", String(port)];
  const listener = runTool("mosquitto_sub", [...host, "-t", "#", "-q", "1", "-W", "3"]);
  await until("the subscription to be refused", () => count("refused_subscriptions_total") === 1);
  await runTool("mosquitto_pub", [...host, "-t", TOPIC, "-m", "{}", "-q", "2", "-r"]);
  expect((await listener).output).toMatch(/denied/);
  expect(plc.messages).toMatchObject([{ topic: TOPIC, qos: 2, retain: true }]);
});

test("every SUBSCRIBE is refused, nothing is forwarded or retained, the client stays", async () => {
  const { port, plc } = await brokerRig(opened);
  const client = await publisher(opened, port, { clientId: "plc-1" });
  await client.publishAsync(TOPIC, "kept?", { qos: 1, retain: true });
  const listener = await connectedRaw(opened, port, "listener");
  listener.send(subscribePacket(3, "#", TOPIC, "$SYS/#"));
  await listener.receives(`${CONNACK_ACCEPTED}90050003808080`);
  await client.publishAsync(TOPIC, "forwarded?", { qos: 1 });
  await quiet();
  listener.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 9 }));
  await listener.receives(`${CONNACK_ACCEPTED}9005000380808040020009`);
  expect(plc.messages.map((message) => message.retain)).toEqual([true, false, false]);
});

test("a persistent session is not kept", async () => {
  const { port } = await brokerRig(opened);
  for (let round = 0; round < 2; round += 1) {
    const client = await rawClient(port);
    client.send(connectPacket({ client_id: "plc-1", clean: false }), subscribePacket(1, "#"));
    await client.receives(`${CONNACK_ACCEPTED}9003000180`);
    client.cut();
  }
});

test("a will comes when the publisher dies, not when it or ballastd says goodbye", async () => {
  const { endpoint, port, plc } = await brokerRig(opened);
  const will = { topic: "bwts/BWTS-001/link", payload: Buffer.from("gone"), qos: 1 } as const;
  const options = { will, reconnectPeriod: 0 };
  const polite = await publisher(opened, port, { ...options, clientId: "polite" });
  await polite.endAsync();
  const dying = await publisher(opened, port, { ...options, clientId: "dying" });
  dying.stream.destroy();
  await until("the will", () => plc.messages.length === 1);
  await publisher(opened, port, { ...options, clientId: "left" });
  await endpoint.close();
  expect(plc.messages).toMatchObject([
    { topic: will.topic, will: true, client: "dying", packet_id: null, retain: false },
  ]);
});

test("a will on a topic that starts with $ comes too", async () => {
  const { port, plc } = await brokerRig(opened);
  const will = { topic: "$SYS/plc", payload: Buffer.from("gone"), qos: 1 } as const;
  const dying = await publisher(opened, port, { will, reconnectPeriod: 0, clientId: "" });
  dying.stream.destroy();
  await until("the will", () => plc.messages.length === 1);
  expect(plc.messages).toMatchObject([{ will: true, client: "127.0.0.1" }]);
});

test("a second connection with the same client id takes over from the first", async () => {
  const { endpoint, port } = await brokerRig(opened);
  const first = await connectedRaw(opened, port, "plc-1");
  const second = await connectedRaw(opened, port, "plc-1");
  await first.isClosed();
  second.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 1 }));
  await second.receives(`${CONNACK_ACCEPTED}40020001`);
  expect(endpoint.status().clients).toBe(1);
});

test.each([0, 2, 5, 6, 0x85])(
  "protocol level %d is answered with 'unacceptable', counted, and logged with its address",
  async (protocol) => {
    const { port, count, fields } = await brokerRig(opened);
    const client = await rawClient(port);
    client.send(connectPacket({ client_id: "plc-1", protocol }));
    await client.isClosed();
    expect(client.received()).toBe("20020001");
    expect(count("refused_connections_total")).toBe(1);
    expect(fields).toContainEqual({
      remote: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      detail: `MQTT's protocol level ${protocol}, expected 4 (3.1.1) or 3 (3.1)`,
    });
  },
);

test("an empty client id asks for a clean session, and is known by its address", async () => {
  const { port, plc, connected } = await brokerRig(opened);
  const kept = await rawClient(port);
  kept.send(connectPacket({ client_id: "", clean: false }));
  await kept.isClosed();
  expect(kept.received()).toBe("20020002");
  const clean = await connectedRaw(opened, port, "");
  clean.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 1 }));
  await clean.receives(`${CONNACK_ACCEPTED}40020001`);
  expect(connected).toEqual(["127.0.0.1"]);
  expect(plc.messages[0].client).toBe("127.0.0.1");
});

test("a topic that starts with $ is refused", async () => {
  const { port, plc, count } = await brokerRig(opened);
  const client = await connectedRaw(opened, port, "plc-1");
  client.send(publishPacket({ topic: "$SYS/uptime", payload: "1", qos: 1, packet_id: 1 }));
  await client.isClosed();
  expect(plc.messages).toHaveLength(0);
  expect(count("refused_topics_total")).toBe(1);
});

test("closing waits for what is in hand, acknowledges it, and takes nothing more", async () => {
  const { endpoint, port, plc } = await brokerRig(opened);
  plc.hold();
  const client = await connectedRaw(opened, port, "plc-1");
  client.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 1 }));
  await until("the message to be taken", () => plc.held() === 1);
  const closed = endpoint.close();
  client.send(publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 2 }));
  await quiet();
  expect(client.closed()).toBe(false);
  plc.commit();
  await closed;
  await client.isClosed();
  expect(client.received()).toBe(`${CONNACK_ACCEPTED}40020001`);
  expect(plc.messages).toHaveLength(1);
});

test("a port that is taken is one line that names the address and the setting", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  opened.push(() => other.close());
  const address = other.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const failure = openBroker({
    listen: [{ host: "127.0.0.1", port }],
    missing: "refuse",
    certificate: null,
    username: "",
    password: "",
    take: taken().take,
    onConnected: () => null,
    onWill: () => null,
    note: () => null,
    clock: systemClock,
    log: keptLog().log,
  });
  await expect(failure).rejects.toThrow(Failure);
  await expect(failure).rejects.toThrow(
    `127.0.0.1:${port} (mqtt.listen, BALLASTD_MQTT_LISTEN) can't be bound: another program`,
  );
});
