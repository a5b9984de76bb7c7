// The server on a raw socket: statuses, headers and the one shape of errors, whatever is sent.
// Every answer is held against the served OpenAPI document.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import { openApiDocument } from "../../../src/http/document.ts";
import { ROUTES } from "../../../src/http/routes/routes.ts";
import { ReaderLost, ReadersBusy, StoredDamage } from "../../../src/sqlite/file/query.ts";
import { exchange, openHttpRig, scriptedReaders, TOKEN, urlOf } from "../../rig/http-server-rig.ts";
import { openValidator } from "../../rig/http-validator.ts";

const END = "\r\nHost: ship\r\nConnection: close\r\n\r\n";
const document = openApiDocument(ROUTES, "token");
const validator = openValidator(document);

let http: Http;
const readers = scriptedReaders((query) => (query.name === "latest" ? null : ["[]"]));
beforeAll(async () => {
  http = await openHttpRig({ readers });
});
afterAll(() => http.close());

interface Scenario {
  readonly what: string;
  readonly sent: string;
  readonly status: number;
  readonly has?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const long = "x".repeat(20_000);
const chunked = "\r\nHost: ship\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n";
const POST = `POST /plants HTTP/1.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const GET_ALLOW = { allow: "GET, HEAD, OPTIONS" };

const REFUSED: readonly Scenario[] = [
  { what: "an unknown path", sent: `GET /api/nothing HTTP/1.1${END}`, status: 404 },
  { what: "two slashes", sent: `GET //api/stats HTTP/1.1${END}`, status: 404, has: "//api/stats" },
  { what: "a slash at the end", sent: `GET /api/stats/ HTTP/1.1${END}`, status: 404 },
  { what: "a lone percent sign", sent: `GET /% HTTP/1.1${END}`, status: 404 },
  { what: "a broken escape", sent: `GET /api/%E0%A4%A HTTP/1.1${END}`, status: 404 },
  { what: "dots", sent: `GET /../../etc/passwd HTTP/1.1${END}`, status: 404 },
  { what: "a member of Object", sent: `GET /__proto__ HTTP/1.1${END}`, status: 404 },
  { what: "another host's path", sent: `GET http://ship/none HTTP/1.1${END}`, status: 404 },
  { what: "no reading yet", sent: `GET /api/telemetry/latest HTTP/1.1${END}`, status: 404 },
  ...["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"].map((method) => ({
    what: `${method} of a GET route`,
    sent: `${method} /api/stats HTTP/1.1${END}`,
    status: 405,
    headers: GET_ALLOW,
  })),
  {
    what: "a method that doesn't exist",
    sent: `FETCH /api/stats HTTP/1.1${END}`,
    status: 405,
    headers: GET_ALLOW,
  },
  { what: "no method on no path", sent: `FETCH /nothing HTTP/1.1${END}`, status: 404 },
  {
    what: "GET of /plants",
    sent: `GET /plants HTTP/1.1${END}`,
    status: 405,
    headers: { allow: "POST, OPTIONS" },
  },
  { what: "CONNECT", sent: `CONNECT other:443 HTTP/1.1${END}`, status: 405 },
  { what: "GET *", sent: `GET * HTTP/1.1${END}`, status: 405 },
  { what: "no host", sent: "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", status: 400 },
  {
    what: "two hosts",
    sent: "GET /healthz HTTP/1.1\r\nHost: ship\r\nhost: ship\r\nConnection: close\r\n\r\n",
    status: 400,
    has: "Host: is there 2 times, expected it once",
  },
  { what: "a folded header", sent: `GET /healthz HTTP/1.1\r\nX: a\r\n b${END}`, status: 400 },
  { what: "HTTP/0.9", sent: "GET /healthz\r\n\r\n", status: 400 },
  { what: "HTTP/2.0", sent: `GET /healthz HTTP/2.0${END}`, status: 400 },
  {
    what: "101 header lines",
    sent: `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(99)}${END.slice(2)}`,
    status: 431,
  },
  {
    what: "a length beside chunks",
    sent: `${POST}Content-Type: application/json\r\nContent-Length: 5${chunked}\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    what: "a coding beside chunked",
    sent: `POST /plants HTTP/1.1\r\nTransfer-Encoding: gzip, chunked${END}0\r\n\r\n`,
    status: 400,
    headers: { connection: "close" },
  },
  {
    what: "chunks with HTTP/1.0",
    sent: "POST /plants HTTP/1.0\r\nHost: ship\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    status: 400,
    headers: { connection: "close" },
  },
  { what: "a TLS greeting", sent: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", status: 400 },
  { what: "HTTP/2", sent: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  { what: "HTTP/9.9", sent: `GET /healthz HTTP/9.9${END}`, status: 400 },
  { what: "words", sent: "hello, are you there?\r\n\r\n", status: 400 },
  { what: "a header without a name", sent: `GET /healthz HTTP/1.1\r\n: x${END}`, status: 400 },
  {
    what: "two lengths",
    sent: `GET /healthz HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2${END}`,
    status: 400,
  },
  { what: "a long URL", sent: `GET /api/stats?${long} HTTP/1.1${END}`, status: 414 },
  { what: "a URL of 100 kB", sent: `GET /?${long.repeat(5)} HTTP/1.1${END}`, status: 431 },
  {
    what: "a head of 40 kB",
    sent: `GET / HTTP/1.1\r\nA: ${long}\r\nB: ${long}${END}`,
    status: 431,
  },
  {
    what: "a bad parameter",
    sent: `GET /api/health?limit=ten HTTP/1.1${END}`,
    status: 400,
    has: 'limit: \\"ten\\" was given, expected an integer from 1 to 10000',
  },
  {
    what: "a body that isn't chunked as it says",
    sent: `${POST}Content-Type: application/json${chunked}\r\nzz\r\n`,
    status: 400,
  },
];

describe("what is refused", () => {
  test.each(REFUSED)("$what is $status", async ({ sent, status, has, headers = {} }) => {
    const answer = await exchange(http, sent);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(has ?? "");
    expect(JSON.parse(answer.body)).toEqual({ error: status, message: expect.any(String) });
    expect(answer.body).not.toMatch(/\bat \/|node:|SELECT|src\//);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    for (const [name, value] of Object.entries(headers))
      expect(answer.headers.get(name)).toBe(value);
    const schema = { $ref: "#/components/schemas/Error" };
    expect(validator.problems(schema, JSON.parse(answer.body))).toBeNull();
  });
});

describe("what is answered", () => {
  test.each([
    ["a plain path", `GET /api/events HTTP/1.1${END}`],
    ["an absolute URL", `GET http://ship:99/api/events?limit=5 HTTP/1.1${END}`],
    ["HTTP/1.0 without a host", "GET /api/events HTTP/1.0\r\n\r\n"],
    ["an upgrade that nobody offers", `GET /api/events HTTP/1.1\r\nUpgrade: websocket${END}`],
    ["a body on GET", `GET /api/events HTTP/1.1\r\nContent-Length: 5${END}hello`],
    ["an odd expectation", `GET /api/events HTTP/1.1\r\nExpect: miracles${END}`],
    ["a URL of nearly 16 KiB", `GET /api/events?_=${"x".repeat(16_000)} HTTP/1.1${END}`],
  ])("%s is 200", async (_what, sent) => {
    const answer = await exchange(http, sent);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe("[]");
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(answer.headers.get("etag")).toBeUndefined();
    expect(answer.headers.get("x-powered-by")).toBeUndefined();
    expect(answer.headers.get("access-control-allow-origin")).toBeUndefined();
  });

  test("HEAD is GET without a body, and never runs a POST", async () => {
    const head = await exchange(http, `HEAD /api/events HTTP/1.1${END}`);
    expect([head.status, head.headers.get("content-length"), head.body]).toEqual([200, "2", ""]);
    const missing = await exchange(http, `HEAD /api/telemetry/latest HTTP/1.1${END}`);
    expect([missing.status, missing.body]).toEqual([404, ""]);
    const token = `Authorization: Bearer ${TOKEN}`;
    const plants = await exchange(http, `HEAD /plants HTTP/1.1\r\n${token}${END}`);
    expect([plants.status, plants.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("OPTIONS is 204 with Allow, without a body", async () => {
    const options = await exchange(http, `OPTIONS /api/stats HTTP/1.1${END}`);
    expect([options.status, options.body]).toEqual([204, ""]);
    expect(options.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await exchange(http, `OPTIONS * HTTP/1.1${END}`)).status).toBe(204);
    expect((await exchange(http, `OPTIONS /nothing HTTP/1.1${END}`)).status).toBe(404);
  });

  test("pipelined requests are answered in order, and garbage after them last", async () => {
    const one = "GET /api/health?limit=0 HTTP/1.1\r\nHost: ship\r\n\r\n";
    const two = "GET /healthz HTTP/1.1\r\nHost: ship\r\n\r\n";
    const { text } = await exchange(http, `${one}${two}${one}garbage\r\n\r\n`);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([400, 200, 400, 400]);
    expect(text).toMatch(/not valid HTTP\/1\.1"}$/);
  });

  test("each route asks the readers for what its parameters say", async () => {
    readers.asked.length = 0;
    const dates = "startDate=2026-05-01&endDate=2026-05-02";
    for (const path of [
      "/api/stats",
      "/api/telemetry/history",
      "/api/telemetry/aggregated",
      "/api/telemetry/aggregated?endDate=2026-05-02&interval=hour&hours=5",
      `/api/telemetry/chunked?${dates}&offset=3`,
      "/api/telemetry/runtime-analysis",
      "/api/health",
      "/api/health/aggregated",
      `/api/health/aggregated?${dates}`,
      "/api/events?type=PROCESS_STOP&limit=7",
      "/api/predictions",
      "/api/predictions?newest=each_lamp",
    ])
      expect((await fetch(urlOf(http) + path)).status).toBe(200);
    const start_ms = Date.UTC(2026, 4, 1);
    const end_ms = Date.UTC(2026, 4, 3) - 1;
    const always = { start_ms: null, end_ms: null };
    expect(readers.asked).toEqual([
      { name: "stats" },
      { name: "history", hours: 24 },
      { name: "aggregated", interval: "day", range: null, hours: 720 },
      { name: "aggregated", interval: "hour", range: { start_ms: null, end_ms }, hours: 5 },
      { name: "chunked", start_ms, end_ms, offset: 3, limit: 500 },
      { name: "runtime", range: always },
      { name: "health", range: always, limit: 100 },
      { name: "health_aggregated", interval: "day", range: null, limit: 30 },
      { name: "health_aggregated", interval: "day", range: { start_ms, end_ms }, limit: 30 },
      { name: "events", range: always, type: "PROCESS_STOP", limit: 7 },
      { name: "predictions", range: always, limit: 100, isEachLamp: false },
      { name: "predictions", range: always, limit: 100, isEachLamp: true },
    ]);
  });

  test.each(ROUTES.filter((route) => route.group === "system").map(({ path }) => path))(
    "%s keeps to the document",
    async (path) => {
      const answer = await fetch(urlOf(http) + path);
      const type = answer.headers.get("content-type") ?? "";
      const body = await answer.text();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(
        validator.answerProblems({ method: "GET", path, status: answer.status, type, body }),
      ).toBeNull();
    },
  );

  test.each([
    ...["text", "csv", "json"].map((format) => `/api/record-book?format=${format}`),
    ...["csv", "ndjson", "parquet", "iso19848"].map((one) => `/export/telemetry?format=${one}`),
    ...["csv", "ndjson"].map((format) => `/export/operations?format=${format}`),
  ])("the document lists the type of %s", async (asked) => {
    const [path] = asked.split("?");
    const { status, headers } = await fetch(urlOf(http) + asked, { method: "HEAD" });
    expect(status).toBe(200);
    const answer = document.paths[path].get.responses[200];
    const type = headers.get("content-type")?.split(";")[0];
    expect("content" in answer && Object.keys(answer.content)).toContain(type);
  });
});

describe("readers in trouble", () => {
  test.each([
    ["busy", new ReadersBusy("8 answers are under way"), 503, "1"],
    ["lost", new ReaderLost("thread died"), 503, "1"],
    ["damaged", new StoredDamage("the row of 0 0 0 is damaged in /srv/secret"), 503, "60"],
    ["without a disk", new Failure(EXIT.io, "/srv/secret: input/output error"), 503, "1"],
    ["wrong", new TypeError("x is not a function at /srv/secret.ts"), 500, null],
  ])("%s is answered in the shape of errors", async (_what, error, status, retryAfter) => {
    const broken = await openHttpRig({
      readers: {
        async ask() {
          throw error;
        },
      },
    });
    const answer = await fetch(`${urlOf(broken)}/api/stats`);
    const body = await answer.text();
    await broken.close();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(body).not.toContain("secret");
    const type = answer.headers.get("content-type") ?? "";
    expect(
      validator.answerProblems({ method: "GET", path: "/api/stats", status, type, body }),
    ).toBeNull();
  });
});
