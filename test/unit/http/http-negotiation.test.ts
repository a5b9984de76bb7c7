// The headers by which a request and its answer agree: the types that it takes (406), the id by
// which its answer and its lines in the log are found, the links to the pages beside a page.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import { pageLinks } from "../../../src/http/page-links.ts";
import { exchange, openHttpRig, scriptedWrites, TOKEN } from "../../rig/http-server-rig.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const END = "\r\nHost: ship\r\nConnection: close\r\n\r\n";

const lines: { message: string; fields: Record<string, unknown> }[] = [];
const take = (message: string, fields = {}) => void lines.push({ message, fields });
const log = { debug: take, info: take, warn: take, error: take };
const saved: unknown[] = [];

let http: Http;
beforeAll(async () => {
  http = await openHttpRig({
    log,
    cors_origins: ["https://office.example"],
    write: scriptedWrites((plant) => {
      saved.push(plant);
      return "stored";
    }),
    async backUp() {
      throw new Failure(EXIT.io, "the disk is gone");
    },
  });
});
afterAll(() => http.close());

const asked = (line: string, ...headers: readonly string[]) =>
  exchange(http, `${[`${line} HTTP/1.1`, ...headers].join("\r\n")}${END}`);

describe("Accept", () => {
  test.each([
    ["application/json"],
    ["application/*"],
    ["*/*"],
    ["*"],
    [""],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"],
    ["application/json;charset=utf-8"],
    ["APPLICATION/JSON; q=0.001"],
    ["text/html;q=0, application/json"],
    ["application/json;q=nonsense"],
    ["*/*;q=0, application/json"],
    ["text/csv\r\nAccept: application/json"],
  ])("%j is met by JSON", async (accept) => {
    expect((await asked("GET /api/events", `Accept: ${accept}`)).status).toBe(200);
    expect((await asked("HEAD /api/events", `Accept: ${accept}`)).status).toBe(200);
  });

  test.each([
    ["text/html"],
    ["text/html, application/xml"],
    ["application/json;q=0"],
    ["application/json;q=0.000, */*"],
    ["application/*;q=0, */*;q=1"],
    ["*/*;q=0"],
    ["application/jsonx"],
    ["json"],
    ["application/jso"],
    [`text/${"x".repeat(9000)}`],
    [Array(5000).fill("a/b").join()],
  ])("%j excludes JSON: 406, in JSON, and it says what is expected", async (accept) => {
    const answer = await asked("GET /api/events", `Accept: ${accept}`);
    expect(answer.status).toBe(406);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const { error, message } = JSON.parse(answer.body);
    expect([error, message.endsWith("expected application/json or */*")]).toEqual([406, true]);
    expect(message.length).toBeLessThan(200);
    expect((await asked("HEAD /api/events", `Accept: ${accept}`)).status).toBe(406);
  });

  test.each([
    ["/export/events", "text/csv", 200],
    ["/export/events?format=ndjson", "text/csv", 406],
    ["/export/events?format=ndjson", "application/x-ndjson", 200],
    ["/export/telemetry?format=parquet", "application/vnd.apache.parquet", 200],
    ["/export/telemetry?format=parquet", "text/*", 406],
    ["/api/record-book?format=text", "text/plain", 200],
    ["/api/record-book", "text/plain", 406],
    ["/metrics", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5", 200],
    ["/metrics", "application/json", 406],
    ["/docs", "text/html", 200],
    ["/docs", "application/json", 406],
    ["/", "application/json", 200],
  ])("%s with Accept: %s answers %i", async (path, accept, status) => {
    expect((await asked(`HEAD ${path}`, `Accept: ${accept}`)).status).toBe(status);
  });

  test("an act whose answer isn't wanted isn't done, and 401 comes before 406", async () => {
    const body = '{"id":1,"name":"a"}';
    const post = (...headers: readonly string[]) =>
      exchange(
        http,
        ["POST /plants HTTP/1.1", "Host: ship", "Connection: close", ...headers]
          .concat("Content-Type: application/json", `Content-Length: ${body.length}`, "", body)
          .join("\r\n"),
      );
    expect((await post("Accept: text/html")).status).toBe(401);
    expect((await post("Accept: text/html", `Authorization: Bearer ${TOKEN}`)).status).toBe(406);
    expect(saved).toEqual([]);
    expect((await post("Accept: */*", `Authorization: Bearer ${TOKEN}`)).status).toBe(200);
    expect(saved).toHaveLength(1);
  });
});

describe("X-Request-Id", () => {
  test.each([
    ["0197c2d4-5a1e-7cc0-8f7b-2b8a3a0c1d2e"],
    ["1-67891233-abcdef012345678912345678"],
    ["aGVsbG8gd29ybGQ+/w=="],
    ["7"],
    ["x".repeat(128)],
  ])("%s is the client's, and is kept", async (id) => {
    for (const line of ["GET /api/events", "HEAD /", "OPTIONS /api/stats", "GET /nothing"])
      expect((await asked(line, `X-Request-Id: ${id}`)).headers.get("x-request-id")).toBe(id);
  });

  test.each([
    ["x".repeat(129)],
    ["a b"],
    ["a,b"],
    ["<script>"],
    ['"}{"level":50'],
    ["a\tb"],
    ["\u00e9"],
    [""],
    ["a\r\nX-Request-Id: b"],
    ["%0d%0aSet-Cookie:%20a=b"],
  ])("%j isn't well-formed, and another stands in its place", async (id) => {
    const { headers, text } = await asked("GET /api/events", `X-Request-Id: ${id}`);
    expect(headers.get("x-request-id")).toMatch(UUID);
    expect(headers.has("set-cookie")).toBe(false);
    if (id !== "") expect(text).not.toContain(id);
  });

  test("each request has its own, also one that no route or no parser takes", async () => {
    const ids = new Set<string | undefined>();
    const heads = ["GET /api/stats", "GET /", "GET /nothing", "PUT /api/stats", "OPTIONS *"];
    for (const line of [...heads, "POST /plants", "G\u0001T /"])
      ids.add((await asked(line)).headers.get("x-request-id"));
    expect(ids.size).toBe(7);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  test("the client's is kept where the parser stops within a body, and for CONNECT", async () => {
    const body = "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n";
    const auth = `Authorization: Bearer ${TOKEN}`;
    const head = `POST /plants HTTP/1.1\r\nHost: ship\r\n${auth}\r\nX-Request-Id: body-9\r\n`;
    const broken = await exchange(http, `${head}${body}`);
    expect([broken.status, broken.headers.get("x-request-id")]).toEqual([400, "body-9"]);
    const tunnel = await asked("CONNECT ship:80", "X-Request-Id: tunnel-10");
    expect([tunnel.status, tunnel.headers.get("x-request-id")]).toEqual([405, "tunnel-10"]);
  });

  test("the log has it in each line about the request", async () => {
    lines.length = 0;
    const auth = `Authorization: Bearer ${TOKEN}`;
    const { status } = await asked("POST /admin/backup", auth, "X-Request-Id: backup-7");
    expect(status).toBe(503);
    expect((await asked("POST /admin/backup", "X-Request-Id: stranger-8")).status).toBe(401);
    const about = (id: string) => lines.filter(({ fields }) => fields.request_id === id);
    expect(about("backup-7").map(({ message }) => message)).toEqual([
      "a request could not be served",
      "request was refused",
      "request was answered",
    ]);
    expect(about("stranger-8").map(({ message }) => message)).toEqual([
      "request was refused",
      "request was answered",
    ]);
    const [, , answered] = about("backup-7");
    expect(answered?.fields).toMatchObject({ route: "/admin/backup", method: "POST" });
    expect(lines).toHaveLength(5);
  });

  test("a page of an allowed origin may send it, and read it and the links", async () => {
    const origin = "Origin: https://office.example";
    const preflight = await asked("OPTIONS /api/stats", origin);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("X-Request-Id");
    const exposed = (await asked("GET /api/stats", origin)).headers;
    expect(exposed.get("access-control-expose-headers")).toBe("Link, Retry-After, X-Request-Id");
  });
});

describe("the links of a page", () => {
  const link = (rel: string, query: string) => `<?${query}>; rel="${rel}"`;

  test.each([
    [{ offset: 0, limit: 10, total: 0 }, null],
    [{ offset: 0, limit: 10, total: 10 }, null],
    [{ offset: 0, limit: 10, total: 11 }, link("next", "offset=10&limit=10")],
    [
      { offset: 10, limit: 10, total: 20 },
      `${link("first", "offset=0&limit=10")}, ${link("prev", "offset=0&limit=10")}`,
    ],
    // Back to the start, and no record twice.
    [
      { offset: 4, limit: 10, total: 12 },
      `${link("first", "offset=0&limit=10")}, ${link("prev", "offset=0&limit=4")}`,
    ],
    // Past the end the page before is the last.
    [
      { offset: 90, limit: 10, total: 25 },
      `${link("first", "offset=0&limit=10")}, ${link("prev", "offset=15&limit=10")}`,
    ],
    [{ offset: 5, limit: 10, total: 0 }, link("first", "offset=0&limit=10")],
  ])("of %j are %s", (page, links) => {
    expect(pageLinks(page, "")).toBe(links);
  });

  test("keep the other parameters, and nothing in them ends the link", () => {
    const page = { offset: 0, limit: 1, total: 2 };
    const query = 'fields=UVR_INTENSITY&startDate=2026-05-01T00:00:00%2B09:00&x=>;"<,%0d%0aé';
    const links = pageLinks(page, query) ?? "";
    expect(links).toMatch(/^<[!-;=?-~]+>; rel="next"$/);
    const parameters = new URLSearchParams(/<\?(.*)>/.exec(links)?.[1]);
    expect(parameters.get("startDate")).toBe("2026-05-01T00:00:00+09:00");
    expect(parameters.get("x")).toBe('>;"<,\r\né');
    expect([parameters.get("offset"), parameters.get("limit")]).toEqual(["1", "1"]);
  });
});
