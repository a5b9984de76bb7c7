// A secret in a body comes back in no answer: in a value that is refused, in a body that was cut,
// and in one that is no object. The schemas are those of the routes; the requests are real.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { SettingsBody } from "../../../src/bwts/settings.ts";
import { TokenBody } from "../../../src/bwts/token.ts";
import { readBody } from "../../../src/http/body.ts";
import { Refusal, refusalBody } from "../../../src/http/refusal.ts";

const SECRET = "hunter2-".repeat(75);
const NAMED = SECRET.slice(0, 40);

/** The answer to `body`, read as the routes of settings and of tokens read theirs. */
async function answerTo(kind: "settings" | "token", body: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const asked = { request, response };
    const read =
      kind === "settings"
        ? readBody(SettingsBody, asked, "an object with changes", ["value", "old"])
        : readBody(TokenBody, asked, "an object with name and role", ["name"]);
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
  expect(answer).not.toContain(NAMED.slice(0, 8));
});

function change(given: object): string {
  return JSON.stringify({ changes: [{ key: "mqtt.password", ...given }] });
}
