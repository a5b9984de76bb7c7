// ballastd's own status at the ship's broker, as another client of a real Mosquitto sees it:
// online, then offline by itself or by last will; corrected when wrong, never at a message's cost.

import path from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterEach, expect, test } from "vitest";
import { watchCertificate } from "../../../src/config/certificate-watch.ts";
import { systemClock } from "../../../src/ground/clock.ts";
import { statusTopic } from "../../../src/mqtt/own-status.ts";
import { closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import { authority } from "../../rig/certificates.ts";
import {
  type ClientRig,
  clientRig,
  publishNumbers,
  sessionFile,
  subscribed,
  subscribedRig,
  texts,
} from "../../rig/client-rig.ts";
import { type Lameness, openLameBroker } from "../../rig/lame-broker.ts";
import { openMosquitto } from "../../rig/mosquitto.ts";
import { keptLog, quiet, until } from "../../rig/mqtt-receiver.ts";
import { openProxy } from "../../rig/proxy.ts";
import { publishPacket } from "../../rig/raw-mqtt.ts";

const STATUS = statusTopic("bwts", "BWTS-001");
const QUICK = {
  ...{ pause_min_ms: 20, pause_max_ms: 200, steady_ms: 600 },
  ...{ status_echo_ms: 200, status_again_ms: 50 },
};

const opened: Opened = [];
afterEach(() => closeAll(opened));

/** Words of the status as they come, and the one that is retained now. */
async function watchStatus(url: string, login: object = {}) {
  const client = await connectAsync(url, login);
  opened.push(() => client.endAsync(true));
  const words: string[] = [];
  client.on("message", (_topic, payload) => words.push(payload.toString()));
  await client.subscribeAsync(STATUS, { qos: 1 });
  return { client, words, said: (word: string) => until(word, () => words.at(-1) === word) };
}

async function retainedAt(url: string): Promise<string | null> {
  const { client, words } = await watchStatus(url);
  await until("a retained one", () => words.length > 0);
  await client.endAsync();
  return words[0] ?? null;
}

const publishes = (client: MqttClient, word: string) =>
  client.publishAsync(STATUS, word, { qos: 1, retain: true });

const published = ({ endpoint }: ClientRig) => endpoint.status().counts.status_published_total;
const warnings = ({ lines }: ClientRig) => lines.filter((line) => line.includes("status"));

test("it is online while ballastd is subscribed, offline after its end or its loss", async () => {
  const broker = await openMosquitto(null);
  opened.push(broker.close);
  const proxy = await openProxy({ port: broker.port });
  opened.push(proxy.close);
  const watch = await watchStatus(broker.url);
  const url = `mqtt://127.0.0.1:${proxy.port}`;
  const options = { url, session_file: sessionFile(opened), timing: QUICK, status: true };
  const first = await subscribedRig(opened, options);
  await watch.said("online");
  expect(await retainedAt(broker.url)).toBe("online");

  proxy.cut("reset");
  await until("the last will, and it online again", () => watch.words.length >= 3);
  expect(watch.words.slice(0, 3)).toEqual(["online", "offline", "online"]);

  await first.endpoint.close();
  await watch.said("offline");
  expect(await retainedAt(broker.url)).toBe("offline");

  // Our own messages in the session, and the retained one, aren't the PLC's.
  const second = await subscribedRig(opened, options);
  await watch.said("online");
  await publishNumbers(broker.url, 1, 3);
  await until("three messages", () => second.plc.messages.length === 3);
  expect(texts(second.plc)).toEqual(["1", "2", "3"]);
  expect(first.plc.messages).toEqual([]);

  await broker.stop();
  await until("it to be gone", () => !second.endpoint.status().connected);
  const before = published(second);
  await broker.start();
  await until("it to be said again", () => published(second) === before + 1);
  expect(await retainedAt(broker.url)).toBe("online");
  expect(warnings(second)).toEqual([]);
});

test("an offline that is wrong is put right, and other words there are a message", async () => {
  const broker = await openMosquitto(null);
  opened.push(broker.close);
  const { plc } = await subscribedRig(opened, { ...broker, status: true, timing: QUICK });
  const watch = await watchStatus(broker.url);
  await watch.said("online");
  await publishes(watch.client, "offline");
  await watch.said("online");
  expect(watch.words.slice(-2)).toEqual(["offline", "online"]);
  await publishes(watch.client, "hello");
  await until("it", () => plc.messages.length === 1);
  expect(plc.messages).toMatchObject([{ topic: STATUS }]);
});

test("it goes over TLS, and without the key nothing is published", async () => {
  const ship = authority(path.dirname(sessionFile(opened)), "ship");
  const broker = await openMosquitto(null, { ...ship.issue("broker"), ca: ship.ca });
  opened.push(broker.close);
  const tools = { clock: systemClock, log: keptLog().log };
  const pair = { ...ship.issue("ballastd"), ca: ship.ca };
  const certificate = watchCertificate({ use: "mqtt", ...pair }, tools);
  opened.push(certificate.close);
  const { ca, cert, key } = certificate.credentials();
  const watch = await watchStatus(broker.url, { ca, cert, key });
  const silent = await subscribedRig(opened, { url: broker.url, certificate });
  await quiet();
  await silent.endpoint.close();
  expect(watch.words).toEqual([]);
  await subscribedRig(opened, { url: broker.url, certificate, status: true });
  await watch.said("online");
});

test("a broker that doesn't let it through is told of once, and messages go on", async () => {
  const acl = `topic write ${TOPIC}\ntopic read bwts/#\n`;
  const broker = await openMosquitto(null, null, { acl });
  opened.push(broker.close);
  const proxy = await openProxy({ port: broker.port });
  opened.push(proxy.close);
  const url = `mqtt://127.0.0.1:${proxy.port}`;
  const rig = await subscribedRig(opened, { url, status: true, timing: QUICK });
  const refused = () => rig.endpoint.status().counts.status_refused_total;
  await until("the refusal", () => refused() === 1);
  proxy.cut("end");
  await until("the next", () => refused() === 2);
  await publishNumbers(broker.url, 1, 3);
  await until("three messages", () => rig.plc.messages.length === 3);
  expect(warnings(rig)).toEqual([
    "warn the broker doesn't pass on ballastd's status: may its user publish it?",
  ]);
});

test("a broker that closed two connections for another reason gets the status later", async () => {
  let isDown = true;
  let refused = 0;
  const broker = await openLameBroker(() => {
    if (isDown) refused += 1;
    return isDown ? { connack: 5 } : {};
  });
  opened.push(broker.close);
  const timing = { ...QUICK, status_echo_ms: 60_000 };
  const rig = await clientRig(opened, { url: broker.url, status: true, timing });
  await until("two refusals", () => refused === 2);
  isDown = false;
  await until("the status to be acknowledged", () => published(rig) === 1);
  expect(rig.endpoint.status()).toMatchObject({
    ...{ connected: true, problem: null, faults: { refused: 2, closed: 0 } },
  });
  expect(warnings(rig)).toEqual([]);
});

test.each([
  ["a last will", { will: "close" }],
  ["a retained PUBLISH", { publish: "close" }],
] satisfies readonly (readonly [string, Lameness])[])(
  "a broker that closes on %s is done without it",
  async (_what, lameness) => {
    const broker = await openLameBroker(() => lameness);
    opened.push(broker.close);
    const rig = await clientRig(opened, { url: broker.url, status: true, timing: QUICK });
    await until("a connection without", () => warnings(rig).length === 1);
    await subscribed(rig.endpoint);
    broker.send(publishPacket({ topic: TOPIC, payload: "1", qos: 1, packet_id: 7 }));
    await until("its PUBACK", () => broker.asked.includes("PUBACK"));
    expect(texts(rig.plc)).toEqual(["1"]);
    expect(rig.endpoint.status()).toMatchObject({ connected: true, problem: null });
  },
);
