// A connection to the office: PostgreSQL's own protocol, outbound, over TLS 1.3 with the ship's
// certificate. Only the server's public key is checked and no date, so a box whose clock is in 1970
// connects too. Statements are pipelined; each is its own commit, and its answer is the
// acknowledgement.

import net from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import * as z from "zod";
import { SECOND_MS } from "../ground/clock.ts";
import { codeOf, messageOf } from "../ground/errors.ts";
import { hasKey } from "../ground/key-pin.ts";
import type { LedgerLocators } from "../sqlite/exchange/shore-ledger.ts";
import type { Locators } from "../sqlite/exchange/shore-links.ts";
import { PACE } from "./backoff.ts";
import { type Hello, readHello } from "./hello.ts";
import { type ShoreStatement, sqlOf } from "./statement.ts";

/** The way to the office: the server, the ship's certificate, and the pin of the server's key. */
export interface ShorePlace {
  readonly url: string;
  readonly cert: string;
  readonly key: string;
  readonly key_pin: string;
}

export interface ShoreConnection {
  /** Resolves with the office's state; null if the server is a standby. */
  hello(box: Box, own: Locators & LedgerLocators): Promise<Hello | null>;
  /** Resolves when the statement is committed; rejects with PostgreSQL's error. */
  put(instance: string, statement: ShoreStatement): Promise<void>;
  /**
   * The ship's next segment after `after` that isn't on the line ending at `own`; null at the end.
   */
  lostSegment(own: LinkPlace, after: LinkPlace): Promise<LostSegment | null>;
  /** Bytes on the line, TLS included. */
  traffic(): { readonly sent_bytes: number; readonly received_bytes: number };
  /** Resolves with the reason when the connection has ended. */
  readonly over: Promise<string>;
  /** Ends the connection at once; statements without an answer are rejected. */
  destroy(reason: string): void;
  /** Ends the connection in the protocol's way. */
  end(): Promise<void>;
}

/** Number and hash of a segment. */
export interface LinkPlace {
  readonly number: number;
  readonly hash: Uint8Array;
}

const bytes = z.instanceof(Uint8Array);
const LostRow = z
  .tuple([
    z.number().int().min(1),
    bytes,
    bytes,
    bytes,
    bytes,
    bytes.nullable(),
    z.string().max(200).nullable(),
  ])
  .transform(([number, hash, previous, body, digest, payload, object]) => ({
    ...{ number, hash, previous },
    /** The segment's header. */
    body,
    digest,
    /** Null if the readings never arrived, or are in the office's store. */
    payload,
    /** The object's name in the office's store; null if it isn't there. */
    object,
  }));
/** A segment in the office's database. */
export type LostSegment = Readonly<z.output<typeof LostRow>>;

/** The box that sends for the ship. */
export interface Box {
  readonly instance: string;
  readonly version: string;
}

/** Interval of keep-alive packets: some routers drop idle connections after 5 minutes. */
const KEEP_ALIVE_MS = 240 * SECOND_MS;
const PORT = 5432;
/**
 * Curves of the key exchange; the client sends its key share for the first one. By default
 * PostgreSQL accepts only P-256 and would ask for a second greeting, which costs a round trip. The
 * second curve's key share has 1.2 kB.
 */
const CURVES = "P-256:X25519MLKEM768:X25519:P-384";
/** Maximum time for an answer: a segment takes 30 s on the slowest usable line. */
const ANSWER_MAX_MS = 180 * SECOND_MS;
/** Maximum length of an answer; the 256 requests of an office are some 30 kB. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Maximum length of a segment: 64 MiB of payload and 4 MiB of header, with some room. */
const SEGMENT_MAX_BYTES = 72 * 1024 * 1024;
/** Maximum time to end the connection if the server doesn't respond. */
const END_MAX_MS = 5 * SECOND_MS;

/** Thrown if the server didn't answer in time. */
export class NoAnswer extends Error {
  constructor(connect_max_ms: number) {
    super(`no answer within ${Math.round(connect_max_ms / SECOND_MS)} s`);
  }
}

