// MQTT's packets in a stream: found, and shortened, wherever the network cuts it.

import { expect, test } from "vitest";
import { PAYLOAD_HEAD_BYTES } from "../../../src/bwts/message.ts";
import { Framing, PACKET_MAX_BYTES } from "../../../src/mqtt/framing.ts";
import { Shortener } from "../../../src/mqtt/shorten.ts";
import { TOPIC } from "../../rig/broker-rig.ts";
import { seededRandom } from "../../rig/random.ts";
import { connectPacket, publishPacket } from "../../rig/raw-mqtt.ts";

test("what a packet announces is found however the bytes are cut", () => {
  const seed = Date.now() % 2 ** 31;
  const random = seededRandom(seed).next;
  const packets = [connectPacket({ client_id: "plc-1" })];
  for (let packet = 0; packet < 200; packet += 1) {
    const payload = Buffer.alloc(Math.floor(random() ** 4 * 100_000), 0xff);
    packets.push(publishPacket({ topic: TOPIC, payload }));
  }
  const framing = new Framing();
  const found: number[] = [];
  for (const chunk of cutAnyhow(Buffer.concat(packets), random))
    for (let at = 0; at < chunk.length; ) {
      at = framing.read(chunk, at);
      const { announced } = framing;
      if (announced !== null) found.push(announced.header_bytes + announced.body_bytes);
    }
  expect(found, `seed ${seed}`).toEqual(packets.map((packet) => packet.length));
  expect(framing.passed_bytes).toBe(0);
});

test("a broker's packets are shortened however the bytes are cut, and told how long", () => {
  const seed = Date.now() % 2 ** 31;
  const random = seededRandom(seed).next;
  const long = { topic: TOPIC, payload: Buffer.alloc(PACKET_MAX_BYTES, "x"), packet_id: 7 };
  const head = long.payload.subarray(0, PAYLOAD_HEAD_BYTES);
  for (const qos of [0, 1, 2] as const) {
    const between = publishPacket({ topic: TOPIC, payload: "{}", qos });
    const sent = [between, publishPacket({ ...long, qos }), between, Buffer.from([0xd0, 0])];
    const expected = [sent[0], publishPacket({ ...long, qos, payload: head }), sent[2], sent[3]];
    const shortener = new Shortener();
    const passed = cutAnyhow(Buffer.concat(sent), random).map((chunk) => shortener.passed(chunk));
    expect(Buffer.concat(passed).equals(Buffer.concat(expected)), `seed ${seed}`).toBe(true);
    const lengths = [1, 2, 3].map((nth) => shortener.takeLength(nth));
    expect(lengths).toEqual([null, PACKET_MAX_BYTES, null]);
  }
});

test("a packet that comes byte by byte passes in few pieces, a whole one at once", () => {
  const long = publishPacket({ topic: TOPIC, payload: Buffer.alloc(100 * 1024, "x"), qos: 1 });
  const short = publishPacket({ topic: TOPIC, payload: "{}", qos: 1 });
  const shortener = new Shortener();
  const pieces: Buffer[] = [];
  for (let at = 0; at < long.length; at += 1)
    pieces.push(shortener.passed(long.subarray(at, at + 1)));
  const passed = pieces.filter(({ length }) => length > 0);
  expect(Buffer.concat(passed).equals(long)).toBe(true);
  expect(passed.length).toBeLessThan(10);
  const [first, second] = [short.subarray(0, 5), short.subarray(5)];
  // The beginning of an unfinished packet passes, so that what isn't MQTT is noticed by it.
  expect(shortener.passed(Buffer.concat([short, first]))).toEqual(Buffer.concat([short, first]));
  expect(shortener.passed(Buffer.concat([second, short]))).toEqual(Buffer.concat([second, short]));
});

/** A stream as a network may cut it: into single bytes and into large pieces. */
function cutAnyhow(stream: Buffer, random: () => number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length; ) {
    const next = at + 1 + Math.floor(random() ** 3 * 5000);
    chunks.push(stream.subarray(at, next));
    at = next;
  }
  return chunks;
}
