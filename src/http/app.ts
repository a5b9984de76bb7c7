// All requests pass one App of tinyhttp, behind our own servers. Its router is loose (case, a slash
// at the end, `//x`), knows no 405 and no OPTIONS, and takes HEAD for every method. So a guard
// replaces its extensions: it looks the path up in our own table, answers anything that isn't in
// it, and passes on exact paths only. answer.ts writes the answers.

import type { IncomingMessage, ServerResponse } from "node:http";
import { App, type Request } from "@tinyhttp/app";
import { clientAddress } from "../ground/admission.ts";
import { Declined, Failure, messageOf } from "../ground/errors.ts";
import { ReaderLost, ReadersBusy, StoredDamage } from "../sqlite/file/query.ts";
import { BEGUN, corsHeaders, PREFLIGHT_HEADERS, sendEmpty, sendReply } from "./answer.ts";
import { type Headers, Refusal, refusalBody, refusalUntil } from "./refusal.ts";
import {
  allowedAt,
  type Handler,
  handlerOf,
  type Paths,
  requireFraming,
  requireHost,
  targetOf,
} from "./request-head.ts";
import { REQUEST_ID, requestIdOf } from "./request-id.ts";
import { type HttpContext, JSON_TYPE, type Reply } from "./route.ts";
import { clientOf } from "./turns.ts";

/**
 * Retry-After while the readers are busy: short, since that lasts milliseconds and a dashboard
 * waits.
 */
const BUSY_S = 1;
/** Retry-After for damaged data: it stays until a person has done something about it. */
const DAMAGED_S = 60;

const DAMAGED =
  "what is asked for is damaged on disk: `ballastd check` says what, and what to do about it";

interface Tools {
  readonly context: HttpContext;
  readonly paths: Paths;
}

/** A request and its response, in node's and in tinyhttp's types. */
interface Pair<From extends IncomingMessage = Request> {
  readonly request: From;
  readonly response: ServerResponse;
}

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** Answers any request; never throws. */
export interface HttpApp {
  handler(request: IncomingMessage, response: ServerResponse): void;
}

export function openApp(tools: Tools): HttpApp {
  const app = new App({
    applyExtensions(request, response, next) {
      if (guarded({ request, response }, tools)) next?.();
    },
    onError(thrown, request, response) {
      refuse(thrown, { request, response }, tools);
    },
    noMatchHandler() {
      throw new Error("a path of the table is no route of the app");
    },
    settings: { xPoweredBy: false },
  });
  // `async` must be literal: tinyhttp doesn't notice rejections of other functions.
  for (const { path, method, handler } of tools.paths.rows())
    app[method === "GET" ? "get" : "post"](path, async (request, response, next) => {
      // The router is loose: `/manual/` also matches the row of `/manual`.
      if (!path.includes(":id") && targetOf(request.originalUrl).path !== path) return next?.();
      return serve({ request, response }, handler, tools);
    });
  const opened: HttpApp = app;
  return {
    handler(request, response) {
      watch({ request, response }, tools);
      opened.handler(request, response);
    },
  };
}

/**
 * Reports the request to `onAnswered` when its answer is sent or cut; an endless one when it
 * begins.
 */
function watch({ request, response }: Pair<IncomingMessage>, { context, paths }: Tools): void {
  const { url = "", method = "" } = request;
  const began_ms = performance.now();
  let isTold = false;
  const tell = (isOut: boolean) => {
    if (isTold) return;
    isTold = true;
    const [handler] = paths.get(targetOf(url).path)?.values() ?? [];
    const answered = {
      route: handler?.path ?? "(unknown)",
      method: METHODS.includes(method) ? method : "other",
      status: isOut ? `${Math.floor(response.statusCode / 100)}xx` : "cut",
      took_ms: performance.now() - began_ms,
    };
    context.onAnswered(answered);
    context.log.debug("request was answered", { request_id: requestIdOf(request), ...answered });
  };
  response.once(BEGUN, () => tell(true));
  response.once("close", () => tell(response.writableFinished));
}

