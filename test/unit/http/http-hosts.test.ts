// DNS rebinding: a page on the internet points its own name at this machine, and the browser asks
// us for it. By which names we answer, and by which we don't.

import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import { exchange, openHttpRig, TOKEN } from "../../rig/http-server-rig.ts";

let http: Http;
beforeAll(async () => {
  http = await openHttpRig({ allowed_hosts: ["ship", "bwts.vessel.example"] });
});
afterAll(() => http.close());

const asked = (host: string, line = "GET /healthz HTTP/1.1") =>
  exchange(http, `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

describe("by which names it answers", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1:8080",
    "192.168.7.9:1",
    "[::1]",
    "[::1]:8080",
    "[fe80::1:2]",
    "[::ffff:10.0.0.1]",
    "localhost",
    "LocalHost.:80",
    hostname(),
    hostname().toUpperCase(),
    `${hostname().split(".")[0]}.local:8080`,
    "ship",
    "SHIP.",
    "bwts.vessel.example:443",
  ])("%s is answered", async (host) => {
    expect((await asked(host)).status).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:8080",
    "ship.evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "vessel.example",
    "shipp",
    "ship..",
    "[127.0.0.1]",
    "999.1.1.1",
    "",
    "x".repeat(5000),
  ])("%s is 421, naming what was given and the setting", async (host) => {
    const { status, body } = await asked(host);
    expect(status).toBe(421);
    const { error, message } = JSON.parse(body);
    expect(error).toBe(421);
    expect(message).toContain(`Host: ${JSON.stringify(host.slice(0, 80)).slice(0, -1)}`);
    expect(message).toContain("http.allowed_hosts (BALLASTD_HTTP_ALLOWED_HOSTS)");
    expect(message).not.toContain("bwts.vessel");
  });
});

describe("what is no name at all", () => {
  test.each([
    "ship:80:80",
    "ship:x",
    "user@ship",
    "ship@evil.example",
    "ship, evil.example",
    "ship evil.example",
    "[::1",
    "[evil.example]",
    "::1",
    "ship/x",
    "ship?x",
    "ship\\\\evil",
  ])("%s is 400, naming what was given", async (host) => {
    const { status, body } = await asked(host);
    expect(status).toBe(400);
    expect(JSON.parse(body).message).toContain(`Host: ${JSON.stringify(host)} was given`);
  });
});

describe("what it is asked of", () => {
  const token = `Authorization: Bearer ${TOKEN}`;

  test.each([
    "GET / HTTP/1.1",
    "HEAD /api/stats HTTP/1.1",
    "OPTIONS /api/stats HTTP/1.1",
    "GET /metrics HTTP/1.1",
    "GET /docs HTTP/1.1",
    "GET /nothing HTTP/1.1",
    "GET /api/stats HTTP/1.0",
    `POST /plants HTTP/1.1\r\n${token}\r\nContent-Type: application/json\r\nContent-Length: 2`,
    "GET http://ship/healthz HTTP/1.1",
  ])("%s by a foreign name is 421, without leave for any origin", async (line) => {
    const answer = await asked("evil.example", line);
    expect(answer.status).toBe(421);
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });

  test.each([
    ["http://evil.example/healthz", 421],
    ["https://evil.example:8080/healthz", 421],
    ["http://ship@evil.example/healthz", 421],
    ["http:///healthz", 421],
    ["http://127.0.0.1:9/healthz", 200],
    ["HTTP://[::1]/healthz", 200],
    ["http://ship/healthz", 200],
  ])("the absolute target %s is %d", async (target, status) => {
    expect((await asked("ship", `GET ${target} HTTP/1.1`)).status).toBe(status);
  });
});

test("origins that may read stay as they were", async () => {
  const open = await openHttpRig({ cors_origins: ["http://bridge.example"] });
  const line = "GET /api/events HTTP/1.1\r\nOrigin: http://bridge.example\r\nHost: 127.0.0.1";
  const answer = await exchange(open, `${line}\r\nConnection: close\r\n\r\n`);
  await open.close();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("http://bridge.example");
});

test("a name that it was told to listen on is one of its own", async () => {
  const named = await openHttpRig({ listen: [{ host: "localhost", port: 0 }], allowed_hosts: [] });
  const port = named.addresses()[0].split(":").at(-1);
  const answer = await fetch(`http://localhost:${port}/healthz`);
  await named.close();
  expect(answer.status).toBe(200);
});
