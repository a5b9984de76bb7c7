// Orders the requests on each socket: one is answered at a time, in the order of arrival, while a
// few wait; nothing more is read meanwhile, since a client that sends without reading would fill
// the memory. Answers node's own errors in the format of all others, and closes connections in
// order.

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket, Server as TlsServer } from "node:tls";
import type { Admission, AdmittedSocket } from "../ground/admission.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { codeOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { CRUMBS } from "./counted-request.ts";
import { type Intake, openIntake } from "./intake.ts";
import { Refusal, type RefuseMethod, refusalBody, refusalOfNode } from "./refusal.ts";
import { newRequestId, REQUEST_ID, requestIdOf } from "./request-id.ts";
import { openRounds } from "./rounds.ts";
import { JSON_TYPE } from "./route.ts";
import type { WarnOf } from "./warnings.ts";

/** Maximum number of requests that wait on one connection; at it no more are read. */
export const WAITING_MAX = 16;
/** Maximum bytes of them: one head of the largest size. With CONNECTIONS_MAX it bounds them all. */
export const WAITING_MAX_BYTES = 32 * 1024;
/**
 * Maximum number of waiting requests that are begun in a round of the event loop, over all
 * connections. When each of 500 had one begun, a round took 6 ms of the processor, and a page that
 * came behind 200 other connections waited 4 s of it.
 */
const ANSWERS_MAX = 4;
/**
 * Time in which data sent after the answer is discarded, before the socket is cut. In 1 s a busy
 * machine didn't send the 1 MiB of a body that was refused, and never saw the answer.
 */
const LINGER_MS = 10 * SECOND_MS;
const CONNECT = { method: "CONNECT", target: "*" };

export interface ConnectionsOptions {
  /** Answers one request; must not throw. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The Refusal of a request line whose method node doesn't know. */
  readonly refuseMethod: RefuseMethod;
  /** Admits connections; one without an open request makes room first. */
  readonly admission: Admission;
  readonly log: Log;
  readonly warn: WarnOf;
}

export interface Connections {
  /** Serves the connections of `server`, HTTP or HTTPS. */
  watch(server: Server): void;
  /** Ends idle connections at once, and every other one when its answer has been sent. */
  drain(): void;
}

interface WaitingAnswer {
  /** The request to be answered; null for a fault found in what is no request. */
  readonly request: IncomingMessage | null;
  readonly bytes: number;
  readonly begin: () => void;
}

interface OpenConnection {
  readonly socket: Socket;
  readonly admitted: AdmittedSocket;
  /** The exchange in progress. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  readonly waiting: WaitingAnswer[];
  readonly intake: Intake;
  /** True after an error was answered: further data is ignored. */
  refused: boolean;
}

export function openConnections(options: ConnectionsOptions): Connections {
  const lines = new Map<Duplex, OpenConnection>();
  const answers = openRounds(ANSWERS_MAX);
  let draining = false;

  function begin(line: OpenConnection, request: IncomingMessage, response: ServerResponse): void {
    line.current = { request, response };
    line.admitted.settled = true;
    response.once("close", () => {
      line.current = null;
      line.admitted.settled = false;
      if (hasBody(request)) cutUnlessComplete(line, request);
      if (draining) line.socket.destroySoon();
      else if (line.waiting.length > 0) answers.later(() => goOn(line));
    });
    options.answer(request, response);
  }

  function goOn(line: OpenConnection): void {
    const { socket, current, waiting, intake } = line;
    // Another request is being answered: the end of that answer calls this again.
    if (!socket.writable || current !== null) return;
    waiting.shift()?.begin();
    if (!isFull(line)) intake.release();
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    const line = lines.get(request.socket);
    if (line === undefined || line.refused) return;
    const bytes = line.intake.taken();
    watchBody(line, request, options.warn);
    if (line.current === null && line.waiting.length === 0) begin(line, request, response);
    else line.waiting.push({ request, bytes, begin: () => begin(line, request, response) });
    if (!isFull(line)) return;
    line.intake.hold();
    const waiting = line.waiting.length;
    options.warn("a connection isn't read on: too many requests wait", line.admitted.address, {
      waiting,
    });
  }

  return {
    watch(server) {
      admit(server, options.admission, (socket, admitted) => {
        const intake = openIntake(socket);
        lines.set(socket, { socket, admitted, current: null, waiting: [], intake, refused: false });
        socket.once("close", () => lines.delete(socket));
      });
      server.on("request", take);
      // "100 Continue" is sent when the body is wanted, after the token was checked.
      server.on("checkContinue", take);
      server.on("checkExpectation", take);
      server.on("clientError", (error, socket) => {
        if (codeOf(error) === "ERR_SSL_HTTP_REQUEST") refusePlain(socket, options);
        else fail(error, { socket, line: lines.get(socket) }, options);
      });
      server.on("connect", (request, socket) => {
        const line = lines.get(socket);
        // An answer in progress can't be followed by another.
        if (line === undefined || line.refused || line.current !== null) socket.destroy();
        else refuse(line, options.refuseMethod(CONNECT), requestIdOf(request));
      });
    },
    drain() {
      draining = true;
      options.admission.cut("unsettled");
    },
  };
}

