// Reserved ports: whose they are while nobody listens on them, with several processes at once, and
// when a process that has some is killed.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { occupyPort, reservePort, startOnPort } from "../../rig/port.ts";
import { type Process, startProcess } from "../../rig/process.ts";
import { until } from "../../rig/until.ts";

/** So many at once that ports which were merely found free would be taken twice. */
const COUNT = 500;
const RIG = path.resolve(import.meta.dirname, "..", "..", "rig", "port.ts");
const RESERVING = `
  import { reservePort } from ${JSON.stringify(RIG)};
  const reserved = await Promise.all(Array.from({ length: ${COUNT} }, () => reservePort()));
  console.log(reserved.map(({ port }) => port).join(" "));
  setInterval(() => {}, 60_000);`;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** A process that reserves ports until it is killed. */
function startReserving(): Process {
  const args = ["--input-type=module", "--eval", RESERVING];
  const child = startProcess({ file: process.execPath, args, folder: os.tmpdir() });
  opened.push({ close: () => void child.stop("SIGKILL") });
  return child;
}

async function portsOf(child: Process): Promise<readonly number[]> {
  await child.waitUntil("its ports", () => child.stdout().endsWith("\n"));
  return child.stdout().trim().split(" ").map(Number);
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => null));
  server.listen(port, "127.0.0.1");
  opened.push(server);
  await once(server, "listening");
  return server;
}

async function closed(server: Server): Promise<void> {
  await new Promise((done) => server.close(done));
}

/** The code of the error of a connection to the port. */
async function refusalOf(port: number): Promise<string> {
  const [error] = await once(connect(port, "127.0.0.1"), "error");
  return error.code;
}

/** From 127.0.0.1, established: what another program has on 127.0.83.1 is none of these. */
const ESTABLISHED = /^ *\d+: (0100007F:(\w+) \w+:\w+) 01 /gm;

/** Established connections from these ports of 127.0.0.1, as `local remote` in hexadecimal. */
function connectionsFrom(ports: readonly number[]): readonly string[] {
  const lines = readFileSync("/proc/net/tcp", "utf8").matchAll(ESTABLISHED);
  const wanted = new Set(ports);
  return [...lines].flatMap(([, ends, port]) =>
    wanted.has(Number.parseInt(port, 16)) ? ends : [],
  );
}

test("processes that reserve at the same time never have the same port", async () => {
  const children = Array.from({ length: 4 }, startReserving);
  const all = (await Promise.all(children.map(portsOf))).flat();
  expect(all).toHaveLength(4 * COUNT);
  expect(new Set(all).size).toBe(4 * COUNT);
});

test("a reserved port is lent to no server and to no connection of another process", async () => {
  const reserved = new Set(await portsOf(startReserving()));
  const servers = await Promise.all(Array.from({ length: COUNT }, () => listenOn(0)));
  const lent = servers.map((server) => (server.address() as AddressInfo).port);
  const outgoing = lent.map(async (port) => {
    const socket = connect(port, "127.0.0.1");
    opened.push({ close: () => void socket.resetAndDestroy() });
    await once(socket, "connect");
    return socket.localPort ?? 0;
  });
  lent.push(...(await Promise.all(outgoing)));
  expect(lent).toHaveLength(2 * COUNT);
  expect(lent.filter((port) => reserved.has(port))).toEqual([]);
});

test("its server may come, go and come back, and nobody answers meanwhile", async () => {
  const { port } = await reservePort();
  for (let times = 0; times < 3; times += 1) {
    expect(await refusalOf(port)).toBe("ECONNREFUSED");
    const server = await listenOn(port);
    await expect(listenOn(port)).rejects.toThrow("EADDRINUSE");
    await closed(server);
  }
  const occupied = await occupyPort();
  await expect(listenOn(occupied.port)).rejects.toThrow("EADDRINUSE");
  await occupied.vacate();
  expect(connectionsFrom([occupied.port])).toHaveLength(1);
  await listenOn(occupied.port);
});

test("a port that is released, or whose owner is killed, isn't reserved any more", async () => {
  const own = await reservePort();
  const child = startReserving();
  const ports = [own.port, ...(await portsOf(child))];
  const before = connectionsFrom(ports);
  expect(before).toHaveLength(1 + COUNT);
  own.release();
  await child.stop("SIGKILL");
  // Other processes may have been lent some of them since.
  const isReserved = (ends: string) => before.includes(ends);
  await until("the end", async () => !connectionsFrom(ports).some(isReserved));
});

test("a server whose address is in use is started on another port, but not for ever", async () => {
  const tried: number[] = [];
  const startAfter = (others: number) =>
    startOnPort(async ({ port }) => {
      tried.push(port);
      if (tried.length <= others) await listenOn(port);
      await listenOn(port);
      return port;
    });
  expect(await startAfter(2)).toBe(tried[2]);
  tried.length = 0;
  await expect(startAfter(9)).rejects.toThrow("EADDRINUSE");
  expect(tried).toHaveLength(3);
  const failing = startOnPort(() => Promise.reject(new Error("no such user")));
  await expect(failing).rejects.toThrow("no such user");
});
