// A store of objects that speaks S3, such as Ceph's gateway or AWS. Objects are small: each is put
// in one request with its SHA-256 and MD5, so that the store refuses altered bytes. Requests are
// signed by aws4fetch and carried by Node's own HTTP, which can pin a key and count bytes.

import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { openLine, type SignedRequest, type StoreAnswer } from "./store-line.ts";
import { listNames, listVersions, type ObjectQuery, textIn } from "./store-listing.ts";
import type { StoreKey, StorePlace } from "./store-place.ts";

export interface ObjectStore {
  /** Host and port of the store. */
  readonly server: string;
  /** Resolves when the store has the object. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves if the store would take a `put`; stores nothing. */
  tryPut(name: string): Promise<void>;
  /** The object; null if there is none. Of several versions the newest, or the named one. */
  get(name: string, version?: string): Promise<Buffer | null>;
  /** Names of the objects below a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Ids of an object's versions, newest first. */
  versions(name: string): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
  /** Bytes on the line, TLS included. */
  traffic(): { readonly sent_bytes: number; readonly received_bytes: number };
  /** Aborts requests in progress and refuses all later ones. */
  close(): void;
}

export interface ObjectStoreOptions {
  /** The time, for a box whose clock may be wrong. */
  readonly now_ms?: () => number;
  /** Maximum number of attempts while the store fails temporarily. */
  readonly attempts?: number;
}

/** Thrown for the store's answer that it refuses a request. */
export class StoreRefusal extends Error {
  readonly status: number;
  /** S3's code for the reason, such as AccessDenied. */
  readonly code: string;

  constructor({ method, name }: StoreRequest, { status, code }: { status: number; code: string }) {
    super(`${method} ${name}: ${status} ${code}`.trimEnd());
    this.status = status;
    this.code = code;
  }
}

/** Maximum length of an object; a segment's payload has at most 64 MiB. */
const OBJECT_MAX_BYTES = 65 * 1024 * 1024;
/** Maximum length of a page of 1,000 names, each of 1,024 characters written as three. */
const PAGE_MAX_BYTES = 8 * 1024 * 1024;
/** Maximum length of any other answer, which has a few lines or none. */
const ANSWER_MAX_BYTES = 64 * 1024;
/**
 * Times that a store can have, 2000 to 9999. With one of the year 275760 every later request failed
 * before it was sent.
 */
const TIME_MIN_MS = Date.UTC(2000, 0);
const TIME_MAX_MS = Date.UTC(9999, 0);
const RETRY_FIRST_MS = 200;
/** Form of S3's codes; any other text is left out of messages. */
const WORD = /^\w{1,64}$/;
/** Content of the test object. A store that doesn't check MD5 keeps these few bytes. */
const TRIAL = Buffer.from("a trial of ballastd");

interface StoreRequest {
  readonly method: "PUT" | "GET" | "DELETE";
  /** Name within the bucket and its prefix; "" for the bucket itself. */
  readonly name: string;
  readonly query?: ObjectQuery;
  readonly bytes?: Uint8Array;
  /** True to send the MD5 of other bytes: a store that would allow the request then refuses it. */
  readonly isAltered?: boolean;
}

export function openObjects(place: StorePlace, options: ObjectStoreOptions = {}): ObjectStore {
  const { now_ms = Date.now, attempts = 1 } = options;
  const line = openLine(place);
  // The store's clock minus `now_ms`, set after it refused a request because of its time.
  let skew_ms = 0;
  const once = async (asked: StoreRequest) => {
    const answer = await line.exchange(await signed(place, asked, now_ms() + skew_ms));
    if (codeIn(answer, place.key) !== "RequestTimeTooSkewed") return answer;
    const told_ms = Date.parse(answer.date ?? "");
    if (!(told_ms >= TIME_MIN_MS && told_ms <= TIME_MAX_MS)) return answer;
    skew_ms = told_ms - now_ms();
    return line.exchange(await signed(place, asked, now_ms() + skew_ms));
  };
  const ask = async (asked: StoreRequest): Promise<StoreAnswer> => {
    for (let left = attempts - 1, wait_ms = RETRY_FIRST_MS; ; left -= 1, wait_ms *= 4)
      try {
        const answer = await once(asked);
        const { status } = answer;
        const code = codeIn(answer, place.key);
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
    // A proxy or a hotel's network answers 200 too, without storing anything.
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

/** True for a refusal that would meet the next attempt too. */
function isFinal(error: unknown): boolean {
  return error instanceof StoreRefusal && error.status < 500 && error.status !== 429;
}

/** S3's code in an answer; "" for none, and for what may not stand in a message. */
function codeIn({ status, body }: StoreAnswer, { id, secret, token }: StoreKey): string {
  const code = status < 300 ? null : textIn(body.toString(), "Code");
  if (code === null || !WORD.test(code)) return "";
  return [id, secret, token].includes(code) ? "" : code;
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
      // Required by a bucket whose objects are locked from the start.
      ...(bytes === null ? {} : { "content-md5": md5.digest("base64") }),
    },
    datetime: new Date(at_ms).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const { headers } = await signer.sign();
  if (bytes !== null) headers.set("content-length", `${bytes.length}`);
  const answer_max_bytes =
    method !== "GET" ? ANSWER_MAX_BYTES : name === "" ? PAGE_MAX_BYTES : OBJECT_MAX_BYTES;
  return { method, url, bytes, headers: Object.fromEntries(headers), answer_max_bytes };
}
