// The routes about the program itself, for operators, supervisors and users: the catalogue,
// liveness, readiness, metrics, version, documentation. The main thread answers them, except for
// counts of stored data.

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import * as z from "zod";
import { ACTORS } from "../../bwts/audit.ts";
import type { Spans } from "../../bwts/plausible.ts";
import { ReadinessAnswer, shownToStrangers } from "../../bwts/readiness.ts";
import { SystemAnswer, systemToStrangers } from "../../bwts/system.ts";
import { TAGS } from "../../bwts/tags.ts";
import { ask, JSON_TYPE, json, route } from "../route.ts";

const HealthzAnswer = z
  .object({ status: z.literal("ok") })
  .meta({ id: "Alive", example: { status: "ok" } });

const VersionAnswer = z
  .object({ version: z.string(), commit: z.string(), node: z.string(), sqlite: z.string() })
  .meta({
    id: "Version",
    example: { version: "0.2.0", commit: "unbuilt", node: "24.21.0", sqlite: "3.51.0" },
  });

const TagAnswer = z
  .object({
    name: z.string(),
    type: z.enum(["number", "integer", "string", "boolean"]),
    unit: z.string().nullable(),
    about: z.string(),
    typical: z
      .union([z.array(z.number()).length(2), z.number(), z.string(), z.boolean()])
      .nullable()
      .meta({ description: "a range for what varies, an example for the rest" }),
    aggregate: z
      .enum(["mean", "max", "last"])
      .nullable()
      .meta({ description: "how a bucket sums the field up; null: buckets don't have it" }),
    span: z
      .array(z.number())
      .length(2)
      .nullable()
      .meta({
        description:
          "lowest and highest plausible value aboard, by sensors.spans and the certified flow; " +
          "one outside is no value for results",
      }),
  })
  .meta({ id: "Tag" });

const OpenApiAnswer = z.looseObject({ openapi: z.literal("3.1.0") }).meta({
  id: "OpenApi",
  description: "an OpenAPI document",
  example: { openapi: "3.1.0" },
});

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const HTML_TYPE = "text/html; charset=utf-8";
/** The catalogue with the configured spans, as bytes that are made once. */
const tagsBytes = new WeakMap<Spans, Buffer>();

function tagsJson(spans: Spans): Buffer {
  const tags = TAGS.map((tag, index) => ({ ...tag, span: spans[index] }));
  const bytes = tagsBytes.get(spans) ?? Buffer.from(JSON.stringify(tags));
  tagsBytes.set(spans, bytes);
  return bytes;
}

/** Seconds after which a supervisor should ask again while ballastd isn't ready. */
const NOT_READY_S = "10";

/** The rows of the system in the route table. */
export const SYSTEM_ROUTES = [
  route({
    path: "/api/tags",
    operation: "listTags",
    group: "system",
    summary: "The catalogue: every telemetry field with its type, unit and meaning",
    answer: z.array(TagAnswer).meta({ example: TAGS.slice(0, 6) }),
    handle: (_, { spans }) => ({
      kind: "bytes",
      status: 200,
      type: JSON_TYPE,
      bytes: tagsJson(spans),
      isFixed: true,
    }),
  }),
  route({
    path: "/healthz",
    operation: "getAlive",
    group: "system",
    access: "anybody",
    summary: "Whether the process answers",
    answer: HealthzAnswer,
    handle: () => json({ status: "ok" }),
  }),
  route({
    path: "/readyz",
    operation: "getReadiness",
    group: "system",
    access: "anybody",
    summary: "Whether the appliance can do its work, and if not, why",
    answer: ReadinessAnswer,
    statuses: [200, 503],
    handle({ by }, context) {
      const told = context.readiness();
      const readiness = by.actor === ACTORS.stranger ? shownToStrangers(told) : told;
      if (readiness.ready) return json(readiness);
      return { ...json(readiness, 503), headers: { "Retry-After": NOT_READY_S } };
    },
  }),
  route({
    path: "/metrics",
    operation: "getMetrics",
    group: "system",
    summary: "Metrics for Prometheus",
    answer: z.string().meta({ example: "# TYPE ballastd_up gauge\nballastd_up 1\n" }),
    type: "text/plain",
    async handle(_asked, context) {
      const bytes = Buffer.from(await context.metrics());
      return { kind: "bytes", status: 200, type: METRICS_TYPE, bytes };
    },
  }),
  route({
    path: "/version",
    operation: "getVersion",
    group: "system",
    summary: "What is running",
    answer: VersionAnswer,
    handle(_asked, { build: { version, commit }, sqliteVersion }) {
      return json({ version, commit, node: process.versions.node, sqlite: sqliteVersion });
    },
  }),
  route({
    path: "/api/system",
    operation: "getSystem",
    summary: "ballastd itself: ingest, broker, disk, database, chain, jobs, quarantine, backup",
    answer: SystemAnswer,
    errors: [503],
    handle({ by }, context) {
      const told = context.system();
      const present = by.actor === ACTORS.stranger ? systemToStrangers(told) : told;
      return ask(context, { name: "system", present });
    },
  }),
  route({
    path: "/openapi.json",
    operation: "getOpenApi",
    group: "system",
    summary: "This document",
    answer: OpenApiAnswer,
    handle: (_asked, { document }) => ({
      kind: "bytes",
      status: 200,
      type: JSON_TYPE,
      bytes: document(),
      isFixed: true,
    }),
  }),
  route({
    path: "/docs",
    operation: "getDocs",
    group: "system",
    summary: "This document as a page",
    answer: z.string().meta({ example: "<!doctype html>" }),
    type: "text/html",
    handle: ({ request }, context) => ({
      kind: "bytes",
      status: 200,
      type: HTML_TYPE,
      ...context.docs(addressOf(request)),
    }),
  }),
];

/** Scheme and host of the client's request, safe to type into a shell. */
function addressOf({ headers, socket }: IncomingMessage): string {
  const { host = "" } = headers;
  const scheme = socket instanceof TLSSocket ? "https" : "http";
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : `127.0.0.1:${socket.localPort}`}`;
}
