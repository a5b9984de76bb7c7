// Refusals of bodies. A secret comes back in no answer: in a refused value, in a body that was cut,
// and in one that is no object. Reasons and words are ours. Schemas are those of the routes, and
// the requests are real.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { LampSparesBody } from "../../../src/bwts/lamps/plan-answer.ts";
import { SPARES_MAX } from "../../../src/bwts/lamps/plan-words.ts";
import { LampWordBody } from "../../../src/bwts/lamps/word.ts";
import { AcknowledgeBody } from "../../../src/bwts/present/alarm-act.ts";
import { SettingsBody } from "../../../src/bwts/settings.ts";
import { TokenBody } from "../../../src/bwts/token.ts";
import { readBody } from "../../../src/http/body.ts";
import { Refusal, refusalBody } from "../../../src/http/refusal.ts";

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const SECRET = "hunter2-".repeat(75);

const TOKEN_TEXT = "Tu2xq0cZkq1vY7bq2J0kq7vC0m9Wn1s3e5u7y9a1c3E";

/** Reads a body as the route of its kind does. */
const READERS = {
  settings: (asked: Asked) => readBody(SettingsBody, asked, "an object", ["value", "old"]),
  token: (asked: Asked) => readBody(TokenBody, asked, "an object", ["name"]),
  spares: (asked: Asked) => readBody(LampSparesBody, asked, "an object"),
  lamp: (asked: Asked) => readBody(LampWordBody, asked, "an object"),
  alarm: (asked: Asked) => readBody(AcknowledgeBody, asked, "an object"),
} as const;

async function answerTo(kind: keyof typeof READERS, body: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const read: Promise<unknown> = READERS[kind]({ request, response });
    response.end(await read.then(() => "taken", refused));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "content-type": "application/json" };
  try {
    const url = `http://127.0.0.1:${port}/`;
    return await (await fetch(url, { method: "POST", headers, body })).text();
  } finally {
    server.close();
  }
}

const refused = (error: unknown) => {
  if (error instanceof Refusal) return refusalBody(error);
  throw error;
};

test.each([
  ["a value that is too long", "settings", change({ value: SECRET }), "at most 512 characters"],
  ["a value in a list", "settings", change({ value: [SECRET] }), "an array was given"],
  ["an old value", "settings", change({ value: 1, old: { x: SECRET } }), "an object was given"],
  ["a body that was cut", "settings", `{"changes":[{"value":"${SECRET}`, "it isn't JSON"],
  ["a body that is a text", "settings", JSON.stringify(SECRET), "a text was given"],
  ["a token in a name's place", "token", `{"name":"${SECRET}","role":"viewer"}`, "a text was"],
] as const)("%s is refused and not shown", async (_, kind, body, has) => {
  const answer = await answerTo(kind, body);
  expect(answer).toContain(has);
  expect(answer).not.toContain(SECRET.slice(0, 8));
});

const OPTIONS_OF_A_LAMP = { at: "2026-05-01T06:30Z" };

test.each([
  ["spares", { spares: 2 ** 60 }, "number_large", { max: SPARES_MAX }],
  ["lamp", { ...OPTIONS_OF_A_LAMP, serial: "A\u0007" }, "text_signs", {}],
  ["lamp", { ...OPTIONS_OF_A_LAMP, note: "\u202eA" }, "text_signs", {}],
  ["alarm", { note: "\u001b[2J" }, "text_signs", {}],
  ["token", { name: TOKEN_TEXT, role: "viewer" }, "token_name_secret", {}],
] as const)("%s %j is refused with the reason %s", async (kind, body, code, values) => {
  const answer = await answerTo(kind, JSON.stringify(body));
  expect(JSON.parse(answer).reasons).toEqual([{ code, values }]);
  expect(answer).not.toContain(TOKEN_TEXT);
});

test.each([
  ["token", { role: "viewer" }, "name: is missing, expected a name"],
  ["settings", { changes: [{ key: "a" }] }, "expected a text, a number, true, false or null"],
  [
    "settings",
    { rules: { add: [{ topic: null, tag: "a", field: "x".repeat(65) }] } },
    "at most 64",
  ],
  ["lamp", { at: 7 }, "at: 7 was given, expected a time"],
] as const)("%s %j is refused in our own words", async (kind, body, has) => {
  const { message } = JSON.parse(await answerTo(kind, JSON.stringify(body)));
  expect(message).toContain(has);
  expect(message).not.toMatch(/received|Invalid input|Too (big|small)/);
});

function change(given: object): string {
  return JSON.stringify({ changes: [{ key: "mqtt.password", ...given }] });
}
