// Orders the work on the sockets: one request at a time on each, in the order in which they came,
// while a few wait. Answers errors that node finds before there is a request in the same format as
// all others, and closes the connections in order.

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket, Server as TlsServer } from "node:tls";
import type { Admission, Visit } from "../admission.ts";
import { codeOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { type Intake, takeIn } from "./intake.ts";
import { Refusal, refusalBody } from "./refusal.ts";
import { JSON_TYPE } from "./route.ts";
import type { WarnOf } from "./warnings.ts";

/** Requests that may wait on one connection; what comes behind them isn't read meanwhile. */
export const WAITING_MAX = 16;
/** The same in bytes: one head of the largest size. With CONNECTIONS_MAX it bounds them all. */
export const WAITING_MAX_BYTES = 32 * 1024;
/** How long what is still being sent after the answer is thrown away before the socket is cut. */
const LINGER_MS = 1000;

export interface ConnectionsOptions {
  /** Answers one request; must not throw. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The Refusal of a request line whose method node doesn't know. */
  readonly refuseMethod: (asked: { method: string; target: string }) => Refusal;
  /** Lets connections in; whoever waits for no answer makes room there. */
  readonly admission: Admission;
  readonly log: Log;
  readonly warn: WarnOf;
}

export interface Connections {
  /** Serves what comes over `server`, HTTP or HTTPS. */
  watch(server: Server): void;
  /** Ends idle connections at once, and every other one when its answer is out. */
  drain(): void;
}

interface Line {
  readonly socket: Socket;
  readonly visit: Visit;
  /** What is being answered. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  readonly waiting: { readonly bytes: number; readonly begin: () => void }[];
  readonly intake: Intake;
  /** An error was answered: whatever still comes is not looked at. */
  refused: boolean;
}

export function openConnections(options: ConnectionsOptions): Connections {
  const lines = new Map<Duplex, Line>();
  let draining = false;

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.current = { request, response };
    line.visit.settled = true;
    response.once("close", () => {
      line.current = null;
      line.visit.settled = false;
      if (hasBody(request)) cutUnlessComplete(request);
      if (draining) line.socket.destroySoon();
      // In the loop's next round: whoever pipelines has one answer a round, as everybody has.
      else if (line.waiting.length > 0) setImmediate(goOn, line);
    });
    options.answer(request, response);
  }

  function goOn(line: Line): void {
    const { socket, current, waiting, intake } = line;
    // A request that came meanwhile is being answered: the end of that answer calls this again.
    if (!socket.writable || current !== null) return;
    waiting.shift()?.begin();
    if (!isFull(line)) intake.release();
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    const line = lines.get(request.socket);
    if (line === undefined || line.refused) return;
    const bytes = line.intake.taken();
    if (line.current === null && line.waiting.length === 0) begin(line, request, response);
    else line.waiting.push({ bytes, begin: () => begin(line, request, response) });
    if (!isFull(line)) return;
    line.intake.hold();
    const waiting = line.waiting.length;
    options.warn("a connection isn't read on: too many requests wait", line.visit.address, {
      waiting,
    });
  }

  return {
    watch(server) {
      admit(server, options.admission, (socket, visit) => {
        const intake = takeIn(socket);
        lines.set(socket, { socket, visit, current: null, waiting: [], intake, refused: false });
        socket.once("close", () => lines.delete(socket));
      });
      server.on("request", take);
      // "100 Continue" is sent when the body is wanted, after the token was looked at.
      server.on("checkContinue", take);
      server.on("checkExpectation", take);
      server.on("clientError", (error, socket) => {
        if (codeOf(error) === "ERR_SSL_HTTP_REQUEST") refusePlain(socket, options);
        else fail(error, { socket, line: lines.get(socket) }, options);
      });
      server.on("connect", (_request, socket) => {
        const line = lines.get(socket);
        // Behind an answer in progress there is no place for another.
        if (line === undefined || line.refused || line.current !== null) socket.destroy();
        else refuse(line, options.refuseMethod({ method: "CONNECT", target: "*" }));
      });
    },
    drain() {
      draining = true;
      options.admission.cut("unsettled");
    },
  };
}

