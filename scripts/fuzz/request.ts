// A fuzzed HTTP request as bytes: any route with parameters at their edges, paths, headers, bodies
// and methods that nobody sends, and, where `orderly` is false, what isn't HTTP any more (chunks,
// lengths and line ends that lie).

import { ROUTES } from "../../src/http/routes/routes.ts";
import type { Random } from "../../test/rig/random.ts";

export interface FuzzedRequest {
  readonly bytes: Buffer;
  readonly method: string;
  /** The path as a route spells it, null when it isn't one. */
  readonly route: string | null;
  /** HTTP as it should be: it must be answered. */
  readonly orderly: boolean;
}

const PATHS = [
  ...["/", "//", "/%", "/%00", "/%2e%2e/%2e%2e/etc/passwd", "/../../etc/passwd", "/api", "/api/"],
  ...["/api/stats/", "/API/STATS", "/api/%73tats", "/api/stats%20", "/api//stats", "/api/stats;x"],
  ...[
    "/__proto__",
    "/constructor",
    "/api/__proto__",
    "/favicon.ico",
    "/index.html",
    "/assets/x.js",
  ],
  ...["*", "http://127.0.0.1/api/stats"],
  ...["http://[::1/", "/é", "/\u00ff", "/a\\b", "/?", "/#", "x"],
  ...["/api/telemetry", "/api/health/../stats", "/admin", "/admin/audit/", `/${"a/".repeat(2000)}`],
];
const METHODS = [
  ...["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "QUERY", "CONNECT"],
  ...["get", "GETT", "BREW", ""],
];
const NUMBERS = [
  ...["1", "0", "-1", "10000", "10001", "87600", "87601", "9007199254740992", "9007199254740993"],
  ...["1e3", "5abc", "", " 1", "+1", "0x10", "1.5", "٣", "9".repeat(400), "-0", "00001", "NaN"],
];
const DATES = [
  ...["2026-05-01", "2026-05-01T06:30:00Z", "1999-01-01", "2100-01-01", "2026-02-30", "yesterday"],
  ...["2026-05-01T24:00:00Z", "2026-05-01T10:00:00%2B02:00", "2026-05-01T10:00:00+02:00", "%00"],
  ...[
    "2026-05-01%2010:00",
    "0000-01-01",
    "9999-12-31T23:59:59.999999Z",
    "+275760-09-13",
    "2026-W01",
  ],
];
const TEXTS = [
  ...[
    "hour",
    "day",
    "week",
    "HOUR",
    "csv",
    "ndjson",
    "ALARM_TRIGGERED",
    "PROCESS_START",
    "refusal",
  ],
  ...[
    "__proto__",
    "constructor",
    "'; drop table segment;--",
    "<script>",
    "%ff",
    "%",
    "%u0041",
    "a&b",
  ],
  ...[
    "UVR_INTENSITY",
    "UVR_INTENSITY,SYS_FLOW_RATE",
    "timestamp",
    "UVR_INTENSITY,UVR_INTENSITY",
    ",",
  ],
];
/** The live stream has no end to wait for. */
const ENDING = ROUTES.filter(({ type }) => type !== "text/event-stream");
const NAMES = [
  ...["hours", "interval", "startDate", "endDate", "offset", "limit", "type", "kind", "format"],
  ...["columns", "source", "__proto__", "toString", "", "limit[]", "limit%00", "hasOwnProperty"],
];
const HEADERS = [
  ...["Accept-Encoding: gzip", "Accept-Encoding: *;q=0", "Accept-Encoding: br;q=2,gzip;q=x,,;"],
  ...["Accept: text/html", "Accept: */*;q=0", "Range: bytes=0-10", "If-None-Match: *"],
  ...["Origin: http://evil.example", "Origin: null", "Cookie: a=b", "X-Forwarded-For: 1.2.3.4"],
  ...["Expect: 100-continue", "Expect: tea", "Upgrade: websocket", "TE: trailers", "Via: x"],
  ...["Authorization: Bearer x", "Authorization: Basic eA==", "Authorization: Bearer", "Date: x"],
  ...["Content-Type: text/plain", "If-Modified-Since: x", "Accept-Language: \u00ff", "X: "],
];
const HOSTS = ["evil.example", "", "[::1]", "127.0.0.1:99999", "localhost", "a b", "127.0.0.1, x"];
const BODIES = [
  ...[
    "",
    "{}",
    "[]",
    "null",
    "{",
    '{"id":1}',
    '{"id":"1","name":"x"}',
    "\u00ff",
    '{"__proto__":{}}',
  ],
  ...['{"id":9223372036854775808,"name":"x"}', '{"id":1e400,"name":"x"}', '{"id":1.5,"name":"x"}'],
  ...['{"id":-0,"name":"\\ud800"}', `{"id":1,"name":"${"x".repeat(70_000)}"}`, "[".repeat(60_000)],
];

/** `token`: one that may do everything. */
export function fuzzedRequest(random: Random, token: string): FuzzedRequest {
  const dice = random.next();
  if (dice < 0.06) return brokenRequest(random);
  const target = random.chance(0.9) ? routeTarget(random) : { at: random.pick(PATHS), route: null };
  const posts = target.route === "/plants" && random.chance(0.8);
  const method = posts ? "POST" : random.chance(0.93) ? "GET" : random.pick(METHODS);
  const head = [`${method} ${target.at} HTTP/1.1`, `Host: ${hostOf(random)}`];
  if (posts || random.chance(0.05)) head.push(`Authorization: Bearer ${token}`);
  while (random.chance(0.25)) head.push(random.pick(HEADERS));
  const orderly = isOrderly(method, target.at, head);
  return { ...target, method, orderly, bytes: withBody(random, head, posts) };
}

function isOrderly(method: string, at: string, head: readonly string[]): boolean {
  const odd = /upgrade:|te:|expect: tea|host: (a b|127.0.0.1, x)/i;
  return (
    /^[A-Z]+$/.test(method) &&
    !["CONNECT", "GETT", "BREW", "QUERY"].includes(method) &&
    /^\/[\x21-\x7e]*$/.test(at) &&
    !head.some((line) => odd.test(line))
  );
}

function withBody(random: Random, head: string[], posts: boolean): Buffer {
  if (!posts && !random.chance(0.03)) return Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
  const body = posts && random.chance(0.5) ? plant(random) : random.pick(BODIES);
  if (random.chance(0.9)) head.push("Content-Type: application/json");
  if (random.chance(0.05)) head.push(`Content-Encoding: ${random.pick(["gzip", "identity", "x"])}`);
  if (random.chance(0.7)) {
    head.push(`Content-Length: ${Buffer.byteLength(body, "latin1")}`);
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "latin1");
  }
  head.push("Transfer-Encoding: chunked");
  const middle = random.between(0, body.length);
  const chunks = [body.slice(0, middle), body.slice(middle)].filter((chunk) => chunk !== "");
  const text = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}0\r\n\r\n`, "latin1");
}

function plant(random: Random): string {
  return `{"id": ${random.between(1, 300)}, "name": "plant ${random.between(1, 3)}"}`;
}

function routeTarget(random: Random): { at: string; route: string } {
  const { path: route } = random.pick(ENDING);
  const pairs = Array.from({ length: random.pick([0, 1, 2, 2, 3, 5]) }, () => {
    const name = random.pick(NAMES);
    return random.chance(0.95) ? `${name}=${parameterValue(random, name)}` : name;
  });
  if (random.chance(0.5) && /chunked|runtime/.test(route))
    pairs.push("startDate=2026-01-01", "endDate=2026-02-01");
  if (random.chance(0.002)) pairs.push(`x=${"y".repeat(random.pick([16_000, 20_000, 40_000]))}`);
  return { route, at: pairs.length === 0 ? route : `${route}?${pairs.join("&")}` };
}

function parameterValue(random: Random, name: string): string {
  const own = /Date/.test(name) ? DATES : /limit|offset|hours/.test(name) ? NUMBERS : TEXTS;
  const value = random.pick(random.chance(0.85) ? own : random.pick([DATES, NUMBERS, TEXTS]));
  // In a request line as it is: a space would end it.
  return value.replace(/[^\x21-\x7e]/g, encodeURIComponent);
}

function hostOf(random: Random): string {
  return random.chance(0.97) ? "127.0.0.1" : random.pick(HOSTS);
}

const POST = "POST /plants HTTP/1.1\r\nHost: 127.0.0.1\r\n";
const BROKEN = [
  "GET /api/stats\r\n\r\n",
  "GET /api/stats HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /api/stats HTTP/1.0\r\n\r\n",
  "GET /api/stats HTTP/1.1\nHost: 127.0.0.1\n\n",
  "GET /api/stats HTTP/1.1\r\n\r\n",
  "GET /api/stats HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET /api/stats HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
  "GET /api/stats HTTP/1.1\r\nHost: 127.0.0.1\r\n folded: x\r\n\r\n",
  `GET /api/stats HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"y".repeat(40_000)}\r\n\r\n`,
  `GET /${"a".repeat(50_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${"X: y\r\n".repeat(3000)}\r\n`,
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\u0000: y\r\n\r\n",
  `${POST}Content-Length: -1\r\n\r\n`,
  `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345`,
  `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`,
  `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}X`,
  `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0000\u0010",
  "\u0010\u0012\u0000\u0004MQTT\u0004\u0002",
  "\r\n\r\n\r\n",
  "",
];

function brokenRequest(random: Random): FuzzedRequest {
  const text = random.pick(BROKEN);
  const bytes = Buffer.from(text, "latin1");
  if (random.chance(0.4))
    for (let times = random.between(1, 4); times > 0 && bytes.length > 0; times -= 1)
      bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
  const end = random.chance(0.2) ? random.between(0, bytes.length) : bytes.length;
  return { bytes: bytes.subarray(0, end), method: "", route: null, orderly: false };
}
