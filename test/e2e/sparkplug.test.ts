// The built program as a Sparkplug edge node at Debian's Mosquitto, by TLS with a certificate. A
// host application hears it and lists each broken rule. The tests are one story, in order.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TAGS } from "../../src/bwts/tags.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { authority } from "../rig/certificates.ts";
import { type Mosquitto, openMosquitto } from "../rig/mosquitto.ts";
import { temporaryFolder } from "../rig/program.ts";
import { type NetworkProxy, openProxy } from "../rig/proxy.ts";
import { type Heard, openHost, rebirthCommand, type SparkplugHost } from "../rig/sparkplug-host.ts";

const LOGIN = { username: "ship", password: "salt water: 7" };
const NAMES = { id: "scada", group: "9074729", node: "BWTS-001" };
const folder = temporaryFolder();

let mosquitto: Mosquitto;
let proxy: NetworkProxy;
let host: SparkplugHost;
let appliance: Appliance;

beforeAll(async () => {
  const ship = authority(folder, "ship");
  mosquitto = await openMosquitto(LOGIN, { ...ship.issue("broker"), ca: ship.ca });
  proxy = await openProxy({ port: mosquitto.port });
  const { cert, key } = ship.issue("ballastd");
  const password_file = path.join(folder, "password");
  writeFileSync(password_file, `${LOGIN.password}\n`);
  const own = ship.issue("host");
  const tls = {
    ca: readFileSync(ship.ca),
    cert: readFileSync(own.cert),
    key: readFileSync(own.key),
  };
  const url = `mqtts://127.0.0.1:${mosquitto.port}`;
  host = await openHost(url, { ...NAMES, ...LOGIN, ...tls });
  appliance = await startAppliance({
    env: {
      BALLASTD_SYSTEM_IMO: "9074729",
      BALLASTD_SPARKPLUG_URL: `mqtts://127.0.0.1:${proxy.port}`,
      BALLASTD_SPARKPLUG_HOST_ID: NAMES.id,
      BALLASTD_SPARKPLUG_USERNAME: LOGIN.username,
      BALLASTD_SPARKPLUG_PASSWORD_FILE: password_file,
      BALLASTD_SPARKPLUG_TLS_CERT: cert,
      BALLASTD_SPARKPLUG_TLS_KEY: key,
      BALLASTD_SPARKPLUG_TLS_CA: ship.ca,
    },
  });
});
afterAll(async () => {
  await appliance[Symbol.asyncDispose]();
  await host.close();
  proxy.close();
  await mosquitto.close();
  rmSync(folder, { recursive: true });
});

// In the past, so that no reading is of the future, and near enough to be live.
let at_ms = Date.now() - 60_000;
async function read(fields: object): Promise<number> {
  at_ms += 1000;
  const payload = JSON.stringify({ timestamp: at_ms, ...fields });
  await appliance.publish([{ kind: "telemetry", payload }]);
  return at_ms;
}

const all = (word: string) => host.heard.filter((one) => one.word === word);
const words = (from: number) => host.heard.slice(from).map(({ word }) => word);
/** The newest message of that word. */
const last = (word: string): Heard | undefined => all(word).at(-1);
const metric = (message: Heard | undefined, name: string) =>
  message?.metrics.find((one) => one.name === name);
const until = (condition: () => unknown) => expect.poll(() => Boolean(condition())).toBe(true);

async function metricOf(name: string): Promise<string | undefined> {
  const { text } = await appliance.get("/metrics");
  return new RegExp(`^ballastd_sparkplug_${name} (\\d)$`, "m").exec(text)?.[1];
}

const FIRST = { UVR_INTENSITY: 652.4, FLT_BACKFLUSH_COUNT: 3, PROCESS_STATE: "RUNNING" };

test("nothing is told before the host is online, then births with every metric", async () => {
  const time = await read({ ...FIRST, FLT_BACKFLUSH_ACTIVE: true });
  await expect.poll(() => metricOf("connected")).toBe("1");
  expect(await metricOf("born")).toBe("0");
  expect(host.heard).toEqual([]);
  await host.say(true, 1000);
  await until(() => last("DBIRTH"));
  expect(words(0)).toEqual(["NBIRTH", "DBIRTH"]);
  expect(await metricOf("born")).toBe("1");
  const birth = last("NBIRTH");
  expect(birth?.topic).toBe("spBv1.0/9074729/NBIRTH/BWTS-001");
  expect(metric(birth, "bdSeq")).toMatchObject({ value: 0n, type: 4 });
  expect(metric(birth, "Node Control/Rebirth")).toMatchObject({ value: false, type: 11 });
  const device = last("DBIRTH");
  expect(device?.topic).toBe("spBv1.0/9074729/DBIRTH/BWTS-001/plant");
  expect(device?.metrics.map(({ name }) => name)).toEqual(TAGS.slice(1).map(({ name }) => name));
  expect(new Set(device?.metrics.map((one) => one.at_ms))).toEqual(new Set([time]));
  const told = { value: 652.4, unit: "W/m2", type: 10, isHistorical: false };
  expect(metric(device, "UVR_INTENSITY")).toMatchObject(told);
  expect(host.value("FLT_BACKFLUSH_COUNT")).toBe(3n);
  expect(host.value("FLT_BACKFLUSH_ACTIVE")).toBe(true);
  expect(host.value("PROCESS_STATE")).toBe("RUNNING");
  expect(metric(device, "SYS_PRESSURE")).toMatchObject({ value: null });
});

