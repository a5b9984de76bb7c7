// The edge node at a broker that refuses in a way that nobody knows, then closes whatever
// publishes, and then floods: it says so, is born as soon as the broker gets on, and stays.

import { generate } from "mqtt-packet";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../../src/ground/clock.ts";
import { openLog } from "../../../src/ground/log.ts";
import { openSparkplug } from "../../../src/scada/edge-node.ts";
import { HostCommands } from "../../../src/scada/host-commands.ts";
import { HostState } from "../../../src/scada/host-state.ts";
import { type Lameness, openLameBroker } from "../../rig/lame-broker.ts";
import { keptLog } from "../../rig/mqtt-receiver.ts";
import { rebirthCommand } from "../../rig/sparkplug-host.ts";

const said: string[] = [];
const warned: string[] = [];
let lameness: Lameness = { connack: 99 };
const broker = await openLameBroker(() => lameness);
const node = openSparkplug({
  ...{ group: "ship", node: "BWTS-001", host_id: "", version: "0", url: broker.url },
  ...{ certificate: null, client_id: "ballastd", username: "", password: "", clock: systemClock },
  log: {
    ...openLog("error"),
    warn: (message) => void warned.push(message),
    error: (message, facts) => void said.push(`${message}: ${JSON.stringify(facts)}`),
  },
  source: {
    isLive: async () => false,
    newest: async () => [],
    first: async () => ({ readings: [], isMore: false }),
  },
});
afterAll(async () => {
  await node.close();
  broker.close();
});

test("an unknown refusal is told with its number, and the log speaks of Sparkplug", async () => {
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toMatch(/^nothing is sent to Sparkplug hosts: .*refused: code 99"/);
});

test("a broker that closes at each birth is borne until it takes one", async () => {
  const births = () => broker.asked.filter((word) => word === "PUBLISH").length;
  lameness = { publish: "close" };
  // The log tells of three, then that they are many, and no more.
  await expect.poll(births).toBeGreaterThanOrEqual(5);
  const closed = said.filter((line) => /"kind":"(closed|taken_over)"/.test(line));
  expect(closed.length).toBeLessThanOrEqual(4);
  expect(closed.at(-1)).toMatch(/does another program use the client id ballastd\?/);
  lameness = {};
  await expect.poll(() => node.status()).toEqual({ isConnected: true, isBorn: true });
});

const COMMANDS = "spBv1.0/ship/NCMD/BWTS-001";
const packet = (topic: string, payload: string | Buffer) =>
  generate({ cmd: "publish", topic, payload, qos: 1, messageId: 1, dup: false, retain: false });

test("a flood of rubbish is read slowly, with one line, and the node stays", async () => {
  const connections = () => broker.asked.filter((word) => word === "CONNECT").length;
  const births = () => broker.asked.filter((word) => word === "PUBLISH").length;
  const before = { connections: connections(), births: births() };
  broker.send(packet("x", JSON.stringify({ online: false, timestamp: Date.now() })));
  broker.send(Buffer.concat(Array.from({ length: 1500 }, () => packet(COMMANDS, "rubbish"))));
  broker.send(packet(COMMANDS, Buffer.from(rebirthCommand())));
  await expect.poll(births).toBe(before.births + 1);
  expect(connections()).toBe(before.connections);
  expect(warned.filter((line) => /too many messages/.test(line))).toHaveLength(1);
  expect(warned.length).toBeLessThanOrEqual(3);
});

test("of a message that is too long nothing is read", () => {
  const host = new HostState("scada", systemClock);
  const state = JSON.stringify({ online: true, timestamp: 1 });
  expect(host.hear(Buffer.from(" ".repeat(20_000) + state))).toBe(false);
  expect(host.hear(Buffer.from(state))).toBe(true);
  const commands = new HostCommands(keptLog().log);
  const skipped = Buffer.concat([Buffer.of(0x12, 0xa0, 0x9c, 0x01), Buffer.alloc(20_000)]);
  commands.hear(Buffer.concat([rebirthCommand(), skipped]));
  expect(commands.isRebirthAsked).toBe(false);
});
