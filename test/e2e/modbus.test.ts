// Modbus TCP through the built program, read by mbpoll, as an engineer would who connects the
// ship's alarm system: what the API tells stands in the registers that the manual names.

import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { reservePort } from "../rig/port.ts";
import { runProcess } from "../rig/process.ts";
import { temporaryFolder } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

const TOKEN = "token-of-the-test";
const UNKNOWN = 65_535;
const OPTIONS = { holding: "4", input: "3" } as const;

/** The address of each register by its name in the manual. */
function documented(): ReadonlyMap<string, number> {
  const manual = path.resolve(import.meta.dirname, "../../docs/modbus.md");
  const rows = readFileSync(manual, "utf8").matchAll(/^\| (\d+) \| 4\d+, 3\d+ \| `(\w+)` \|/gm);
  return new Map([...rows].map(([, address, name]) => [name, Number(address)]));
}

/** The numbers of `count` registers from `first` on, by address, as mbpoll prints them. */
async function poll(
  port: number,
  { first, count, kind }: { first: number; count: number; kind: keyof typeof OPTIONS },
): Promise<ReadonlyMap<number, number>> {
  const range = ["-0", "-r", String(first), "-c", String(count), "-t", OPTIONS[kind], "-1"];
  const args = ["-m", "tcp", "-o", "10", "-a", "1", ...range, "-p", String(port), "127.0.0.1"];
  const text = await runProcess({ file: "mbpoll", args, folder: process.cwd(), env: {} });
  const lines = text.matchAll(/^\[(\d+)\]:\s+(\d+)/gm);
  return new Map([...lines].map(([, address, number]) => [Number(address), Number(number)]));
}

/** Every documented register by its name. */
async function registers(port: number, kind: keyof typeof OPTIONS = "holding") {
  const names = documented();
  const count = Math.max(...names.values()) - 19;
  const [low, high] = [
    await poll(port, { first: 0, count: 13, kind }),
    await poll(port, { first: 20, count, kind }),
  ];
  const all = new Map([...low, ...high]);
  expect(all.size).toBe(names.size);
  return Object.fromEntries([...names].map(([name, address]) => [name, all.get(address)]));
}

async function started(more = {}): Promise<{ appliance: Appliance; port: number }> {
  const { port } = await reservePort();
  const listen = { BALLASTD_MODBUS_LISTEN: `127.0.0.1:${port}`, BALLASTD_AUTH_TOKEN: TOKEN };
  const env = { ...listen, ...more };
  return { port, appliance: await startAppliance({ env }) };
}

const send = (appliance: Appliance, kind: string, fields: object) =>
  appliance.publish([
    { kind, payload: JSON.stringify({ timestamp: new Date().toISOString(), ...fields }) },
  ]);

async function act(appliance: Appliance, what: string, body: object): Promise<void> {
  const [{ id }] = await appliance.json("/api/alarms");
  const answer = await fetch(`${appliance.url}/admin/alarms/${id}/${what}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

test("mbpoll reads the alerts, the age of data and the values, whatever others send", async () => {
  const { appliance, port } = await started();
  await using _ = appliance;
  const unknown = await registers(port);
  expect(unknown).toMatchObject({ map: 1, group: 0, alarms: 0, plc: 0, UV_BELOW_LIMIT: 0 });
  for (const name of ["received_age", "reading_age", "treating", "intensity", "flow", "lamps_out"])
    expect(unknown[name], name).toBe(UNKNOWN);

  await send(appliance, "telemetry", { UVR_INTENSITY: 648.5, SYS_FLOW_RATE: 0.04 });
  await send(appliance, "telemetry", {
    ...{ FAILED_LAMP_COUNT: 2, UVR_INTENSITY: 648.54, SYS_FLOW_RATE: 0.04 },
  });
  await send(appliance, "events", { event_type: "ALARM_TRIGGERED", data: { code: "UV_LOW" } });
  const told = () => registers(port, "input");
  await expect
    .poll(told)
    .toMatchObject({ group: 3, group_unacknowledged: 1, alarms: 1, warnings: 0, plc: 1 });
  const known = await told();
  expect(known).toMatchObject({ intensity: 6485, flow: 0, lamps_out: 2 });
  for (const name of ["received_age", "reading_age"]) expect(known[name]).toBeLessThan(60);

  // Garbage and floods of others change nothing of it, and readings are taken in meanwhile.
  const random = printedRandom("modbus");
  const flood = connect(port, "127.0.0.1");
  flood.on("error", () => null);
  const request = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 13]);
  flood.write(Buffer.concat(Array.from({ length: 50_000 }, () => request)));
  for (let count = 0; count < 200; count += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => null);
    socket.end(
      Buffer.from(Array.from({ length: random.between(0, 400) }, () => random.between(0, 255))),
    );
  }
  await send(appliance, "telemetry", { UVR_INTENSITY: 700 });
  await expect.poll(told).toMatchObject({ intensity: 7000 });
  flood.destroy();

  await act(appliance, "acknowledge", {});
  await expect.poll(told).toMatchObject({ group: 0, alarms: 0, plc: 0 });
  const { code } = await appliance.program.stop("SIGTERM");
  expect(code).toBe(0);
});

test("a value that stopped coming isn't known, and a shelving ends by the clock", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock(folder);
  const { appliance, port } = await started(clock.env);
  await using _ = appliance;
  const now_ms = Date.now();
  const reading = (seconds: number, fields: object) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp: new Date(now_ms - seconds * 1000), ...fields }),
  });
  await appliance.publish([
    reading(300, { UVR_INTENSITY: 648.5, SYS_FLOW_RATE: 500, PROCESS_STATE: "RUNNING" }),
    ...[60, 50, 40, 30, 20, 10, 0].map((s) => reading(s, { SYS_FLOW_RATE: 510, LDC_AIR_TEMP: 30 })),
  ]);
  await send(appliance, "events", { event_type: "ALARM_TRIGGERED", data: { code: "UV_LOW" } });
  const told = () => registers(port);
  await expect
    .poll(told)
    .toMatchObject({ intensity: UNKNOWN, flow: 5100, treating: 1, group: 3, plc: 1 });
  const metrics = await appliance.get("/metrics");
  expect(metrics.text).not.toMatch(/^ballastd_uv_intensity_watts_per_square_meter \d/m);
  expect(metrics.text).toMatch(/^ballastd_flow_cubic_meters_per_second 0.14/m);

  const until = new Date(Date.now() + 3_600_000).toISOString();
  await act(appliance, "shelve", { until, reason: "a test" });
  await expect.poll(told).toMatchObject({ group: 0, plc: 4 });
  const shelved = async () => [
    (await appliance.json("/api/alarms"))[0].shelved_until,
    (await appliance.json("/api/overview")).alerts[0].shelved_until,
  ];
  expect(await shelved()).toEqual([until, until]);
  clock.set(3_700);
  await expect.poll(told).toMatchObject({ group: 3, plc: 1 });
  expect(await shelved()).toEqual([null, null]);
  rmSync(folder, { recursive: true });
});