test("data has what changed, by its alias and with its time", async () => {
  const time = await read({ ...FIRST, FLT_BACKFLUSH_ACTIVE: true, UVR_INTENSITY: 600.5 });
  await until(() => host.value("UVR_INTENSITY") === 600.5);
  expect(last("DDATA")?.metrics).toMatchObject([{ name: "UVR_INTENSITY", at_ms: time }]);
  // The rest of the same reading, and a field that is gone.
  await read({ UVR_INTENSITY: 601 });
  await until(() => host.value("PROCESS_STATE") === null);
  const rest = `{"timestamp":${at_ms},"SYS_PRESSURE":-0}`;
  await appliance.publish([{ kind: "telemetry", payload: rest }]);
  await until(() => Object.is(host.value("SYS_PRESSURE"), -0));
});

test("a host that asks for a rebirth gets one, and other commands change nothing", async () => {
  const from = host.heard.length;
  await host.command(Buffer.from("no payload"));
  await host.command(Buffer.of(0x12, 0x02, 0x70, 0x01));
  await host.command(rebirthCommand());
  await until(() => words(from).includes("DBIRTH"));
  expect(words(from)).toEqual(["NBIRTH", "DBIRTH"]);
  expect(metric(last("NBIRTH"), "bdSeq")?.value).toBe(0n);
  expect(last("DBIRTH")?.seq).toBe(1);
});

test("a late death of the host is ignored; with a true one the node leaves", async () => {
  const from = host.heard.length;
  await host.say(false, 999);
  await read({ UVR_INTENSITY: 610 });
  await until(() => host.value("UVR_INTENSITY") === 610);
  expect(words(from)).toEqual(["DDATA"]);
  await host.say(false, 2000);
  await until(() => last("NDEATH"));
  expect(metric(last("NDEATH"), "bdSeq")?.value).toBe(0n);
  await expect.poll(() => metricOf("connected")).toBe("1");
  expect(await metricOf("born")).toBe("0");
  // A host that goes is no fault of the broker's.
  expect(appliance.program.stderr()).not.toMatch(/"level":50.*"area":"sparkplug"/);
});

test("what was missed comes as history after the next birth", async () => {
  const from = host.heard.length;
  const missed = [await read({ UVR_INTENSITY: 611 }), await read({ UVR_INTENSITY: 612 })];
  await read({ UVR_INTENSITY: 613, PROCESS_STATE: "STOPPED" });
  // An old birth of the host is none.
  await host.say(true, 1999);
  await host.say(true, 3000);
  const history = () =>
    host.heard
      .slice(from)
      .filter(({ word }) => word === "DDATA")
      .flatMap(({ metrics }) => metrics);
  await until(() => history().length >= 2);
  expect(words(from).slice(0, 2)).toEqual(["NBIRTH", "DBIRTH"]);
  expect(metric(last("NBIRTH"), "bdSeq")?.value).toBe(1n);
  expect(host.value("UVR_INTENSITY")).toBe(613);
  expect(history()).toMatchObject([
    { name: "UVR_INTENSITY", value: 611, at_ms: missed[0], isHistorical: true },
    { name: "UVR_INTENSITY", value: 612, at_ms: missed[1], isHistorical: true },
  ]);
});

test("when the line is cut the broker tells the death, and the next birth counts on", async () => {
  const from = host.heard.length;
  const born = all("NBIRTH").length;
  proxy.cut("reset");
  await until(() => all("NBIRTH").length > born);
  expect(words(from).slice(0, 2)).toEqual(["NDEATH", "NBIRTH"]);
  const death = host.heard[from];
  expect(metric(death, "bdSeq")?.value).toBe(1n);
  expect(metric(last("NBIRTH"), "bdSeq")?.value).toBe(2n);
  await until(() => words(from).includes("DBIRTH"));
  await read({ UVR_INTENSITY: 620 });
  await until(() => host.value("UVR_INTENSITY") === 620);
});

test("a stop is told as a death, and no rule was broken", async () => {
  const from = host.heard.length;
  expect((await appliance.program.stop("SIGTERM")).code).toBe(0);
  await until(() => words(from).includes("NDEATH"));
  expect(metric(last("NDEATH"), "bdSeq")?.value).toBe(2n);
  expect(host.broken).toEqual([]);
});
