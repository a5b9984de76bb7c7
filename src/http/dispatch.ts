// From a request to its route and back: path, method, gate, then the route's own handler. Paths
// are exact, so the table is a Map and no framework's idea of HEAD, 405 or ETag has to be undone.

import type { IncomingMessage } from "node:http";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { clientAddress, countedAddress } from "../client-address.ts";
import { Failure, messageOf } from "../errors.ts";
import { ReaderLost, ReadersBusy, StoredDamage } from "../sqlite/query.ts";
import { type Exchange, sendEmpty, sendReply } from "./answer.ts";
import { corsHeaders, PREFLIGHT_HEADERS } from "./cors.ts";
import { requireHost } from "./hosts.ts";
import { pageHeaders } from "./page-headers.ts";
import { quoted, Refusal, refusalBody, refusalUntil } from "./refusal.ts";
import { type House, JSON_TYPE, type Reply, type Route, type StaticFile } from "./route.ts";
import type { Client } from "./turns.ts";

/** The longest path and query, in characters. */
export const URL_MAX = 16 * 1024;
/** A browser sends twenty; each takes a multiple of its bytes in memory. */
export const HEADERS_MAX = 100;

// Scripts, styles, pictures and questions: from here and nowhere else, nothing inline.
const DASHBOARD_HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
);

/** Short, because readers are busy for milliseconds and a dashboard is waiting. */
const BUSY_S = 1;
/** Damage stays until a person has done something about it. */
const DAMAGED_S = 60;

const DAMAGED =
  "what is asked for is damaged on disk: `ballastd check` says what, and what to do about it";

type Handler = Pick<Route, "access" | "handle">;

/** What there is at each path, by method. */
export type Paths = ReadonlyMap<string, ReadonlyMap<string, Handler>>;

/** The paths of the route table, and of the dashboard's files where the table has none. */
export function pathsOf(
  routes: readonly Route[],
  dashboard: ReadonlyMap<string, StaticFile>,
): Paths {
  const paths = new Map<string, Map<string, Handler>>();
  for (const [path, { bytes, type }] of dashboard) {
    const file: Reply = {
      ...{ kind: "bytes", status: 200, type, bytes, isFixed: true },
      headers: DASHBOARD_HEADERS,
    };
    // They hold no data; the page itself asks for a token where one is needed.
    paths.set(path, new Map([["GET", { access: "anybody", handle: () => file }]]));
  }
  for (const route of routes)
    for (const path of spelledOut(route.path))
      paths.set(path, new Map([...(paths.get(path) ?? []), [route.method, route]]));
  return paths;
}

/** A path, or, where it names a lamp by `{nn}`, that of each: `01` and `1` are the same one. */
function spelledOut(path: string): readonly string[] {
  if (!path.includes("{nn}")) return [path];
  const numbers = LAMP_NUMBERS.flatMap((number) => [number, String(Number(number))]);
  return [...new Set(numbers)].map((number) => path.replace("{nn}", number));
}

/** Answers one request, whatever it is; never rejects. */
export async function answer(
  { request, response }: Pick<Exchange, "request" | "response">,
  { house, paths }: { house: House; paths: Paths },
): Promise<void> {
  const { path, query } = targetOf(request.url ?? "");
  const methods = paths.get(path);
  const headers =
    methods?.has("GET") === false ? {} : corsHeaders(house.cors_origins, request.headers.origin);
  try {
    requireFraming(request);
    requireHost(request, house.hosts);
    const method = request.method ?? "";
    const allowed = allowedAt(paths, path);
    if (method === "OPTIONS" && allowed !== null) {
      const preflight = "Access-Control-Allow-Origin" in headers ? PREFLIGHT_HEADERS : {};
      const more = { ...headers, ...preflight, Allow: allowed };
      sendEmpty({ request, response, headers: more }, 204);
      return;
    }
    const route = methods?.get(method === "HEAD" ? "GET" : method);
    if (route === undefined) throw refuseMethod(paths, { method, path });
    const by = house.gate.admit({ request, path, access: route.access });
    const readers = house.readersFor(clientOf({ request, response }, house));
    const reply = await route.handle({ request, response, path, query, by }, { ...house, readers });
    await sendReply({ request, response, headers }, reply);
  } catch (thrown) {
    if (response.headersSent || response.destroyed) {
      // The client has gone, or half an answer has: there is nothing more to say on this socket.
      house.log.debug("answer was cut", { path, problem: messageOf(thrown) });
      response.destroy();
      return;
    }
    const refusal = refusalOf(thrown, { house, path });
    house.log.debug("request was refused", { status: refusal.status, problem: refusal.message });
    await sendReply({ request, response, headers }, refusalReply(refusal));
  }
}

