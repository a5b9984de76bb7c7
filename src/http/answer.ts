// Sends a reply, in the coding that its client prefers. A small one takes one write; a large one is
// streamed with back-pressure, so that memory is bounded by the readers' chunks. If the client
// leaves, the iteration ends, and with it the reader's work. If the reader fails in mid-stream the
// socket is destroyed, because half of the data that looks complete would be believed.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";
import { listedParts } from "./accept.ts";
import type { Headers } from "./refusal.ts";
import { JSON_TYPE, type Reply } from "./route.ts";

const BASE_HEADERS: Headers = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // No page of another origin may embed an answer as a picture or a script.
  "Cross-Origin-Resource-Policy": "same-origin",
  Vary: "Accept-Encoding",
};

// Time for which a browser keeps a preflight answer: after ten minutes it asks again, and notices a
// changed configuration.
const PREFLIGHT_MAX_AGE_S = 600;

/**
 * The CORS headers that let `origin` read an answer; none if it may not. Only origins named in
 * http.cors_origins may read, and none may make changes.
 */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Headers {
  if (origins.length === 0) return {};
  if (origins.includes("*")) return { "Access-Control-Allow-Origin": "*", ...EXPOSED };
  const vary = { Vary: "Accept-Encoding, Origin" };
  if (origin === undefined || !origins.includes(origin)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin, ...EXPOSED };
}

/** Headers that let a script of that origin read these headers too. */
const EXPOSED = { "Access-Control-Expose-Headers": "Link, Retry-After, X-Request-Id" };

/** Further headers for a browser's preflight request. */
export const PREFLIGHT_HEADERS: Headers = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, X-Request-Id",
  "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_S),
};

/** A request with its response, and headers for any answer to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
}

/**
 * Sends `reply`; resolves when it is handed over, or when the client has left. Rejects with the
 * readers' errors: before the head is sent, another answer is still possible.
 */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  if (reply.kind === "bytes") await sendBytes(exchange, reply);
  else if (reply.kind === "events") beginEvents(exchange, reply);
  else await sendChunks(exchange, reply);
}

/** Event of an endless response, emitted when its head has been sent. */
export const BEGUN = "ballastd-begun";

/** Headers of an event stream; `X-Accel-Buffering` makes a proxy pass each event on at once. */
const EVENTS_HEAD = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

type Events = Extract<Reply, { kind: "events" }>;

function beginEvents({ request, response, headers }: Exchange, { begin }: Events): void {
  if (response.destroyed) return;
  response.writeHead(200, { ...EVENTS_HEAD, ...BASE_HEADERS, ...headers });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  response.emit(BEGUN);
  begin(response);
}

/** An answer without body and type. */
export function sendEmpty({ response, headers }: Exchange, status: number): void {
  response.writeHead(status, { ...BASE_HEADERS, ...headers }).end();
}

type BytesReply = Extract<Reply, { kind: "bytes" }>;

async function sendBytes(
  { request, response, headers }: Exchange,
  reply: BytesReply,
): Promise<void> {
  const head = { "Content-Type": reply.type, ...BASE_HEADERS, ...reply.headers, ...headers };
  const size = { type: reply.type, bytes: reply.bytes.length };
  const encoding = encoderFor(request.headers["accept-encoding"], size);
  if (encoding === null) {
    response.writeHead(reply.status, { ...head, "Content-Length": reply.bytes.length });
    response.end(reply.bytes);
    return;
  }
  const encoded = { ...head, "Content-Encoding": encoding.name };
  if (request.method === "HEAD") {
    response.writeHead(reply.status, encoded).end();
    return;
  }
  const bytes = await (reply.isFixed === true
    ? compressedOnce(reply.bytes, encoding)
    : encoding.whole(reply.bytes));
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...encoded, "Content-Length": bytes.length }).end(bytes);
}

const COMPRESSED = new WeakMap<Uint8Array, Map<string, Promise<Buffer>>>();

function compressedOnce(bytes: Uint8Array, { name, whole }: Encoder): Promise<Buffer> {
  const known = COMPRESSED.get(bytes) ?? new Map<string, Promise<Buffer>>();
  COMPRESSED.set(bytes, known);
  const made = known.get(name) ?? whole(bytes);
  known.set(name, made);
  return made;
}

type Chunks = Extract<Reply, { kind: "chunks" }>;

async function sendChunks(exchange: Exchange, reply: Chunks): Promise<void> {
  const { request, response, headers } = exchange;
  const { type = JSON_TYPE } = reply;
  const iterator = reply.chunks[Symbol.asyncIterator]();
  // Fires once in any case: after the last byte, or when the client has left.
  response.once("close", () => endIteration(iterator));
  if (response.destroyed) return endIteration(iterator);
  const first = await iterator.next();
  const second = first.done ? first : await iterator.next();
  if (response.destroyed) return;
  if (second.done) {
    const bytes = first.done ? Buffer.alloc(0) : first.value;
    return sendBytes(exchange, { ...reply, kind: "bytes", status: 200, type, bytes });
  }
  const head = { "Content-Type": type, ...BASE_HEADERS, ...reply.headers, ...headers };
  const bytes = Number.POSITIVE_INFINITY;
  const encoding = encoderFor(request.headers["accept-encoding"], { type, bytes });
  response.writeHead(
    200,
    encoding === null ? head : { ...head, "Content-Encoding": encoding.name },
  );
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const begun = [first.value, second.value];
  if (encoding === null) await pipeline(continued(begun, iterator, response), response);
  else {
    const encoder = encoding.stream();
    await pipeline(continued(begun, iterator, encoder), encoder, response);
  }
}

