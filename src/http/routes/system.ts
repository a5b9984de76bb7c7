// Routes about the program itself, for operators, supervisors and users: liveness, readiness,
// metrics, version, documentation.

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import * as z from "zod";
import { ACTORS } from "../../bwts/audit.ts";
import { shownToStrangers } from "../../bwts/readiness.ts";
import { TAGS } from "../../bwts/tags.ts";
import { type Asked, type HttpContext, JSON_TYPE, json, type Reply } from "../route.ts";

export const HealthzAnswer = z.object({ status: z.literal("ok") }).meta({ id: "Alive" });

export const VersionAnswer = z
  .object({
    version: z.string(),
    commit: z.string(),
    node: z.string(),
    sqlite: z.string(),
  })
  .meta({ id: "Version" });

export const TagAnswer = z
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
  })
  .meta({ id: "Tag" });

export const OpenApiAnswer = z
  .looseObject({ openapi: z.literal("3.1.0") })
  .meta({ id: "OpenApi", description: "an OpenAPI document" });

const TAGS_JSON = Buffer.from(JSON.stringify(TAGS));

export function catalogue(): Reply {
  return { kind: "bytes", status: 200, type: JSON_TYPE, bytes: TAGS_JSON, isFixed: true };
}

export function healthz(): Reply {
  return json({ status: "ok" });
}

/** Interval in seconds at which a supervisor should ask again while it isn't ready. */
const NOT_READY_S = "10";

export function readyz({ by }: Asked<unknown>, context: HttpContext): Reply {
  const told = context.readiness();
  const readiness = by.actor === ACTORS.stranger ? shownToStrangers(told) : told;
  if (readiness.ready) return json(readiness);
  return { ...json(readiness, 503), headers: { "Retry-After": NOT_READY_S } };
}

export function version(_asked: Asked<unknown>, context: HttpContext): Reply {
  const { version, commit } = context.build;
  return json({ version, commit, node: process.versions.node, sqlite: context.sqliteVersion });
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export async function metrics(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  const bytes = Buffer.from(await context.metrics());
  return { kind: "bytes", status: 200, type: METRICS_TYPE, bytes };
}

export function openapi(_asked: Asked<unknown>, context: HttpContext): Reply {
  return {
    kind: "bytes",
    status: 200,
    type: "application/json; charset=utf-8",
    bytes: context.document(),
    isFixed: true,
  };
}

export const HTML_TYPE = "text/html; charset=utf-8";

export function docs({ request }: Asked<unknown>, context: HttpContext): Reply {
  return { kind: "bytes", status: 200, type: HTML_TYPE, ...context.docs(addressOf(request)) };
}

/** Scheme and host at which a client asks, as it may be typed into a shell. */
function addressOf({ headers, socket }: IncomingMessage): string {
  const { host = "" } = headers;
  const scheme = socket instanceof TLSSocket ? "https" : "http";
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : `127.0.0.1:${socket.localPort}`}`;
}
