// The connections to a store of objects, kept open: a pinned key, counted bytes, and limits of time
// and length for each answer, however slowly and in however small pieces it arrives.

import http from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import tls from "node:tls";
import { HOUR_MS, SECOND_MS } from "../ground/clock.ts";
import { codeOf } from "../ground/errors.ts";
import { hasKey } from "../ground/key-pin.ts";
import type { StorePlace } from "./store-place.ts";

/**
 * Maximum silence on a connection: a segment takes 30 s on the slowest line, and several are in
 * transfer.
 */
const SILENCE_MAX_MS = 150 * SECOND_MS;
const SILENT = "the store doesn't answer";
const ENDED = "the connection to the store was ended";
const CONNECTIONS = 8;
/** Maximum time from the end of the request to the answer's head, and from there to its end. */
const ANSWER_MAX_MS = 600 * SECOND_MS;
/** Maximum time for sending a request, which the other end may take byte by byte. */
const REQUEST_MAX_MS = HOUR_MS;

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array | null;
  /** Maximum length of the answer. */
  readonly answer_max_bytes: number;
}

export interface StoreAnswer {
  readonly status: number;
  readonly date: string | undefined;
  readonly etag: string | undefined;
  readonly body: Buffer;
}

/** Connections to the store, kept open. */
export function openLine(place: StorePlace) {
  const isTls = place.origin.startsWith("https:");
  const { agent, traffic, close } = openAgent(place, isTls);
  let isClosed = false;
  const exchange = ({ method, url, headers, bytes, answer_max_bytes }: SignedRequest) =>
    new Promise<StoreAnswer>((resolve, reject) => {
      if (isClosed) throw new Error(ENDED);
      const request = (isTls ? https : http).request(url, { method, headers, agent });
      request.setTimeout(SILENCE_MAX_MS, () => request.destroy(new Error(SILENT)));
      const fail = (error: Error) => reject(explained(error));
      request.on("error", fail);
      request.on("upgrade", (_answer, socket) => {
        socket.destroy();
        reject(new Error("the store's answer isn't one of S3"));
      });
      // Needed beside the silence, which any byte ends, also those of an endless head or of
      // repeated "continue" answers.
      let slow: NodeJS.Timeout | undefined;
      const limit = (limit_ms: number, problem: string) => {
        clearTimeout(slow);
        slow = setTimeout(() => request.destroy(new Error(problem)), limit_ms);
      };
      limit(REQUEST_MAX_MS, SILENT);
      request.on("finish", () => limit(ANSWER_MAX_MS, SILENT));
      request.on("close", () => clearTimeout(slow));
      request.on("response", (response) => {
        limit(ANSWER_MAX_MS, "the store's answer doesn't end");
        response.on("error", fail);
        const { statusCode: status = 0, headers } = response;
        const { date, etag } = headers;
        bodyOf(response, answer_max_bytes).then(
          (body) => resolve({ status, date, etag, body }),
          (error) => {
            request.destroy();
            fail(error);
          },
        );
      });
      request.end(bytes ?? undefined);
    });
  return {
    ...{ exchange, traffic },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      close();
    },
  };
}

/** The error in words: Node's own are "aborted", "socket hang up" and "Parse Error: …". */
function explained(error: Error): Error {
  const code = codeOf(error) ?? "";
  if (code.startsWith("HPE_"))
    return new Error("the store's answer isn't HTTP, or its head is too long", { cause: error });
  if (code !== "ECONNRESET") return error;
  return new Error("the store ended the connection before its answer was complete", {
    cause: error,
  });
}

/** The whole answer, in one buffer that grows: its pieces may be of one byte each. */
async function bodyOf(answer: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Buffer> {
  let body = Buffer.alloc(0);
  let length = 0;
  for await (const piece of answer) {
    if (length + piece.length > max_bytes) throw new Error("the store's answer is too long");
    if (length + piece.length > body.length) {
      const room = Math.max(2 * body.length, length + piece.length);
      body = Buffer.concat([body], Math.min(max_bytes, room));
    }
    body.set(piece, length);
    length += piece.length;
  }
  return body.subarray(0, length);
}

function openAgent({ origin, pin, authority }: StorePlace, isTls: boolean) {
  const open = new Set<Socket>();
  const ended = { sent_bytes: 0, received_bytes: 0 };
  const counted = <Of extends Socket>(socket: Of): Of => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      ended.sent_bytes += socket.bytesWritten;
      ended.received_bytes += socket.bytesRead;
    });
    return socket;
  };
  const settings = { keepAlive: true, maxSockets: CONNECTIONS };
  const agent = isTls ? new https.Agent(settings) : new http.Agent(settings);
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  agent.createConnection = (_options, opened) => {
    if (!isTls) return counted(net.connect({ host, port: Number(port || 80) }));
    const socket = tls.connect({
      ...{ host, port: Number(port || 443), servername: net.isIP(host) === 0 ? host : "" },
      // With a pin only the key is checked, no authority and no date.
      ...{ rejectUnauthorized: pin === null, ca: authority ?? undefined, minVersion: "TLSv1.2" },
    });
    counted(socket);
    socket.once("error", (error) => opened?.(error, socket));
    // The request's own limits begin only when it has its connection.
    const slow = setTimeout(() => socket.destroy(new Error(SILENT)), SILENCE_MAX_MS);
    socket.once("secureConnect", () => clearTimeout(slow)).once("close", () => clearTimeout(slow));
    // Nothing is sent before the server's key was checked.
    socket.once("secureConnect", () => {
      if (pin === null || hasKey(socket, pin)) opened?.(null, socket);
      else socket.destroy(new Error("the store's key isn't the pinned one: another answers there"));
    });
    return undefined;
  };
  return {
    agent,
    close() {
      agent.destroy();
      // The agent doesn't know connections that are still being opened.
      for (const socket of open) socket.destroy(new Error(ENDED));
    },
    traffic() {
      const sum = (of: (socket: Socket) => number) =>
        [...open].reduce((total, socket) => total + of(socket), 0);
      return {
        sent_bytes: ended.sent_bytes + sum(({ bytesWritten }) => bytesWritten),
        received_bytes: ended.received_bytes + sum(({ bytesRead }) => bytesRead),
      };
    },
  };
}
