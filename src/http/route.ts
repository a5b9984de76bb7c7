// A route: its path, its parameters, its answer and its handler. routes.ts lists all of them; the
// app and the OpenAPI document both follow from that list, so that the document describes the real
// routes.

import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import type { By } from "../bwts/audit.ts";
import type { BackupResult } from "../bwts/backup.ts";
import type { ClockNow } from "../bwts/clock-step.ts";
import type { ShoreAnswer } from "../bwts/documents/shore-answer.ts";
import type { Spans } from "../bwts/plausible.ts";
import type { Readiness } from "../bwts/readiness.ts";
import type {
  SeenTopic,
  SettingsBody,
  SettingsNow,
  SettingsOutcome,
  TestMessages,
} from "../bwts/settings.ts";
import type { SystemPresent } from "../bwts/system.ts";
import type { NewTokenAnswer, TokenBody } from "../bwts/token.ts";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import type { Config } from "../config/config.ts";
import type { Missing } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import type { Query } from "../sqlite/answers/queries.ts";
import type { Caller } from "../sqlite/threads/calls.ts";
import type { Readers } from "../sqlite/threads/readers.ts";
import type { WriterCalls } from "../sqlite/threads/writer-calls.ts";
import { requireAccepted } from "./accept.ts";
import type { Access, Gate, GateOptions } from "./gate.ts";
import { pageLinks } from "./page-links.ts";
import { readQuery } from "./parameters.ts";
import { type Headers, Refusal, type RefusalStatus } from "./refusal.ts";
import type { Stream } from "./stream.ts";
import type { Client, ClientReaders } from "./turns.ts";
import type { WarnOf } from "./warnings.ts";

/** A file of the dashboard or of the manual. Anybody may have it. */
export interface StaticFile {
  readonly bytes: Buffer;
  /** The content type, with its charset. */
  readonly type: string;
}

/** A request that was answered, or cut. Its labels are bounded, for they count in /metrics. */
export interface AnsweredRequest {
  /** A path of the route table, `(page)` for a file, or `(unknown)`. */
  readonly route: string;
  /** A method that has answers, or `other`. */
  readonly method: string;
  /** `2xx` to `5xx`; `cut` where the client left before the end, or was cut off. */
  readonly status: string;
  readonly took_ms: number;
}

/** The parts and settings that HTTP serves. */
export interface HttpOptions extends GateOptions {
  readonly listen: readonly Listen[];
  readonly missing: Missing;
  /** Maximum number of connections; fewer than usual where the process may open few files. */
  readonly connections_max?: number;
  /** Certificate for HTTPS; null: plain HTTP. */
  readonly certificate: WatchedCertificate | null;
  /** Host names accepted for this machine beside the usual ones. */
  readonly allowed_hosts: readonly string[];
  readonly cors_origins: readonly string[];
  readonly record_book: Config["record_book"];
  readonly lamps: Config["lamps"];
  /** The spans aboard. */
  readonly spans: Spans;
  readonly readers: Readers;
  /** Operations of the writer; rejects with a Failure when nothing can be stored now. */
  readonly write: Caller<WriterCalls>;
  /** The event stream; closed with the listeners. */
  readonly stream: Stream;
  readonly readiness: () => Readiness;
  readonly clock: () => ClockNow;
  readonly system: () => SystemPresent;
  /** The state of the link to the office; null while it isn't known. */
  readonly shore: () => Promise<ShoreAnswer | null>;
  /**
   * The inspection sheet: `asked` is a reader's query for it, `print` gives it out as JSON for
   * paper.
   */
  readonly inspection: {
    readonly asked: () => Extract<Query, { name: "inspection" }>;
    readonly print: (by: By, client: Client) => Promise<Uint8Array>;
  };
  /** Makes a backup; null while another one is made. */
  readonly backUp: (by: By) => Promise<BackupResult | null>;
  /** The settings in the file of the configuration. */
  readonly settings: {
    readonly now: () => SettingsNow;
    readonly change: (asked: SettingsBody, by: By) => Promise<SettingsOutcome>;
    /** Sends a test message as a PLC would; null where the PLC sends to the ship's broker. */
    readonly test: () => Promise<TestMessages | null>;
  };
  /** The last messages of each topic, for rules of the map. */
  readonly seenTopics: () => readonly SeenTopic[];
  readonly tokens: {
    /** Makes a token, and stores its hash. */
    readonly make: (asked: TokenBody, by: By) => Promise<NewTokenAnswer>;
    /** The token of the first start, until a maintainer has one; null afterwards. */
    readonly first: () => NewTokenAnswer | null;
  };
  /** Begins to make the support archive; null while another one is made. */
  readonly support: () => {
    readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
    readonly cancel: () => void;
  } | null;
  /** All metrics as Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** Called for each request that was answered or cut. */
  readonly onAnswered: (answered: AnsweredRequest) => void;
  readonly build: { readonly version: string; readonly commit: string };
  readonly sqliteVersion: string;
  /** Static files by their paths in a URL. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** The options, and everything made of the route table once, at the start. */
export interface HttpContext extends Omit<HttpOptions, "readers"> {
  readonly gate: Gate;
  /** The readers as the client of the present request may use them. */
  readonly readers: ClientReaders;
  readonly readersFor: (client: Client) => ClientReaders;
  readonly warn: WarnOf;
  /** The OpenAPI document as JSON, and as a page for the client at `address`. */
  readonly document: () => Buffer;
  readonly docs: (address: string) => { readonly bytes: Buffer; readonly headers: Headers };
  /** Every host name accepted in a request. */
  readonly hosts: ReadonlySet<string>;
}

/** The answer of a handler; a Refusal is thrown instead. */
export type Reply =
  | {
      readonly kind: "chunks";
      readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
      /** Content type; JSON if absent. */
      readonly type?: string;
      readonly headers?: Headers;
      /** Length of the whole list, if this is a page of one. */
      readonly total?: number | null;
    }
  | {
      readonly kind: "bytes";
      readonly status: number;
      readonly type: string;
      readonly bytes: Uint8Array;
      readonly headers?: Headers;
      /** True if the bytes never change: their compressed form is kept. */
      readonly isFixed?: boolean;
    }
  /** Server-sent events: `begin` writes them, once the head is out. */
  | { readonly kind: "events"; readonly begin: (response: ServerResponse) => void };

/** A request on its way through a handler; `query` is the text or the values after the `?`. */
export interface RouteRequest<Query> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: Query;
  readonly by: By;
}

