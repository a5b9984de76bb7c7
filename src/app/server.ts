// Opens and closes the HTTP side: one node server an address, all with the same routes and limits.
// Each limit is here, with its reason: a stranger on the LAN may try every one of them.

import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import { openListening } from "../config/listening.ts";
import { drained, openAdmission } from "../ground/admission.ts";
import { openApp } from "../http/app.ts";
import { openConnections } from "../http/connections.ts";
import { openApiDocument } from "../http/document.ts";
import { openGate } from "../http/gate.ts";
import { docsPage } from "../http/page.ts";
import { HEADERS_MAX, hostNames, pathsOf, refuseMethod, targetOf } from "../http/request-head.ts";
import type { HttpContext, HttpOptions } from "../http/route.ts";
import { ROUTES } from "../http/routes/routes.ts";
import { takingTurns } from "../http/turns.ts";
import { openWarnings } from "../http/warnings.ts";

/** Request line and headers together: twice the longest URL. */
export const HEAD_MAX_BYTES = 32 * 1024;
/**
 * Nobody aboard needs longer to send a head of 32 KiB, or a body of 64 KiB. They count while this
 * process is kept from reading, too, on a slow processor for many seconds; who sends nothing makes
 * way for others long before.
 */
export const HEADERS_TIMEOUT_MS = 30_000;
export const REQUEST_TIMEOUT_MS = 45_000;
/** Interval at which these two are checked. */
const TIMEOUT_CHECK_MS = 1000;
/** Longer than the pause between two requests of a dashboard. */
const KEEP_ALIVE_MS = 30_000;
/** A client that takes no data for this long is cut, and its reader freed. */
export const STALLED_MS = 120_000;
/** Enough for every screen aboard; it is divided with MQTT's in endpoints.ts. */
export const CONNECTIONS_MAX = 500;
/** From one address: ten browsers' worth, and a seventh of all. */
export const CONNECTIONS_ADDRESS_MAX = 64;
/** Two exchanges over a ship's LAN between slow processors; a port scanner never ends them. */
export const HANDSHAKE_TIMEOUT_MS = 30_000;
/** None: it would only make a steady client reconnect, and node's own 503 beyond it has no body. */
const REQUESTS_PER_SOCKET_MAX = 0;

export interface Http {
  /** The addresses on which it listens now, as `host:port` with the actual ports. */
  addresses(): readonly string[];
  /** One reason for each address that can't be bound now. */
  problems(): readonly string[];
  /** Accepts no more, lets answers in progress finish for some seconds, then cuts them. */
  close(): Promise<void>;
}

/** Listens on every address of `options.listen`; `missing` handles one that can't be bound. */
export async function openHttp(options: HttpOptions): Promise<Http> {
  const warn = openWarnings(options.log);
  // It takes 60 ms, which a start can't spare; the first request for it can wait.
  const document = once(() => openApiDocument(ROUTES, options.monitoring));
  const docs = once(() => docsPage(document()));
  const context: HttpContext = {
    ...options,
    gate: openGate(options),
    readersFor: takingTurns(options.readers),
    warn,
    document: once(() => Buffer.from(JSON.stringify(document()))),
    docs: (address) => docs()(address),
    hosts: hostNames(options.allowed_hosts, options.listen),
  };
  const paths = pathsOf(ROUTES, options.files);
  const app = openApp({ context, paths });
  const admission = openAdmission({
    total_max: options.connections_max ?? CONNECTIONS_MAX,
    address_max: CONNECTIONS_ADDRESS_MAX,
    onRefused: ({ address }) => warn("a connection was cut: too many", address),
  });
  const connections = openConnections({
    admission,
    answer: app.handler,
    refuseMethod: ({ method, target }) =>
      refuseMethod(paths, { method, path: targetOf(target).path }),
    log: options.log,
    warn,
  });
  const listening = await openListening({
    section: "http",
    listen: options.listen,
    missing: options.missing,
    make() {
      const server = createFor(options.certificate);
      connections.watch(server);
      return server;
    },
    log: options.log,
  });
  return {
    addresses: listening.addresses,
    problems: listening.problems,
    async close() {
      options.stream.close();
      connections.drain();
      await drained(admission, listening.close());
    },
  };
}

/** The result of `make`, made at the first call. */
function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const LIMITS: ServerOptions = {
  maxHeaderSize: HEAD_MAX_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // We answer a missing Host ourselves, in our own format.
  requireHostHeader: false,
};

/** One more than a request may have, so that an excess is noticed. */
const HEADERS_COUNTED = HEADERS_MAX + 1;

function createFor(certificate: WatchedCertificate | null): Server {
  const server = certificate === null ? createServer(LIMITS) : createSecure(certificate);
  server.maxHeadersCount = HEADERS_COUNTED;
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET_MAX;
  server.setTimeout(STALLED_MS);
  return server;
}

function createSecure(certificate: WatchedCertificate): Server {
  const server = createTlsServer({
    ...LIMITS,
    ...certificate.credentials(),
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  certificate.onChange((credentials) => server.setSecureContext(credentials));
  return server;
}
