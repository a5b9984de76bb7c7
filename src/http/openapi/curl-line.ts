// The line to type for an operation of the OpenAPI document, as /docs shows it. It asks for what
// the operation answers without parameters: required ones have their example, others their default.

import type { ApiOperation, Parameter } from "./document.ts";

export interface CurlRequest {
  readonly method: string;
  /** As in the document: `/admin/lamps/{nn}/replacement`. */
  readonly path: string;
  readonly operation: ApiOperation;
}

/**
 * A command for a shell, in which `$TOKEN` is the token where one is needed. `address` is the
 * scheme and host to ask. Throws when a required parameter has no example.
 */
export function curlLine({ method, path, operation }: CurlRequest, address: string): string {
  const { parameters = [], requestBody, security } = operation;
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
    "curl -sS",
    ...(method.toUpperCase() === "GET" ? [] : [`-X ${method.toUpperCase()}`]),
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...bodies
      .slice(0, 1)
      .flatMap(([type, { example }]) => [
        `-H ${quoted(`Content-Type: ${type}`)}`,
        `-d ${quoted(JSON.stringify(example))}`,
      ]),
    quoted(url),
  ].join(" ");
}

function valueFor({ name, required, schema }: Parameter): string {
  const examples: readonly unknown[] = [schema.examples, schema.enum].flatMap((listed) =>
    Array.isArray(listed) ? listed : [],
  );
  const value = required ? examples[0] : schema.default;
  if (value === undefined) throw new Error(`parameter ${name}: expected an example`);
  return String(value);
}

/** A word of a shell's line, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
