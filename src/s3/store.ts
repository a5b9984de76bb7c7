// A store of objects that speaks S3, such as Ceph's gateway or AWS. Objects are small: each is put
// in one request with its SHA-256 and MD5, so that the store refuses altered bytes. Requests are
// signed by aws4fetch and carried by Node's own HTTP, which can pin a key and count bytes.

import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import tls from "node:tls";
import { AwsV4Signer } from "aws4fetch";
import { SECOND_MS } from "../ground/clock.ts";
import { hasKey } from "../ground/key-pin.ts";
import { listNames, listVersions, type ObjectQuery, textIn } from "./listing.ts";
import type { StorePlace } from "./place.ts";

export interface ObjectStore {
  /** Host and port. */
  readonly server: string;
  /** Resolves when the store has it. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves if the store would take a `put`; stores nothing. */
  tryPut(name: string): Promise<void>;
  /** Null if there is none; of its versions the newest, or the one named. */
  get(name: string, version?: string): Promise<Buffer | null>;
  /** Names below a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Ids of an object's versions, the newest first. */
  versions(name: string): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
  /** Bytes on the line, TLS included. */
  traffic(): { readonly sent_bytes: number; readonly received_bytes: number };
  /** Ends what is under way, for good: what is asked from then on is refused. */
  close(): void;
}

export interface ObjectStoreOptions {
  /** The time, for a box whose clock may be wrong. */
  readonly now_ms?: () => number;
  /** Attempts for an answer that may come the next time. */
  readonly attempts?: number;
}

/** The store's answer that something isn't done. */
export class StoreRefusal extends Error {
  readonly status: number;
  /** S3's word for it, such as AccessDenied. */
  readonly code: string;

  constructor({ method, name }: StoreRequest, { status, code }: { status: number; code: string }) {
    super(`${method} ${name}: ${status} ${code}`.trimEnd());
    this.status = status;
    this.code = code;
  }
}

/** A segment on the slowest line takes 30 s, and some are under way. */
const SILENCE_MAX_MS = 150 * SECOND_MS;
const SILENT = "the store doesn't answer";
const ENDED = "the connection to the store was ended";
const CONNECTIONS = 8;
/** The largest payload of a segment has 64 MiB, and a page of names less. */
const ANSWER_MAX_BYTES = 65 * 1024 * 1024;
const RETRY_FIRST_MS = 200;
/** From an answer's head to its end. */
const ANSWER_MAX_MS = 600 * SECOND_MS;
/** S3's words are short; what else stands there goes into no message. */
const WORD = /^\w{1,64}$/;
/** A store that passes over MD5 keeps these few bytes. */
const TRIAL = Buffer.from("a trial of ballastd");

interface StoreRequest {
  readonly method: "PUT" | "GET" | "DELETE";
  /** Within the bucket and its prefix; "" for the bucket. */
  readonly name: string;
  readonly query?: ObjectQuery;
  readonly bytes?: Uint8Array;
  /** Goes with the MD5 of other bytes, for which a store that allows the request refuses it. */
  readonly isAltered?: boolean;
}

interface StoreAnswer {
  readonly status: number;
  readonly date: string | undefined;
  readonly etag: string | undefined;
  readonly body: Buffer;
}

export function openObjects(place: StorePlace, options: ObjectStoreOptions = {}): ObjectStore {
  const { now_ms = Date.now, attempts = 1 } = options;
  const line = openLine(place);
  // The store's clock less `now_ms`, once it refused the time of a request.
  let skew_ms = 0;
  const once = async (asked: StoreRequest) => {
    const answer = await line.exchange(await signed(place, asked, now_ms() + skew_ms));
    if (codeIn(answer) !== "RequestTimeTooSkewed") return answer;
    const told_ms = Date.parse(answer.date ?? "");
    if (Number.isNaN(told_ms)) return answer;
    skew_ms = told_ms - now_ms();
    return line.exchange(await signed(place, asked, now_ms() + skew_ms));
  };
  const ask = async (asked: StoreRequest): Promise<StoreAnswer> => {
    for (let left = attempts - 1, wait_ms = RETRY_FIRST_MS; ; left -= 1, wait_ms *= 4)
      try {
        const answer = await once(asked);
        const { status } = answer;
        const code = codeIn(answer);
        const isNone =
          status === 404 && asked.method === "GET" && /^NoSuch(Key|Version)/.test(code);
        if (status < 300 || isNone) return answer;
        throw new StoreRefusal(asked, { status, code });
      } catch (error) {
        if (left <= 0 || isFinal(error) || line.isClosed()) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * wait_ms));
      }
  };
  const askPage = async (query: ObjectQuery) =>
    (await ask({ method: "GET", name: "", query })).body;
  const put = async (name: string, bytes: Uint8Array, isAltered = false) => {
    const { etag } = await ask({ method: "PUT", name, bytes, isAltered });
    // A proxy or a hotel's network answers 200 too, and keeps nothing.
    if (etag === undefined) throw new Error("the store's answer isn't one of S3: it has no ETag");
  };
  return {
    server: new URL(place.origin).host,
    put,
    async tryPut(name) {
      await put(name, TRIAL, true).catch((error) => {
        if (!(error instanceof StoreRefusal) || error.code !== "BadDigest") throw error;
      });
    },
    async get(name, version) {
      const query: ObjectQuery = version === undefined ? {} : { versionId: version };
      const { status, body } = await ask({ method: "GET", name, query });
      return status === 404 ? null : body;
    },
    async names(folder) {
      const names = await listNames(askPage, `${place.prefix}${folder}`);
      return names.map((name) => name.slice(place.prefix.length));
    },
    versions: (name) => listVersions(askPage, `${place.prefix}${name}`),
    async remove(name) {
      await ask({ method: "DELETE", name });
    },
    traffic: line.traffic,
    close: line.close,
  };
}

