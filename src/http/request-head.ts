// Checks of a request's head before any route: limits that node's parser doesn't have, framing, the
// host asked for, path and method. Where two programs could see a request's end at different
// places, it is refused and its connection closed. A page on the internet can let its own name
// point here (DNS rebinding), and the crew's browser would then let it read every answer; its
// requests still carry that name. An address can't be rebound, so requests by address pass.

import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { hostname } from "node:os";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { variableOf } from "../config/config.ts";
import type { Listen } from "../config/values.ts";
import { quoted } from "../ground/quoted.ts";
import { type Headers, Refusal } from "./refusal.ts";
import type { Reply, Route, StaticFile } from "./route.ts";

/** Maximum length of path and query, in characters. */
export const URL_MAX = 16 * 1024;
/**
 * Maximum number of headers. A browser sends twenty; each takes a multiple of its bytes in memory.
 */
export const HEADERS_MAX = 100;

/** Throws a Refusal (400, 414, 431) unless the head of `request`, for `target`, is sound. */
export function requireFraming(request: IncomingMessage, target: string): void {
  const { httpVersion, rawHeaders } = request;
  if (target.length > URL_MAX)
    throw new Refusal(414, `the URL has ${target.length} characters, expected at most ${URL_MAX}`);
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    throw refuseFraming(`HTTP/${httpVersion} was given, expected HTTP/1.1`);
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked")
    throw refuseFraming(`Transfer-Encoding: ${quoted(coding)} was given, expected chunked`);
  if (coding !== undefined && httpVersion === "1.0")
    throw refuseFraming("Transfer-Encoding: was given with HTTP/1.0, expected it with HTTP/1.1");
  if (rawHeaders.length > 2 * HEADERS_MAX)
    throw new Refusal(431, `the request has more than ${HEADERS_MAX} header lines`);
  const hosts = hostLines(rawHeaders);
  if (hosts > 1) throw new Refusal(400, `Host: is there ${hosts} times, expected it once`);
  if (httpVersion === "1.1" && hosts === 0)
    throw new Refusal(400, "Host: is missing, expected it with HTTP/1.1");
}

/** Number of Host headers; node's own view of the headers keeps only the first. */
function hostLines(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at].length === 4 && rawHeaders[at].toLowerCase() === "host") count += 1;
  return count;
}

/** A Refusal that closes the connection, because the end of the request isn't certain. */
function refuseFraming(message: string): Refusal {
  return new Refusal(400, message, { Connection: "close" });
}

/** The accepted names: localhost, this machine's own, the listening addresses, and `allowed`. */
export function hostNames(allowed: readonly string[], listen: readonly Listen[]): Set<string> {
  const own = hostname().toLowerCase();
  const short = own.split(".")[0];
  const names = listen.map(({ host }) => host.toLowerCase());
  return new Set(["localhost", own, short, `${short}.local`, ...names, ...allowed]);
}

/** Form of a Host header by RFC 3986: a name or an address, and a port. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(:\d*)?$/;

/** A request's target as it was sent, and its Host header. */
interface AskedHost {
  readonly target: string;
  readonly host: string | undefined;
}

/** The configuration key that allows further names, with its variable. */
const ALLOWED = `http.allowed_hosts (${variableOf("http", "allowed_hosts")})`;

/**
 * Throws a Refusal if the request, by Host or absolute target, has another name (421), or an
 * invalid one (400). `setting` is where others are allowed.
 */
