// Client mode against a real Mosquitto: what is acknowledged when, and what comes again.

import { connectAsync, MqttClient } from "mqtt";
import { afterEach, expect, test } from "vitest";
import { PAYLOAD_HEAD_BYTES } from "../../../src/bwts/message.ts";
import { brokerRig, closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import {
  CLIENT_ID,
  clientRig,
  FILTER,
  numbers,
  publishNumbers,
  subscribed,
  subscribedRig,
  texts,
} from "../../rig/client-rig.ts";
import { type Mosquitto, openMosquitto, runTool } from "../../rig/mosquitto.ts";
import { quiet, until } from "../../rig/mqtt-receiver.ts";

const LOGIN = { username: "ballastd", password: "sea water" };

/** Mosquitto's default for messages sent and not yet acknowledged. */
const MOSQUITTO_IN_FLIGHT = 20;

const opened: Opened = [];
afterEach(() => closeAll(opened));

async function mosquitto(login: typeof LOGIN | null = null): Promise<Mosquitto> {
  const broker = await openMosquitto(login);
  opened.push(broker.close);
  return broker;
}

test("messages of every QoS are taken once, as the broker sends them", async () => {
  const broker = await mosquitto(LOGIN);
  const { endpoint, plc } = await subscribedRig(opened, { url: broker.url, login: LOGIN });
  const to = ["-h", "127.0.0.1", "-p", String(broker.port), "-u", "ballastd", "-P", "sea water"];
  for (const qos of ["0", "1", "2"])
    await runTool("mosquitto_pub", [...to, "-t", TOPIC, "-m", `qos ${qos}`, "-q", qos]);
  await until("three messages", () => plc.messages.length === 3);
  expect(texts(plc)).toEqual(["qos 0", "qos 1", "qos 2"]);
  expect(plc.messages).toMatchObject([
    { topic: TOPIC, qos: 0, client: "", packet_id: null, will: false, retain: false },
    { topic: TOPIC, qos: 1 },
    { topic: TOPIC, qos: 1 },
  ]);
  expect(endpoint.status()).toMatchObject({ mode: "client", clients: 1, problem: null });
});

test("a full window of messages waits for one commit, and PUBACK comes after it", async () => {
  const broker = await mosquitto();
  const { endpoint, plc } = await subscribedRig(opened, broker);
  plc.hold();
  await publishNumbers(broker.url, 1, 50);
  await until("the window to be full", () => plc.held() === MOSQUITTO_IN_FLIGHT);
  await quiet();
  expect(plc.held()).toBe(MOSQUITTO_IN_FLIGHT); // one more would mean a PUBACK before the commit
  plc.commit();
  await until("the window to move on", () => plc.messages.length > MOSQUITTO_IN_FLIGHT);
  plc.accept();
  await until("the rest", () => endpoint.status().counts.messages_total === 50);
  expect(texts(plc)).toEqual(numbers(1, 50));
});

test("the library still has what acknowledging after the commit relies on", async () => {
  const broker = await mosquitto();
  const client = await connectAsync(broker.url);
  opened.push(() => client.endAsync(true));
  expect(MqttClient.prototype).toHaveProperty("_sendPacket");
  const sent: string[] = [];
  const received: number[] = [];
  client.on("packetsend", (packet) => sent.push(packet.cmd));
  client.handleMessage = (packet, done) => {
    received.push(packet.messageId ?? 0);
    done(new Error("not done"));
  };
  await client.subscribeAsync(FILTER, { qos: 1 });
  await publishNumbers(broker.url, 1, 3);
  await until("three messages", () => received.length === 3);
  await quiet();
  expect(sent).not.toContain("puback");
  expect(client.connected).toBe(true);
});

test("a message that can't be committed comes again on a new connection", async () => {
  const broker = await mosquitto();
  const { endpoint, plc, lines } = await subscribedRig(opened, broker);
  plc.refuse();
  await publishNumbers(broker.url, 1, 3);
  await until("the connection to end", () => !endpoint.status().connected);
  expect(endpoint.status().problem).toMatch(/^not connected since 2.*Z: not committed: disk full$/);
  plc.accept();
  await until("all to be committed", () => endpoint.status().counts.messages_total === 3);
  await subscribed(endpoint); // a resumed session's messages may come before SUBACK
  expect(texts(plc).slice(-3)).toEqual(numbers(1, 3));
  expect(plc.messages.at(-1)?.dup).toBe(true);
  expect(lines).toContain("error not received from the ship's broker");
  expect(endpoint.status().counts.connections_total).toBeGreaterThan(1);
});

test("what is published while ballastd is away comes when it is back, and only once", async () => {
  const broker = await mosquitto();
  const first = await subscribedRig(opened, broker);
  await publishNumbers(broker.url, 1, 1);
  await until("the first message", () => first.plc.messages.length === 1);
  await first.endpoint.close();
  await publishNumbers(broker.url, 2, 30);
  const second = await subscribedRig(opened, broker);
  await until("the rest", () => second.endpoint.status().counts.messages_total === 29);
  expect(texts(second.plc)).toEqual(numbers(2, 30));
});

test("a restarted broker is found again, and sends again what was not acknowledged", async () => {
  const broker = await mosquitto();
  const { endpoint, plc } = await subscribedRig(opened, broker);
  plc.hold();
  await publishNumbers(broker.url, 1, 2);
  await until("both to be in hand", () => plc.held() === 2);
  await broker.stop();
  plc.accept(); // committed, but too late for PUBACK
  await until("the loss to be seen", () => !endpoint.status().connected);
  expect(endpoint.status().problem).toMatch(/^not connected since /);
  await broker.start();
  await subscribed(endpoint);
  await publishNumbers(broker.url, 3, 3);
  await until("the new message", () => texts(plc).includes("3"));
  expect(texts(plc)).toEqual(["1", "2", "1", "2", "3"]);
  expect(endpoint.status().problem).toBeNull();
});

test("closing commits and acknowledges what is in hand, and takes nothing more", async () => {
  const broker = await mosquitto();
  const { endpoint, plc } = await subscribedRig(opened, broker);
  plc.hold();
  await publishNumbers(broker.url, 1, 1);
  await until("the message to be taken", () => plc.held() === 1);
  const closed = endpoint.close();
  await publishNumbers(broker.url, 2, 2);
  await quiet();
  plc.commit();
  await closed;
  expect(texts(plc)).toEqual(["1"]);
  const next = await subscribedRig(opened, broker);
  await until("the message after it", () => next.plc.messages.length === 1);
  expect(texts(next.plc)).toEqual(["2"]);
});

test("QoS 2 messages that another program's session left are committed once", async () => {
  const broker = await mosquitto();
  const other = await connectAsync(broker.url, { clientId: CLIENT_ID, clean: false });
  await other.subscribeAsync(FILTER, { qos: 2 });
  await other.endAsync();
  const at = ["-h", "127.0.0.1", "-p", String(broker.port)];
  for (const payload of ["1", "2"])
    await runTool("mosquitto_pub", [...at, "-t", TOPIC, "-m", payload, "-q", "2"]);
  const { plc, endpoint } = await subscribedRig(opened, broker);
  await until("both", () => endpoint.status().counts.messages_total === 2);
  await publishNumbers(broker.url, 3, 3);
  await until("the third", () => endpoint.status().counts.messages_total === 3);
  expect(texts(plc)).toEqual(numbers(1, 3));
  expect(plc.messages.map((message) => message.qos)).toEqual([2, 2, 1]);
});

test("of a payload over 1 MiB the head is taken, and the next message follows", async () => {
  const broker = await mosquitto();
  const { plc } = await subscribedRig(opened, broker);
  const client = await connectAsync(broker.url);
  await client.publishAsync(TOPIC, Buffer.alloc(5 * 1024 * 1024, "x"), { qos: 1 });
  await client.publishAsync(TOPIC, "next", { qos: 1 });
  await client.endAsync();
  await until("both", () => plc.messages.length === 2);
  expect(plc.messages[0]?.payload).toHaveLength(PAYLOAD_HEAD_BYTES);
  expect(plc.messages[0]?.payload_bytes).toBe(5 * 1024 * 1024);
});

test("a wrong password is said in the status and in the log", async () => {
  const broker = await mosquitto(LOGIN);
  const { endpoint, lines } = await clientRig(opened, {
    url: broker.url,
    login: { ...LOGIN, password: "fresh water" },
  });
  await until("the refusal", () => endpoint.status().faults.refused === 1);
  expect(endpoint.status().problem).toMatch(/: Connection refused: Not authorized$/);
  expect(lines).toContain("error not received from the ship's broker");
});

test("a refused subscription is said, and tried again", async () => {
  const broker = await brokerRig(opened);
  const { endpoint } = await clientRig(opened, {
    url: `mqtt://127.0.0.1:${broker.port}`,
    timing: { subscribe_again_ms: 100 },
  });
  await until("a second try", () => broker.count("refused_subscriptions_total") === 2);
  expect(endpoint.status().connected).toBe(false);
  expect(endpoint.status().problem).toBe("the broker refused the subscription to bwts/BWTS-001/#");
});

test("without a broker the endpoint opens, says so, and closes", async () => {
  const broker = await mosquitto();
  await broker.stop();
  const { endpoint } = await clientRig(opened, broker);
  expect(endpoint.status().problem).toMatch(/: connecting$/);
  await until("the failure", () => endpoint.status().problem?.endsWith("connecting") === false);
  expect(endpoint.status().problem).toMatch(/^not connected since 2.*: .*ECONNREFUSED/);
  await endpoint.close();
});
