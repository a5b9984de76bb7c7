// Raw requests of every kind, for comparing what a change of the HTTP side answers to them with
// what was answered before. Each ends its connection, so that all of an answer is seen.

import { bodies, pipelines } from "./http-bodies.ts";
import { ask, bearer, CLOSE, HOST, JSON_BODY, post, type RawRequest, raw } from "./raw-http.ts";

/** To a service that stores, in lots that may go side by side. `token` is the maintainer's. */
export function requestsToService(token: string): readonly (readonly RawRequest[])[] {
  return [paths(token), heads(token), bodies(token), pipelines(token)];
}

/** To one that reads only with a token, and stores nothing. */
export function requestsToRecovery(token: string): readonly RawRequest[] {
  const shown = [bearer(token)];
  return [
    ...PATHS.flatMap((path) =>
      ["GET", "HEAD", "POST", "OPTIONS"].map((line) => ask(`${line} ${path}`)),
    ),
    ...PATHS.map((path) => ask(`GET ${path}`, shown)),
    ...PATHS.map((path) => post(path, '{"id":1,"name":"a"}', shown)),
    post("/admin/lamps/01/replacement", '{"at":"2026-04-30T00:00:00Z"}', shown),
  ];
}

/** For an answer that is streamed. `name` is for the labels. */
export function requestsToStream(name: string, target: string): readonly RawRequest[] {
  const last = `GET /healthz HTTP/1.1\r\n${HOST}\r\n${CLOSE}\r\n\r\n`;
  const requests = [
    ask(`GET ${target}`),
    ask(`HEAD ${target}`),
    ask(`GET ${target}`, ["Accept-Encoding: gzip"]),
    raw(`GET ${target} HTTP/1.1\r\n${HOST}\r\n\r\n${last}`),
  ];
  return requests.map((request) => ({ ...request, label: `${name}: ${request.label}` }));
}

const paths = (token: string): readonly RawRequest[] => [
  ...PATHS.flatMap((path) => METHODS.map((method) => ask(`${method} ${path}`))),
  ...ODD_METHODS.flatMap((method) =>
    ["/api/stats", "/none"].map((path) => ask(`${method} ${path}`)),
  ),
  ...ODD_TARGETS.flatMap((target) => ["GET", "HEAD"].map((method) => ask(`${method} ${target}`))),
  ...["*", "//", "/api/stats/", "http://ship/plants", "/plants?x", "/healthz#", ""].map((target) =>
    ask(`OPTIONS ${target}`, ["Origin: http://bridge"]),
  ),
  ...["/plants", "//plants", "/PLANTS", "/plants/", "http://ship/plants", "/%70lants"].map(
    (target) => post(target, '{"id":1,"name":"a"}', [bearer(token)]),
  ),
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "OPTIONS"];
const ODD_METHODS = [
  ...["DELETE", "PATCH", "TRACE", "PROPFIND", "M-SEARCH", "QUERY", "LINK", "PURGE", "CONNECT"],
  ...["get", "Get", "GETX", "X", "A!b", "", "G(T", "PRI", "A".repeat(41)],
];
const API = [
  ...["stats", "telemetry/latest", "telemetry/history", "telemetry/aggregated", "health"],
  ...["telemetry/chunked", "telemetry/runtime-analysis", "health/aggregated", "events"],
  ...["predictions", "predictions/track-record", "alarms", "gaps", "clock", "lamps", "diagnosis"],
  "tags",
].map((path) => `/api/${path}`);
/** All that can be asked for, and what can't. */
export const PATHS: readonly string[] = [
  ...["/", "/healthz", "/readyz", "/metrics", "/version", "/openapi.json", "/docs"],
  ...API,
  ...["/plants", "/export/telemetry", "/admin/audit"],
  ...["01", "1", "16"].map((lamp) => `/admin/lamps/${lamp}/replacement`),
  ...["00", "17", "001", "{nn}", "%31", "-1"].map((lamp) => `/admin/lamps/${lamp}/replacement`),
  ...["/none", "/api", "/api/", "/index.html", "/favicon.ico", "/assets", "/recovery.css"],
];

