// The edge node at Debian's Mosquitto, with readings given by the test: silence of the plant, what
// was missed, and the sequence, heard by a host application that lists each broken rule.

import { afterAll, beforeAll, expect, test } from "vitest";
import { indexOfTag, TAGS } from "../../../src/bwts/tags.ts";
import { HOUR_MS, systemClock } from "../../../src/ground/clock.ts";
import { openLog } from "../../../src/ground/log.ts";
import type { DeviceReading } from "../../../src/scada/device-metrics.ts";
import { openSparkplug, type SparkplugNode } from "../../../src/scada/edge-node.ts";
import { type Mosquitto, openMosquitto } from "../../rig/mosquitto.ts";
import { openHost, rebirthCommand, type SparkplugHost } from "../../rig/sparkplug-host.ts";

const NAMES = { group: "ship", node: "BWTS-001", id: "scada" };
const FLOW = indexOfTag("SYS_FLOW_RATE");
const START_MS = Date.UTC(2026, 4, 1);

let mosquitto: Mosquitto;
let host: SparkplugHost;
let node: SparkplugNode;
let readings: DeviceReading[] = [];
let isLive = true;
const warnings: string[] = [];

/** A reading of the flow alone; `after_ms` from the start. */
function reading(after_ms: number, flow: number): DeviceReading {
  const values = TAGS.map((_tag, index) => (index === FLOW ? flow : null));
  return { at_ms: START_MS + after_ms, values };
}

beforeAll(async () => {
  mosquitto = await openMosquitto(null);
  host = await openHost(mosquitto.url, NAMES);
  readings = [reading(0, 1)];
  node = openSparkplug({
    ...{ ...NAMES, host_id: "", version: "0", url: mosquitto.url, certificate: null },
    ...{
      client_id: "ballastd",
      username: "",
      password: "",
      clock: systemClock,
      log: { ...openLog("error"), warn: (message: string) => void warnings.push(message) },
    },
    source: {
      isLive: async () => isLive,
      newest: async (start_ms) =>
        start_ms === null ? readings.slice(-1) : readings.filter(({ at_ms }) => at_ms >= start_ms),
      first: async ({ start_ms, end_ms }) => {
        const all = readings.filter(({ at_ms }) => at_ms >= start_ms && at_ms <= end_ms);
        return { readings: all.slice(0, 2), isMore: all.length > 2 };
      },
    },
  });
});
afterAll(async () => {
  await node.close();
  await host.close();
  await mosquitto.close();
});

const words = () => host.heard.map(({ word }) => word);
const histories = () =>
  host.heard.flatMap(({ metrics }) => metrics.filter(({ isHistorical }) => isHistorical));

test("without a host to wait for it is born at once", async () => {
  await expect.poll(words).toEqual(["NBIRTH", "DBIRTH"]);
  expect(host.value("SYS_FLOW_RATE")).toBe(1);
});

test("the device dies with the plant's silence, and is born with its newest reading", async () => {
  isLive = false;
  node.committed();
  await expect.poll(words).toEqual(["NBIRTH", "DBIRTH", "DDEATH"]);
  // More than a page of what was missed, of which the first is too old.
  const hours = [0.5, 1, 1.5, 1.75, 1.9, 2].map((hour) => hour * HOUR_MS);
  readings.push(...hours.map((after_ms, index) => reading(after_ms, 10 + index)));
  isLive = true;
  node.committed();
  await expect.poll(() => histories().length).toBe(3);
  expect(words().slice(2, 4)).toEqual(["DDEATH", "DBIRTH"]);
  expect(histories().map(({ at_ms, value }) => [at_ms - START_MS, value])).toEqual([
    [1.5 * HOUR_MS, 12],
    [1.75 * HOUR_MS, 13],
    [1.9 * HOUR_MS, 14],
  ]);
  expect(host.value("SYS_FLOW_RATE")).toBe(15);
});

test("readings between two looks are told in order, each with its time", async () => {
  const from = host.heard.length;
  readings.push(reading(3 * HOUR_MS, 20), reading(3 * HOUR_MS + 1, 21));
  node.committed();
  await expect.poll(() => host.value("SYS_FLOW_RATE")).toBe(21);
  const told = host.heard.slice(from).flatMap(({ metrics }) => metrics);
  expect(told.map(({ at_ms, value }) => [at_ms - START_MS - 3 * HOUR_MS, value])).toEqual([
    [0, 20],
    [1, 21],
  ]);
  // The same value isn't told again.
  readings.push(reading(3 * HOUR_MS + 2, 21), reading(3 * HOUR_MS + 3, 22));
  node.committed();
  await expect.poll(() => host.value("SYS_FLOW_RATE")).toBe(22);
  expect(host.heard.slice(from).flatMap(({ metrics }) => metrics)).toHaveLength(3);
});

test("a broker that floods the node with commands gets a birth, and the log a line", async () => {
  const from = host.heard.length;
  for (let time = 0; time < 1000; time += 1)
    void host.command(time < 500 ? Buffer.of(0x0f) : rebirthCommand());
  await expect.poll(() => words().slice(from)).toContain("NBIRTH");
  readings.push(reading(4 * HOUR_MS, 30));
  node.committed();
  await expect.poll(() => host.value("SYS_FLOW_RATE")).toBe(30);
  const births = words().filter((word, place) => place >= from && word === "NBIRTH");
  expect(births.length).toBeLessThan(4);
  expect(warnings).toEqual([
    "a Sparkplug command can't be read",
    "the Sparkplug broker sends too many messages, it is read slowly",
  ]);
});

test("an orderly end is told, and no rule was broken", async () => {
  await node.close();
  await expect.poll(() => words().at(-1)).toBe("NDEATH");
  expect(host.broken).toEqual([]);
});