export type Method = "GET" | "POST";
export type Group = "monitoring" | "plants" | "admin" | "system";

/** A row of the route table with its handler, as the app and the OpenAPI document use it. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  /** The operationId in the OpenAPI document. */
  readonly operation: string;
  readonly group: Group;
  readonly access: Access;
  readonly summary: string;
  readonly query: z.ZodObject;
  /**
   * Schema of the body; null without one. Its example, like the answer's, is in the schema's meta.
   */
  readonly body: z.ZodType | null;
  /** The content type of the body. */
  readonly bodyType: string;
  readonly answer: z.ZodType;
  readonly statuses: readonly number[];
  readonly type: string;
  /** Further content types, which a parameter chooses: texts, or objects without a schema. */
  readonly otherTypes: readonly string[];
  /** Error statuses beside those that any route can have. */
  readonly errors: readonly RefusalStatus[];
  /** Answers a request; its `query` is still the text after the `?`. */
  readonly handle: (asked: RouteRequest<string>, context: HttpContext) => Reply | Promise<Reply>;
}

type Named = Pick<Route, "path" | "operation" | "summary" | "answer">;
type Others = Partial<Omit<Route, keyof Named | "query" | "handle">>;
type QueryValues<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
/** The parameters of a route whose answer is a page of a list. */
const PageAsked = z.object({ offset: z.number(), limit: z.number() });

/** A row of the route table as it is written; members with a usual value may be left out. */
interface RouteRow<Shape extends z.ZodRawShape> extends Named, Others {
  readonly query?: Shape;
  /** The content type that the parameters choose, for a route with several. */
  readonly typeOf?: (given: QueryValues<Shape>) => string;
}

/** A route whose `ask` turns the parameters into the query that a reader answers. */
interface QueryRow<Shape extends z.ZodRawShape> extends RouteRow<Shape> {
  readonly ask: (given: QueryValues<Shape>) => Query;
}

/** A route that does more than ask a reader. */
interface Handling<Shape extends z.ZodRawShape> extends RouteRow<Shape> {
  readonly handle: (
    asked: RouteRequest<QueryValues<Shape>>,
    context: HttpContext,
  ) => Reply | Promise<Reply>;
}

/** Makes a route: a GET for any reader, answered as JSON, unless `row` says otherwise. */
export function route<Shape extends z.ZodRawShape = Record<never, never>>(
  row: QueryRow<Shape> | Handling<Shape>,
): Route {
  const { query: shape, typeOf, ...rest } = row;
  const query = z.object(shape);
  const handle =
    "ask" in row
      ? (asked: RouteRequest<QueryValues<Shape>>, context: HttpContext) =>
          ask(context, row.ask(asked.query))
      : row.handle;
  const made: Omit<Route, "handle"> = {
    ...{ method: "GET", group: "monitoring", access: "reader", body: null, statuses: [200] },
    ...{ type: "application/json", otherTypes: [], bodyType: "application/json" },
    ...rest,
    query,
    errors: [...(row.errors ?? []), ...("ask" in row ? [503 as const] : [])],
  };
  return {
    ...made,
    async handle(asked, context) {
      const given = readQuery(query, asked.query);
      requireAccepted(asked.request, typeOf?.(given) ?? made.type);
      return withLinks(await handle({ ...asked, query: given }, context), given, asked.query);
    },
  };
}

/** The reply with links to the neighbouring pages, if it is a page of a list. */
function withLinks(reply: Reply, given: object, query: string): Reply {
  if (reply.kind !== "chunks" || typeof reply.total !== "number") return reply;
  const links = pageLinks({ ...PageAsked.parse(given), total: reply.total }, query);
  return links === null ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** A small JSON answer. */
export function json(value: unknown, status = 200): Reply {
  return { kind: "bytes", status, type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(value)) };
}

/** The answer to HEAD where a body would be made for nothing; it has no length. */
export const BODILESS: Extract<Reply, { kind: "chunks" }> = {
  kind: "chunks",
  chunks: {
    async *[Symbol.asyncIterator]() {
      yield Buffer.alloc(0);
      yield Buffer.alloc(0);
    },
  },
};

/** The readers' answer to `query`; if there is none, a Refusal (404) with the message `absent`. */
export async function ask(
  context: HttpContext,
  query: Query,
  absent = "there is no reading yet, expected at least one",
): Promise<Exclude<Reply, { kind: "events" }>> {
  const given = await context.readers.ask(query);
  if ("bytes" in given)
    return { kind: "bytes", status: 200, type: JSON_TYPE, bytes: given.bytes, isFixed: true };
  const { chunks, total = null } = given;
  if (chunks === null) throw new Refusal(404, absent);
  return { kind: "chunks", chunks, total };
}
