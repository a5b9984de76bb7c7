// Raw requests with bodies, whole and broken off, and many requests on one connection.

import { ask, bearer, CLOSE, HOST, JSON_BODY, post, type RawRequest, raw } from "./raw-http.ts";

/** Bodies that are stored, refused, too large, or end early. */
export const bodies = (token: string): readonly RawRequest[] => {
  const typed = (type: string, body = '{"id":2,"name":"b"}') =>
    ask("POST /plants", [type, bearer(token), `Content-Length: ${body.length}`], body);
  const chunked = (body: string, breaksOff = false) =>
    raw(
      ["POST /plants HTTP/1.1", HOST, CLOSE, JSON_BODY, bearer(token)].join("\r\n") +
        `\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
      { breaksOff },
    );
  const lines = ["POST /plants HTTP/1.1", HOST, CLOSE, JSON_BODY, bearer(token), ""];
  const head = lines.join("\r\n");
  return [
    ...BODIES.map((body) => post("/plants", body, [bearer(token)])),
    ...BODIES.slice(0, 6).map((body) => post("/plants", body, [])),
    ...LAMP_BODIES.flatMap((body) =>
      ["01", "2", "17"].map((lamp) =>
        post(`/admin/lamps/${lamp}/replacement`, body, [bearer(token)]),
      ),
    ),
    ...TYPES.map((type) => typed(type)),
    ...CHUNKS.map((body) => chunked(body)),
    ...["", "5", "5\r\n{}", "5\r\n{    \r\n", "0\r\n"].map((body) => chunked(body, true)),
    ...[1, 5, 70_000].map((length) =>
      raw(`${head}Content-Length: ${length}\r\n\r\n`, { breaksOff: true }),
    ),
    ...["GET /healthz", "PUT /plants", "OPTIONS /plants", "HEAD /"].map((line) =>
      ask(line, ["Content-Length: 2"], "{}"),
    ),
    ...[65_536, 65_537, 200_000].map((length) =>
      post("/plants", '{"id":3,"name":"c"}'.padEnd(length), [bearer(token)]),
    ),
    ask("POST /plants", [
      JSON_BODY,
      bearer(token),
      "Content-Length: 70000",
      "Expect: 100-continue",
    ]),
    ask("POST /plants", [JSON_BODY, "Content-Length: 2", "Expect: 100-continue"], "{}"),
    post("/plants", '{"id":4,"name":"d"}', [bearer(token), "Expect: 100-continue"]),
    ...HALVES.map((bytes) => raw(bytes, { breaksOff: true })),
  ];
};

const BODIES = [
  ...['{"id":1,"name":"a"}', '{"id":1,"name":"a"}', '{"id":1,"name":"b"}', "", "{}", "[]", "null"],
  ...['{"id":5,"name":"e","tag":"t"}', '{"id":"5","name":"e"}', '{"id":5.0,"name":"e"}', '{"id":'],
  ...['{"id":1e3,"name":"e"}', '{"id":9007199254740993,"name":"n"}', '{"id":6,"name":""}', "\xff"],
  ...['{"id":7,"name":null}', '{"id":7,"name":"a","x":1}', "[".repeat(50_000), "1", '"x"', "{}x"],
];
const LAMP_BODIES = [
  ...["{}", "[]", '{"at":"x"}', '{"at":1}', '{"at":"2999-01-01T00:00:00Z"}', ""],
  ...['{"at":"2026-04-30T00:00:00Z","replaced":1}', '{"at":"2026-04-30T00:00:00Z"}'],
];
const TYPES = [
  ...["text/plain", "application/json; charset=utf-8", 'application/json;charset="UTF-8"', ""],
  ...["application/json; charset=latin1", "application/jsonx", "APPLICATION/JSON", "a, b"],
].map((type) => `Content-Type: ${type}`);
const CHUNKS = [
  ...["0\r\n\r\n", "2\r\n{}\r\n0\r\n\r\n", "2;a=b\r\n{}\r\n0\r\nX: 1\r\n\r\n", "x\r\n", "-1\r\n"],
  ...["2\r\n{}x\r\n", "2\n{}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n", "02\r\n{}\r\n0\r\n\r\n"],
];
const HALVES = [
  ...["G", "GET", "GET ", "GET /healthz", "GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\r\n"],
  ...[
    "\r\n",
    "\r\n\r\n",
    "\0",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "PRI * HTTP/2.0\r\n",
  ],
  ...[`GET /healthz HTTP/1.1\r\n${HOST}`, `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: `],
];

/** Several requests in one go: what is behind a bad one, or behind the last. */
export const pipelines = (token: string): readonly RawRequest[] => {
  const open = (line: string, more = "") => `${line} HTTP/1.1\r\n${HOST}\r\n${more}\r\n`;
  const last = `GET /healthz HTTP/1.1\r\n${HOST}\r\n${CLOSE}\r\n\r\n`;
  const plant = '{"id":8,"name":"h"}';
  const head = `${JSON_BODY}\r\n${bearer(token)}\r\n`;
  const posted = open("POST /plants", `${head}Content-Length: ${plant.length}\r\n`) + plant;
  const parts = {
    page: open("GET /"),
    head: open("HEAD /api/stats"),
    none: open("GET /none"),
    options: open("OPTIONS /plants"),
    refused: open("POST /plants", `${JSON_BODY}\r\nContent-Length: ${plant.length}\r\n`) + plant,
    posted,
    stats: open("GET /api/stats"),
    old: `GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`,
    expects: `${open("POST /plants", `${head}Content-Length: 2\r\nExpect: 100-continue\r\n`)}{}`,
    twice: open("GET /healthz", `${HOST}\r\n`),
    large: open("GET /none", `X: ${"x".repeat(31_000)}\r\n`),
  };
  const all = Object.entries(parts);
  const named = (label: string, bytes: string) => raw(bytes, { label: `pipeline: ${label}` });
  return [
    ...all.flatMap(([name, one]) =>
      all.map(([next, other]) => named(`${name}, ${next}`, one + other + last)),
    ),
    ...all.flatMap(([name, one]) => [
      named(`${name} 20 times`, one.repeat(20) + last),
      named(`${name}, empty lines`, `${one}\r\n\r\n${last}`),
      named(`${name}, nonsense`, `${one}NONSENSE\r\n\r\n${last}`),
      named(`${name}, the last, ${name}`, one + last + one),
    ]),
    ...["x\r\n", "GET /healthz HTTP/9.9\r\n\r\n", "get / HTTP/1.1\r\n\r\n", "\0"].flatMap((bad) => [
      raw(bad + last),
      raw(last + bad),
      raw(posted + bad + last),
    ]),
  ];
};
