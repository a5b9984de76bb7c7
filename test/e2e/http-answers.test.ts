// The bytes of every answer, held against those that are recorded in data/http-answers.txt: what
// changes inside the HTTP side must change nothing on the wire. Where a change is wanted, `vitest
// run http-answers -u` records anew, and the file's diff shows what clients will see.

import { createHash } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { EXIT, Failure } from "../../src/ground/errors.ts";
import { ReaderLost, ReadersBusy, StoredDamage } from "../../src/sqlite/file/query.ts";
import type { Readers } from "../../src/sqlite/threads/readers.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { requestsToRecovery, requestsToService, requestsToStream } from "../rig/http-requests.ts";
import { openHttpRig, urlOf } from "../rig/http-server-rig.ts";
import { startProgram } from "../rig/program.ts";
import type { RawRequest } from "../rig/raw-http.ts";

const TOKEN = "token-of-the-test";
const env = {
  BALLASTD_AUTH_TOKEN: TOKEN,
  BALLASTD_HTTP_ALLOWED_HOSTS: "ship",
  BALLASTD_HTTP_CORS_ORIGINS: "http://bridge",
};

/** Their bodies follow from the readings, the machine or the build: other tests are about those. */
const CHANGING =
  /^\/($|recovery.css|readyz|metrics|version|openapi.json|docs|admin|export|api\/(?!telemetry))/;

test("every answer of a service, of recovery and of failing readers is recorded", async () => {
  const [service, recovery] = await Promise.all([ofService(), ofRecovery()]);
  const streams = await ofStreams();
  await expect(printed({ service, recovery, streams })).toMatchFileSnapshot(
    "../data/http-answers.txt",
  );
});

interface Answered {
  readonly label: string;
  readonly answers: readonly Answer[];
}

/** Without what changes by nature. */
interface Answer {
  readonly line: string;
  readonly headers: string;
  readonly body: string;
}

/** Stands for a length that is right. */
const LENGTH = "Content-Length: …";

async function ofService(): Promise<readonly Answered[]> {
  await using appliance = await startAppliance({ env });
  const readings = [0, 1, 2].map((minute) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp: `2026-05-01T10:0${minute}:00Z`, UVR_INTENSITY: 648.5 }),
  }));
  await appliance.publish(readings);
  const lots = requestsToService(TOKEN).map((lot) => answersOf(appliance.url, lot));
  return (await Promise.all(lots)).flat();
}

async function ofRecovery(): Promise<readonly Answered[]> {
  const closed = { BALLASTD_AUTH_MONITORING: "token", BALLASTD_LIMITS_UV_IMO: "much" };
  await using program = startProgram({
    args: ["serve", "--recovery"],
    env: { ...env, ...closed },
  });
  const [, url] = await program.waitForOutput(/^RECOVERY: .*\nweb: (\S+)\/$/m);
  return await answersOf(url, requestsToRecovery(TOKEN));
}

/** Readers that fail in each way and at each time: `hours` is the number of the stream. */
async function ofStreams(): Promise<readonly Answered[]> {
  const readers: Readers = {
    async ask(query) {
      const stream = STREAMS[query.name === "history" ? query.hours - 1 : 0];
      if (stream.chunks === null) throw FAULTS[stream.fault ?? ""];
      return { chunks: chunksOf(stream.chunks, stream.fault) };
    },
  };
  const http = await openHttpRig({ readers });
  const requests = STREAMS.flatMap((stream, at) =>
    requestsToStream(JSON.stringify(stream), `/api/telemetry/history?hours=${at + 1}`),
  );
  const answered = await answersOf(urlOf(http), requests);
  await http.close();
  return answered;
}

const FAULTS: Readonly<Record<string, Error>> = {
  busy: new ReadersBusy("8 answers are under way"),
  lost: new ReaderLost("the thread ended"),
  damage: new StoredDamage("a segment"),
  disk: new Failure(EXIT.io, "the disk"),
  fault: new Error("ours"),
};

/** Number of chunks before the fault, if there is one; null: not even an answer. */
const STREAMS: readonly { readonly chunks: number | null; readonly fault?: string }[] = [
  ...[0, 1, 2, 5].map((chunks) => ({ chunks })),
  ...Object.keys(FAULTS).map((fault) => ({ chunks: null, fault })),
  ...[0, 1, 3].map((chunks) => ({ chunks, fault: "lost" })),
];

async function* chunksOf(count: number, fault: string | undefined) {
  for (let at = 0; at < count; at += 1) yield new TextEncoder().encode(`[${at}]`);
  if (fault === undefined) return;
  // By then the sent data is out.
  await pause(20);
  throw FAULTS[fault];
}

/** One after the other, because some of them store. */
async function answersOf(url: string, requests: readonly RawRequest[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const request of requests) {
    const bytes = await exchanged(new URL(url), request);
    answered.push({ label: request.label, answers: answersIn(bytes, request) });
  }
  return answered;
}

