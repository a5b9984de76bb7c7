// The built program and the ship's broker with a bad network between them, with the real limits:
// what a person, a supervisor and a Prometheus see of it, and when.

import { rmSync } from "node:fs";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { closeAll, type Opened } from "../rig/broker-rig.ts";
import { publishNumbers } from "../rig/client-rig.ts";
import { openMosquitto } from "../rig/mosquitto.ts";
import { temporaryFolder } from "../rig/program.ts";
import { BLACK_HOLE, CLEAR, openProxy } from "../rig/proxy.ts";

// They mostly wait for limits of ten seconds and more, so they wait together.
const test = single.concurrent;

async function readiness(appliance: Appliance) {
  const { status, text } = await appliance.get("/readyz");
  return { status, ...JSON.parse(text) };
}

/** The states of the alarms of a lost broker. */
async function alarms(appliance: Appliance): Promise<readonly string[]> {
  const all: { code: string; state: string }[] = await appliance.json("/api/alarms");
  return all.filter(({ code }) => code === "BROKER_LOST").map(({ state }) => state);
}

async function metric(appliance: Appliance, name: string): Promise<number> {
  const { text } = await appliance.get("/metrics");
  const line = text.split("\n").find((one) => one.startsWith(`ballastd_${name} `));
  return Number(line?.split(" ")[1]);
}

/** Bare numbers would be quarantined, which is an alert and not ready. */
const readingOf = (number: string) =>
  JSON.stringify({ timestamp: Date.now() + Number(number), UVR_INTENSITY: Number(number) });

test("a black hole is noticed, shown everywhere, and costs no message", async ({
  onTestFinished,
}) => {
  const opened: Opened = [];
  onTestFinished(() => closeAll(opened));
  const broker = await openMosquitto(null);
  opened.push(broker.close);
  const network = await openProxy(broker);
  opened.push(network.close);
  await using appliance = await startAppliance({
    env: {
      BALLASTD_MQTT_MODE: "client",
      BALLASTD_MQTT_URL: `mqtt://127.0.0.1:${network.port}`,
    },
  });
  const { program } = appliance;
  const isConnected = async () => (await readiness(appliance)).mqtt.connected;
  const messages = () => metric(appliance, "ingest_messages_total");
  await program.waitUntil("the subscription", isConnected);
  await publishNumbers(broker.url, 1, 10, readingOf);
  await program.waitUntil("the first messages", async () => (await messages()) === 10);
  network.set({ up: BLACK_HOLE, down: BLACK_HOLE });
  const began_ms = Date.now();
  await publishNumbers(broker.url, 11, 40, readingOf);
  await program.waitUntil("it to be noticed", async () => !(await isConnected()));
  expect(await readiness(appliance)).toMatchObject({
    ...{ status: 503, ready: false, mqtt: { problem: expect.stringMatching(/silent/) } },
    reasons: [expect.stringMatching(/^MQTT: not connected since .*the broker is silent/)],
  });
  expect(await metric(appliance, "mqtt_connected")).toBe(0);
  expect(await metric(appliance, 'mqtt_faults_total{kind="silent"}')).toBe(1);
  const noticed_ms = 1000 * (await metric(appliance, "mqtt_changed_timestamp_seconds"));
  expect(noticed_ms).toBeGreaterThan(began_ms);
  await program.waitForOutput(/"kind":"silent".*not received from the ship's broker/);
  await program.waitUntil("the alarm", async () => (await alarms(appliance)).includes("active"));
  network.set({ up: CLEAR, down: CLEAR });
  await program.waitUntil("what the broker kept", async () => (await messages()) >= 40);
  expect(await readiness(appliance)).toMatchObject({ status: 200, ready: true, reasons: [] });
  expect(await metric(appliance, 'mqtt_total{kind="reconnects"}')).toBe(1);
  await program.waitUntil("its end", async () => (await alarms(appliance)).includes("cleared"));
  expect(await alarms(appliance)).toHaveLength(1);
});

test("a broker that refuses us is one alarm, with its reason, across a restart", async ({
  onTestFinished,
}) => {
  const broker = await openMosquitto({ username: "plc", password: "other" });
  onTestFinished(broker.close);
  const folder = temporaryFolder();
  const env = {
    BALLASTD_MQTT_MODE: "client",
    BALLASTD_MQTT_URL: broker.url,
  };
  for (const start of ["first", "second"]) {
    await using appliance = await startAppliance({ folder, env });
    const { program } = appliance;
    await program.waitUntil(`the alarm, ${start} start`, async () =>
      (await alarms(appliance)).includes("active"),
    );
    expect(await appliance.json("/api/alarms")).toMatchObject([
      { source: "ballastd", description: expect.stringMatching(/^BROKER_LOST: .*not author/i) },
    ]);
    await program.stop("SIGKILL");
  }
  rmSync(folder, { recursive: true });
});
