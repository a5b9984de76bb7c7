// Time limits of HTTP: for a client's first byte, its head, its body, its turn. Each test waits
// until a limit of ten seconds or more has passed, so they wait together.

import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test as single } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import { HEAVY } from "../../../src/http/turns.ts";
import {
  exchange,
  openHttpRig,
  openSocket,
  scriptedReaders,
  TOKEN,
  urlOf,
} from "../../rig/http-server-rig.ts";
import { until } from "../../rig/mqtt-receiver.ts";

const test = single.concurrent;

const TYPED = "Content-Type: application/json\r\n";
const POST = `POST /plants HTTP/1.1\r\nHost: ship\r\nAuthorization: Bearer ${TOKEN}\r\n${TYPED}`;

let http: Http;
beforeAll(async () => {
  http = await openHttpRig();
});
afterAll(() => http.close());

test("a connection that says nothing at all is closed", async () => {
  const socket = await openSocket(http);
  await once(socket.resume(), "close");
});

test.each([
  ["head", "GET /healthz HTTP/1.1\r\nHost: ship\r\n"],
  ["body", `${POST}Content-Length: 100\r\n\r\n{`],
])("a %s that stops coming is 408, and its connection closed", async (_what, sent) => {
  const answer = await exchange(http, sent);
  expect(answer.status).toBe(408);
  expect(JSON.parse(answer.body).error).toBe(408);
});

test("a body that trickles is 408 in the end, and its connection closed", async () => {
  const socket = await openSocket(http);
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
  });
  socket.write(`${POST}Content-Length: 60000\r\n\r\n`);
  const trickle = setInterval(() => socket.write("x"), 500);
  await once(socket, "close");
  clearInterval(trickle);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
});

test("a request whose turn doesn't come is told to come back", async () => {
  let open = 0;
  const readers = scriptedReaders(async function* () {
    open += 1;
    for (;;) {
      yield "x".repeat(65_536);
      await pause(10);
    }
  });
  const busy = await openHttpRig({ readers });
  const asked = Array.from({ length: HEAVY.taken_max / 2 }, () => openSocket(busy));
  const sockets = await Promise.all(asked);
  const EXPORT = "GET /export/telemetry HTTP/1.1\r\nHost: ship\r\n\r\n";
  for (const socket of sockets) socket.resume().write(EXPORT);
  await until("all turns to be taken", () => open === sockets.length);
  const late = await fetch(`${urlOf(busy)}/export/telemetry`);
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
  for (const socket of sockets) socket.destroy();
  await busy.close();
});