interface ConnectOptions {
  readonly connect_max_ms?: number;
  /** Aborts the connection, or the attempt to make one. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;
/** The pg library's message for a timeout, an error without a code. */
const PG_LATE = "timeout expired";

/**
 * Connects. Rejects with PostgreSQL's or the system's error, or if the server's key isn't the
 * pinned one.
 */
export async function connectShore(
  place: ShorePlace,
  { connect_max_ms = PACE.connect_max_ms, signal = NEVER }: ConnectOptions = {},
): Promise<ShoreConnection> {
  const raw = new net.Socket({ signal });
  const client = new Client({
    ...addressOf(place),
    connectionTimeoutMillis: connect_max_ms,
    stream: () => raw,
  });
  let reason = "the shore closed the connection";
  const over = new Promise<string>((resolve) => {
    client.on("error", (error) => {
      reason = messageOf(error);
    });
    raw.once("close", () => resolve(reason));
  });
  const destroy = (why: string) => {
    reason = why;
    raw.destroy();
  };
  const limit = { unanswered_bytes: 0, allowed_bytes: ANSWER_MAX_BYTES };
  Object(client).connection.once("sslconnect", () =>
    guard(Object(client).connection.stream, limit, destroy),
  );
  // Rows as arrays: as objects, 4 MB of 7-byte rows with many named columns would take gigabytes.
  const answer = async (sql: ReturnType<typeof sqlOf>) => {
    const { rows } = await client.query<unknown[]>({ ...sql, rowMode: "array" });
    limit.unanswered_bytes = 0;
    return rows;
  };
  const answerInTime = async (sql: ReturnType<typeof sqlOf>) => {
    const late = setTimeout(() => destroy("the shore doesn't answer"), ANSWER_MAX_MS);
    return answer(sql).finally(() => clearTimeout(late));
  };
  try {
    await client.connect();
    requirePin(client, place.key_pin);
  } catch (error) {
    raw.destroy();
    throw messageOf(error) === PG_LATE ? new NoAnswer(connect_max_ms) : error;
  }
  return {
    async hello({ instance, version }, own) {
      const asked = [uuidBytes(instance), version, JSON.stringify(own)];
      const [[isStandby, said] = []] = await answerInTime(sqlOf("hello", asked));
      return isStandby === true ? null : readHello(said);
    },
    async put(instance, { kind, values }) {
      await answer(sqlOf(kind, [uuidBytes(instance), ...values]));
    },
    async lostSegment(own, after) {
      const asked = [own.number, own.hash, after.number, after.hash];
      limit.allowed_bytes = SEGMENT_MAX_BYTES;
      const [lost = null] = await answerInTime(sqlOf("lost_segment", asked));
      return LostRow.nullable().parse(lost);
    },
    traffic: () => ({ sent_bytes: raw.bytesWritten, received_bytes: raw.bytesRead }),
    over,
    destroy,
    async end() {
      const late = setTimeout(() => destroy("the shore doesn't end it"), END_MAX_MS);
      await Promise.race([client.end().catch(() => undefined), over]);
      clearTimeout(late);
      raw.destroy();
    },
  };
}

/** A UUID as bytes, less than half of its text; it is sent with each statement. */
const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

/** Limits the bytes that pg reads: a wrong message length would end the process. */
function guard(
  stream: TLSSocket,
  limit: { unanswered_bytes: number; readonly allowed_bytes: number },
  destroy: (why: string) => void,
): void {
  const reading = stream.listeners("data");
  stream.removeAllListeners("data").on("data", (chunk: Buffer) => {
    limit.unanswered_bytes += chunk.length;
    if (limit.unanswered_bytes > limit.allowed_bytes)
      return destroy("the shore sends more than was asked for");
    try {
      for (const read of reading) read(chunk);
    } catch (error) {
      destroy(`the shore's answer can't be read: ${messageOf(error)}`);
    }
  });
}

function addressOf({ url, cert, key }: ShorePlace) {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const isDirect = searchParams.get("sslnegotiation") === "direct";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? PORT : Number(port),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    application_name: "ballastd",
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(isDirect ? { sslnegotiation: "direct" as const } : {}),
    // Only the pin is checked, no authority and no date.
    ssl: {
      ...{ cert, key, rejectUnauthorized: false, minVersion: "TLSv1.3" as const },
      ecdhCurve: CURVES,
    },
  };
}

function requirePin(client: Client, expected: string): void {
  const { stream } = Object(client).connection;
  if (stream instanceof TLSSocket && hasKey(stream, expected)) return;
  throw new Error("the server's key isn't the one of shore.key_pin: another server answers there");
}

/** SQLSTATEs of a key that may not log in, or that belongs to no ship of the fleet. */
const REVOKED = ["28000", "28P01"];

/** True if the office refuses the ship's key: then another attempt soon is useless. */
export function isKeyRefused(error: unknown): boolean {
  if (REVOKED.includes(codeOf(error) ?? "")) return true;
  return /alert (certificate (revoked|unknown|required|expired)|unknown ca|bad certificate)/i.test(
    messageOf(error),
  );
}