const ODD_TARGETS = [
  ...["/", "/api/stats", "/healthz", "/plants"].flatMap((path) => [
    ...[`/${path}`, `//${path}`, `${path}/`, `${path}//`, `${path}?`, `${path}??`, `${path}?%`],
    ...[`${path}#`, `${path}#a?b`, `${path}.`, `${path}/.`, `/.${path}`, `/x/..${path}`],
    ...[`${path}%2F`, `/%2e${path}`, `${path}%`, `${path}%zz`, `${path}%00`, `${path}%E0%A4%A`],
    ...[`${path}*`, `${path}:`, `${path};a=1`, `${path}\\`, `${path}\xe4`, `${path}\x7f`],
    ...[`http://ship${path}`, `HTTPS://SHIP:8080${path}?`, `http://evil.example${path}`],
    ...[`http://${path}`, `ship:80${path}`, `ftp://ship${path}`, `http://a@ship${path}`],
  ]),
  ...["*", "**", "/*", "", " ", "a", "api/stats", "?", "#", "http://ship", "http://ship?x=1"],
  ...["http:", "http:/", "/API/STATS", "/Api/stats", "/%61pi/stats", "/api%2Fstats", "/api\\stats"],
  ...["/api/stats /x", "/api/./stats", "/api/../healthz", "/api//stats", "/\x01", "/\t", "/:path"],
  ...["/api/stats?x=1", "/api/events?limit=0", "/api/events?limit=1&limit=2", "/api/events?limit"],
  ...["/api/events?limit=%31", "/api/events?limit=%", "/api/telemetry/history?hours=1e3"],
  ...["/api/telemetry/chunked?startDate=2026-05-01&endDate=2026-05-02", "/healthz?x"],
  ...["/export/telemetry?format=ndjson&columns=UVR_INTENSITY", "/export/telemetry?format=x"],
  ...["/constructor", "/__proto__", "/toString", "/.well-known/x", "/..%2f..%2fetc/passwd"],
  ...[16_000, 16_384, 16_385, 32_000, 33_000].map((length) => "/".padEnd(length, "a")),
  ...["/healthz?", "http://ship/?"].map((start) => start.padEnd(16_385, "a")),
];

