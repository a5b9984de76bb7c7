// The existing paths with their methods: those of the route table and of static files. They are
// exact; any other path is 404.

import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { type Headers, quoted, Refusal } from "./refusal.ts";
import type { Reply, Route, StaticFile } from "./route.ts";

// Scripts, styles, pictures and requests only to this origin, nothing inline.
const FILE_HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
);

/** A route, or a file: all files share one path, which requests are counted under. */
type Handler = Pick<Route, "path" | "access" | "handle">;

/** The handler by path and method. */
export type Paths = ReadonlyMap<string, ReadonlyMap<string, Handler>>;

/** The paths of the route table, and of static files where the table has none. */
export function pathsOf(routes: readonly Route[], files: ReadonlyMap<string, StaticFile>): Paths {
  const paths = new Map<string, Map<string, Handler>>();
  for (const [path, { bytes, type }] of files) {
    const file: Reply = {
      ...{ kind: "bytes", status: 200, type, bytes, isFixed: true },
      headers: FILE_HEADERS,
    };
    // They hold no data; the dashboard itself asks for a token if one is needed.
    const handler: Handler = { path: "(page)", access: "anybody", handle: () => file };
    paths.set(path, new Map([["GET", handler]]));
  }
  for (const route of routes)
    for (const path of spelledOut(route.path))
      paths.set(path, new Map([...(paths.get(path) ?? []), [route.method, route]]));
  return paths;
}

/** A path or, if it has a lamp's `{nn}`, those of all lamps: `01` and `1` are the same. */
export function spelledOut(path: string): readonly string[] {
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
