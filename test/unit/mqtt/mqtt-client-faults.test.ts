// Client mode on a bad network and with bad brokers: each fault is found, said, counted by its
// kind, and got over. Limits are the real ones, thirtyfold shorter: a busy machine keeps to them.

import path from "node:path";
import { connectAsync } from "mqtt";
import { afterAll, expect, test as single } from "vitest";
import { watchCertificate } from "../../../src/config/certificate-watch.ts";
import { systemClock } from "../../../src/ground/clock.ts";
import { fixedHeader } from "../../../src/mqtt/framing.ts";
import { CLIENT_TIMING, type ClientTiming } from "../../../src/mqtt/timing.ts";
import { closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import { authority } from "../../rig/certificates.ts";
import {
  CLIENT_ID,
  type ClientRig,
  clientRig,
  FILTER,
  isUp,
  numbers,
  publishNumbers,
  sessionFile,
  subscribed,
  subscribedRig,
  texts,
} from "../../rig/client-rig.ts";
import { type Lameness, openLameBroker } from "../../rig/lame-broker.ts";
import { openMosquitto } from "../../rig/mosquitto.ts";
import { keptLog, quiet, until } from "../../rig/mqtt-receiver.ts";
import { BLACK_HOLE, CLEAR, type NetworkProxy, openProxy } from "../../rig/proxy.ts";
import { publishPacket } from "../../rig/raw-mqtt.ts";

// They mostly wait for a limit to pass, so they wait together.
const test = single.concurrent;

/** The pauses have to fit between two checks, and a busy machine's broker into the limits. */
const QUICK: ClientTiming = {
  ...{ answer_ms: 8000, ping_ms: 300, silence_ms: 6000, pong_ms: 12_000 },
  ...{ pause_min_ms: 20, pause_max_ms: 200, steady_ms: 600, subscribe_again_ms: 100 },
  ...{ status_echo_ms: 200, status_again_ms: 100 },
};

const opened: Opened = [];
afterAll(() => closeAll(opened));

function kept<Opening extends { close(): unknown }>(one: Opening): Opening {
  opened.push(() => one.close());
  return one;
}
const mosquitto = async () => kept(await openMosquitto(null));
const lameBroker = async (lameness: () => Lameness) => kept(await openLameBroker(lameness));
async function proxyTo(port: number): Promise<NetworkProxy & { readonly url: string }> {
  const proxy = kept(await openProxy({ port }));
  return { ...proxy, url: `mqtt://127.0.0.1:${proxy.port}` };
}

const fault = ({ endpoint }: ClientRig, kind: string) => endpoint.status().faults[kind] ?? 0;
const said = ({ lines }: ClientRig, line: string) => lines.filter((one) => one === line).length;
const WRONG = "error not received from the ship's broker";
const RIGHT = "info subscribed at the broker";

test("the real limits are those of the manual", () => {
  const { ping_ms, silence_ms, pong_ms, ...others } = CLIENT_TIMING;
  const tick_ms = silence_ms / 10;
  expect(ping_ms + silence_ms + tick_ms).toBeLessThan(25_000);
  expect(ping_ms + pong_ms + tick_ms).toBeLessThan(75_000);
  expect(others).toEqual({
    ...{ answer_ms: 20_000, steady_ms: 60_000, subscribe_again_ms: 30_000 },
    ...{ status_echo_ms: 20_000, status_again_ms: 1000 },
    ...{ pause_min_ms: 1000, pause_max_ms: 30_000 },
  });
});

for (const [name, ways] of [
  ["both ways", { up: BLACK_HOLE, down: BLACK_HOLE }],
  ["on the way to the broker", { up: BLACK_HOLE }],
  ["on the way back", { down: BLACK_HOLE }],
] as const)
  test(`a black hole ${name} is found, and loses nothing`, async () => {
    const broker = await mosquitto();
    const proxy = await proxyTo(broker.port);
    const rig = await subscribedRig(opened, { url: proxy.url, timing: QUICK });
    await publishNumbers(broker.url, 1, 30);
    await until("the first messages", () => rig.plc.messages.length === 30);
    proxy.set(ways);
    await publishNumbers(broker.url, 31, 60);
    await until("the silence to be found", () => !isUp(rig.endpoint));
    expect(rig.endpoint.status().problem).toMatch(
      /^not connected since 2.*: the broker is silent: nothing is heard from it for \d+(\.\d+)? s$/,
    );
    await until("attempts in vain", () => fault(rig, "unanswered") >= 2);
    expect(said(rig, WRONG)).toBe(2); // silent, and then unanswered: each once
    proxy.set({ up: CLEAR, down: CLEAR });
    await until("what the broker kept", () => new Set(texts(rig.plc)).size === 60);
    await subscribed(rig.endpoint);
    expect([...new Set(texts(rig.plc))]).toEqual(numbers(1, 60));
    expect(rig.endpoint.status()).toMatchObject({ problem: null, session_lost_ms: null });
    expect(rig.endpoint.status().counts).toMatchObject({
      reconnects_total: 1,
      sessions_lost_total: 0,
    });
    expect(said(rig, RIGHT)).toBe(2);
  });

test("a link that is slow but alive is borne, though answers come late", async () => {
  const broker = await mosquitto();
  const proxy = await proxyTo(broker.port);
  proxy.set({ up: { ...CLEAR, delay_ms: 60 }, down: { ...CLEAR, delay_ms: 60 } });
  const timing = { ...QUICK, answer_ms: 60_000, pong_ms: 60_000 };
  const rig = await subscribedRig(opened, { url: proxy.url, timing });
  // PINGRESP waits behind a message that takes longer than silence would be borne.
  proxy.set({ down: { ...CLEAR, bytes_per_s: 100_000 } });
  const client = await connectAsync(broker.url);
  await client.publishAsync(TOPIC, Buffer.alloc(300_000, "x"), { qos: 1 });
  await client.endAsync();
  await until("the message", () => rig.plc.messages.length === 1);
  await quiet();
  expect(isUp(rig.endpoint)).toBe(true);
  expect(Object.values(rig.endpoint.status().faults).every((count) => count === 0)).toBe(true);
});

test("a broker that answers no PING is left, even if it goes on sending", async () => {
  const broker = await lameBroker(() => ({ pingresp: "never" }));
  const rig = await subscribedRig(opened, { url: broker.url, timing: QUICK });
  const sending = setInterval(() => broker.send(publishPacket({ topic: TOPIC, payload: "1" })), 20);
  opened.push(() => clearInterval(sending));
  await until("it to be left", () => fault(rig, "silent") === 1);
  expect(rig.endpoint.status().problem).toMatch(/it answers no PINGREQ for \d+(\.\d+)? s$/);
  expect(rig.plc.messages.length).toBeGreaterThan(0);
});

for (const [packet, stage, lameness] of [
  ["CONNACK", "greeting", { connack: "never" }],
  ["SUBACK", "subscribing", { suback: "never" }],
] as const)
  test(`a broker that sends no ${packet} is left, tried again, and used once it does`, async () => {
    let mended = false;
    const broker = await lameBroker(() => (mended ? {} : lameness));
    const rig = await clientRig(opened, { url: broker.url, timing: QUICK });
    await until("two attempts", () => fault(rig, "unanswered") >= 2);
    expect(rig.endpoint.status().problem, stage).toMatch(
      new RegExp(`: no ${packet} within 8 s: the broker accepts and is silent$`),
    );
    expect(said(rig, WRONG)).toBe(1);
    mended = true;
    await subscribed(rig.endpoint);
    expect(rig.endpoint.status().problem).toBeNull();
  });

test("a broker that closes instead of answering is quoted with what it didn't answer", async () => {
  let lameness: Lameness = { connack: "close" };
  const broker = await lameBroker(() => lameness);
  const rig = await clientRig(opened, { url: broker.url, timing: QUICK });
  await until("the fault", () => fault(rig, "closed") > 0);
  expect(rig.endpoint.status().problem).toMatch(/by the broker instead of answering CONNECT$/);
  lameness = { suback: "close" };
  await until("the other", () => rig.endpoint.status().problem?.includes("SUBSCRIBE") === true);
  expect(rig.endpoint.status().problem).toMatch(/instead of answering SUBSCRIBE: may this user/);
});

test("CONNACK's refusals are named, and end when the broker's mind changes", async () => {
  let connack = 5;
  const broker = await lameBroker(() => ({ connack }));
  const rig = await clientRig(opened, { url: broker.url, timing: QUICK });
  await until("the refusal", () => fault(rig, "refused") > 0);
  expect(rig.endpoint.status().problem).toMatch(/: Connection refused: Not authorized$/);
  connack = 4;
  await until("another", () => rig.endpoint.status().problem?.includes("Bad username") === true);
  connack = 0;
  await subscribed(rig.endpoint);
});

test("a refused filter is named and asked again, while the granted ones are used", async () => {
  let mended = false;
  const broker = await lameBroker(() => ({ refused: mended ? [] : ["plc/#"] }));
  const topics = [FILTER, "plc/#"];
  const rig = await subscribedRig(opened, { url: broker.url, topics, timing: QUICK });
  expect(rig.endpoint.status().problem).toBe("the broker refused the subscription to plc/#");
  broker.send(publishPacket({ topic: TOPIC, payload: "1" }));
  await until("a message of the granted one", () => rig.plc.messages.length === 1);
  mended = true;
  await until("the other to be granted", () => rig.endpoint.status().problem === null);
  expect(fault(rig, "subscription_refused")).toBeGreaterThan(0);
  expect([said(rig, WRONG), said(rig, RIGHT)]).toEqual([1, 1]);
});

test("a session that the broker lost is said, and everything is subscribed to again", async () => {
  const broker = await mosquitto();
  const session_file = sessionFile(opened);
  const first = await subscribedRig(opened, { url: broker.url, session_file });
  expect(first.endpoint.status().session_lost_ms).toBeNull();
  await first.endpoint.close();
  // A client of the same name that wants no session takes ours away.
  await (await connectAsync(broker.url, { clientId: CLIENT_ID, clean: true })).endAsync();
  const second = await subscribedRig(opened, { url: broker.url, session_file });
  expect(second.endpoint.status().counts.sessions_lost_total).toBe(1);
  expect(second.endpoint.status().session_lost_ms).not.toBeNull();
  expect(second.lines).toContain("warn the broker has lost our session and its messages");
  await publishNumbers(broker.url, 1, 1);
  await until("a message", () => second.plc.messages.length === 1);
});

test("a filter that is no longer configured is taken out of the broker's session", async () => {
  const broker = await mosquitto();
  const session_file = sessionFile(opened);
  const open = (topics: readonly string[]) =>
    subscribedRig(opened, { url: broker.url, session_file, topics });
  await (await open(["old/BWTS-001/#", FILTER])).endpoint.close();
  const second = await open([FILTER]);
  const line = "info unsubscribing from what isn't configured any more";
  expect(second.lines).toContain(line);
  const client = await connectAsync(broker.url);
  opened.push(() => client.endAsync(true));
  await client.publishAsync("old/BWTS-001/telemetry", "old", { qos: 1 });
  await client.publishAsync(TOPIC, "new", { qos: 1 });
  await until("the new one", () => texts(second.plc).includes("new"));
  expect(texts(second.plc)).toEqual(["new"]);
  await second.endpoint.close();
  const third = await open([FILTER]); // it was remembered that it is out
  expect(third.lines).not.toContain(line);
  expect(third.endpoint.status().counts.sessions_lost_total).toBe(0);
});

const TAKEN_OVER =
  /in a row, each within 5 s of being made, and stayed up: does another program use the cl/;

test("two programs with one client id: each finds it, says it once, and gets over it", async () => {
  const broker = await mosquitto();
  // Long, so that on a busy machine neither is left in peace for a moment.
  const timing = { ...QUICK, steady_ms: 5000 };
  const first = await subscribedRig(opened, { url: broker.url, timing });
  const second = await clientRig(opened, { url: broker.url, timing });
  for (const rig of [first, second]) {
    await until("it to be found", () => fault(rig, "taken_over") === 1);
    await until("it to be told", () => TAKEN_OVER.test(rig.endpoint.status().problem ?? ""));
  }
  const before = { closed: fault(first, "closed"), lines: first.lines.length };
  await until("it to go on", () => fault(first, "closed") > before.closed + 3);
  expect(first.lines.length).toBe(before.lines);
  await second.endpoint.close();
  await until("the other to be left in peace", () => first.endpoint.status().problem === null);
  expect(isUp(first.endpoint)).toBe(true);
});

test("a broker that is restarted again and again is no other program", async () => {
  const broker = await mosquitto();
  const timing = { ...QUICK, pause_min_ms: 500, steady_ms: 60_000 };
  const rig = await subscribedRig(opened, { url: broker.url, timing });
  for (let times = 1; times <= 4; times += 1) {
    await broker.stop();
    await until("it to be noticed", () => !isUp(rig.endpoint));
    await broker.start();
    expect(rig.endpoint.status().problem ?? "").not.toMatch(/another program/);
    await subscribed(rig.endpoint);
    expect(rig.endpoint.status().problem).toBeNull();
  }
  expect(fault(rig, "taken_over")).toBe(0);
  expect(fault(rig, "closed")).toBe(4);
});

test("a broker that is gone for long is a line in the log, and one when it is back", async () => {
  const broker = await mosquitto();
  const rig = await subscribedRig(opened, { url: broker.url, timing: QUICK });
  await broker.stop();
  await until("many attempts", () => fault(rig, "unreachable") >= 5);
  expect(rig.endpoint.status().problem).toMatch(/^not connected since 2.*: .*ECONNREFUSED/);
  expect(rig.lines.filter((line) => line === WRONG).length).toBeLessThanOrEqual(2);
  await broker.start();
  await subscribed(rig.endpoint);
  expect(said(rig, RIGHT)).toBe(2);
});

test("what isn't MQTT, or far too long, ends the connection with a word", async () => {
  const broker = await lameBroker(() => ({}));
  const rig = await subscribedRig(opened, { url: broker.url, timing: QUICK });
  broker.send(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await until("the first", () => fault(rig, "malformed") === 1);
  await subscribed(rig.endpoint);
  broker.send(fixedHeader(0x90, 5_000_000));
  await until("the second", () => fault(rig, "malformed") === 2);
  expect(rig.endpoint.status().problem).toMatch(/a packet of type 9 with 5000000 bytes$/);
  await subscribed(rig.endpoint);
});

test("a broker's certificate that has ended is told from a broker that isn't there", async () => {
  const dir = path.dirname(sessionFile(opened));
  const ship = authority(dir, "ship");
  const broker = await openMosquitto(null, { ...ship.issue("old", -1), ca: ship.ca });
  opened.push(broker.close);
  const tools = { clock: systemClock, log: keptLog().log };
  const certificate = watchCertificate({ use: "mqtt", cert: "", key: "", ca: ship.ca }, tools);
  opened.push(certificate.close);
  const rig = await clientRig(opened, { url: broker.url, certificate, timing: QUICK });
  await until("several attempts", () => fault(rig, "tls") >= 3);
  expect(rig.endpoint.status().problem).toMatch(
    /: TLS: certificate has expired \(CERT_HAS_EXPIRED\)$/,
  );
  expect(said(rig, WRONG)).toBe(1);
  await broker.stop();
  await until("it to be gone", () => fault(rig, "unreachable") > 0);
});
