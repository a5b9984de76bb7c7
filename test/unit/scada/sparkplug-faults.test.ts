// The edge node at a broker that refuses in a way that nobody knows, and then closes whatever
// publishes: it says so, and is born as soon as the broker gets on.

import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../../src/ground/clock.ts";
import { openLog } from "../../../src/ground/log.ts";
import { openSparkplug } from "../../../src/scada/edge-node.ts";
import { type Lameness, openLameBroker } from "../../rig/lame-broker.ts";

const said: string[] = [];
let lameness: Lameness = { connack: 99 };
const broker = await openLameBroker(() => lameness);
const node = openSparkplug({
  ...{ group: "ship", node: "BWTS-001", host_id: "", version: "0", url: broker.url },
  ...{ certificate: null, client_id: "ballastd", username: "", password: "", clock: systemClock },
  log: {
    ...openLog("error"),
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
