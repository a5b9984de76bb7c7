// Holds answers against an OpenAPI document, in ajv's strict mode.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, Schema } from "../../src/http/document.ts";

export interface Validator {
  /** The problem with `value` by one of the document's schemas; null if there is none. */
  problems(schema: Schema, value: unknown): string | null;
  /** As `problems`, for an answer; also when the document doesn't list its status or type. */
  answerProblems(answer: {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly type: string;
    readonly body: string;
  }): string | null;
}

export function openValidator(document: OpenApiDocument): Validator {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["components"]);
  ajv.addSchema({ $id: "document", components: document.components });

  // Compiled once each: it takes longer than to look at an answer, and is never forgotten.
  const compiled = new Map<string, ValidateFunction>();

  function problems(schema: Schema, value: unknown): string | null {
    const absolute = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  return {
    problems,
    answerProblems({ method, path, status, type, body }) {
      const named = Object.keys(document.paths).find((known) => isPath(known, path));
      const methods = document.paths[named ?? path];
      if (methods === undefined) return `path ${path} is not in the document`;
      // A method that the path doesn't have is answered as any other of its errors.
      const operation = methods[method.toLowerCase()] ?? Object.values(methods)[0];
      const listed = operation.responses[status];
      if (listed === undefined) return `status ${status} is not listed for ${method} ${path}`;
      const response = "$ref" in listed ? document.components.responses[`Error${status}`] : listed;
      const media = type.split(";")[0];
      const content = response.content[media];
      if (content === undefined) return `type ${media} is not listed for ${status} of ${path}`;
      return problems(content.schema, media === "application/json" ? JSON.parse(body) : body);
    },
  };
}

/** True if `path` is one of the document's `known`, in which `{nn}` stands for any part. */
function isPath(known: string, path: string): boolean {
  const parts = path.split("/");
  const patterns = known.split("/");
  return (
    parts.length === patterns.length &&
    patterns.every((pattern, at) => pattern.startsWith("{") || pattern === parts[at])
  );
}