function clientOf(
  { request, response }: Pick<Exchange, "request" | "response">,
  { warn }: House,
): Client {
  const address = clientAddress(request.socket);
  return {
    address: countedAddress(address),
    isGone: () => response.destroyed,
    cut() {
      warn("an answer was cut: its client took little of it while others waited", address);
      response.destroy();
    },
  };
}

/** The Refusal of a method that `path` doesn't have: 405, or 404 where there is nothing at all. */
export function refuseMethod(paths: Paths, asked: { method: string; path: string }): Refusal {
  const allowed = allowedAt(paths, asked.path);
  const path = quoted(asked.path);
  if (allowed === null)
    return new Refusal(404, `there is nothing at ${path}, see /docs for what there is`);
  const message = `${quoted(asked.method)} is not possible on ${path}, expected ${allowed}`;
  return new Refusal(405, message, { Allow: allowed });
}

/** Path and query of a request's target; of an absolute one, without scheme and host. */
export function targetOf(url: string): { path: string; query: string } {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  if (mark === -1) return { path: local || "/", query: "" };
  return { path: local.slice(0, mark) || "/", query: local.slice(mark + 1) };
}

function allowedAt(paths: Paths, path: string): string | null {
  if (path === "*") return "GET, HEAD, POST, OPTIONS";
  const methods = paths.get(path);
  if (methods === undefined) return null;
  const names = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
  return [...names, "OPTIONS"].join(", ");
}

function requireFraming(request: IncomingMessage): void {
  const length = request.url?.length ?? 0;
  if (length > URL_MAX)
    throw new Refusal(414, `the URL has ${length} characters, expected at most ${URL_MAX}`);
  if (!["1.0", "1.1"].includes(request.httpVersion))
    throw refuseFraming(`HTTP/${request.httpVersion} was given, expected HTTP/1.1`);
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked")
    throw refuseFraming(`Transfer-Encoding: ${quoted(coding)} was given, expected chunked`);
  if (coding !== undefined && request.httpVersion === "1.0")
    throw refuseFraming("Transfer-Encoding: was given with HTTP/1.0, expected it with HTTP/1.1");
  const names = request.rawHeaders.filter((_, at) => at % 2 === 0);
  if (names.length > HEADERS_MAX)
    throw new Refusal(431, `the request has more than ${HEADERS_MAX} header lines`);
  const hosts = names.filter((name) => name.toLowerCase() === "host").length;
  if (hosts > 1) throw new Refusal(400, `Host: is there ${hosts} times, expected it once`);
  if (request.httpVersion === "1.1" && hosts === 0)
    throw new Refusal(400, "Host: is missing, expected it with HTTP/1.1");
}

/** The end of such a request isn't certain, so its connection is closed. */
function refuseFraming(message: string): Refusal {
  return new Refusal(400, message, { Connection: "close" });
}

function refusalReply(refusal: Refusal): Reply {
  const { status, headers } = refusal;
  const bytes = Buffer.from(refusalBody(refusal));
  return { kind: "bytes", status, type: JSON_TYPE, bytes, headers };
}

function refusalOf(thrown: unknown, { house, path }: { house: House; path: string }): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ReadersBusy)
    return refusalUntil(BUSY_S, `${thrown.message}, ask again in a second`);
  if (thrown instanceof ReaderLost)
    return refusalUntil(BUSY_S, "the reader was lost, ask again in a second");
  // The log tells each damage once, where it is found.
  if (thrown instanceof StoredDamage) return refusalUntil(DAMAGED_S, DAMAGED);
  if (thrown instanceof Failure) {
    house.log.warn("a request could not be served", { path, problem: thrown.message });
    return refusalUntil(BUSY_S, "this can't be done right now, see /readyz");
  }
  house.log.error("a request failed by a fault of ours", {
    path,
    problem: thrown instanceof Error ? thrown.stack : messageOf(thrown),
  });
  return new Refusal(500, "a fault of ballastd itself, see its log");
}
