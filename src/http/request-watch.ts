// Tells of each request how it was answered and how long that took, by route. Labels are bounded:
// the table's own paths, one word for the dashboard's files and one for whatever isn't there, and
// of methods those that have an answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Paths, spelledOut, targetOf } from "./paths.ts";
import type { Route } from "./route.ts";

export interface Answered {
  /** A path of the route table, `(page)`, or `(unknown)`. */
  readonly route: string;
  readonly method: string;
  /** `2xx` to `5xx`; `cut` where the client left before the end, or was cut off. */
  readonly status: string;
  readonly took_ms: number;
}

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

export function watchRequests(
  { routes, paths }: { readonly routes: readonly Route[]; readonly paths: Paths },
  tell: (answered: Answered) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const names = new Map([...paths.keys()].map((path) => [path, "(page)"]));
  for (const { path } of routes) for (const spelled of spelledOut(path)) names.set(spelled, path);
  return (request, response) => {
    const { url = "", method = "" } = request;
    const began_ms = performance.now();
    response.once("close", () =>
      tell({
        route: names.get(targetOf(url).path) ?? "(unknown)",
        method: METHODS.includes(method) ? method : "other",
        status: response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : "cut",
        took_ms: performance.now() - began_ms,
      }),
    );
  };
}
