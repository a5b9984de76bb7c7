// The OpenAPI document as a page for people: plain HTML without scripts, readable offline and on a
// tablet. Each operation has a curl line, in which required parameters have their example and
// others their default. All but the address in these lines is made once. The one style sheet is
// inline and allowed by its hash.

import { createHash } from "node:crypto";
import type { ApiOperation, OpenApiDocument, Parameter, Schema } from "./document.ts";
import { pageHeaders } from "./request-head.ts";
import type { HttpContext } from "./route.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; overflow-wrap: anywhere; }
h3 b { background: var(--soft); padding: 0.1em 0.4em; border-radius: 0.3em; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { background: var(--soft); padding: 0.7rem; overflow-x: auto; max-height: 24rem; }
pre.curl { white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem 0.35rem 0; }
tr { border-top: 1px solid var(--line); }
summary { padding: 0.5rem 0; cursor: pointer; }
a { color: inherit; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const HEADERS = pageHeaders(`style-src 'sha256-${STYLE_HASH}'`);

/** Placeholder for the address until a browser asks for the page; no text contains it. */
const ADDRESS = "\u0000";

/** The page for a client that asked at `address`, with its headers. */
export function docsPage(document: OpenApiDocument): HttpContext["docs"] {
  const { info, tags, components } = document;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(info.title)} API ${text(info.version)}</h1>
<p>${text(info.description)}</p>
<p>The same for programs: <a href="/openapi.json">/openapi.json</a>. How ballastd is run, connected
and checked: <a href="/manual">the manual</a>.</p>
<p>The <code>curl</code> lines are typed as they stand. Where one has <code>$TOKEN</code>, type
<code>TOKEN=...</code> before, with what <code>ballastd token add</code> printed or what is in
<code>auth.token_file</code>. Where HTTPS has a certificate of the ship's own, add
<code>--cacert FILE</code>.</p>
${tags.map(({ name, description }) => group(document, name, description)).join("\n")}
<h2>Errors</h2>
${table(
  ["Status", "Meaning"],
  Object.entries(components.responses).map(([name, response]) => [
    code(name.replace("Error", "")),
    text(response.description),
  ]),
)}
<h2>Objects</h2>
${Object.entries(components.schemas).map(namedSchema).join("\n")}
</body>
</html>
`;
  const pieces = html.split(ADDRESS);
  return (address) => ({ bytes: Buffer.from(pieces.join(text(address))), headers: HEADERS });
}

function group(document: OpenApiDocument, name: string, description: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, found]) => found.tags.some((tag) => tag === name))
      .map(([method, found]) => operationHtml({ method, path, operation: found })),
  );
  return `<h2>${text(name)}</h2>\n<p>${text(description)}</p>\n${operations.join("\n")}`;
}

function operationHtml({ method, path, operation }: CurlRequest): string {
  const { operationId, summary, parameters = [], requestBody, responses, security } = operation;
  const role = security.flatMap((way) => way.bearer ?? []).at(0);
  const token =
    role === undefined
      ? ""
      : `<p>Needs <code>Authorization: Bearer &lt;token&gt;</code>, of the role ${text(role)}.</p>`;
  const rows = parameters.map(parameterRow);
  const asked = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema, example }]) =>
      `<p>Body: ${code(type)}, ${typeOf(schema)}</p>${exampleBlock(example)}`,
  );
  const results: string[] = [];
  const errors: string[] = [];
  for (const [status, response] of Object.entries(responses)) {
    if ("$ref" in response) errors.push(code(status));
    else
      for (const [type, { schema, example }] of Object.entries(response.content))
        results.push(
          `<p>${code(status)} ${typeOf(schema)} as ${code(type)}</p>`,
          example === undefined ? "" : fold(example),
        );
  }
  const title = `<b>${text(method.toUpperCase())}</b> ${code(path)}`;
  return `<h3 id="${text(operationId)}">${title}</h3>
<p>${text(summary)}</p>
<pre class="curl">${text(curlLine({ method, path, operation }, ADDRESS))}</pre>
${token}${rows.length === 0 ? "" : table(["Parameter", "Type", "Meaning"], rows)}
${asked.join("")}
${results.join("")}
<p>Errors: ${errors.join(", ")}</p>`;
}

function parameterRow({ name, required, description, schema }: Parameter): readonly string[] {
  const range =
    schema.minimum === undefined ? "" : `, ${text(schema.minimum)} to ${text(schema.maximum)}`;
  const fallback = schema.default === undefined ? "" : `, by default ${code(schema.default)}`;
  return [
    `${code(name)}${required ? " (required)" : ""}`,
    `${typeOf(schema)}${range}${fallback}`,
    text(description),
  ];
}

function namedSchema([name, schema]: readonly [string, Schema]): string {
  const members = Object.entries(childrenOf(schema.properties)).map(([member, child]) => [
    code(member),
    typeOf(child),
    text(child.description ?? ""),
  ]);
  const about = `<p>${text(schema.description ?? "")}</p>`;
  return `<h3 id="object-${text(name)}">${text(name)}</h3>${about}
<details><summary>${members.length} members</summary>
${table(["Member", "Type", "Meaning"], members)}
</details>`;
}

/** A schema as text: `array of Event`, `number or null`. */
function typeOf(schema: Schema): string {
  if (typeof schema.$ref === "string") {
    const name = text(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
    return `<a href="#object-${name}">${name}</a>`;
  }
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(", ");
  if (schema.const !== undefined) return code(schema.const);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array")
    return `array of ${Object.values(childrenOf({ items: schema.items }))
      .map(typeOf)
      .join("")}`;
  if (schema.type === "object" && schema.properties !== undefined)
    return `object: ${Object.keys(childrenOf(schema.properties)).map(code).join(", ")}`;
  return text(schema.format ?? schema.type ?? "anything");
}

function childrenOf(properties: unknown): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(Object(properties)).map(([name, child]) => [
      name,
      Object.fromEntries(Object.entries(Object(child))),
    ]),
  );
}

function fold(example: unknown): string {
  return `<details><summary>Example</summary>${exampleBlock(example)}</details>`;
}

function exampleBlock(example: unknown): string {
  const shown = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return `<pre>${text(shown)}</pre>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((cell) => `<th>${cell}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<div class="wide"><table><tr>${heads}</tr>${body.join("\n")}</table></div>`;
}

function code(value: unknown): string {
  return `<code>${text(value)}</code>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function text(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

interface CurlRequest {
  readonly method: string;
  /** The path as in the document: `/admin/lamps/{nn}/replacement`. */
  readonly path: string;
  readonly operation: ApiOperation;
}

/**
 * A command for a shell, in which `$TOKEN` is the token where one is needed. `address` is the
 * scheme and host to ask. Throws when a required parameter has no example.
 */
function curlLine({ method, path, operation }: CurlRequest, address: string): string {
  const { parameters = [], requestBody, responses, security } = operation;
  const given = parameters.filter(
    ({ required, schema }) => required || schema.default !== undefined,
  );
  const filled = given
    .filter((parameter) => parameter.in === "path")
    .reduce((whole, one) => whole.replace(`{${one.name}}`, valueFor(one)), path);
  const query = given
    .filter((parameter) => parameter.in === "query")
    .map((one) => `${one.name}=${encodeURIComponent(valueFor(one))}`);
  const url = `${address}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const needsToken = security.some((way) => way.bearer !== undefined);
  const bodies = Object.entries(requestBody?.content ?? {});
  return [
    isEndless(responses) ? "curl -sSN" : "curl -sS",
    ...(method.toUpperCase() === "GET" ? [] : [`-X ${method.toUpperCase()}`]),
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...bodies
      .slice(0, 1)
      .flatMap(([type, { example }]) => [
        `-H ${quoted(`Content-Type: ${type}`)}`,
        `-d ${quoted(typeof example === "string" ? example : JSON.stringify(example))}`,
      ]),
    quoted(url),
  ].join(" ");
}

/** True for an answer that is an endless stream of events. */
function isEndless({ 200: answered }: ApiOperation["responses"]): boolean {
  return answered !== undefined && "content" in answered && "text/event-stream" in answered.content;
}

function valueFor({ name, required, schema }: Parameter): string {
  const examples: readonly unknown[] = [schema.examples, schema.enum].flatMap((listed) =>
    Array.isArray(listed) ? listed : [],
  );
  const value = required ? examples[0] : schema.default;
  if (value === undefined) throw new Error(`parameter ${name}: expected an example`);
  return String(value);
}

/** `word` quoted for a shell, whatever it contains. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
