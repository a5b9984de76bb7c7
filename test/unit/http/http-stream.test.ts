// Large answers: compressed or not, streamed with bounded memory, ended when the client goes away,
// and never finished as if they were whole when they aren't.

import { once } from "node:events";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import { SMALL_BYTES } from "../../../src/http/answer.ts";
import type { Readers } from "../../../src/sqlite/threads/readers.ts";
import { exchange, openHttpRig, openSocket, scriptedReaders } from "../../rig/http-server-rig.ts";

const REQUEST = "GET /api/events HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n";
const opened: Http[] = [];
afterEach(async () => {
  for (const http of opened.splice(0)) await http.close();
});

async function open(readers: Readers): Promise<Http> {
  const http = await openHttpRig({ readers });
  opened.push(http);
  return http;
}

/** 64 KiB that stay large when they are compressed, different each time. */
function noise(): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(16 * 1024);
  for (let index = 0; index < words.length; index++) {
    state_word = (Math.imul(state_word, 1_664_525) + 1_013_904_223) >>> 0;
    words[index] = Math.imul(state_word ^ (state_word >>> 15), 0x2c1b3c6d);
  }
  return new Uint8Array(words.buffer);
}
let state_word = 1;

/** An answer without end that counts what was taken of it, and whether it was ended. */
function endless() {
  const state = { taken: 0, ended: Promise.withResolvers<void>() };
  const readers: Readers = {
    async ask() {
      return {
        chunks: (async function* () {
          try {
            for (;;) {
              state.taken++;
              yield noise();
            }
          } finally {
            state.ended.resolve();
          }
        })(),
      };
    },
  };
  return { state, readers };
}

/** The smallest answer that is compressed. */
const MIDDLING = JSON.stringify("x".repeat(SMALL_BYTES - 2));
const SMALL = MIDDLING.replace("x", "");