/** The chunks for `sink`; each buffer is freed as soon as the sink has sent it. */
async function* continued(
  begun: readonly Uint8Array<ArrayBuffer>[],
  iterator: AsyncIterator<Uint8Array<ArrayBuffer>>,
  sink: Writable,
): AsyncGenerator<Uint8Array> {
  for (const chunk of begun) yield chunk;
  let chunk = begun[begun.length - 1];
  for (;;) {
    // Left to the garbage collector it would stay for long: collections are rare in this thread.
    if (sink.writableLength === 0) chunk.buffer.transfer(0);
    const next = await iterator.next();
    if (next.done) return;
    chunk = next.value;
    yield chunk;
  }
}

function endIteration(iterator: AsyncIterator<Uint8Array>): void {
  // Errors of its end are ignored: the answer is already complete or cut.
  iterator.return?.().catch(() => {});
}

interface Encoder {
  /** Name of the coding in Content-Encoding. */
  readonly name: string;
  readonly whole: (bytes: Uint8Array) => Promise<Buffer>;
  readonly stream: () => Transform;
}

// Compression levels, chosen by processor time for 1 MB of a day's raw readings, and compressed
// size (on 2 busy cores): zstd 1: 1.4 ms, 78 kB (level 3: 1.9 ms, 80 kB); br 2: 3.7 ms, 92 kB (4:
// 7.1 ms, 80 kB; 11: 50 times as long); gzip 1: 3.2 ms, 135 kB (4: 6.1 ms, 110 kB). Windows have
// 256 KiB: the default ones take 4 to 8 MB for each answer in progress. Most of a reader's chunks
// of 128 KiB shrink to less than 32 KiB, so one turn in the thread pool suffices.
const chunkSize = 32 * 1024;
const gzipOptions = { chunkSize, level: 1 };
const brotliOptions = {
  chunkSize,
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const zstdOptions = {
  chunkSize,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 18 },
};

/** Codings in the order of preference, best first. */
const ENCODERS: readonly Encoder[] = [
  encoder("zstd", promisify(zstdCompress), createZstdCompress, zstdOptions),
  encoder("br", promisify(brotliCompress), createBrotliCompress, brotliOptions),
  encoder("gzip", promisify(gzip), createGzip, gzipOptions),
];

const COMPRESSIBLE = /^(text\/|application\/(json|x-ndjson|javascript|manifest)|image\/svg)/;

/**
 * Size below which answers are sent uncompressed. Compressing takes at least 0.1 ms of a processor,
 * however small the answer; below this size it saves at most 1.2 kB, which a LAN of 100 Mbit/s
 * carries in that time.
 */
export const SMALL_BYTES = 2048;

/**
 * The coding of an answer of `type` and `bytes` for this Accept-Encoding (RFC 9110, section
 * 12.5.3). Null: uncompressed, also if the header accepts no coding at all, as the RFC allows. At
 * equal weights the order of ENCODERS decides, since a browser names gzip first and zstd last.
 */
function encoderFor(
  accepted: string | undefined,
  { type, bytes }: { readonly type: string; readonly bytes: number },
): Encoder | null {
  if (accepted === undefined) return null;
  const weights = weightsIn(accepted);
  const rest = weights.get("*");
  const plain = weights.get("identity") ?? rest ?? null;
  const isWorthIt = bytes >= SMALL_BYTES && COMPRESSIBLE.test(type);
  if (!isWorthIt && plain !== 0) return null;
  let best: Encoder | null = null;
  // If the header names identity, its weight counts; otherwise any coding is preferred to it.
  let weight = plain ?? 0;
  for (const encoder of ENCODERS) {
    const own = weights.get(encoder.name) ?? rest ?? 0;
    if (own === 0 || own < weight || (best !== null && own === weight)) continue;
    best = encoder;
    weight = own;
  }
  return best;
}

const WEIGHT = /^q=(0(?:\.\d*)?|1(?:\.0*)?)$/;

/** Weights by the name of the coding; 0 (unwanted) for a weight that can't be read. */
function weightsIn(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [name, ...parameters] of listedParts(accepted)) {
    const weight = parameters.find((parameter) => parameter.startsWith("q")) ?? "q=1";
    weights.set(name, Number(WEIGHT.exec(weight)?.[1] ?? 0));
  }
  return weights;
}

function encoder<Options>(
  name: string,
  compress: (bytes: Uint8Array, options: Options) => Promise<Buffer>,
  create: (options: Options) => Transform,
  options: Options,
): Encoder {
  return { name, whole: (bytes) => compress(bytes, options), stream: () => create(options) };
}
