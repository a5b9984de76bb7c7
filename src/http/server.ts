// Opens and closes the HTTP side: one node server an address, all with the same routes and limits.
// Each limit is here, with its reason: a stranger on the LAN may try every one of them.

import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { openAdmission } from "../admission.ts";
import type { WatchedCertificate } from "../certificate-watch.ts";
import { variableOf } from "../config.ts";
import type { Listen } from "../config-values.ts";
import { printListen } from "../config-values.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import { openConnections } from "./connections.ts";
import { answer, HEADERS_MAX, pathsOf, refuseMethod, targetOf } from "./dispatch.ts";
import { docsPage } from "./docs.ts";
import { openGate } from "./gate.ts";
import { hostNames } from "./hosts.ts";
import { openApiDocument } from "./openapi.ts";
import type { House, HttpOptions } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { takingTurns } from "./turns.ts";
import { openWarnings } from "./warnings.ts";

/** Request line and headers together: twice the longest URL. */
const HEAD_MAX_BYTES = 32 * 1024;
/** Nobody aboard needs longer to send a head of 32 KiB, or a body of 64 KiB. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** How often the two above are looked at. */
const TIMEOUT_CHECK_MS = 1000;
/** Longer than the pause between two questions of a dashboard. */
const KEEP_ALIVE_MS = 30_000;
/** A client that takes nothing of its answer for so long is cut off, and its reader freed. */
const STALLED_MS = 120_000;
/** Below the usual limit of 1,024 open files, which the database and MQTT share. */
const CONNECTIONS_MAX = 500;
/** From one address: ten browsers' worth, and a seventh of all. */
const CONNECTIONS_ADDRESS_MAX = 64;
/** Two exchanges over a ship's LAN; a port scanner never ends them. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** None: it would only make a steady client reconnect, and node's own 503 beyond it has no body. */
const REQUESTS_PER_SOCKET_MAX = 0;
/** How long answers in progress may take to finish when the program ends. */
const CLOSE_GRACE_MS = 3000;

export interface Http {
  /** Where it listens, as `host:port`, with the ports that were really taken. */
  readonly addresses: readonly string[];
  /** Accepts no more, lets answers in progress finish for CLOSE_GRACE_MS, then cuts them. */
  close(): Promise<void>;
}

/** Listens on every address of `options.listen`. Throws a Failure when one of them can't be had. */
export async function openHttp(options: HttpOptions): Promise<Http> {
  const warn = openWarnings(options.log);
  // It takes 60 ms, which are a start's; who asks for it can wait.
  const document = once(() => openApiDocument(ROUTES, options.monitoring));
  const house: House = {
    ...options,
    gate: openGate(options),
    readersFor: takingTurns(options.readers),
    warn,
    document: once(() => Buffer.from(JSON.stringify(document()))),
    docs: once(() => docsPage(document())),
    hosts: hostNames(options.allowed_hosts, options.listen),
  };
  const paths = pathsOf(ROUTES, options.dashboard);
  const admission = openAdmission({
    total_max: CONNECTIONS_MAX,
    address_max: CONNECTIONS_ADDRESS_MAX,
    onRefused: ({ address }) => warn("a connection was cut: too many", address),
  });
  const connections = openConnections({
    admission,
    answer: (request, response) => answer({ request, response }, { house, paths }),
    refuseMethod: ({ method, target }) =>
      refuseMethod(paths, { method, path: targetOf(target).path }),
    log: options.log,
    warn,
  });
  const servers: Server[] = [];
  const addresses: string[] = [];
  const close = async () => {
    connections.drain();
    const cut = setTimeout(() => admission.cut("all"), CLOSE_GRACE_MS);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    clearTimeout(cut);
  };
  for (const listen of options.listen) {
    const server = createFor(options.certificate);
    connections.watch(server);
    try {
      addresses.push(await listenOn(server, listen));
      // Out of open files, for one: who is connected already is still served.
      server.on("error", (error) =>
        options.log.warn("a connection could not be accepted", { problem: messageOf(error) }),
      );
    } catch (error) {
      await close();
      throw error;
    }
    servers.push(server);
  }
  return { addresses, close };
}

/** What `make` gives, made when it is asked for the first time. */
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
  // Its absence is answered in our own shape.
  requireHostHeader: false,
};

/** One more than a request may have, so that it is seen which has too many. */
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

async function listenOn(server: Server, listen: Listen): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, listen)));
    server.listen({ host: listen.host, port: listen.port }, () => resolve());
  });
  server.removeAllListeners("error");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : listen.port;
  return printListen({ host: listen.host, port });
}

function listenFailure(error: Error, listen: Listen): Failure {
  const where = `${printListen(listen)} of http.listen (${variableOf("http", "listen")})`;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return new Failure(
        EXIT.unavailable,
        `${where} is already taken: end the other program or choose another port`,
      );
    case "EACCES":
      return new Failure(
        EXIT.permission,
        `${where} is not permitted: choose a port of 1024 or more, or grant it`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Failure(EXIT.unavailable, `${where} is not an address of this machine`);
    default:
      return new Failure(EXIT.unavailable, `${where} can't be listened on: ${messageOf(error)}`);
  }
}
