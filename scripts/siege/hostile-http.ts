// A process of the siege of the HTTP side: `hostile-http.ts PORT KIND:COUNT...` keeps so many
// connections of each kind, without a token, and comes back when one is cut. It ends with its
// parent.

import { connect, type Socket } from "node:net";

/** The behaviour of one connection. */
interface Behaviour {
  readonly first: string;
  /** Sent again and again, as fast as it is taken or every so often; null: nothing more. */
  readonly next: (() => string) | null;
  readonly every_ms?: number;
  /** Reads nothing of the answers, all of them, or a byte a second. */
  readonly reads: "nothing" | "all" | "sips";
  /** Sends FIN after `first`. */
  readonly ends?: boolean;
}

const ROUTES = [
  ...["/", "/docs", "/openapi.json", "/metrics", "/readyz", "/healthz", "/version", "/api/tags"],
  ...["/api/stats", "/api/telemetry/latest", "/api/telemetry/history?hours=48", "/api/lamps"],
  ...["/api/telemetry/aggregated?hours=87600", "/api/telemetry/runtime-analysis", "/api/alarms"],
  ...["/api/telemetry/chunked?startDate=2026-01-01&endDate=2027-01-01&limit=10000", "/api/clock"],
  ...["/api/health?limit=10000", "/api/health/aggregated?limit=10000", "/api/diagnosis"],
  ...["/api/events?limit=10000", "/api/predictions?limit=10000", "/api/predictions/track-record"],
  ...["/export/telemetry", "/export/telemetry?format=ndjson", "/api/gaps?limit=10000"],
  ...["/api/telemetry/chunked?startDate=2026-01-01&endDate=2027-01-01&limit=1000"],
];

const PAGE = ROUTES[ROUTES.length - 1];
const HOST = "Host: 127.0.0.1\r\n";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const post = (more: string) =>
  `POST /plants HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${more}`;
const long = (bytes: number) => `X: ${"x".repeat(bytes)}\r\n`;
const many = (count: number) => "a:b\r\n".repeat(count);
const everyRoute = (method: string, more: string) =>
  ROUTES.map((path) => `${method} ${path} HTTP/1.1\r\n${HOST}${more}\r\n`).join("");
const again = (text: string) => ({ first: "", next: () => text });

/** Each in a connection of its own, as often as is asked for. */
const KINDS: Readonly<Record<string, Behaviour>> = {
  deafExport: { first: get("/export/telemetry"), next: null, reads: "nothing" },
  pipelining: { ...again(get("/export/telemetry", long(30_000)).repeat(20)), reads: "nothing" },
  deafPages: { first: get(PAGE), next: null, reads: "nothing" },
  sipping: { first: get(PAGE), next: null, reads: "sips" },
  everyRoute: { ...again(everyRoute("GET", "Accept-Encoding: br\r\n")), reads: "all" },
  deafEveryRoute: { ...again(everyRoute("GET", "Accept-Encoding: zstd\r\n")), reads: "nothing" },
  headFlood: { ...again(everyRoute("HEAD", "Accept-Encoding: gzip\r\n")), reads: "all" },
  tiny: { ...again("GET /x HTTP/1.1\r\n\r\n".repeat(3000)), reads: "nothing" },
  manyHeaders: { ...again(get("/healthz", many(6000)).repeat(4)), reads: "nothing" },
  unendingHead: {
    first: "GET / HTTP/1.1\r\n",
    next: () => many(300),
    every_ms: 1000,
    reads: "all",
  },
  slowHead: { first: "GET / HTTP/1.1\r\n", next: () => "a", every_ms: 50, reads: "all" },
  slowBody: {
    ...{ first: post("Content-Length: 60000\r\n\r\n"), next: () => "{", every_ms: 50 },
    reads: "nothing",
  },
  extensions: {
    first: post("Transfer-Encoding: chunked\r\n\r\n1;"),
    next: () => "a=b;".repeat(10_000),
    reads: "all",
  },
  bodies: {
    ...again(get("/", "Content-Length: 100000\r\n") + "x".repeat(100_000)),
    reads: "nothing",
  },
  upgrades: {
    ...again(get("/", "Connection: Upgrade\r\nUpgrade: websocket\r\n")),
    reads: "nothing",
  },
  tunnels: { ...again("CONNECT 127.0.0.1:1883 HTTP/1.1\r\n\r\n"), reads: "all" },
  halfOpen: {
    first: get("/export/telemetry").repeat(10),
    next: null,
    reads: "nothing",
    ends: true,
  },
  hanging: { first: "\u0016\u0003\u0001\u0002\u0000", next: null, reads: "all" },
  guessing: { ...again(get("/admin/audit", "Authorization: Bearer guess\r\n")), reads: "all" },
};

/** So many connections among all kinds, most of them to those that hold answers and requests. */
export function webKinds(connections: number): readonly string[] {
  const kinds = Object.keys(KINDS);
  const weights = kinds.map((kind) => WEIGHTS[kind] ?? 1);
  const sum = weights.reduce((one, other) => one + other, 0);
  return kinds.map((kind, at) => `${kind}:${Math.ceil((connections * weights[at]) / sum)}`);
}

const WEIGHTS: Readonly<Record<string, number>> = { deafExport: 4, pipelining: 10, deafPages: 6 };

/** Wait of a connection that was cut: none, but not in the same turn either. */
const RETURN_MS = 1;
const SIP_MS = 1000;

function attack(port: number, kind: string): void {
  const { first, next, every_ms, reads, ends } = KINDS[kind];
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const timers: NodeJS.Timeout[] = [];
  socket.on("error", () => null);
  socket.once("close", () => {
    for (const timer of timers) clearInterval(timer);
    setTimeout(attack, RETURN_MS, port, kind);
  });
  socket.once("end", () => socket.destroy());
  if (reads === "all") socket.resume();
  else socket.pause();
  if (reads === "sips") timers.push(setInterval(() => socket.read(1), SIP_MS));
  socket.once("connect", () => {
    socket.write(first, "latin1");
    if (ends === true) socket.end();
    else if (next !== null && every_ms !== undefined)
      timers.push(setInterval(() => socket.write(next(), "latin1"), every_ms));
    else if (next !== null) press(socket, next);
  });
}

function press(socket: Socket, next: () => string): void {
  if (socket.destroyed) return;
  if (socket.write(next(), "latin1")) setImmediate(press, socket, next);
  else socket.once("drain", () => press(socket, next));
}

if (process.argv[1] === import.meta.filename) {
  process.once("disconnect", () => process.exit());
  const [port, ...kinds] = process.argv.slice(2);
  for (const kind of kinds) {
    const [name, count = "1"] = kind.split(":");
    for (let at = 0; at < Number(count); at += 1) attack(Number(port), name);
  }
}
