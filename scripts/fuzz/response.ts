// Reads what comes back on a connection on which requests were pipelined: HTTP/1.1 responses one
// after another, delimited as RFC 9112 says. Strict: what an ordinary client would forgive is a
// finding here.

/** One response. */
export interface FuzzedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface Responses {
  readonly complete: readonly FuzzedResponse[];
  /** The problem with the rest; null if there is none, or if its end is still to come. */
  readonly problem: string | null;
  /** Bytes of a response that isn't complete. */
  readonly left: number;
}

/** Reads all of `bytes`; `methods` are those of the requests, in order. */
export function readResponses(bytes: Buffer, methods: readonly string[]): Responses {
  const complete: FuzzedResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) break;
    const head = bytes.toString("latin1", at, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head[0])?.[1]);
    if (Number.isNaN(status))
      return { complete, problem: `a status line: ${head[0].slice(0, 200)}`, left: 0 };
    const headers = new Map(head.slice(1).map(headerOf));
    at = end + 4;
    if (status < 200) continue;
    const hasBody = methods[complete.length] !== "HEAD" && status !== 204 && status !== 304;
    const body = hasBody ? bodyAt(bytes, at, headers) : { bytes: Buffer.alloc(0), next: at };
    if (body === null) return { complete, problem: null, left: bytes.length - at };
    complete.push({ status, headers, body: body.bytes });
    at = body.next;
  }
  return { complete, problem: null, left: bytes.length - at };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

interface Body {
  readonly bytes: Buffer;
  readonly next: number;
}

function bodyAt(bytes: Buffer, at: number, headers: ReadonlyMap<string, string>): Body | null {
  if (headers.get("transfer-encoding") === "chunked") return chunkedAt(bytes, at);
  const length = headers.get("content-length");
  const next = length === undefined ? bytes.length : at + Number(length);
  return next > bytes.length ? null : { bytes: bytes.subarray(at, next), next };
}

function chunkedAt(bytes: Buffer, start: number): Body | null {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    const next = end + 2 + size + 2;
    if (next > bytes.length) return null;
    if (size === 0) return { bytes: Buffer.concat(chunks), next };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}
