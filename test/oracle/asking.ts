// Requests as they are, and what all answers of the contract share: headers, compact JSON, and a
// body that keeps to the document which the same program serves.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect } from "vitest";
import { openValidator, type Validator } from "../rig/http-validator.ts";
import type { Appliance } from "./appliance.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** A request as it is, with nothing added by a client that means well. */
export async function ask(
  appliance: Appliance,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { hostname, port } = new URL(appliance.url);
  const asked = request({ hostname, port, method, path: target, headers }).end();
  const [response]: IncomingMessage[] = await once(asked, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes };
}

/** Asks, and holds the answer against what all answers share and against the served document. */
export async function askChecked(
  appliance: Appliance,
  method: string,
  target: string,
): Promise<Answer> {
  const answer = await ask(appliance, method, target);
  const { status, headers } = answer;
  const body = answer.bytes.toString();
  const type = headers["content-type"] ?? "";
  expect(headers).toMatchObject({
    ...{ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    ...{ "x-content-type-options": "nosniff", vary: expect.stringContaining("Accept-Encoding") },
  });
  for (const name of ["etag", "x-powered-by", "access-control-allow-origin", "last-modified"])
    expect(headers).not.toHaveProperty(name);
  expect(body).toBe(JSON.stringify(JSON.parse(body)));
  const validator = await validatorOf(appliance);
  const path = target.split("?")[0];
  const isListed = status !== 404 || path === "/api/telemetry/latest";
  if (isListed) expect(validator.answerProblems({ method, path, status, type, body })).toBeNull();
  return answer;
}

const validators = new WeakMap<Appliance, Promise<Validator>>();

function validatorOf(appliance: Appliance): Promise<Validator> {
  const known = validators.get(appliance) ?? appliance.json("/openapi.json").then(openValidator);
  validators.set(appliance, known);
  return known;
}
