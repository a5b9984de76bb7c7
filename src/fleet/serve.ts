// `ballastd fleet serve`: answers HTTP from the office's database. It holds no state and no
// connection: each question is a connection of its own, questions that are asked at a time share
// one, and a database that is away is told as 503.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { openListening } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import { Failure, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { sendReply } from "../http/answer.ts";
import { Refusal, refusalBody, refusalUntil } from "../http/refusal.ts";
import { hostNames, requireHost, targetOf } from "../http/request-head.ts";
import { JSON_TYPE } from "../http/route.ts";
import { FLEET_ROUTES, fleetDocument } from "./fleet-routes.ts";
import { type Office, withOffice } from "./office.ts";

interface FleetServing {
  readonly listen: readonly Listen[];
  /** Names by which it may be asked beside those that are always taken. */
  readonly hosts: readonly string[];
  readonly database: string | undefined;
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
const HEAD_TIMEOUT_MS = 10_000;

export async function serveFleet(serving: FleetServing): Promise<FleetServed> {
  const { listen, hosts, database, log } = serving;
  const names = hostNames(hosts, listen);
  const document = JSON.stringify(fleetDocument());
  const asked = new Map<string, Promise<object>>();
  // The same question at a time is asked once.
  const question = (target: string, give: (office: Office) => Promise<object>) => {
    const under = asked.get(target);
    if (under !== undefined) return under;
    if (asked.size >= CONNECTIONS_MAX) throw refusalUntil(BUSY_S, "busy: ask again");
    const answer = withOffice(database, give).finally(() => asked.delete(target));
    asked.set(target, answer);
    return answer;
  };
  const answer = async (request: IncomingMessage): Promise<object | string> => {
    const { url: target = "", method = "" } = request;
    requireHost({ target, host: request.headers.host }, names, "--host");
    const { path, query } = targetOf(target);
    const known = FLEET_ROUTES.find((route) => route.path === path);
    const isKnown = known !== undefined || path === "/openapi.json" || path === "/healthz";
    if (!isKnown) throw new Refusal(404, "there is nothing here, see /openapi.json");
    if (method !== "GET" && method !== "HEAD")
      throw new Refusal(405, `${method} is not possible here, expected GET`, {
        Allow: "GET, HEAD",
      });
    if (known !== undefined)
      return question(`${path}?${query}`, (office) => known.give(office, query));
    return path === "/healthz" ? { status: "ok" } : document;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = { request, response, headers: {} };
    try {
      const given = await answer(request);
      const bytes = Buffer.from(typeof given === "string" ? given : JSON.stringify(given));
      await sendReply(exchange, { kind: "bytes", status: 200, type: JSON_TYPE, bytes });
    } catch (error) {
      const { status, headers, message } = refusalOf(error, log);
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

/** The answer to an error; one of the database is told as such, for it says what to do. */
function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  log.warn("a question couldn't be answered", { problem: messageOf(error) });
  if (error instanceof Failure) return refusalUntil(BUSY_S, messageOf(error));
  return new Refusal(500, "a fault of ballastd; its log tells more");
}