export function requireHost(
  { target, host }: AskedHost,
  names: ReadonlySet<string>,
  setting = ALLOWED,
): void {
  const absolute = target.startsWith("/") ? null : /^https?:\/\/([^/?#]*)/i.exec(target);
  // HTTP/1.0 may omit it: no browser uses that.
  if (host !== undefined && !HOST.test(host))
    throw new Refusal(400, `Host: ${quoted(host)} was given, expected NAME or NAME:PORT`);
  for (const given of [absolute?.[1], host])
    if (given !== undefined && !isTaken(given, names))
      throw new Refusal(
        421,
        `Host: ${quoted(given)} is no name of this machine, expected its address or name, ` +
          `localhost, or one of ${setting}`,
      );
}

function isTaken(given: string, names: ReadonlySet<string>): boolean {
  const host = given.replace(/:\d*$/, "");
  if (host.startsWith("[")) return host.endsWith("]") && isIPv6(host.slice(1, -1));
  return isIP(host) === 4 || names.has(host.toLowerCase().replace(/\.$/, ""));
}

// Policy of static files: scripts, styles, pictures, fonts and requests only to this origin,
// nothing inline.
const FILE_HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'",
);

/**
 * Paths of built files that Vite names by a hash of their content: a browser may keep them for a
 * year.
 */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;
const KEPT = { "Cache-Control": "public, max-age=31536000, immutable" };

/** A route, or a file. All files share one path, under which their requests are counted. */
export type Handler = Pick<Route, "path" | "access" | "handle">;

type Methods = ReadonlyMap<string, Handler>;

/** A row as the app routes it: `path` in its notation. */
export interface RoutedPath {
  readonly path: string;
  readonly method: string;
  readonly handler: Handler;
}

/**
 * Finds the handlers of a path by method; `rows` lists all, in the order in which the app tries
 * them.
 */
export interface Paths {
  get(path: string): Methods | undefined;
  rows(): readonly RoutedPath[];
}

/** The paths of the route table, and of static files where the table has none. */
export function pathsOf(routes: readonly Route[], files: ReadonlyMap<string, StaticFile>): Paths {
  const paths = new Map<string, Map<string, Handler>>();
  for (const [path, one] of files) {
    const file = fileReply(path, one);
    // Pages hold no data; the dashboard itself asks for a token if one is needed.
    const handler: Handler = { path: "(page)", access: "anybody", handle: () => file };
    paths.set(path, new Map([["GET", handler]]));
    if (isPage(path, one)) paths.set(`${path}/`, slashless(path));
  }
  for (const route of routes)
    for (const path of spelledOut(route.path))
      paths.set(path, new Map([...(paths.get(path) ?? []), [route.method, route]]));
  paths.set("/docs/", slashless("/docs"));
  const withId = [...paths].flatMap(([path, methods]) => {
    const [before, after] = path.split(ID);
    return after === undefined ? [] : [{ before, after, methods }];
  });
  return {
    get: (path) =>
      paths.get(path) ??
      withId.find(({ before, after }) => isBetween(path, before, after))?.methods,
    rows: () =>
      [...paths]
        .flatMap(([path, methods]) =>
          [...methods].map(([method, handler]) => ({ path, method, handler })),
        )
        .toSorted((one, other) => rankOf(one) - rankOf(other))
        .map(({ path, ...row }) => ({ ...row, path: path.replace(ID, ":id") })),
  };
}

/**
 * Rank of a row: paths with an id last, because an id is any text, also another path; GET before
 * other methods, because the app gives HEAD to the first of a path.
 */
const rankOf = ({ path, method }: RoutedPath) =>
  (path.includes(ID) ? 2 : 0) + (method === "GET" ? 0 : 1);

const isPage = (path: string, { type }: StaticFile) => path !== "/" && type.startsWith("text/html");

/**
 * The handler of a page's path with a slash at its end, as people type it. It redirects to the path
 * without the slash, against which the page's links resolve. The target is relative, because a
 * proxy may put a path before it.
 */
function slashless(path: string): Map<string, Handler> {
  const Location = `../${path.slice(path.lastIndexOf("/") + 1)}`;
  const bytes = Buffer.from(`the page is at ${path}\n`);
  const type = "text/plain; charset=utf-8";
  const reply: Reply = { kind: "bytes", status: 308, type, bytes, headers: { Location } };
  return new Map([["GET", { path: "(page)", access: "anybody", handle: () => reply }]]);
}

/** The answer for a static file, with the policy of a page. */
export function fileReply(path: string, { bytes, type }: StaticFile): Reply {
  return {
    ...{ kind: "bytes", status: 200, type, bytes, isFixed: true },
    headers: HASHED.test(path) ? { ...FILE_HEADERS, ...KEPT } : FILE_HEADERS,
  };
}

/**
 * Placeholder for an id in a path: one level of any text, which the route checks; no id has a `%`.
 */
const ID = "{id}";

function isBetween(path: string, before: string, after: string): boolean {
  const id = path.slice(before.length, path.length - after.length);
  return path.startsWith(before) && path.endsWith(after) && /^[^/%]+$/.test(id);
}

/** A path or, if it has a lamp's `{nn}`, those of all lamps: `01` and `1` are the same. */
function spelledOut(path: string): readonly string[] {
  if (!path.includes("{nn}")) return [path];
  const numbers = LAMP_NUMBERS.flatMap((number) => [number, String(Number(number))]);
  return [...new Set(numbers)].map((number) => path.replace("{nn}", number));
}

/** The method and path of a request. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
}

/** Throws a Refusal if the path lacks the method: 405, or 404 for an unknown path. */
export function handlerOf(paths: Paths, asking: RequestLine): Handler {
  const { method, path } = asking;
  const handler = paths.get(path)?.get(method === "HEAD" ? "GET" : method);
  if (handler === undefined) throw refuseMethod(paths, asking);
  return handler;
}

/** The Refusal of a method that `path` doesn't have. */
export function refuseMethod(paths: Paths, asking: RequestLine): Refusal {
  const allowed = allowedAt(paths, asking.path);
  const path = quoted(asking.path);
  if (allowed === null)
    return new Refusal(404, `there is nothing at ${path}, see /docs for what there is`);
  const message = `${quoted(asking.method)} is not possible on ${path}, expected ${allowed}`;
  return new Refusal(405, message, { Allow: allowed });
}

/** The methods of a path for Allow; null for an unknown path. */
export function allowedAt(paths: Paths, path: string): string | null {
  if (path === "*") return "GET, HEAD, POST, OPTIONS";
  const methods = paths.get(path);
  if (methods === undefined) return null;
  const names = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
  return [...names, "OPTIONS"].join(", ");
}

/** Path and query of a request's target, without scheme and host of an absolute one. */
export function targetOf(url: string): { path: string; query: string } {
  const local = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  if (mark === -1) return { path: local || "/", query: "" };
  return { path: local.slice(0, mark) || "/", query: local.slice(mark + 1) };
}

/** The headers of a page; `sources` are the directives for its parts, all else is refused. */
export function pageHeaders(sources: string): Headers {
  const policy = ["default-src 'none'", sources, "base-uri 'none'", "form-action 'none'"];
  return {
    "Content-Security-Policy": [...policy, "frame-ancestors 'none'"].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
