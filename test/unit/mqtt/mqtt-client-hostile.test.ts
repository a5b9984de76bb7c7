// A broker that means harm: client mode gives it up before it takes memory or time.

import type { Packet } from "mqtt";
import { afterAll, expect, test } from "vitest";
import { Debts } from "../../../src/mqtt/debts.ts";
import { closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import { subscribed, subscribedRig, texts } from "../../rig/client-rig.ts";
import { openLameBroker } from "../../rig/lame-broker.ts";
import { until } from "../../rig/mqtt-receiver.ts";
import { publishPacket } from "../../rig/raw-mqtt.ts";

const opened: Opened = [];
afterAll(() => closeAll(opened));

test("messages of QoS 2 that are never released end the connection", async () => {
  const broker = await openLameBroker(() => ({}));
  opened.push(() => broker.close());
  const rig = await subscribedRig(opened, { url: broker.url });
  const payload = Buffer.alloc(1024 * 1024, "x");
  for (let id = 1; id <= 40; id += 1)
    broker.send(publishPacket({ topic: TOPIC, payload, qos: 2, packet_id: id }));
  await until("the fault", () => rig.endpoint.status().faults.malformed === 1);
  expect(rig.endpoint.status().problem).toMatch(
    /the broker releases none of \d+ messages of QoS 2/,
  );
  expect(rig.plc.messages).toEqual([]);
  await subscribed(rig.endpoint);
  broker.send(publishPacket({ topic: TOPIC, payload: "1", qos: 2, packet_id: 1 }));
  broker.send(Buffer.from([0x62, 2, 0, 1]));
  await until("what is released", () => texts(rig.plc).includes("1"));
});

test("a broker that sends and leaves our answers unread is given up", () => {
  const debts = new Debts();
  expect(debts.count({ cmd: "pingresp" }, 64 * 1024)).toBeNull();
  expect(debts.count({ cmd: "pingresp" }, 1024 * 1024)?.kind).toBe("silent");
});

test("answers that nothing asked for, which keep the page waiting, end the link", async () => {
  const broker = await openLameBroker(() => ({}));
  opened.push(() => broker.close());
  const rig = await subscribedRig(opened, { url: broker.url });
  broker.send(Buffer.alloc(10_000, "d000", "hex"));
  await until("the fault", () => rig.endpoint.status().faults.malformed === 1);
  expect(rig.endpoint.status().problem).toMatch(/answers that nothing asked for/);
  await subscribed(rig.endpoint);
  expect(rig.endpoint.status().problem).toBeNull();
});

test("answers that were asked for are no flood, however many they are", () => {
  const debts = new Debts();
  for (let ping = 0; ping < 10_000; ping += 1) {
    debts.sent({ cmd: "pingreq" });
    expect(debts.count({ cmd: "pingresp" }, 0)).toBeNull();
  }
});

test("a message of QoS 2 that is sent again and again, and never released, is a flood", () => {
  const debts = new Debts();
  const message: Packet = {
    ...{ cmd: "publish", qos: 2, dup: true, retain: false },
    ...{ topic: "t", payload: "x", messageId: 1 },
  };
  const faults = Array.from({ length: 1100 }, () => {
    debts.sent({ cmd: "pubrec", messageId: 1 });
    return debts.count(message, 0);
  });
  expect(faults[0]).toBeNull();
  expect(faults.at(-1)?.reason).toMatch(/nothing asked for, the last a publish/);
});
