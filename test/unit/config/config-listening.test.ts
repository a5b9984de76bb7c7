// Addresses to listen on: several connections are accepted in a round of the loop, and a port that
// another program of the same user has is reported.

import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { openListening } from "../../../src/config/listening.ts";

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const COUNT = 128;

const openAt = (port: number, make: () => Server = createServer) =>
  openListening({
    ...{ section: "http", listen: [{ host: "127.0.0.1", port }], missing: "refuse" },
    ...{ make, log },
  });

const portOf = (address: string) => Number(address.slice(address.lastIndexOf(":") + 1));

test("connections that wait are accepted several in a round of the loop", async () => {
  const rounds = new Set<number>();
  let accepted = 0;
  const make = () =>
    createServer((socket) => {
      accepted += 1;
      rounds.add(performance.nodeTiming.uvMetricsInfo.loopCount);
      socket.on("error", () => null).resume();
    });
  const listening = await openAt(0, make);
  const [address] = listening.addresses();
  const sockets = Array.from({ length: COUNT }, () => connect(portOf(address), "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await expect.poll(() => accepted).toBe(COUNT);
  expect(rounds.size).toBeLessThan(COUNT / 2);
  for (const socket of sockets) socket.destroy();
  await listening.close();
});

test("a port is shared with no other program, and is free again after the end", async () => {
  const first = await openAt(0);
  const [address] = first.addresses();
  const port = portOf(address);
  const refused = openAt(port);
  await expect(refused).rejects.toThrow(/can't be bound: another program listens there/);
  await first.close();
  const second = await openAt(port);
  expect(second.addresses()).toEqual([address]);
  await second.close();
});
