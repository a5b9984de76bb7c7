// Bodies that nobody reads, or that come in many small pieces: they take neither the memory nor the
// time of all others. Raw sockets, because no client library would behave like this.

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { HELD_MAX_BYTES } from "../../../src/http/body.ts";
import { openIntake } from "../../../src/http/intake.ts";
import { exchange, openHttpRig, openSocket, SILENT } from "../../rig/http-server-rig.ts";
import { until } from "../../rig/mqtt-receiver.ts";

const CHUNKED = "Host: ship\r\nTransfer-Encoding: chunked\r\n\r\n";
const CRUMB = "1\r\n \r\n";

test("a live stream whose request has a body in crumbs is cut, and the log names who", async () => {
  const warned: unknown[] = [];
  const log = { ...SILENT, warn: (...given: unknown[]) => warned.push(given) };
  const http = await openHttpRig({ log });
  const socket = await openSocket(http);
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString("latin1");
  });
  socket.write(`GET /stream HTTP/1.1\r\n${CHUNKED}`);
  await until("the stream to begin", () => answer.includes("event: "));
  const closed = once(socket, "close");
  socket.write(CRUMB.repeat(1000));
  await closed;
  expect(answer).toContain("HTTP/1.1 200");
  expect(warned).toEqual([
    [expect.stringContaining("crumbs"), expect.objectContaining({ address: "127.0.0.1" })],
  ]);
  await http.close();
});

test("a body that nobody reads is discarded, and what comes behind it is answered", async () => {
  const http = await openHttpRig();
  const socket = await openSocket(http);
  let answers = "";
  socket.on("data", (chunk: Buffer) => {
    answers += chunk.toString("latin1");
  });
  const body = `1000\r\n${"x".repeat(4096)}\r\n`.repeat(200);
  const asked = `GET /healthz HTTP/1.1\r\n${CHUNKED}${body}0\r\n\r\n`;
  const small = `GET /healthz HTTP/1.1\r\n${CHUNKED}2\r\n{}\r\n0\r\n\r\n`;
  socket.write(`${small}${small}${asked}`);
  await until("three answers", () => answers.split("HTTP/1.1 200").length === 4);
  socket.destroy();
  await http.close();
});

test("the chunks of a body that was refused aren't read any more", async () => {
  const http = await openHttpRig();
  const socket = await openSocket(http);
  let answers = "";
  socket.on("data", (chunk: Buffer) => {
    answers += chunk.toString("latin1");
  });
  socket.write(`POST /plants HTTP/1.1\r\nContent-Type: application/json\r\n${CHUNKED}`);
  await until("the refusal", () => answers.includes("\r\n\r\n{"));
  const closed = once(socket, "close");
  socket.write("0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: ship\r\n\r\n");
  await closed;
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  await http.close();
});

test("bodies beyond those that may be held are refused, and the log names who", async () => {
  const warned: unknown[] = [];
  const log = { ...SILENT, warn: (...given: unknown[]) => warned.push(given) };
  const http = await openHttpRig({ log });
  const refused: string[] = [];
  const head = `POST /admin/reconcile HTTP/1.1\r\nHost: ship\r\nContent-Type: text/csv\r\n`;
  // Each is held in a buffer of 1 MiB.
  const sockets = await Promise.all(
    Array.from({ length: HELD_MAX_BYTES / 2 ** 20 / 2 + 1 }, () => openSocket(http)),
  );
  for (const socket of sockets) {
    socket.on("data", (chunk: Buffer) => refused.push(chunk.toString("latin1").slice(0, 12)));
    socket.write(`${head}Content-Length: 1048576\r\n\r\n${"x".repeat(600 * 1024)}`);
  }
  await until("one to be refused", () => refused.length > 0);
  expect(refused[0]).toBe("HTTP/1.1 503");
  expect(warned).toEqual([
    [expect.stringContaining("too many"), expect.objectContaining({ address: "127.0.0.1" })],
  ]);
  for (const socket of sockets) socket.destroy();
  await http.close();
});

test.each([
  ["no chunk", "2\r\n{}\r\nzz\r\n"],
  ["in crumbs", CRUMB.repeat(1000)],
])("a body that is broken (%s) while its request waits ends the connection", async (_, body) => {
  const http = await openHttpRig();
  const one = "GET /healthz HTTP/1.1\r\nHost: ship\r\n\r\n";
  const broken = `POST /admin/reconcile HTTP/1.1\r\nContent-Type: text/csv\r\n${CHUNKED}${body}`;
  const { text } = await exchange(http, `${one}${one}${broken}`);
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    ...["200", "200", "400"],
  ]);
  await http.close();
});

test("of many sockets that send at once a few are parsed in a round of the loop", async () => {
  const [sockets, sent_bytes] = [50, 65_536];
  let [taken_bytes, here, most] = [0, 0, 0];
  const server = createServer((socket) => {
    socket.on("data", (piece: Buffer) => {
      taken_bytes += piece.length;
      here += 1;
      most = Math.max(most, here);
    });
    openIntake(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const senders = Array.from({ length: sockets }, () => connect(port, "127.0.0.1"));
  for (const sender of senders) sender.write(Buffer.alloc(sent_bytes));
  await new Promise<void>((resolve) => {
    const round = () => {
      here = 0;
      if (taken_bytes === sockets * sent_bytes) resolve();
      else setImmediate(round);
    };
    round();
  });
  // Twice as many as in a round: one round's end and the test's may lie around another's.
  expect(most).toBeLessThanOrEqual(16);
  for (const sender of senders) sender.destroy();
  server.close();
});