/** A refusal that the next attempt would meet too. */
function isFinal(error: unknown): boolean {
  return error instanceof StoreRefusal && error.status < 500 && error.status !== 429;
}

function codeIn({ status, body }: StoreAnswer): string {
  const code = status < 300 ? null : textIn(body.toString(), "Code");
  return code !== null && WORD.test(code) ? code : "";
}

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array | null;
}

async function signed(
  place: StorePlace,
  asked: StoreRequest,
  at_ms: number,
): Promise<SignedRequest> {
  const { origin, bucket, prefix, key } = place;
  const { method, name, query = {}, bytes = null, isAltered = false } = asked;
  const whole = name === "" ? "" : `${prefix}${name}`;
  const url = new URL(`${origin}/${bucket}/${whole.split("/").map(encodeURIComponent).join("/")}`);
  if (whole === "") url.pathname = `/${bucket}`;
  for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
  const sum = (algorithm: string) => createHash(algorithm).update(bytes ?? "");
  const md5 = isAltered ? createHash("md5") : sum("md5");
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, service: "s3", accessKeyId: key.id, secretAccessKey: key.secret },
    ...(key.token === null ? {} : { sessionToken: key.token }),
    ...(key.region === null ? {} : { region: key.region }),
    headers: {
      "x-amz-content-sha256": sum("sha256").digest("hex"),
      // A bucket whose objects are locked from the start asks for it.
      ...(bytes === null ? {} : { "content-md5": md5.digest("base64") }),
    },
    datetime: new Date(at_ms).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const { headers } = await signer.sign();
  if (bytes !== null) headers.set("content-length", `${bytes.length}`);
  return { method, url, bytes, headers: Object.fromEntries(headers) };
}

/** Connections to the store, kept open. */
function openLine(place: StorePlace) {
  const isTls = place.origin.startsWith("https:");
  const { agent, traffic, close } = openAgent(place, isTls);
  let isClosed = false;
  const exchange = ({ method, url, headers, bytes }: SignedRequest) =>
    new Promise<StoreAnswer>((resolve, reject) => {
      if (isClosed) throw new Error(ENDED);
      const request = (isTls ? https : http).request(url, { method, headers, agent });
      request.setTimeout(SILENCE_MAX_MS, () => request.destroy(new Error(SILENT)));
      request.on("error", reject);
      request.on("upgrade", (_answer, socket) => {
        socket.destroy();
        reject(new Error("the store's answer isn't one of S3"));
      });
      request.on("response", (response) => {
        const slow = setTimeout(
          () => response.destroy(new Error("the store's answer doesn't end")),
          ANSWER_MAX_MS,
        );
        response.on("close", () => clearTimeout(slow));
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > ANSWER_MAX_BYTES)
            response.destroy(new Error("the store's answer is too long"));
        });
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers: told } = response;
          const { date, etag } = told;
          resolve({ status, date, etag, body: Buffer.concat(chunks) });
        });
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
      // A pinned key alone decides: no authority, and no date.
      ...{ rejectUnauthorized: pin === null, ca: authority ?? undefined, minVersion: "TLSv1.2" },
    });
    counted(socket);
    socket.once("error", (error) => opened?.(error, socket));
    // The request's own limit begins when it has its connection.
    const slow = setTimeout(() => socket.destroy(new Error(SILENT)), SILENCE_MAX_MS);
    socket.once("secureConnect", () => clearTimeout(slow)).once("close", () => clearTimeout(slow));
    // Nothing is sent before the other end is known.
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
      // The agent doesn't know those that are still being opened.
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