async function exchanged({ hostname, port }: URL, request: RawRequest): Promise<Buffer> {
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // Answers before a connection is cut count.
  socket.on("error", () => null);
  socket.write(request.bytes, "latin1");
  if (request.breaksOff) socket.end();
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks);
}

function answersIn(bytes: Buffer, { bytes: sent }: RawRequest): readonly Answer[] {
  const answers: Answer[] = [];
  const asked = [...sent.matchAll(/\b([A-Z]{1,9}) (\S+) HTTP\//gi)];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) throw new Error(`an answer breaks off: ${bytes.toString("latin1", at)}`);
    const head = bytes.toString("latin1", at, end);
    const [, method = "", target = ""] = asked[0] ?? [];
    const found = bodyAt(bytes, end + 4, { head, method });
    // The head of an answer that is cut off may not have been sent either.
    if (found === null) break;
    answers.push(oneAnswer(head, { body: found.body, method, target }));
    if (!head.startsWith("HTTP/1.1 1")) asked.shift();
    at = found.next;
  }
  return answers;
}

function bodyAt(
  bytes: Buffer,
  start: number,
  { head, method }: { head: string; method: string },
): { readonly body: Buffer; readonly next: number } | null {
  const isEmpty = method === "HEAD" && bytes.toString("latin1", start, start + 1) !== "{";
  const length = isEmpty ? 0 : Number(/^Content-Length: (\d+)$/m.exec(head)?.[1] ?? 0);
  const chunks = [bytes.subarray(start, start + length)];
  let next = start + length;
  let more = !isEmpty && /^Transfer-Encoding: chunked$/m.test(head);
  while (more) {
    const data = bytes.indexOf("\r\n", next) + 2;
    if (data < 2) return null;
    const size = Number.parseInt(bytes.toString("latin1", next, data), 16);
    chunks.push(bytes.subarray(data, data + size));
    next = data + size + 2;
    more = size > 0;
  }
  return { body: Buffer.concat(chunks), next };
}

function oneAnswer(
  head: string,
  { body, method, target }: { body: Buffer; method: string; target: string },
): Answer {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/\?.*/, "") || "/";
  const isChanging = CHANGING.test(path) && !/^\S+ (4|500)/.test(head);
  const [line, ...headers] = head
    .replace(/'sha256-[^']+'/, "'sha256-…'")
    .replace(/^(X-Request-Id): \S+/im, "$1: …")
    .split("\r\n")
    .filter((one) => !one.startsWith("Date: "));
  const length = `Content-Length: ${body.length}`;
  const encoding = /^Content-Encoding: (\w+)/m.exec(head)?.[1] ?? "identity";
  const text = decoded(encoding, body)
    .replace(inMessage(path), "PATH")
    .replace(inMessage(method), "METHOD");
  const shown = isChanging ? "…" : text.length > 300 ? `sha256 ${hash(text)}` : text;
  return {
    line: line.replace("HTTP/1.1 ", ""),
    headers: headers
      .map((one) => (one === length || (isChanging && one.startsWith("Content-L")) ? LENGTH : one))
      .join("\n"),
    body: body.length === 0 ? "" : shown,
  };
}

/** `given` as it stands, quoted and cut, in the message of a JSON body. */
function inMessage(given: string): string {
  const cut = given.length > 80 ? `${given.slice(0, 80)}...` : given;
  return JSON.stringify(JSON.stringify(cut)).slice(1, -1);
}

function decoded(encoding: string, body: Buffer): string {
  if (body.length === 0) return "";
  if (encoding === "gzip") return gunzipSync(body).toString();
  if (encoding === "br") return brotliDecompressSync(body).toString();
  return (encoding === "zstd" ? zstdDecompressSync(body) : body).toString();
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 6);

/** Each request with the names of its answers, then each answer and each set of headers once. */
function printed(all: Readonly<Record<string, readonly Answered[]>>): string {
  const answers = new Set<string>();
  const heads = new Set<string>();
  const named = ({ line, headers, body }: Answer) => {
    const text = `${line} {${hash(headers)}} ${body}`.trim();
    answers.add(text);
    heads.add(headers);
    return `${line.slice(0, 3)}-${hash(text)}`;
  };
  const table = (texts: ReadonlySet<string>, line: (text: string) => string) =>
    [...texts].sort().map(line);
  return [
    ...Object.entries(all).flatMap(([mode, answered]) => [
      `# Requests to ${mode}: what is sent => the answers`,
      ...answered.map((one) => `${one.label} => ${one.answers.map(named).join(" ") || "nothing"}`),
      "",
    ]),
    "# Answers: name, status, {headers}, body",
    ...table(answers, (text) => `${hash(text)} ${text}`),
    "",
    "# Headers, without Date",
    ...table(heads, (text) => `{${hash(text)}}\n${text}\n`),
  ].join("\n");
}
