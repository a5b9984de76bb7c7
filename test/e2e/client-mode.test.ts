// The built program as a client of the ship's broker: Debian's Mosquitto with user and password,
// published to by a client library and by Mosquitto's own.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connectAsync } from "mqtt";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  type Appliance,
  pageThrough,
  publishAll,
  type Sent,
  startAppliance,
  topicOf,
} from "../oracle/appliance.ts";
import { messagesOf, randomFields } from "../oracle/plc.ts";
import { listProblems, openLogbook } from "../rig/logbook.ts";
import { type Mosquitto, openMosquitto, runTool } from "../rig/mosquitto.ts";
import { until } from "../rig/mqtt-receiver.ts";
import { temporaryFolder } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";

const LOGIN = { username: "ship", password: "salt water: 7" };
const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };

let mosquitto: Mosquitto;
let folder: string;
beforeAll(async () => {
  mosquitto = await openMosquitto(LOGIN);
});
afterAll(() => mosquitto.close());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function environment(password = LOGIN.password) {
  const password_file = path.join(folder, "password");
  writeFileSync(password_file, `${password}\n`);
  return {
    BALLASTD_MQTT_MODE: "client",
    BALLASTD_MQTT_URL: mosquitto.url,
    BALLASTD_MQTT_USERNAME: LOGIN.username,
    BALLASTD_MQTT_PASSWORD_FILE: password_file,
    BALLASTD_MQTT_CLIENT_ID: path.basename(folder),
    BALLASTD_MQTT_STATUS: "true",
  };
}

async function readiness(appliance: Appliance) {
  const { status, text } = await appliance.get("/readyz");
  return { status, ...JSON.parse(text) };
}

async function startSubscribed(): Promise<Appliance> {
  const appliance = await startAppliance({ folder, env: environment() });
  await appliance.program.waitUntil(
    "the subscription",
    async () => (await readiness(appliance)).mqtt.connected,
  );
  return appliance;
}

/** The status that the broker holds of ballastd, across its restarts. */
async function watchStatus() {
  const client = await connectAsync(mosquitto.url, { ...LOGIN, reconnectPeriod: 50 });
  let word: string | null = null;
  client.on("message", (_topic, payload) => {
    word = payload.toString();
  });
  client.on("error", () => null);
  await client.subscribeAsync(topicOf("ballastd/status"), { qos: 1 });
  onTestFinished(() => client.endAsync(true));
  return { said: (expected: string) => until(`it to be ${expected}`, () => word === expected) };
}

/** Waits until the newest reading is that of `message`, the last that was published. */
async function waitForLatest(appliance: Appliance, timestamp: string): Promise<void> {
  await appliance.program.waitUntil(`the reading of ${timestamp}`, async () => {
    const { status, text } = await appliance.get("/api/telemetry/latest");
    return status === 200 && JSON.parse(text).timestamp === timestamp;
  });
}

test("what is published at the ship's broker is stored as the PLC's own", async () => {
  const random = printedRandom("e2e-client-mode");
  await using appliance = await startSubscribed();
  expect(await readiness(appliance)).toMatchObject({
    ...{ status: 200, ready: true, reasons: [] },
    mqtt: { mode: "client", connected: true, where: "", problem: null },
  });
  const logbook = openLogbook("BWTS-001");
  const messages: Sent[] = [];
  for (let number = 0; number < 60; number += 1) {
    const at_ms = Date.UTC(2024, 1, 29) + random.between(0, 86_400_000);
    if (logbook.has(at_ms)) continue;
    const statement = { at_ms, fields: randomFields(random, random.pick([0.1, 1])) };
    logbook.note(statement);
    messages.push(...messagesOf(random, statement));
  }
  const client = await appliance.connect(LOGIN);
  await publishAll(client, random.shuffled(messages));
  const last = { at_ms: Date.UTC(2026, 4, 1), fields: new Map([["SYS_PRESSURE", 4.5]]) };
  logbook.note(last);
  const { code, output } = await runTool("mosquitto_pub", [
    ...["-h", "127.0.0.1", "-p", String(mosquitto.port), "-q", "1"],
    ...["-u", LOGIN.username, "-P", LOGIN.password, "-t", topicOf("telemetry")],
    ...["-m", '{"timestamp":"2026-05-01","SYS_PRESSURE":"4,5"}'],
  ]);
  expect({ code, output }).toEqual({ code: 0, output: "" });
  await waitForLatest(appliance, "2026-05-01T00:00:00.000Z");
  const answered = await pageThrough(appliance, ALWAYS);
  expect(listProblems(logbook.readings(), answered)).toEqual([]);
  expect(await appliance.quarantine()).toEqual([]);
});

