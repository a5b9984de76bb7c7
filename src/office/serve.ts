// `ballastd fleet serve`: the fleet page and its API over HTTP, from the office's database. It
// holds no state, and keeps connections only while requests arrive. Equal requests at the same time
// share one query, and an unreachable database is answered with 503. Files of readings take turns,
// as aboard, so that a slow client doesn't block others.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { openListening } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import { type Admission, drained, openAdmission } from "../ground/admission.ts";
import { MINUTE_MS } from "../ground/clock.ts";
import { Failure, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openFilesMax } from "../ground/open-files.ts";
import { requireAccepted } from "../http/accept.ts";
import { type Exchange, sendReply } from "../http/answer.ts";
import { Refusal, refusalBody, refusalUntil } from "../http/refusal.ts";
import { fileReply, hostNames, requireHost, targetOf } from "../http/request-head.ts";
import { REQUEST_ID, requestIdOf } from "../http/request-id.ts";
import { JSON_TYPE, json, type Reply } from "../http/route.ts";
import { readFleetPage } from "../http/static-files.ts";
import { clientOf, type TurnLimits, Turns, watched } from "../http/turns.ts";
import { openWarnings } from "../http/warnings.ts";
import type { ObjectStore } from "../shore/object-store.ts";
import { ReadersBusy } from "../sqlite/file/query.ts";
import { FLEET_ROUTES, type FleetRoute, fleetDocument } from "./fleet-routes.ts";
import { keepOffice, type Office, withOffice } from "./office.ts";

interface FleetServing {
  readonly listen: readonly Listen[];
  /** Further host names accepted in requests, besides the built-in ones. */
  readonly hosts: readonly string[];
  readonly database: string | undefined;
  /** Opens the store with payloads, for one file; null without a store. */
  readonly openObjects: () => ObjectStore | null;
  /** Time without contact after which a ship has an alert. */
  readonly silence_minutes: number;
  /**
   * Maximum time for a file; then it is cut off. A store or a client may be slow, but not without
   * limit.
   */
  readonly file_minutes: number;
  readonly log: Log;
}

export interface RunningFleetServer {
  readonly addresses: readonly string[];
  close(): Promise<void>;
}

/** Seconds after which a client should try again. */
const BUSY_S = 2;
/**
 * Maximum number of connections for queries; each file has one more, and so do the ships.
 * PostgreSQL has 100.
 */
const QUESTIONS_MAX = 5;
/**
 * Maximum time for a query: 5,000 ships take 0.3 s. A hanging server or a lock must not block all
 * requests.
 */
const ANSWER_MAX_MS = 20_000;
const FILES: TurnLimits = { taken_max: 4, waiting_max: 16, slow_ms: 5000 };
const HEAD_TIMEOUT_MS = 30_000;
/**
 * Maximum number of connections for the office's pages and a proxy; from one address a seventh, as
 * aboard.
 */
const CONNECTIONS_MAX = 1000;
const CONNECTIONS_ADDRESS_MAX = 140;
/** Time after which a client that takes no data of its file is cut off. */
const DOWNLOAD_IDLE_MS = 60_000;

export async function serveFleet(serving: FleetServing): Promise<RunningFleetServer> {
  const { listen, hosts, log } = serving;
  const names = hostNames(hosts, listen);
  const fixed = fixedReplies();
  const { question, download, close } = openQuestions(serving);
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    const { url: target = "", method = "" } = request;
    requireHost({ target, host: request.headers.host }, names, "--host");
    const { path, query } = targetOf(target);
    const route = FLEET_ROUTES.find((one) => one.path === path);
    const known = fixed.get(path);
    if (route === undefined && known === undefined)
      throw new Refusal(404, "there is nothing here, see /openapi.json");
    if (method !== "GET" && method !== "HEAD")
      throw new Refusal(405, `${method} is not possible here, expected GET`, {
        Allow: "GET, HEAD",
      });
    if (route !== undefined) requireAccepted(request, route.type);
    if (known !== undefined) return sendReply(exchange, known);
    if (route?.isDownload === true) return download({ route, query }, exchange);
    if (route !== undefined) await sendReply(exchange, await question({ route, query }));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request_id = requestIdOf(request);
    const exchange = { request, response, headers: { [REQUEST_ID]: request_id } };
    try {
      await answer(exchange);
    } catch (error) {
      const { status, headers, message } = refusalOf(error, { log, request_id });
      // Half of a file was sent, so an error can't be reported on this connection.
      if (response.headersSent || response.destroyed) return void response.destroy();
      const bytes = Buffer.from(refusalBody(new Refusal(status, message)));
      await sendReply(exchange, { kind: "bytes", status, type: JSON_TYPE, bytes, headers });
    }
  };
  const admission = admissionFor(log);
  const listening = await openListening({
    section: "--listen",
    listen,
    missing: "refuse",
    make() {
      const limits = { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: HEAD_TIMEOUT_MS };
      const server = createServer(limits, (request, response) => void handle(request, response));
      return admitting(server, admission);
    },
    log,
  });
  return {
    addresses: listening.addresses(),
    async close() {
      await drained(admission, listening.close());
      await close();
    },
  };
}

