// Fuzzes the HTTP port: connections with one to eight requests pipelined. What is HTTP must be
// answered, anything else answered or closed; never a 500, every error in the Error shape, every
// answer as the program's own OpenAPI document says.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { codeOf, messageOf } from "../../src/ground/errors.ts";
import { PATIENCE_MS } from "../../test/rig/patience.ts";
import { openPublisher } from "../../test/rig/publisher.ts";
import { openPlant, seriesOf } from "../../test/rig/steady-plant.ts";
import { type Attacked, startAttacked } from "./appliance.ts";
import { type FuzzedRequest, fuzzedRequest } from "./request.ts";
import { type FuzzedResponse, readResponses } from "./response.ts";
import { chanceOf, numbersOf, type Run } from "./run.ts";

const CONNECTIONS = 12;
const PIPELINED_MAX = 8;
const READINGS = 3000;
const LOOK_EVERY = 20_000;
/** When nothing more comes for what isn't HTTP, we say that we are done. */
const QUIET_MS = 100;
const CHECKED_BYTES_MAX = 64 * 1024;

export async function fuzzHttp(run: Run): Promise<void> {
  const attacked = await startAttacked(run);
  await fill(attacked);
  const numbers = numbersOf(run);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let lot = lotOf(numbers); lot.length > 0; lot = lotOf(numbers)) {
        await attack(run, attacked, lot);
        if (lot.some((number) => number % LOOK_EVERY === LOOK_EVERY - 1))
          await attacked.look(lot[0]);
      }
    }),
  );
  await attacked.finish();
}

/** Readings for the answers to be made of. */
async function fill({ mqtt }: Attacked): Promise<void> {
  const series = seriesOf({ seed: 1, readings: READINGS, now_ms: Date.UTC(2026, 4, 1) });
  const cadence_ms = 60 * SECOND_MS;
  const start_ms = Date.UTC(2026, 0, 1);
  const publisher = await openPublisher(mqtt, openPlant({ ...series, cadence_ms, start_ms }));
  await publisher.flood({ start_ms, cadence_ms, count: READINGS }, 256);
  await publisher.close();
}

/** The next cases of one connection: as many as the first of them says. */
function lotOf(numbers: Generator<number>): readonly number[] {
  const lot: number[] = [];
  do {
    const { value, done } = numbers.next();
    if (done === true) return lot;
    lot.push(value);
  } while (lot[0] % PIPELINED_MAX >= lot.length);
  return lot;
}

async function attack(run: Run, attacked: Attacked, lot: readonly number[]): Promise<void> {
  const made = lot.map((number) => fuzzedRequest(chanceOf(run, number), attacked.token));
  const orderly = made.every((request) => request.orderly);
  // Beside odd ones it can't be told which answer is that without a body.
  const requests = made.filter(({ method }) => orderly || method !== "HEAD");
  for (const request of requests) run.tally(request.orderly ? "orderly requests" : "odd requests");
  const exchanged = await exchange(attacked.http, requests, lot);
  const { bytes, problem: failed } = exchanged;
  const methods = requests.map(({ method }) => method);
  const { complete, problem, left } = readResponses(bytes, methods);
  if (problem !== null) run.found(lot[0], `${problem}\nafter ${shown(requests)}`);
  if (orderly && (complete.length < requests.length || left > 0) && !closedEarly(complete))
    run.found(
      lot[0],
      `${complete.length} of ${requests.length} answered (${failed ?? "closed"}), ${left} bytes ` +
        `of another; the last ${complete.at(-1)?.status}\nafter ${shown(requests)}`,
    );
  if (failed === "late") run.found(lot[0], `neither answered nor closed: ${shown(requests)}`);
  if (failed !== null && failed !== "late") run.tally(`connections that ended by ${failed}`);
  for (const [place, response] of complete.entries()) {
    run.tally(`answers of ${response.status}`);
    const wrong = problemOf(attacked, response, orderly ? (requests[place] ?? null) : null);
    if (wrong !== null) run.found(lot[place] ?? lot[0], `${wrong}\nafter ${shown(requests)}`);
  }
}

