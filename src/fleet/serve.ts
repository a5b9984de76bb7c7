// `ballastd fleet serve`: the fleet page and its API over HTTP, from the office's database. It
// holds no state and no connection: each question is a connection of its own, questions that are
// asked at a time share one, and a database that is away is told as 503.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { openListening } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import { Failure, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { type Exchange, sendReply } from "../http/answer.ts";
import { Refusal, refusalBody, refusalUntil } from "../http/refusal.ts";
import { fileReply, hostNames, requireHost, targetOf } from "../http/request-head.ts";
import { JSON_TYPE, json, type Reply } from "../http/route.ts";
import { readFleetPage } from "../http/static-files.ts";
import { FLEET_ROUTES, type FleetRoute, fleetDocument } from "./fleet-routes.ts";
import { withOffice } from "./office.ts";

interface FleetServing {
  readonly listen: readonly Listen[];
  /** Names by which it may be asked beside those that are always taken. */
  readonly hosts: readonly string[];
  readonly database: string | undefined;
  /** A longer silence of a ship is an alert. */
  readonly silence_minutes: number;
  readonly log: Log;
}

export interface FleetServed {
  readonly addresses: readonly string[];
  close(): Promise<void>;
}

/** A dashboard of the office asks again after as long. */
const BUSY_S = 2;
/** Beside the ships' sessions; PostgreSQL has 100 by default. */
const CONNECTIONS_MAX = 8;
/** The rest of the connections stays free for the page. */
const DOWNLOADS_MAX = 3;
const HEAD_TIMEOUT_MS = 10_000;
/** A client that takes nothing of its file for so long is cut off. */
const DOWNLOAD_IDLE_MS = 60_000;

export async function serveFleet(serving: FleetServing): Promise<FleetServed> {
  const { listen, hosts, log } = serving;
  const names = hostNames(hosts, listen);
  const fixed = fixedReplies();
  const { question, download } = openQuestions(serving);
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
    if (known !== undefined) return sendReply(exchange, known);
    if (route?.isDownload === true) return download({ route, query }, exchange);
    if (route !== undefined) await sendReply(exchange, await question({ route, query }));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = { request, response, headers: {} };
    try {
      await answer(exchange);
    } catch (error) {
      const { status, headers, message } = refusalOf(error, log);
      // Half a file was sent: no more can be told on this connection.
      if (response.headersSent || response.destroyed) return void response.destroy();
      const bytes = Buffer.from(refusalBody(new Refusal(status, message)));
      await sendReply(exchange, { kind: "bytes", status, type: JSON_TYPE, bytes, headers });
    }
  };
  const listening = await openListening({
    section: "--listen",
    listen,
    missing: "refuse",
    make() {
      const limits = { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: HEAD_TIMEOUT_MS };
      return createServer(limits, (request, response) => void handle(request, response));
    },
    log,
  });
  return { addresses: listening.addresses(), close: () => listening.close() };
}

/** The page's files, the document, and the sign of life. */
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

function openQuestions({ database, silence_minutes }: FleetServing) {
  const asked = new Map<string, Promise<Reply>>();
  let downloads = 0;
  const busy = () => refusalUntil(BUSY_S, "busy: ask again");
  return {
    /** The same question at a time is asked once. */
    question({ route, query }: Question): Promise<Reply> {
      const target = `${route.path}?${query}`;
      const under = asked.get(target);
      if (under !== undefined) return under;
      if (asked.size >= CONNECTIONS_MAX - DOWNLOADS_MAX) throw busy();
      const answer = withOffice(database, (office) =>
        route.give({ office, silence_minutes }, query),
      ).finally(() => asked.delete(target));
      asked.set(target, answer);
      return answer;
    },
    /** Sends while it reads. */
    async download({ route, query }: Question, exchange: Exchange): Promise<void> {
      if (downloads >= DOWNLOADS_MAX) throw busy();
      downloads += 1;
      exchange.response.setTimeout(DOWNLOAD_IDLE_MS, () => exchange.response.destroy());
      try {
        await withOffice(database, async (office) =>
          sendReply(exchange, await route.give({ office, silence_minutes }, query)),
        );
      } finally {
        downloads -= 1;
      }
    },
  };
}

/** The answer to an error; one of the database is told as such, for it says what to do. */
function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  log.warn("a question couldn't be answered", { problem: messageOf(error) });
  if (error instanceof Failure) return refusalUntil(BUSY_S, messageOf(error));
  return new Refusal(500, "a fault of ballastd; its log tells more");
}
