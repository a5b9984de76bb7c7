// The OpenAPI document, generated from the route table and the validating zod schemas, so that it
// describes the real routes. Schemas of answers are closed, so that a test that compares answers
// with them finds an extra member.

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Role } from "../bwts/token.ts";
import { type GateOptions, neededRole } from "./gate.ts";
import { pathParameters } from "./path-parameters.ts";
import { ErrorAnswer, REFUSALS, type RefusalStatus } from "./refusal.ts";
import { REQUEST_ID } from "./request-id.ts";
import type { Group, Route } from "./route.ts";

export type Schema = { readonly [keyword: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface MediaContent {
  readonly [type: string]: { readonly schema: Schema; readonly example?: unknown };
}

interface ResponseObject {
  readonly description: string;
  readonly headers: { readonly [name: string]: { description: string; schema: Schema } };
  readonly content: MediaContent;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly Group[];
  readonly summary: string;
  readonly security: readonly { readonly bearer?: readonly string[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: MediaContent };
  readonly responses: { readonly [status: string]: ResponseObject | { readonly $ref: string } };
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Schema & {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: Group; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: ApiOperation } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly responses: { readonly [name: string]: ResponseObject };
    readonly securitySchemes: { readonly bearer: Schema };
  };
}

/** Error statuses of every route, caused by a request or by a fault of ours. */
const SHARED: readonly RefusalStatus[] = [400, 405, 406, 408, 414, 421, 431, 500];

/** Refusals of the gate by the role that a route needs; any role suffices for a viewer's. */
const GATE_REFUSALS: Readonly<Record<Role | "nobody", readonly RefusalStatus[]>> = {
  nobody: [],
  viewer: [401, 429, 503],
  engineer: [401, 403, 429, 503],
  maintainer: [401, 403, 429, 503],
};

const GROUPS: Readonly<Record<Group, string>> = {
  monitoring:
    "Interface A: what the treatment system reports, and what follows from it. Read only.",
  plants: "Interface B: the sample plant store.",
  admin: "Acts, and who did what. All but the comparison of a record book needs a token.",
  system: "The program itself: liveness, readiness, metrics, version, documentation.",
};

const DESCRIPTION =
  "Monitoring of one UV ballast water treatment system, from the program that runs aboard. Times " +
  "are UTC; a missing value is null. Integers are plain digits, a parameter is given once, and " +
  "parameters that a route does not know are ignored. HEAD is answered wherever GET is. A " +
  "request may have an X-Request-Id. Nothing may be cached. The treatment system's own " +
  "alarms govern; nothing is ever sent to it.";

const TOKEN_ABOUT =
  "A token of the role that an operation names, or of a later one: viewer, engineer, maintainer. " +
  "ballastd token adds and revokes them.";

interface DocumentAbout {
  readonly description: string;
  readonly groups: Readonly<Partial<Record<Group, string>>>;
}

/** The document of `routes`, with the protection for this `monitoring`. */
export function openApiDocument(
  routes: readonly Route[],
  monitoring: GateOptions["monitoring"],
  { description, groups }: DocumentAbout = { description: DESCRIPTION, groups: GROUPS },
): OpenApiDocument {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, ApiOperation>> = {};
  const used = new Set<RefusalStatus>();
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route, { monitoring, schemas, used });
    paths[route.path] = operations;
  }
  const error = schemaOf(ErrorAnswer, "output", schemas);
  const refusals = [...used].toSorted((one, other) => one - other);
  return {
    openapi: "3.1.0",
    info: {
      title: "ballastd",
      version: "1.0.0",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: keysOf(groups).map((name) => ({ name, description: groups[name] ?? name })),
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(
        refusals.map((status) => [`Error${status}`, refusalResponse(status, error)]),
      ),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: TOKEN_ABOUT },
      },
    },
  };
}

interface Making {
  readonly monitoring: GateOptions["monitoring"];
  readonly schemas: Record<string, Schema>;
  readonly used: Set<RefusalStatus>;
}

function operationOf(route: Route, making: Making): ApiOperation {
  const { answer, body } = route;
  const needed = neededRole(route.access, making.monitoring);
  const refusals = [...SHARED, ...route.errors, ...GATE_REFUSALS[needed ?? "nobody"]];
  for (const status of refusals) making.used.add(status);
  const content = (schema: z.ZodType, io: "input" | "output") =>
    schemaOf(schema, io, making.schemas);
  const answered = {
    description: route.summary,
    content: {
      [route.type]: { schema: content(answer, "output"), example: exampleOf(answer) },
      ...Object.fromEntries(
        route.otherTypes
          .map((type) => type.split(";")[0])
          .map((type) => [type, { schema: plainSchema(type) }]),
      ),
    },
  };
  const isPage = "offset" in route.query.shape;
  const parameters = [...pathParameters(route.path), ...parametersOf(route.query)];
  return {
    operationId: route.operation,
    tags: [route.group],
    summary: route.summary,
    security: needed === null ? [{}] : [{ bearer: [needed] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [route.bodyType]: { schema: content(body, "input"), example: exampleOf(body) },
            },
          },
        }),
    responses: Object.fromEntries([
      ...route.statuses.map((status) => [
        status,
        { ...answered, headers: headersOf(status, isPage) },
      ]),
      ...refusals.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
    ]),
  };
}

