// Addresses that can't be had when the program starts: each is waited for by itself, and neither
// recording nor the other side depends on it.

import { connectAsync } from "mqtt";
import { expect, test } from "vitest";
import { publishAll } from "../oracle/appliance.ts";
import { occupyPort } from "../rig/port.ts";
import { startProgram } from "../rig/program.ts";

/** Kept for documentation (RFC 5737): no machine has it. */
const NOT_HERE = "192.0.2.1:8080";

async function get(url: string) {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

async function publishOne(port: number, timestamp: string): Promise<void> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`);
  const payload = JSON.stringify({ timestamp, SYS_PRESSURE: 4 });
  await publishAll(client, [{ kind: "telemetry", payload }]);
  await client.endAsync();
}

test("without its web address it records, and serves as soon as the address is there", async () => {
  const holder = await occupyPort();
  const env = { BALLASTD_HTTP_LISTEN: `127.0.0.1:${holder.port}` };
  await using program = startProgram({ args: ["serve"], env });
  try {
    await program.waitForOutput(/^web: no address yet\n(.*\n)*waiting: .*http\.listen.*another/m);
    const [, mqtt] = await program.waitForOutput(/^MQTT: mqtt:\S+:(\d+) /m);
    await publishOne(Number(mqtt), "2026-05-01T10:00:00Z");
  } finally {
    await holder.vacate();
  }
  const url = `http://127.0.0.1:${holder.port}`;
  await program.waitUntil("the web address", () =>
    get(url).then(
      () => true,
      () => false,
    ),
  );
  expect(JSON.parse((await get(`${url}/api/telemetry/latest`)).text)).toMatchObject({
    timestamp: "2026-05-01T10:00:00.000Z",
  });
  expect(await get(`${url}/readyz`)).toMatchObject({ status: 200 });
  await program.waitForOutput(/an address can't be bound.*the address is bound now/s);
});

test("of several web addresses one that isn't there is told, and the others serve", async () => {
  const env = { BALLASTD_HTTP_LISTEN: `127.0.0.1:0,${NOT_HERE}` };
  await using program = startProgram({ args: ["serve"], env });
  const [, url] = await program.waitForOutput(/^web: (\S+)\/\n/m);
  const readyz = await get(`${url}/readyz`);
  expect(readyz.status).toBe(503);
  expect(JSON.parse(readyz.text).reasons).toEqual([
    expect.stringMatching(/^web: 192\.0\.2\.1:8080 \(http\.listen, .* doesn't have that address/),
  ]);
  expect((await get(`${url}/metrics`)).text).toMatch(/^ballastd_http_addresses_missing 1$/m);
});

test("without its MQTT address it serves, isn't ready, and receives once it is there", async () => {
  const holder = await occupyPort();
  const env = { BALLASTD_MQTT_LISTEN: `127.0.0.1:${holder.port}` };
  await using program = startProgram({ args: ["serve"], env });
  const [, url] = await program.waitForOutput(/^web: (\S+)\/\nMQTT: no address yet/m);
  try {
    const readyz = JSON.parse((await get(`${url}/readyz`)).text);
    expect(readyz).toMatchObject({ ready: false, mqtt: { connected: false } });
    expect(readyz.reasons[0]).toMatch(/^MQTT: 127.*mqtt\.listen.*another program listens there/);
  } finally {
    await holder.vacate();
  }
  await program.waitUntil("ready", async () => (await get(`${url}/readyz`)).status === 200);
  await publishOne(holder.port, "2026-05-01T10:00:00Z");
  expect((await get(`${url}/api/telemetry/latest`)).status).toBe(200);
});

test("SIGHUP and SIGUSR1 end nothing that a service does, and open no debugger", async () => {
  await using program = startProgram({ args: ["serve"] });
  const [, url] = await program.waitForOutput(/^web: (\S+)\/\nMQTT: /m);
  process.kill(program.pid, "SIGHUP");
  process.kill(program.pid, "SIGUSR1");
  expect(await get(`${url}/readyz`)).toMatchObject({ status: 200 });
  await program.stop("SIGTERM");
  expect(program.stderr()).not.toMatch(/debugger|inspector/i);
});
