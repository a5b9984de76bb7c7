// A full broker: who makes room for whom. Strangers connect from other addresses of the loopback.

import { afterEach, expect, test } from "vitest";
import { openRegulars } from "../../../src/mqtt/regulars.ts";
import { brokerRig, closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import { quiet, until } from "../../rig/mqtt-receiver.ts";
import {
  CONNACK_ACCEPTED,
  connectPacket,
  publishPacket,
  type RawClient,
  rawClient,
} from "../../rig/raw-mqtt.ts";

const opened: Opened = [];
afterEach(() => closeAll(opened));

const MESSAGE = publishPacket({ topic: TOPIC, payload: "{}", qos: 1, packet_id: 1 });
const PUBACK = "40020001";

async function from(port: number, address: string): Promise<RawClient> {
  const client = await rawClient(port, address);
  opened.push(client.cut);
  return client;
}

/** Logs in and publishes once. */
async function publishes(client: RawClient, client_id: string): Promise<void> {
  client.send(connectPacket({ client_id }), MESSAGE);
  await client.receives(`${CONNACK_ACCEPTED}${PUBACK}`);
}

test("one that has said nothing makes room before one that has logged in", async () => {
  const { port } = await brokerRig(opened, undefined, { connections_max: 4 });
  const named = await from(port, "127.0.1.1");
  named.send(connectPacket({ client_id: "named" }));
  await named.receives(CONNACK_ACCEPTED);
  const bare = [await from(port, "127.0.1.1"), await from(port, "127.0.1.2")];
  bare.push(await from(port, "127.0.1.3"), await from(port, "127.0.1.4"));
  await until("one to be closed", () => bare.some((client) => client.closed()));
  await from(port, "127.0.1.5");
  await until("two to be closed", () => bare.filter((client) => client.closed()).length === 2);
  await quiet();
  expect(named.closed()).toBe(false);
});

test("a publisher that was there gets in again among strangers who publish too", async () => {
  const { port, plc } = await brokerRig(opened, undefined, { connections_max: 8 });
  const first = await from(port, "127.0.0.1");
  await publishes(first, "plc-1");
  const strangers: RawClient[] = [];
  first.cut();
  for (let number = 0; number < 8; number += 1) {
    const stranger = await from(port, `127.0.1.${number + 1}`);
    await publishes(stranger, `stranger-${number}`);
    strangers.push(stranger);
  }
  const refused = await from(port, "127.0.2.1");
  await refused.isClosed();
  const again = await from(port, "127.0.0.1");
  await publishes(again, "plc-1");
  await from(port, "127.0.2.2");
  await quiet();
  expect(again.closed()).toBe(false);
  expect(strangers.filter((client) => client.closed())).toHaveLength(1);
  expect(plc.messages).toHaveLength(10);
});

test("a client id that published before keeps its place from another address", async () => {
  const { port } = await brokerRig(opened, undefined, { connections_max: 4 });
  const first = await from(port, "127.0.0.1");
  await publishes(first, "plc-1");
  first.cut();
  const again = await from(port, "127.0.3.1");
  again.send(connectPacket({ client_id: "plc-1" }));
  await again.receives(CONNACK_ACCEPTED);
  for (let number = 0; number < 6; number += 1) {
    const stranger = await from(port, `127.0.1.${number + 1}`);
    stranger.send(connectPacket({ client_id: `stranger-${number}` }));
  }
  await quiet();
  expect(again.closed()).toBe(false);
});

test("a newcomer gets in where one address holds everything by publishing", async () => {
  const { port } = await brokerRig(opened, undefined, { connections_max: 4 });
  const strangers: RawClient[] = [];
  // The first two addresses to publish are regulars.
  for (const [number, address] of ["127.0.1.1", "127.0.1.2", "127.0.1.2", "127.0.1.2"].entries()) {
    const stranger = await from(port, address);
    await publishes(stranger, `stranger-${number}`);
    strangers.push(stranger);
  }
  const plc = await from(port, "127.0.0.1");
  await publishes(plc, "plc-1");
  expect(strangers.filter((client) => client.closed())).toHaveLength(1);
});

test("who sends faster than the disk takes is named in the log, once an address", async () => {
  const { port, plc, fields, lines } = await brokerRig(opened, undefined, { packet_ms: 20 });
  plc.hold();
  const good = await from(port, "127.0.1.1");
  good.send(connectPacket({ client_id: "plc" }), MESSAGE);
  for (const address of ["127.0.1.2", "127.0.1.2", "127.0.1.3"]) {
    const stranger = await from(port, address);
    stranger.send(connectPacket({ client_id: "" }));
    await stranger.receives(CONNACK_ACCEPTED);
    stranger.send(...Array.from({ length: 5000 }, () => MESSAGE));
  }
  const named = () => fields.filter((_, at) => lines[at].includes("faster than the disk takes"));
  await until("both addresses to be named", () => named().length >= 2);
  await quiet();
  const addresses = named().map(({ remote }) => String(remote).split(":")[0]);
  expect(addresses).toEqual(["127.0.1.2", "127.0.1.3"]);
});

test("the first publishers are regulars, and one that is silent for a day is forgotten", () => {
  let now_ms = 0;
  const limits = { connections_max: 16, connections_address_max: 2 };
  const regulars = openRegulars(limits, () => now_ms);
  const publishes = (counted: string, name: string) => {
    const admitted = { counted, settled: false, named: false, regular: false };
    regulars.published(admitted, name);
    return admitted.regular;
  };
  const isKnown = (name: string) => {
    const admitted = { counted: "x", settled: false, named: false, regular: false };
    regulars.loggedIn(admitted, name);
    return admitted.regular;
  };
  expect(["a", "b", "c"].map((address) => publishes(address, "one"))).toEqual([true, true, true]);
  expect(["d", "e", "f", "g"].map((name) => publishes("c", name))).toEqual([
    ...[true, true, true],
    false,
  ]);
  expect([regulars.hasAddress("a"), regulars.hasAddress("c")]).toEqual([true, false]);
  expect(isKnown("one")).toBe(true);
  now_ms = 86_400_001;
  expect([regulars.hasAddress("a"), isKnown("one")]).toEqual([false, false]);
  expect(publishes("c", "g")).toBe(true);
  expect(regulars.hasAddress("c")).toBe(true);
});