const plainSchema = (type: string) => ({ type: type === "application/json" ? "object" : "string" });

function parametersOf(query: z.ZodObject): readonly Parameter[] {
  const { required = [] } = jsonSchema(query, "input");
  return Object.entries(query.shape).map(([name, parameter]) => {
    const { description = "", ...schema } = jsonSchema(parameter, "input");
    return { name, in: "query", required: required.includes(name), description, schema };
  });
}

const REFUSAL_HEADERS: ReadonlyMap<number, readonly [name: string, about: string]> = new Map([
  [401, ["WWW-Authenticate", "Bearer"]],
  [405, ["Allow", "the methods that the path has"]],
  [429, ["Retry-After", "seconds"]],
  [503, ["Retry-After", "seconds"]],
]);

function refusalResponse(status: RefusalStatus, schema: Schema): ResponseObject {
  const example = { error: status, message: REFUSALS[status] };
  const content = { "application/json": { schema, example } };
  return { description: REFUSALS[status], headers: headersOf(status), content };
}

/** The headers of answers of this status, and of a page of a list. */
function headersOf(status: number, isPage = false): ResponseObject["headers"] {
  const more = REFUSAL_HEADERS.get(status);
  const named = [
    [REQUEST_ID, "the request's own id if it is well-formed, else a new one"],
    ...(more === undefined ? [] : [more]),
    ...(isPage
      ? [["Link", "the first, previous and next page, where there are any (RFC 8288)"]]
      : []),
  ];
  return Object.fromEntries(
    named.map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

/** The JSON Schema of `schema`; named parts are moved to `schemas`. */
function schemaOf(
  schema: z.ZodType,
  io: "input" | "output",
  schemas: Record<string, Schema>,
): Schema {
  const { $defs = {}, ...rest } = jsonSchema(schema, io);
  for (const [name, definition] of Object.entries($defs)) {
    const made = named(definition);
    const known = schemas[name];
    if (known !== undefined && !isDeepStrictEqual(known, made))
      throw new Error(`two schemas have the id ${name} in their meta, expected one`);
    schemas[name] = made;
  }
  return named(rest);
}

function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema, ...made } = z.toJSONSchema(schema, {
    io,
    // The int64 of a plant is described in its meta.
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: made }) {
      // zod omits these for text that becomes a number, but here the schema is of the text sent.
      const { default: fallback, examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (fallback !== undefined) made.default = fallback;
      if (Array.isArray(examples)) made.examples = examples;
      // An answer's whole example stands beside its schema.
      delete made.example;
      // The format suffices, and a plant's integers are not limited to a double's range.
      if (made.format === "date-time") delete made.pattern;
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
    },
  });
  return made;
}

/** The example in the meta of `schema`, else one made of those of its parts. */
function exampleOf(schema: unknown): unknown {
  if (!(schema instanceof z.ZodType)) throw new Error("a schema: expected a part with an example");
  const { example } = z.globalRegistry.get(schema) ?? {};
  if (example !== undefined) return example;
  if (schema instanceof z.ZodNullable) return exampleOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element)];
  if (schema instanceof z.ZodUnion) return exampleOf(schema.options[0]);
  if (!(schema instanceof z.ZodObject)) throw new Error("a schema of an answer has no example");
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, part]) => [name, exampleOf(part)]),
  );
}

/** `schema` with its references pointing into the document's components. */
function named(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "$ref" && typeof value === "string"
      ? value.replace("#/$defs/", "#/components/schemas/")
      : withoutUnion(value),
  );
}

/** `schema` with `anyOf` for a list of types, which strict validators allow only to add null. */
function withoutUnion(schema: unknown): unknown {
  const { type, ...rest } = Object(schema);
  if (!Array.isArray(type) || type.filter((name) => name !== "null").length < 2) return schema;
  return { ...rest, anyOf: type.map((name) => ({ type: name })) };
}

function keysOf<Key extends string>(
  record: Readonly<Partial<Record<Key, unknown>>>,
): readonly Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
