// POST /plants: what is taken, exactly, and what is not.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Http } from "../../../../src/app/server.ts";
import type { NewPlant, SaveResult } from "../../../../src/bwts/plant.ts";
import { EXIT, Failure } from "../../../../src/ground/errors.ts";
import { openApiDocument } from "../../../../src/http/document.ts";
import { ROUTES } from "../../../../src/http/routes/routes.ts";
import {
  exchange,
  openHttpRig,
  openSocket,
  scriptedWrites,
  TOKEN,
} from "../../../rig/http-server-rig.ts";
import { openValidator } from "../../../rig/http-validator.ts";

const validator = openValidator(openApiDocument(ROUTES, "open"));
let http: Http;
let saved: NewPlant[] = [];
let outcome: () => SaveResult = () => "stored";
beforeAll(async () => {
  http = await openHttpRig({
    write: scriptedWrites((plant) => {
      saved.push(plant);
      return outcome();
    }),
  });
});
afterAll(() => http.close());

const JSON_HEADER = "Content-Type: application/json\r\n";
const AUTHORIZED = `Authorization: Bearer ${TOKEN}\r\n`;
const head = (headers: string) =>
  `POST /plants HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n${headers}`;

async function post(body: string | Buffer, headers = AUTHORIZED + JSON_HEADER) {
  saved = [];
  const text = Buffer.from(body).toString("latin1");
  const length = `Content-Length: ${text.length}\r\n\r\n`;
  const answer = await exchange(http, head(headers) + length + text);
  const type = answer.headers.get("content-type") ?? "";
  const { status, body: answered } = answer;
  const checked = { method: "POST", path: "/plants", status, type, body: answered };
  expect(validator.answerProblems(checked)).toBeNull();
  return answer;
}

test.each([
  ['{"id":7,"name":"a"}', { id: 7n, name: "a", tag: null }, { name: "a" }],
  ['{"id":7,"name":"a","tag":"uv"}', { id: 7n, name: "a", tag: "uv" }, { name: "a", tag: "uv" }],
  ['{"id":7,"name":"a","tag":""}', { id: 7n, name: "a", tag: "" }, { name: "a", tag: "" }],
  ['{"id":9223372036854775807,"name":"a"}', { id: 2n ** 63n - 1n }, { name: "a" }],
  ['{"id":-9223372036854775808,"name":"a"}', { id: -(2n ** 63n) }, { name: "a" }],
  ['{"id":9007199254740993,"name":"a"}', { id: 9007199254740993n }, { name: "a" }],
  ['{"id":-0,"name":"a"}', { id: 0n }, { name: "a" }],
  ['{"x":{"id":1.5},"id":3,"name":"a","y":[{"id":4}]}', { id: 3n }, { name: "a" }],
  ['{"id":5,"name":" a ","__proto__":{"tag":"b"}}', { name: " a ", tag: null }, { name: " a " }],
  ['\ufeff {"id":5,"name":"\\ud83d\\ude00"}\n', { name: "😀" }, { name: "😀" }],
])("%s is stored", async (body, plant, answered) => {
  const answer = await post(body);
  expect(answer.status).toBe(200);
  expect(JSON.parse(Buffer.from(answer.body, "latin1").toString())).toEqual(answered);
  expect(saved).toMatchObject([plant]);
});