const heads = (token: string): readonly RawRequest[] => [
  ...HEADS.map((headers) => raw(`GET /healthz HTTP/1.1\r\n${headers}${CLOSE}\r\n\r\n`)),
  ...["POST /plants", "PUT /healthz", "GET /none"].flatMap((line) =>
    FRAMINGS.map((headers) => ask(line, [...headers, bearer(token)], "{}")),
  ),
  ...[95, 96, 97, 98, 99, 200, 2000].map((count) =>
    ask(
      "GET /healthz",
      Array.from({ length: count }, (_, at) => `X${at}: 1`),
    ),
  ),
  ...[30_000, 32_000, 33_000, 70_000].map((size) => ask("GET /none", [`X: ${"x".repeat(size)}`])),
  ...[
    "HTTP/1.0",
    "HTTP/0.9",
    "HTTP/2.0",
    "HTTP/1.2",
    "HTTP/3",
    "http/1.1",
    "HTTP/1.1 ",
    "",
  ].flatMap((version) => [
    raw(`GET /healthz ${version}\r\n${HOST}\r\n${CLOSE}\r\n\r\n`),
    raw(`GET /healthz ${version}\r\n${CLOSE}\r\n\r\n`),
    raw(`POST /plants ${version}\r\n${CLOSE}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  ]),
  ...CODINGS.flatMap((coding) =>
    ["/none", "/api/telemetry/history", "/api/tags"].flatMap((path) =>
      ["GET", "HEAD"].map((method) => ask(`${method} ${path}`, [`Accept-Encoding: ${coding}`])),
    ),
  ),
  ...ORIGINS.flatMap((origin) =>
    ["/api/stats", "/plants", "/none", "*"].flatMap((target) =>
      ["GET", "OPTIONS", "POST"].map((method) =>
        ask(`${method} ${target}`, [`Origin: ${origin}`, "Access-Control-Request-Method: POST"]),
      ),
    ),
  ),
  ...IGNORED.flatMap((header) => ["/healthz", "/"].map((path) => ask(`GET ${path}`, [header]))),
  ...AUTHORIZATIONS(token).flatMap((header) => [
    ask("GET /healthz", [header]),
    ask("GET /admin/audit?limit=0", [header]),
    post("/plants", "{}", [header]),
  ]),
];

const HEADS = [
  ...["ship", "SHIP", "ship.", "ship:80", "ship:", "127.0.0.1", "[::1]:80", "localhost", ""].map(
    (host) => `Host: ${host}\r\n`,
  ),
  ...["evil.example", "ship:x", "a b", "[::1", "ship, ship", "ship/x", "%73hip", "\xe4"].map(
    (host) => `Host: ${host}\r\n`,
  ),
  ...["", `${HOST}\r\n${HOST}\r\n`, `${HOST}\r\nhost: evil.example\r\n`, "Host : ship\r\n"],
  ...[`${HOST}\r\nX\r\n`, `${HOST}\r\n: x\r\n`, `${HOST}\r\n X: 1\r\n`, `${HOST}\r\nX: a\0b\r\n`],
  ...[`${HOST}\r\nX: a\r\n b\r\n`, `${HOST}\nX: a\r\n`, `${HOST}\r\r\n`, `${HOST}\r\nX\xe4: 1\r\n`],
];

const FRAMINGS: readonly (readonly string[])[] = [
  ...["2", "0", "-1", "+2", "2a", "0x2", "2, 2", "", "1e3", "99999999999999999999"].map(
    (length) => [JSON_BODY, `Content-Length: ${length}`],
  ),
  [JSON_BODY, "Content-Length: 2", "Content-Length: 2"],
  [JSON_BODY, "Content-Length: 2", "Content-Length: 3"],
  [JSON_BODY, "Content-Length: 2", "Transfer-Encoding: chunked"],
  ...["gzip", "chunked, gzip", "gzip, chunked", "identity", "Chunked", "xchunked", ""].map(
    (coding) => [JSON_BODY, `Transfer-Encoding: ${coding}`],
  ),
  [JSON_BODY, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
];

const CODINGS = [
  "gzip",
  "br",
  "zstd",
  "gzip, deflate, br",
  "*",
  "identity",
  "gzip;q=0",
  "x",
  ";,=",
];
const ORIGINS = ["http://bridge", "http://evil.example", "null", "", "http://bridge, http://x"];
const IGNORED = [
  ...["Expect: 100-continue", "Expect: 200-ok", "Upgrade: websocket", "Range: bytes=0-1"],
  ...['If-None-Match: "x"', "If-Modified-Since: Fri, 01 May 2026 00:00:00 GMT", "TE: trailers"],
  ...["X-HTTP-Method-Override: DELETE", "X-Forwarded-Host: evil.example", "X-Forwarded-For: 1.2"],
  ...["Accept: image/png", "Cookie: a=%", "X-Original-URL: /none", "Content-Length: 0"],
  ...["Connection: keep-alive", "Connection: upgrade", "Keep-Alive: 1", "Trailer: X"],
];
const AUTHORIZATIONS = (token: string) => [
  ...[bearer(token), `authorization: bearer   ${token}`, `Authorization: BEARER ${token} `],
  ...[bearer("wrong"), bearer(`${token} x`), "Authorization: Bearer", "Authorization:"],
  ...[`Authorization: Basic ${token}`, `Authorization: ${token}`, bearer(`${token}x`)],
];
