// Opens and closes the HTTP side: one Node server for each address, all with the same routes and
// limits. Each limit is defined here with its reason, since a stranger on the LAN may test every
// one of them.

import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import { openListening } from "../config/listening.ts";
import { drained, openAdmission } from "../ground/admission.ts";
import { openApp } from "../http/app.ts";
import { openConnections } from "../http/connections.ts";
import { CountedRequest } from "../http/counted-request.ts";
import { openApiDocument } from "../http/document.ts";
import { openGate } from "../http/gate.ts";
import { docsPage } from "../http/page.ts";
import { HEADERS_MAX, hostNames, pathsOf, refuseMethod, targetOf } from "../http/request-head.ts";
import type { HttpContext, HttpOptions } from "../http/route.ts";
import { ROUTES } from "../http/routes/routes.ts";
import { takingTurns } from "../http/turns.ts";
import { openWarnings } from "../http/warnings.ts";

/** Maximum size of request line and headers together: twice the longest URL. */
export const HEAD_MAX_BYTES = 32 * 1024;
/**
 * Maximum time to receive the headers, up to 32 KiB, and the whole request with a body of 64 KiB.
 * The time runs also while a slow processor keeps this process from reading, for many seconds; idle
 * connections make way for others long before.
 */
export const HEADERS_TIMEOUT_MS = 30_000;
export const REQUEST_TIMEOUT_MS = 45_000;
/** Interval at which these two times are checked. */
const TIMEOUT_CHECK_MS = 1000;
/**
 * Time for which an idle connection is kept: longer than the dashboard's pause between two
 * requests.
 */
const KEEP_ALIVE_MS = 30_000;
/** Time after which a client that takes no data is cut, and its reader freed. */
export const STALLED_MS = 120_000;
/**
 * Maximum number of connections: enough for every screen aboard. endpoints.ts divides it with
 * MQTT's.
 */
export const CONNECTIONS_MAX = 500;
/** Maximum number of connections from one address: ten browsers' worth, and a seventh of all. */
export const CONNECTIONS_ADDRESS_MAX = 64;
/**
 * Maximum time of a TLS handshake: two exchanges over a ship's LAN between slow processors. A port
 * scanner never finishes one.
 */
export const HANDSHAKE_TIMEOUT_MS = 30_000;
/**
 * Maximum number of requests on a connection; 0 for no limit, which would only make a steady client
 * reconnect, and Node's own 503 has no body.
 */
const REQUESTS_PER_SOCKET_MAX = 0;

export interface Http {
  /** The addresses on which it listens now, as `host:port` with the actual ports. */
  addresses(): readonly string[];
  /** One reason for each address that can't be bound now. */
  problems(): readonly string[];
  /** Stops accepting, lets answers in progress finish for some seconds, then cuts them. */
  close(): Promise<void>;
}

/** Listens on every address of `options.listen`; `missing` handles one that can't be bound. */
export async function openHttp(options: HttpOptions): Promise<Http> {
  const warn = openWarnings(options.log);
  // Made at the first request, since it takes 60 ms, too long for a start.
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

const LIMITS: ServerOptions<typeof CountedRequest> = {
  IncomingMessage: CountedRequest,
  maxHeaderSize: HEAD_MAX_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // We answer a missing Host ourselves, in our own format.
  requireHostHeader: false,
};

/** Number of headers that Node reads: one more than allowed, so that an excess is noticed. */
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