describe("compression", () => {
  const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
  const SIZES = { middling: [MIDDLING], large: ["[", "1,".repeat(90_000), "2", "]"] };

  test.each(
    Object.keys(DECODERS).flatMap((name) =>
      Object.keys(SIZES).map((size) => [name, size] as const),
    ),
  )("%s of a %s answer decodes to the answer", async (name, size) => {
    const whole = Object.entries(SIZES).find(([key]) => key === size)?.[1] ?? [];
    const decode = Object.entries(DECODERS).find(([key]) => key === name)?.[1] ?? gunzipSync;
    const http = await open(scriptedReaders(() => whole));
    const end = `Accept-Encoding: ${name}\r\n\r\n`;
    // HTTP/1.0, so that the body comes unchunked.
    const answer = await exchange(http, REQUEST.replace("1.1", "1.0") + end);
    expect(answer.headers.get("content-encoding")).toBe(name);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(decode(Buffer.from(answer.body, "latin1")).toString()).toBe(whole.join(""));
  });

  test.each([
    ["gzip;q=0", undefined, undefined],
    ["identity", undefined, undefined],
    ["deflate", undefined, undefined],
    ["", undefined, undefined],
    ["gzip;q=0.2, br;q=0.8", "br", undefined],
    ["GZIP", "gzip", undefined],
    ["gzip, deflate", "gzip", undefined],
    ["gzip, deflate, br, zstd", "zstd", undefined],
    ["gzip, deflate, br", "br", undefined],
    ["zstd;q=0.5, br;q=0.500, gzip;q=0.4", "zstd", undefined],
    ["zstd;q=0.5,br;q=0.51", "br", undefined],
    ["gzip;q=0.3, identity", undefined, undefined],
    ["gzip, identity", "gzip", undefined],
    ["gzip; q=0.3, identity;q=0", "gzip", "gzip"],
    ["identity;q=0, br", "br", "br"],
    ["*", "zstd", undefined],
    ["*;q=0.5, gzip;q=1.0", "gzip", undefined],
    ["*, zstd;q=0", "br", undefined],
    ["*;q=0, gzip", "gzip", "gzip"],
    ["gzip;q=2, br;q=x, zstd;q=", undefined, undefined],
    ["gzip;q=1e400", undefined, undefined],
    // By these nothing is acceptable; the answer is plain.
    ["*;q=0", undefined, undefined],
    ["identity;q=0", undefined, undefined],
    [";;;,,=", undefined, undefined],
  ])("Accept-Encoding %j gets %s, of a small answer %s", async (accept, encoding, small) => {
    const texts = { "/api/health": MIDDLING, "/api/events": SMALL };
    const http = await open(scriptedReaders(({ name }) => [name === "health" ? MIDDLING : SMALL]));
    for (const [path, text] of Object.entries(texts)) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n`;
      const answer = await exchange(http, `${head}Accept-Encoding: ${accept}\r\n\r\n`);
      expect(answer.status).toBe(200);
      const coding = text === MIDDLING ? encoding : small;
      expect(answer.headers.get("content-encoding")).toBe(coding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("content-length")).toMatch(/^\d+$/);
    }
  });

  test("a HEAD of a compressed answer has no body and ends the work", async () => {
    const { state, readers } = endless();
    const http = await open(readers);
    const head = REQUEST.replace("GET", "HEAD");
    const answer = await exchange(http, `${head}Accept-Encoding: br\r\n\r\n`);
    expect([answer.status, answer.body]).toEqual([200, ""]);
    await state.ended.promise;
  });

  test("a HEAD of a Parquet file computes nothing", async () => {
    const { state, readers } = endless();
    const http = await open(readers);
    const asked = REQUEST.replace("GET /api/events", "HEAD /export/telemetry?format=parquet");
    const { status, headers, body } = await exchange(http, `${asked}\r\n`);
    expect([status, body, state.taken]).toEqual([200, "", 0]);
    expect(headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(headers.get("content-disposition")).toMatch(/-telemetry\.parquet"$/);
  });
});

describe.each(["identity", "gzip", "br", "zstd"])("streaming with %s", (encoding) => {
  const request = `${REQUEST}Accept-Encoding: ${encoding}\r\n\r\n`;

  test("a client that doesn't read isn't read ahead for, and its leaving ends it", async () => {
    const { state, readers } = endless();
    const http = await open(readers);
    const socket = await openSocket(http);
    socket.pause();
    socket.write(request);
    // Until it stands still: what the sockets' buffers hold, and no more.
    let before = -1;
    while (before !== state.taken || state.taken === 0) {
      before = state.taken;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(state.taken * 64 * 1024).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await state.ended.promise;
  });

  test("a client that leaves in the middle ends the work", async () => {
    const { state, readers } = endless();
    const http = await open(readers);
    const socket = await openSocket(http);
    socket.write(request);
    await once(socket, "data");
    socket.destroy();
    await state.ended.promise;
  });

  test("a reader that fails in mid-stream leaves no proper end", async () => {
    const http = await open(
      scriptedReaders(async function* () {
        for (let count = 0; count < 20; count++) yield Buffer.from(noise()).toString("hex");
        await new Promise((resolve) => setTimeout(resolve, 100));
        throw new Error("the reader died");
      }),
    );
    const answer = await exchange(http, request);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("transfer-encoding")).toBe("chunked");
    expect(answer.text.endsWith("0\r\n\r\n")).toBe(false);
  });
});

test("a reader that fails before the second chunk is still a clean error", async () => {
  const http = await open(
    scriptedReaders(async function* () {
      yield "[1";
      throw new Error("the reader died");
    }),
  );
  const answer = await exchange(http, `${REQUEST}\r\n`);
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.body).error).toBe(500);
});

test("a client that left while it waited for a reader costs no reading", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { state, readers } = endless();
  const http = await open({
    async ask(query) {
      asked.resolve();
      await gate.promise;
      return readers.ask(query);
    },
  });
  const socket = await openSocket(http);
  socket.write(`${REQUEST}\r\n`);
  await asked.promise;
  socket.destroy();
  await once(socket, "close");
  await new Promise((resolve) => setTimeout(resolve, 50));
  gate.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(state.taken).toBe(0);
});

test("one connection has one request in hand, however many it pipelines", async () => {
  let running = 0;
  let most = 0;
  const http = await open({
    async ask() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      return {
        chunks: (async function* () {
          yield Buffer.from("[]");
        })(),
      };
    },
  });
  const one = "GET /api/events HTTP/1.1\r\nHost: ship\r\n\r\n";
  const answer = await exchange(http, `${one.repeat(49)}${REQUEST}\r\n`);
  expect([...answer.text.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(50);
  expect(most).toBe(1);
});

test("whoever pipelines has one answer in a round of the loop, so others go on", async () => {
  const http = await open(scriptedReaders(() => ["[]"]));
  const one = "GET /healthz HTTP/1.1\r\nHost: ship\r\n\r\n";
  let rounds = 0;
  let counting = true;
  const count = () => {
    rounds += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const last = one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const answer = await exchange(http, one.repeat(999) + last);
  counting = false;
  expect([...answer.text.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(1000);
  expect(rounds).toBeGreaterThan(990);
});