test("what is published while it is away, or the broker is, is there afterwards", async () => {
  const reading = (number: number): Sent => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp: Date.UTC(2026, 4, 1) + number * 1000, X: number }),
  });
  const numbers = (from: number) => [...Array(200).keys()].map((index) => from + index);
  const timeOf = (number: number) => new Date(Date.UTC(2026, 4, 1) + number * 1000).toISOString();
  const watch = await watchStatus();
  {
    await using appliance = await startSubscribed();
    const client = await appliance.connect(LOGIN);
    await publishAll(client, numbers(0).map(reading));
    await watch.said("online");
    await appliance.program.stop("SIGKILL");
    await watch.said("offline");
    await publishAll(client, numbers(200).map(reading));
  }
  await using appliance = await startSubscribed();
  await waitForLatest(appliance, timeOf(399));
  await mosquitto.stop();
  await appliance.program.waitUntil("it to be unready", async () => {
    const { status, reasons, mqtt } = await readiness(appliance);
    return status === 503 && reasons.length > 0 && !mqtt.connected;
  });
  await mosquitto.start();
  const client = await appliance.connect(LOGIN);
  await publishAll(client, numbers(400).map(reading));
  await waitForLatest(appliance, timeOf(599));
  const answered = await pageThrough(appliance, ALWAYS);
  expect(answered.map(({ X }) => X)).toEqual([...Array(600).keys()]);
  expect(await appliance.quarantine()).toEqual([]);
  await watch.said("online");
  await appliance.program.stop("SIGTERM");
  await watch.said("offline");
});

test("a retained message is taken if it has a time, and else set aside", LONG, async () => {
  const plc = await connectAsync(mosquitto.url, LOGIN);
  const retain = (kind: string, payload: string) =>
    plc.publishAsync(topicOf(kind), payload, { qos: 1, retain: true });
  await retain("telemetry", '{"timestamp":"2026-05-01","SYS_PRESSURE":4}');
  await retain("lamps/1", '{"power":90}');
  await using appliance = await startSubscribed();
  await waitForLatest(appliance, "2026-05-01T00:00:00.000Z");
  await appliance.program.waitUntil("an entry", async () => {
    const { text } = await appliance.get("/metrics");
    return text.includes("\nballastd_quarantined_messages_total 1\n");
  });
  expect(await appliance.quarantine()).toMatchObject([{ reason: "retained", count: 1 }]);
  expect(await pageThrough(appliance, ALWAYS)).toHaveLength(1);
  await retain("telemetry", "");
  await retain("lamps/1", "");
  await plc.endAsync();
});

test("a wrong password is said, and neither ends the program nor stops its answers", async () => {
  await using appliance = await startAppliance({ folder, env: environment("wrong") });
  await appliance.program.waitForOutput(/Connection refused: Not authorized/);
  const { status, ready, reasons, mqtt } = await readiness(appliance);
  expect({ status, ready, connected: mqtt.connected }).toEqual({
    ...{ status: 503, ready: false, connected: false },
  });
  expect(reasons.join()).toMatch(/not auth/i);
  expect((await appliance.get("/api/events")).status).toBe(200);
  expect(appliance.program.stdout() + appliance.program.stderr()).not.toContain("wrong");
  expect(await appliance.program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
});
