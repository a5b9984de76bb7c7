// Fuzzes what a PLC says: messages over QoS 1, a window of them unacknowledged, all of which must
// be acknowledged whatever is in them. The plant's clock runs on from case to case, so that
// readings merge, contradict each other, come late, and are sealed.

import { DAY_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { IDS, numberedPacket, openWire, type Packet } from "../../test/rig/mqtt-wire.ts";
import { PATIENCE_MS } from "../../test/rig/patience.ts";
import { type Attacked, startAttacked } from "./appliance.ts";
import { fuzzedMessage } from "./message.ts";
import { chanceOf, numbersOf, type Run } from "./run.ts";

const WINDOW = 256;
const LOT = 64;
const LOOK_EVERY = 25_000;
/** The plant's clock: a reading each second or so, from two months ago on, then again. */
const SPAN_MS = 60 * DAY_MS;
const STEP_MS = 700;
/** Below what the embedded broker takes in a packet (4 MiB): of a longer one it closes the door. */
const PAYLOAD_MAX_BYTES = 4_000_000;
const RETAIN = 1;
const DUP = 8;

export async function fuzzMqtt(run: Run): Promise<void> {
  const attacked = await startAttacked(run);
  const start_ms = Math.floor((Date.now() - SPAN_MS) / SECOND_MS) * SECOND_MS;
  let unsent: number[] = [];
  let packets: Packet[] = [];
  const sender = await openSender(run, attacked);
  const flush = async () => {
    await sender.send(packets, unsent);
    [packets, unsent] = [[], []];
  };
  for (const number of numbersOf(run)) {
    if (sender.failed()) break;
    const random = chanceOf(run, number);
    const message = fuzzedMessage(random, start_ms + ((number * STEP_MS) % SPAN_MS));
    const packet = numberedPacket(message.topic, message.payload.subarray(0, PAYLOAD_MAX_BYTES));
    if (random.chance(0.02)) packet.bytes[0] |= RETAIN;
    if (random.chance(0.02)) packet.bytes[0] |= DUP;
    packets.push(packet);
    unsent.push(number);
    run.tally(message.kind);
    if (packets.length === LOT) await flush();
    if ((number + 1) % LOOK_EVERY === 0) await attacked.look(number);
  }
  if (!sender.failed()) await flush();
  await sender.close();
  await attacked.finish();
}

interface Sender {
  /** Sends packets of the cases `numbers`, once there is room in the window. */
  send(packets: readonly Packet[], numbers: readonly number[]): Promise<void>;
  failed(): boolean;
  /** Waits for every acknowledgement. */
  close(): Promise<void>;
}

async function openSender(run: Run, { mqtt }: Attacked): Promise<Sender> {
  /** The case of each packet identifier that isn't acknowledged. */
  const waiting = new Map<number, number>();
  let failed = false;
  let wake = () => {};
  const fail = (what: string) => {
    if (!failed) run.found(Math.min(...waiting.values()), `${what}; waiting: ${waiting.size}`);
    failed = true;
    wake();
  };
  const wire = await openWire(mqtt, {
    acknowledged(ids) {
      for (const id of ids) if (!waiting.delete(id)) fail(`PUBACK of ${id}, which wasn't sent`);
      wake();
    },
    ended: (problem) => fail(problem.message),
  });
  const below = async (count: number) => {
    while (waiting.size >= count && !failed) {
      const silence = setTimeout(() => fail("no PUBACK"), PATIENCE_MS);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearTimeout(silence);
    }
  };
  return {
    async send(packets, numbers) {
      await below(WINDOW - packets.length + 1);
      if (failed || packets.length === 0) return;
      const first = wire.send(packets);
      for (const [place, number] of numbers.entries())
        waiting.set(((first - 1 + place) % IDS) + 1, number);
    },
    failed: () => failed,
    async close() {
      await below(1);
      if (!failed) await wire.close();
    },
  };
}