function admissionFor(log: Log): Admission {
  const warn = openWarnings(log);
  return openAdmission({
    // The rest of the open files is for the database and the store.
    total_max: Math.min(CONNECTIONS_MAX, Math.ceil(openFilesMax() / 2)),
    address_max: CONNECTIONS_ADDRESS_MAX,
    onRefused: ({ address }) => warn("a connection was cut: too many", address),
  });
}

/** The same server with a limit on its connections: one without a request makes room for others. */
function admitting(server: Server, admission: Admission): Server {
  server.on("connection", (socket) => admission.admit(socket));
  server.on("request", ({ socket }, response) => {
    const admitted = admission.admittedOf(socket);
    if (admitted === null) return;
    admitted.settled = true;
    response.once("close", () => {
      admitted.settled = false;
    });
  });
  return server;
}

/** Fixed answers: the page's files, the OpenAPI document, and the sign of life. */
function fixedReplies(): ReadonlyMap<string, Reply> {
  const files = [...readFleetPage()].map(([path, file]) => [path, fileReply(path, file)] as const);
  return new Map([
    ...files,
    ["/openapi.json", json(fleetDocument())],
    ["/healthz", json({ status: "ok" })],
  ]);
}

interface Question {
  readonly route: FleetRoute;
  readonly query: string;
}

function openQuestions(serving: FleetServing) {
  const { database, openObjects, silence_minutes, file_minutes, log } = serving;
  const asked = new Map<string, Promise<Reply>>();
  const offices = keepOffice(database, {
    ...{ connections_max: QUESTIONS_MAX, answer_max_ms: ANSWER_MAX_MS },
  });
  const files = new Turns(FILES);
  const warn = openWarnings(log);
  return {
    /** Answers a request. Equal requests at the same time share one query. */
    question({ route, query }: Question): Promise<Reply> {
      // A route without parameters has only one answer, whatever query follows its path.
      const target =
        Object.keys(route.query.shape).length === 0 ? route.path : `${route.path}?${query}`;
      const under = asked.get(target);
      if (under !== undefined) return under;
      if (asked.size >= QUESTIONS_MAX) throw refusalUntil(BUSY_S, "busy: ask again");
      const answer = offices
        .with((office) => route.give({ office, silence_minutes }, query))
        .finally(() => asked.delete(target));
      asked.set(target, answer);
      return answer;
    },
    /** Sends a file while reading it. When the client leaves, the connections are closed. */
    async download({ route, query }: Question, exchange: Exchange): Promise<void> {
      const { response } = exchange;
      const over = new AbortController();
      response.once("close", () => over.abort());
      response.setTimeout(DOWNLOAD_IDLE_MS, () => response.destroy());
      const turn = await files.take(clientOf(exchange, warn));
      const late = setTimeout(() => response.destroy(), file_minutes * MINUTE_MS);
      let objects: ObjectStore | null = null;
      try {
        objects = openObjects();
        over.signal.addEventListener("abort", () => objects?.close());
        const send = async (office: Office) => {
          const reply = await route.give({ office, silence_minutes }, query);
          if (reply.kind !== "chunks") return sendReply(exchange, reply);
          const chunks = watched(reply.chunks, turn, () => {});
          await sendReply(exchange, { ...reply, chunks });
        };
        await withOffice(database, send, { objects, signal: over.signal });
      } finally {
        clearTimeout(late);
        objects?.close();
        files.give(turn);
      }
    },
    close: () => offices.close(),
  };
}

/** The refusal for an error. An error of the database keeps its text, which says what to do. */
function refusalOf(
  error: unknown,
  { log, request_id }: { readonly log: Log; readonly request_id: string },
): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ReadersBusy) return refusalUntil(BUSY_S, `${error.message}: ask again`);
  log.warn("a question couldn't be answered", { request_id, problem: messageOf(error) });
  if (error instanceof Failure) return refusalUntil(BUSY_S, messageOf(error));
  return new Refusal(500, "a fault of ballastd; its log tells more");
}