function isFull({ waiting }: Line): boolean {
  const bytes = waiting.reduce((sum, one) => sum + one.bytes, 0);
  return waiting.length >= WAITING_MAX || bytes >= WAITING_MAX_BYTES;
}

/** Answers an error, now or in its turn; whatever still comes on the connection is dropped. */
function refuse(line: Line, refusal: Refusal): void {
  const { socket, current, waiting, intake } = line;
  line.refused = true;
  intake.drop();
  const begin = () => refuseSocket(socket, refusal);
  // A fault in the body of the request in hand is its answer, unless that has begun already; any
  // other fault waits for its turn.
  if (current === null) begin();
  else if (current.request.complete) waiting.push({ bytes: 0, begin });
  else if (current.response.headersSent) socket.destroy();
  else begin();
}

/** Answers an error of node's own on `line`, the socket's, or cuts it. */
function fail(
  error: Error,
  { socket, line }: { readonly socket: Duplex; readonly line: Line | undefined },
  options: ConnectionsOptions,
): void {
  if (line?.refused) return;
  const refusal = refusalOf(error, options);
  if (line === undefined || refusal === null || !socket.writable) {
    socket.destroy();
    return;
  }
  options.log.debug("request was not understood", { problem: error.message });
  refuse(line, refusal);
}

/** Somebody typed http:// for https://, and would see nothing but a connection that is cut. */
function refusePlain(socket: Duplex, { admission, warn }: ConnectionsOptions): void {
  const visit = socket instanceof TLSSocket ? admission.visitOf(socket) : null;
  if (visit === null) return;
  warn("plain HTTP came to the HTTPS port", visit.address);
  refuseSocket(visit.socket, new Refusal(400, "this port speaks HTTPS, expected https://"));
}

/** Calls `open` with each socket that is let in: over TLS, once hands are shaken. */
function admit(
  server: Server,
  admission: Admission,
  open: (socket: Socket, visit: Visit) => void,
): void {
  const openIf = (socket: Socket, visit: Visit | null) => visit !== null && open(socket, visit);
  if (server instanceof TlsServer) {
    server.on("connection", (socket) => admission.admit(socket));
    server.on("secureConnection", (socket) => openIf(socket, admission.visitOf(socket)));
  } else server.on("connection", (socket) => openIf(socket, admission.admit(socket)));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

// The answer is out, but the body isn't all in: a client that is still sending would not see the
// answer if the socket were cut now, and one that never ends must be.
function cutUnlessComplete(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS);
  request.once("close", () => clearTimeout(timer));
}

/** What to answer to an error of node's own; null: nothing, the connection is broken. */
function refusalOf(error: Error, { refuseMethod }: ConnectionsOptions): Refusal | null {
  const code = codeOf(error) ?? "";
  if (code === "HPE_HEADER_OVERFLOW")
    return new Refusal(431, "the request's head is too large, expected at most 32 KiB");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal(408, "the request took too long to arrive");
  if (!code.startsWith("HPE_")) return null;
  const line = code === "HPE_INVALID_METHOD" ? REQUEST_LINE.exec(textAt(error)) : null;
  if (line !== null) return refuseMethod({ method: line[1], target: line[2] });
  return new Refusal(400, "the request is not valid HTTP/1.1");
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) ([!-~]+) HTTP\/1\.[01]\r?\n/;

/** From the line on in which node's parser stopped, as far as a request line is worth reading. */
function textAt(error: Error): string {
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const parsed_bytes = "bytesParsed" in error ? Number(error.bytesParsed) : 0;
  if (packet === null) return "";
  const start = packet.subarray(0, parsed_bytes).lastIndexOf("\n") + 1;
  return packet.toString("latin1", start, start + 2048);
}

function refuseSocket(socket: Duplex, refusal: Refusal): void {
  const body = refusalBody(refusal);
  const headers = {
    "Content-Type": JSON_TYPE,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
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