/** True if the last answer announced a close, after which the rest may go unanswered (RFC 9112). */
function closedEarly(complete: readonly FuzzedResponse[]): boolean {
  return complete.at(-1)?.headers.get("connection")?.toLowerCase() === "close";
}

interface Exchanged {
  readonly bytes: Buffer;
  /** Null: closed cleanly. */
  readonly problem: string | null;
}

/** Sends the requests together and reads until the other side closes. */
async function exchange(
  http: string,
  requests: readonly FuzzedRequest[],
  lot: readonly number[],
): Promise<Exchanged> {
  const { hostname, port } = new URL(http);
  // Another address of this machine for each: failed tokens are counted by address.
  const localAddress = `127.0.${1 + (lot[0] % 200)}.${1 + (Math.floor(lot[0] / 200) % 250)}`;
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  const chunks: Buffer[] = [];
  let problem: string | null = null;
  let quiet: NodeJS.Timeout | undefined;
  const isOrderly = requests.every(({ orderly }) => orderly);
  const wait = () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => socket.end(), isOrderly ? PATIENCE_MS : QUIET_MS);
  };
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    wait();
  });
  const late = setTimeout(() => {
    problem = "late";
    socket.destroy();
  }, PATIENCE_MS);
  socket.once("error", (error) => {
    problem ??= codeOf(error) ?? messageOf(error);
  });
  socket.write(Buffer.concat([...requests.map(({ bytes }) => bytes), lastRequest(requests)]));
  wait();
  await closed(socket);
  clearTimeout(quiet);
  clearTimeout(late);
  return { bytes: Buffer.concat(chunks), problem };
}

/** Ends an orderly connection: the answer to it isn't asked for by a case. */
function lastRequest(requests: readonly FuzzedRequest[]): Buffer {
  const isOrderly = requests.every(({ orderly }) => orderly);
  const text = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  return Buffer.from(isOrderly ? text : "");
}

function closed(socket: Socket): Promise<unknown> {
  return once(socket, "close").catch(() => new Promise((resolve) => socket.once("close", resolve)));
}

function problemOf(
  { validator }: Attacked,
  { status, headers, body }: FuzzedResponse,
  request: FuzzedRequest | null,
): string | null {
  if (status >= 500 && !(status === 503 && headers.has("retry-after"))) return `answered ${status}`;
  if (status === 204 || (request === null ? body.length === 0 : request.method === "HEAD"))
    return null;
  const type = headers.get("content-type") ?? "";
  const plain = headers.get("content-encoding") === "gzip" ? gunzipSync(body) : body;
  if (headers.has("content-encoding") && plain === body) return null;
  if (status >= 400) return errorProblem(status, type, plain.toString());
  if (request === null || request.route === null || plain.length > CHECKED_BYTES_MAX) return null;
  const answer = { method: request.method, path: request.route, status, type: type.split(";")[0] };
  // CSV and NDJSON of one route, the docs as a page: only what is described is looked at.
  if (answer.type !== "application/json") return null;
  return validator.answerProblems({ ...answer, body: plain.toString() });
}

function errorProblem(status: number, type: string, body: string): string | null {
  const leak =
    /\bat \S+ \(|node:internal|\.(cjs|ts):\d|\/(tmp|root|home)\/|SQLITE_|select .* from/i;
  if (!type.startsWith("application/json"))
    return `${status} of type ${type}: ${body.slice(0, 200)}`;
  const parsed = parsedJson(body);
  const isError =
    typeof parsed === "object" &&
    parsed !== null &&
    Object.keys(parsed).join() === "error,message" &&
    Object.values(parsed)[0] === status;
  if (!isError) return `${status} isn't an Error: ${body.slice(0, 200)}`;
  return leak.test(body) ? `${status} tells of insides: ${body.slice(0, 300)}` : null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shown(requests: readonly FuzzedRequest[]): string {
  return requests.map(({ bytes }) => JSON.stringify(bytes.toString("latin1", 0, 300))).join("\n");
}
