// Fuzzes the MQTT port itself: connections that send packets malformed, truncated, out of order, of
// other versions of the protocol, or no MQTT at all. Each must end, answered or not, and a PLC that
// publishes beside them must not notice.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../src/ground/errors.ts";
import { numberedPacket, openWire } from "../../test/rig/mqtt-wire.ts";
import { PATIENCE_MS } from "../../test/rig/patience.ts";
import type { Random } from "../../test/rig/random.ts";
import { type Attacked, startAttacked } from "./appliance.ts";
import { fuzzedPackets } from "./packet.ts";
import { chanceOf, numbersOf, type Run } from "./run.ts";

const CONNECTIONS = 16;
const LOOK_EVERY = 5000;
const PLC_EVERY_MS = 50;

export async function fuzzPackets(run: Run): Promise<void> {
  const attacked = await startAttacked(run);
  const numbers = numbersOf(run);
  const stop = new AbortController();
  const plc = publishBeside(run, attacked, stop.signal);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const number of numbers) {
        await attack(run, attacked, number);
        if (number % LOOK_EVERY === LOOK_EVERY - 1) await attacked.look(number);
      }
    }),
  );
  stop.abort();
  await plc;
  await attacked.finish();
}

async function attack(run: Run, { mqtt }: Attacked, number: number): Promise<void> {
  const random = chanceOf(run, number);
  const { kind, chunks } = fuzzedPackets(random);
  run.tally(kind);
  const { hostname, port } = new URL(mqtt);
  const socket = connect(Number(port), hostname).resume();
  const closed = new Promise<string>((resolve) => {
    socket.once("error", (error) => resolve(codeOf(error) ?? "error"));
    socket.once("close", () => resolve("closed"));
  });
  try {
    await once(socket, "connect");
  } catch {
    run.found(number, "the MQTT port takes no connection");
    return;
  }
  await sendChunks(socket, chunks, random);
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, "late");
    closed.finally(() => clearTimeout(timer));
  });
  const how = await Promise.race([closed, late]);
  run.tally(`connection ${how}`);
  if (how === "late") run.found(number, `${kind}: the connection wasn't closed`);
  socket.destroy();
}

async function sendChunks(
  socket: ReturnType<typeof connect>,
  chunks: readonly Buffer[],
  random: Random,
): Promise<void> {
  for (const chunk of chunks) {
    if (socket.destroyed) return;
    socket.write(chunk);
    if (random.chance(0.1)) await sleep(1);
  }
  if (random.chance(0.3)) await sleep(random.between(0, 20));
  if (random.chance(0.1)) socket.destroy();
  else socket.end();
}

/** A PLC's connection, each message waited for. */
async function publishBeside(run: Run, { mqtt }: Attacked, signal: AbortSignal): Promise<void> {
  let answered: (problem: string | null) => void = () => {};
  const wire = await openWire(mqtt, {
    acknowledged: () => answered(null),
    ended: (problem) => answered(problem.message),
  });
  while (!signal.aborted) {
    const payload = `{"timestamp":${Date.now()},"SYS_PRESSURE":4.2}`;
    const answer = new Promise<string | null>((resolve) => {
      answered = resolve;
      setTimeout(resolve, PATIENCE_MS, "no PUBACK").unref();
    });
    wire.send([numberedPacket("bwts/BWTS-001/telemetry", Buffer.from(payload))]);
    const problem = await answer;
    if (problem !== null) {
      run.found(null, `the PLC beside them: ${problem}`);
      return;
    }
    run.tally("message of the PLC beside");
    await sleep(PLC_EVERY_MS);
  }
  await wire.close();
}
