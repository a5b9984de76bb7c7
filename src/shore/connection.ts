// A connection to the shore: PostgreSQL's own protocol, outbound, over TLS 1.3 with the ship's
// certificate. The shore is known by its public key alone: no date decides, so a box whose clock
// stands in 1970 connects too. Statements are pipelined: each is its own commit, and its answer is
// the acknowledgement.

import { createHash } from "node:crypto";
import net from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import { SECOND_MS } from "../ground/clock.ts";
import { codeOf, messageOf } from "../ground/errors.ts";
import type { Locators } from "../sqlite/shore/links.ts";
import { PACE } from "./backoff.ts";
import { Hello } from "./hello.ts";
import { type ShoreStatement, sqlOf } from "./statement.ts";

/** The way to the shore: the server, the ship's certificate, and the pin of the server's key. */
export interface ShorePlace {
  readonly url: string;
  readonly cert: string;
  readonly key: string;
  readonly key_pin: string;
}

export interface ShoreConnection {
  /** Resolves with what the shore has; null if the server is a standby. */
  hello(box: Box, own: Locators): Promise<Hello | null>;
  /** Resolves when the statement is committed; rejects with PostgreSQL's error. */
  put(instance: string, statement: ShoreStatement): Promise<void>;
  /** The ship's next segment behind `after` that isn't on the line up to `own`; null at the end. */
  lostSegment(own: LinkPlace, after: LinkPlace): Promise<LostSegment | null>;
  /** Bytes on the line, TLS included. */
  traffic(): { readonly sent_bytes: number; readonly received_bytes: number };
  /** Resolves when the connection is over, with the reason. */
  readonly over: Promise<string>;
  /** Ends it at once: what waits for an answer is rejected. */
  destroy(reason: string): void;
  /** Ends it in order. */
  end(): Promise<void>;
}

/** Number and hash of a segment. */
export interface LinkPlace {
  readonly number: number;
  readonly hash: Uint8Array;
}

/** A segment as the shore has it. */
export interface LostSegment extends LinkPlace {
  readonly previous: Uint8Array;
  /** The header. */
  readonly body: Uint8Array;
  readonly digest: Uint8Array;
  /** Null if the readings never came ashore. */
  readonly payload: Uint8Array | null;
}

/** The box that speaks for the ship. */
export interface Box {
  readonly instance: string;
  readonly version: string;
}

/** Keeps the entry in a router's table of connections, which some drop after 5 minutes. */
const KEEP_ALIVE_MS = 240 * SECOND_MS;
const PORT = 5432;
/** A segment takes 30 s on the slowest line that is of use. */
const ANSWER_MAX_MS = 180 * SECOND_MS;

interface ConnectOptions {
  readonly connect_max_ms?: number;
  /** Destroys the connection, and an attempt to make one. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** Connects. Rejects with PostgreSQL's or the system's error, or if the pin isn't the key's. */
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
  try {
    await client.connect();
    requirePin(client, place.key_pin);
  } catch (error) {
    raw.destroy();
    throw error;
  }
  return {
    async hello({ instance, version }, own) {
      const asked = [instance, version, JSON.stringify(own)];
      const { rows } = await client.query(sqlOf("hello", asked));
      return rows[0].is_standby ? null : Hello.parse(rows[0].hello);
    },
    async put(instance, { kind, values }) {
      await client.query(sqlOf(kind, [instance, ...values]));
    },
    async lostSegment(own, after) {
      const asked = [own.number, own.hash, after.number, after.hash];
      const late = setTimeout(() => destroy("the shore doesn't answer"), ANSWER_MAX_MS);
      const { rows } = await client
        .query<LostSegment>(sqlOf("lost_segment", asked))
        .finally(() => clearTimeout(late));
      return rows[0] ?? null;
    },
    traffic: () => ({ sent_bytes: raw.bytesWritten, received_bytes: raw.bytesRead }),
    over,
    destroy,
    async end() {
      await Promise.race([client.end().catch(() => undefined), over]);
      raw.destroy();
    },
  };
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
    // No authority and no date decide, but the pin.
    ssl: { cert, key, rejectUnauthorized: false, minVersion: "TLSv1.3" as const },
  };
}

function requirePin(client: Client, expected: string): void {
  const { stream } = Object(client).connection;
  const found = stream instanceof TLSSocket ? stream.getPeerX509Certificate() : undefined;
  const der = found?.publicKey.export({ type: "spki", format: "der" });
  if (der !== undefined && pinOf(der) === expected) return;
  throw new Error("the server's key isn't the one of shore.key_pin: another server answers there");
}

const pinOf = (der: Uint8Array) => `sha256//${createHash("sha256").update(der).digest("base64")}`;

/** SQLSTATE of a key that may not log in, or of no ship of the fleet. */
const REVOKED = ["28000", "28P01"];

/** True if the shore refuses the ship's key: to try again soon is of no use. */
export function isKeyRefused(error: unknown): boolean {
  if (REVOKED.includes(codeOf(error) ?? "")) return true;
  return /alert (certificate (revoked|unknown|required|expired)|unknown ca|bad certificate)/i.test(
    messageOf(error),
  );
}