function isFull({ waiting }: OpenConnection): boolean {
  const bytes = waiting.reduce((sum, one) => sum + one.bytes, 0);
  return waiting.length >= WAITING_MAX || bytes >= WAITING_MAX_BYTES;
}

/** Answers an error, now or in its turn; further data on the connection is dropped. */
function refuse(line: OpenConnection, refusal: Refusal, request_id: string): void {
  const { socket, current, waiting, intake } = line;
  line.refused = true;
  intake.drop();
  const begin = () => refuseSocket(socket, refusal, request_id);
  // A fault in the current request's body is its answer, unless that has begun. Any other fault
  // waits for its turn, in place of the request in whose body it is: that one never ends.
  if (current?.request.complete === false) {
    if (current.response.headersSent) socket.destroy();
    else begin();
    return;
  }
  if (unfinished(line) !== null) waiting.pop();
  if (current === null && waiting.length === 0) begin();
  else waiting.push({ request: null, bytes: 0, begin });
}

/** The request whose body is being received; null if there is none. */
function unfinished({ current, waiting }: OpenConnection): IncomingMessage | null {
  const request = waiting.length > 0 ? waiting[waiting.length - 1].request : current?.request;
  return request?.complete === false ? request : null;
}

/** Discards a body that no route reads; refuses one that comes in pieces that are too small. */
function watchBody(line: OpenConnection, request: IncomingMessage, warn: WarnOf): void {
  if (request.method !== "POST") request.resume();
  request.once(CRUMBS, (problem: string) => {
    if (line.refused) return;
    warn("a request was refused: its body came in crumbs", line.admitted.address);
    refuse(line, new Refusal(400, problem), requestIdOf(request));
  });
}

/** Answers an error of node's parser on the socket's `line`, or cuts the connection. */
function fail(
  error: Error,
  { socket, line }: { readonly socket: Duplex; readonly line: OpenConnection | undefined },
  options: ConnectionsOptions,
): void {
  if (line?.refused) return;
  const refusal = refusalOfNode(error, options.refuseMethod);
  if (line === undefined || refusal === null || !socket.writable) {
    socket.destroy();
    return;
  }
  const request = unfinished(line);
  const request_id = request === null ? newRequestId() : requestIdOf(request);
  options.log.debug("request was not understood", { request_id, problem: error.message });
  refuse(line, refusal, request_id);
}

/** Answers a user who typed http:// for https://, and would only see a broken connection. */
function refusePlain(socket: Duplex, { admission, warn }: ConnectionsOptions): void {
  const admitted = socket instanceof TLSSocket ? admission.admittedOf(socket) : null;
  if (admitted === null) return;
  warn("plain HTTP came to the HTTPS port", admitted.address);
  refuseSocket(admitted.socket, new Refusal(400, "this port serves HTTPS, expected https://"));
}

/** Calls `open` with each admitted socket; over TLS after the handshake. */
function admit(
  server: Server,
  admission: Admission,
  open: (socket: Socket, admitted: AdmittedSocket) => void,
): void {
  const openIf = (socket: Socket, admitted: AdmittedSocket | null) =>
    admitted !== null && open(socket, admitted);
  if (server instanceof TlsServer) {
    server.on("connection", (socket) => admission.admit(socket));
    server.on("secureConnection", (socket) => openIf(socket, admission.admittedOf(socket)));
  } else server.on("connection", (socket) => openIf(socket, admission.admit(socket)));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

// The answer is complete, but the body isn't: a client that still sends would miss the answer if
// the socket were cut now, and one that never ends must be cut. The chunks of a body aren't even
// parsed: three clients with chunks of one byte kept the process busy.
function cutUnlessComplete(line: OpenConnection, request: IncomingMessage): void {
  if (request.complete) return;
  if (request.headers["transfer-encoding"] !== undefined) {
    line.refused = true;
    line.intake.drop();
  }
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS);
  request.once("close", () => clearTimeout(timer));
}

function refuseSocket(socket: Duplex, refusal: Refusal, request_id = newRequestId()): void {
  const body = refusalBody(refusal);
  const headers = {
    "Content-Type": JSON_TYPE,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    [REQUEST_ID]: request_id,
    ...refusal.headers,
    Date: new Date().toUTCString(),
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const line = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n`;
  socket.on("error", () => socket.destroy());
  socket.end(`${line}${head.join("")}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