/** True if the route must answer the request; else it was answered here, or a Refusal is thrown. */
function guarded({ request, response }: Pair, { context, paths }: Tools): boolean {
  // As it was sent: the router rewrites `url`.
  const target = request.originalUrl;
  const { path, query } = targetOf(target);
  const { method = "" } = request;
  requireFraming(request, target);
  requireHost({ target, host: request.headers.host }, context.hosts);
  const allowed = method === "OPTIONS" ? allowedAt(paths, path) : null;
  if (allowed !== null) {
    const headers = headersFor(request, { path, context, paths });
    const preflight = "Access-Control-Allow-Origin" in headers ? PREFLIGHT_HEADERS : {};
    sendEmpty({ request, response, headers: { ...headers, ...preflight, Allow: allowed } }, 204);
    return false;
  }
  handlerOf(paths, { method, path });
  request.baseUrl = "";
  request.url = query === "" ? path : `${path}?${query}`;
  return true;
}

async function serve(
  { request, response }: Pair,
  { access, handle }: Handler,
  { context, paths }: Tools,
): Promise<void> {
  const { path, query } = targetOf(request.originalUrl);
  const by = context.gate.admit({ request, path, access });
  const readers = context.readersFor(clientOf({ request, response }, context.warn));
  const reply = await handle({ request, response, path, query, by }, { ...context, readers });
  await sendReply(
    { request, response, headers: headersFor(request, { path, context, paths }) },
    reply,
  );
}

/** The id of the request and the CORS headers, for any answer at `path`. */
function headersFor(request: Request, { path, context, paths }: Tools & { path: string }): Headers {
  const id = { [REQUEST_ID]: requestIdOf(request) };
  if (paths.get(path)?.has("GET") === false) return id;
  return { ...id, ...corsHeaders(context.cors_origins, request.headers.origin) };
}

/** Answers with the thrown error, or cuts the answer that it interrupted. */
function refuse(thrown: unknown, { request, response }: Pair, tools: Tools): void {
  const { context } = tools;
  const { path } = targetOf(request.originalUrl);
  const request_id = requestIdOf(request);
  if (response.headersSent || response.destroyed) {
    // The client has left, or half an answer was sent: no more can be sent on this socket.
    context.log.debug("answer was cut", { request_id, path, problem: messageOf(thrown) });
    response.destroy();
    return;
  }
  if (thrown instanceof Refusal && thrown.isCrowd)
    context.warn("a request was refused: too many at once", clientAddress(request.socket), {
      ...{ request_id, path, problem: thrown.message },
    });
  const refusal = refusalOf(thrown, { context, path, request_id });
  const { status, message: problem } = refusal;
  context.log.debug("request was refused", { request_id, status, problem });
  const headers = headersFor(request, { path, ...tools });
  sendReply({ request, response, headers }, refusalReply(refusal)).catch(() => response.destroy());
}

function refusalReply(refusal: Refusal): Reply {
  const { status, headers } = refusal;
  const bytes = Buffer.from(refusalBody(refusal));
  return { kind: "bytes", status, type: JSON_TYPE, bytes, headers };
}

function refusalOf(
  thrown: unknown,
  { context, ...about }: { context: HttpContext; path: string; request_id: string },
): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ReadersBusy)
    return refusalUntil(BUSY_S, `${thrown.message}, ask again in a second`);
  if (thrown instanceof ReaderLost)
    return refusalUntil(BUSY_S, "the reader was lost, ask again in a second");
  // The log reports each damage once, where it is found.
  if (thrown instanceof StoredDamage) return refusalUntil(DAMAGED_S, DAMAGED);
  if (thrown instanceof Declined) return new Refusal(400, thrown.message, {}, thrown.reasons);
  if (thrown instanceof Failure) {
    context.log.warn("a request could not be served", { ...about, problem: thrown.message });
    return refusalUntil(BUSY_S, "this can't be done right now, see /readyz");
  }
  context.log.error("a request failed by a fault of ours", {
    ...about,
    problem: thrown instanceof Error ? thrown.stack : messageOf(thrown),
  });
  return new Refusal(500, "a fault of ballastd itself, see its log");
}