test.each([
  ['{"id":9223372036854775808,"name":"a"}', "id: 9223372036854775808 was given"],
  ['{"id":-9223372036854775809,"name":"a"}', "id: -9223372036854775809 was given"],
  [`{"id":${"9".repeat(60_000)},"name":"a"}`, "id: 9999"],
  ['{"id":1.5,"name":"a"}', "id: 1.5 was given, expected an integer from -9223372036854775808"],
  ['{"id":7.0,"name":"a"}', "id: "],
  ['{"id":1e2,"name":"a"}', "id: "],
  ['{"id":7.0,"name":"a"}', "id: 7.0 was given, expected an integer from"],
  ['{"id":1e3,"name":"a","x":{"id":8.0}}', "id: 1e3 was given"],
  ['{"id":"7","name":"a"}', 'id: \\"7\\" was given'],
  ['{"id":null,"name":"a"}', "id: null was given"],
  ['{"id":true,"name":"a"}', "id: true was given"],
  ['{"id":[7],"name":"a"}', "id: an array was given"],
  ['{"id":1,"id":2,"name":"a"}', "id: was given twice, expected it once"],
  ['{"id":1,"id":1,"name":"a"}', "id: was given twice"],
  ['{"id":1,"\\u0069d":2.5,"name":"a"}', "id: was given twice"],
  ['{"id":1,"name":"a","tag":"x","tag":"y"}', "tag: was given twice"],
  ['{"id":1,"name":"a","other":[{"b":1,"b":1}]}', "b: was given twice"],
  ['{"name":"a"}', "id: is missing"],
  ['{"x":{"id":7},"name":"a"}', "id: is missing"],
  ['{"__proto__":{"id":7},"name":"a"}', "id: is missing"],
  ['{"id":7}', "name: is missing"],
  ['{"id":7,"name":""}', "name: "],
  ['{"id":7,"name":" \\t\\u00a0"}', "name: "],
  ['{"id":7,"name":8}', "name: 8 was given, expected a text"],
  ['{"id":7,"name":"\\ud800"}', "without lone surrogates"],
  ['{"id":7,"name":"a","tag":"\\udc00b"}', "tag: "],
  ['{"id":7,"name":"a\\nb"}', "without control characters"],
  ['{"id":7,"name":"a","tag":"\\u001b[31m"}', "without control characters"],
  ['{"id":7,"name":"a","tag":null}', "tag: null was given"],
  ['{"id":7,"name":"a","tag":5}', "tag: 5 was given"],
  ['{"id":07,"name":"a"}', "body: "],
  ['{"id":+7,"name":"a"}', "body: "],
  ['{"id":NaN,"name":"a"}', "body: "],
  ["{'id':7}", "body: "],
  ['{"id":7,"name":"a"} {}', "body: "],
  ["", "body: "],
  ["[]", "body: an array was given"],
  ["7", "body: a number was given"],
  ["null", "body: null was given"],
  ['"a"', "body: a text was given"],
  ["[".repeat(60_000), "body: "],
  [`{"id":7,"name":"a","x":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, ""],
])("%.60s is not", async (body, has) => {
  const answer = await post(body);
  if (has === "") expect([200, 400]).toContain(answer.status);
  else expect(answer.status).toBe(400);
  if (answer.status === 400) expect(saved).toEqual([]);
  expect(answer.body).toContain(has);
  expect(answer.body.length).toBeLessThan(500);
});

test("a body that is not UTF-8 is refused", async () => {
  const answer = await post(Buffer.from('{"id":7,"name":"\xff"}', "latin1"));
  expect(answer.status).toBe(400);
  expect(answer.body).toContain("not valid UTF-8");
});

test("the same again is 200, another plant under the same id 400", async () => {
  outcome = () => "same";
  expect((await post('{"id":7,"name":"a"}')).status).toBe(200);
  outcome = () => "different";
  const refused = await post('{"id":7,"name":"b"}');
  expect(refused.status).toBe(400);
  expect(refused.body).toContain("id: 7 is already stored with another name or tag");
  outcome = () => {
    throw new Failure(EXIT.io, "disk full at /var/lib/secret");
  };
  const full = await post('{"id":7,"name":"b"}');
  expect([full.status, full.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(full.body).not.toContain("secret");
  outcome = () => "stored";
});

test.each([
  ["", 415],
  ["Content-Type: text/plain\r\n", 415],
  ["Content-Type: application/jsonx\r\n", 415],
  ["Content-Type: application/json; charset=utf-16\r\n", 415],
  ["Content-Type: application/x-www-form-urlencoded\r\n", 415],
  [`${JSON_HEADER}Content-Encoding: gzip\r\n`, 415],
  [`${JSON_HEADER}Content-Encoding: identity\r\n`, 200],
  ["Content-Type: Application/JSON; charset=UTF-8\r\n", 200],
  ['Content-Type: application/json;charset="utf-8"\r\n', 200],
])("%j is %d", async (headers, status) => {
  expect((await post('{"id":7,"name":"a"}', AUTHORIZED + headers)).status).toBe(status);
});

test.each([
  ["no token", ""],
  ["a wrong token", "Authorization: Bearer wrong\r\n"],
  ["a longer token", `Authorization: Bearer ${TOKEN}x\r\n`],
  ["another scheme", `Authorization: Basic ${TOKEN}\r\n`],
  ["a bare token", `Authorization: ${TOKEN}\r\n`],
  ["two tokens", `Authorization: Bearer ${TOKEN} ${TOKEN}\r\n`],
])("%s is 401, whatever the body", async (_what, headers) => {
  const answer = await post("{", headers);
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(saved).toEqual([]);
});

test("the token is looked at before the body is read", async () => {
  const length = "Content-Length: 1000\r\n\r\n";
  const early = await exchange(http, head(JSON_HEADER) + length, '"}');
  expect(early.status).toBe(401);
  const expecting = `${JSON_HEADER}Expect: 100-continue\r\n`;
  const asked = await exchange(http, head(expecting) + length, '"}');
  expect(asked.text).toMatch(/^HTTP\/1\.1 401/);
});

test("a client that waits to be asked for its body is asked", async () => {
  const body = '{"id":7,"name":"a"}';
  const headers = `${AUTHORIZED}${JSON_HEADER}Expect: 100-continue\r\n`;
  const { text } = await exchange(
    http,
    `${head(headers)}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test("64 KiB is taken and a byte more is 413, announced or not", async () => {
  const start = '{"id":7,"name":"';
  const fill = (size: number) => `${start}${"a".repeat(size - start.length - 2)}"}`;
  expect((await post(fill(65_536))).status).toBe(200);
  expect((await post(fill(65_537))).status).toBe(413);
  const chunked = (size: number) =>
    exchange(
      http,
      `${head(AUTHORIZED + JSON_HEADER)}Transfer-Encoding: chunked\r\n\r\n` +
        `${size.toString(16)}\r\n${fill(size)}\r\n0\r\n\r\n`,
    );
  expect((await chunked(65_536)).status).toBe(200);
  expect((await chunked(65_537)).status).toBe(413);
});

test("a body that never ends is answered, and then cut off", async () => {
  const socket = await openSocket(http);
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  const headers = `${AUTHORIZED}${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\n`;
  socket.write(head(headers).replace("Connection: close\r\n", ""));
  const feeding = setInterval(() => socket.write(`2000\r\n${"a".repeat(0x2000)}\r\n`), 10);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(feeding);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
});
