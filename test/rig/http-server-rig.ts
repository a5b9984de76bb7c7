// An HTTP side on any port, with readers that a test scripts and a raw socket to talk to it:
// what a well-behaved client library would never send is what most needs trying.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Http, openHttp } from "../../src/app/server.ts";
import { Inspection } from "../../src/bwts/documents/inspection.ts";
import { ShoreAnswer } from "../../src/bwts/documents/shore-answer.ts";
import type { NewPlant, SaveResult } from "../../src/bwts/plant.ts";
import { spansOf } from "../../src/bwts/plausible.ts";
import type { Readiness } from "../../src/bwts/readiness.ts";
import { SystemAnswer, SystemPresent } from "../../src/bwts/system.ts";
import { type Holder, ROLES } from "../../src/bwts/token.ts";
import type { Log } from "../../src/ground/log.ts";
import type { HttpOptions } from "../../src/http/route.ts";
import { openStream } from "../../src/http/stream.ts";
import type { Query } from "../../src/sqlite/answers/queries.ts";
import type { Readers } from "../../src/sqlite/threads/readers.ts";

export const TOKEN = "test-token";

/** A token of each role; the maintainer's is TOKEN. */
const HOLDERS = new Map(
  ROLES.map((role): [string, Holder] => [
    role === "maintainer" ? TOKEN : `${role}-token`,
    { name: role, role, added_ms: null },
  ]),
);

const silent = () => {};
export const SILENT: Log = { debug: silent, info: silent, warn: silent, error: silent };

export const READY: Readiness = {
  ready: true,
  reasons: [],
  simulated: false,
  system: { id: "BWTS-001", vessel: "", imo: "", utc_offset: "" },
  limits: { uv_imo: 252, source: "default" },
  last_reading: null,
  last_commit: null,
  last_received_seconds_ago: null,
  mqtt: {
    ...{ mode: "embedded", connected: true, clients: 0, where: "127.0.0.1:1883", problem: null },
    ...{ since: "2026-05-01T00:00:00.000Z", session_lost: null, login_refused: null },
  },
  disk: { free_bytes: 1e9, problem: null },
  not_stored: null,
  clock: { now: "2026-05-01T00:00:00.000Z", trusted: true, problem: null },
  ...{ quarantining: null, plc_clock: null },
  damage: { found: 0, problems: [], proven: null },
  jobs: [],
  certificates: [],
};

const SYSTEM = SystemPresent.parse(SystemAnswer.meta()?.example);

/** Readers that answer `chunksOf(query)`, null for nothing; `asked` is what they were asked. */
export function scriptedReaders(
  chunksOf: (query: Query) => Iterable<string> | AsyncIterable<string> | null,
): Readers & { readonly asked: Query[] } {
  const asked: Query[] = [];
  return {
    asked,
    async ask(query) {
      asked.push(query);
      const chunks = chunksOf(query);
      if (chunks === null) return { chunks };
      const bytes = (async function* () {
        for await (const chunk of chunks) yield new TextEncoder().encode(chunk);
      })();
      return { chunks: bytes };
    },
  };
}

/** A writer that stores plants as `save` says, and everything else at once. */
export function scriptedWrites(save: (plant: NewPlant) => SaveResult): HttpOptions["write"] {
  return async (name, ...given) => {
    const [plant] = given as unknown as [NewPlant];
    return (name === "save_plant" ? save(plant) : null) as never;
  };
}

const SHEET = Inspection.parse(Inspection.meta()?.example);
const ASKED_SHEET = {
  name: "inspection",
  now_ms: 0,
  source: {
    ...{ built_ms: 0, ship: SHEET.ship, utc_offset: "", version: "0.2.0", simulated: false },
  },
} as const;
const SHORE = ShoreAnswer.parse(ShoreAnswer.meta()?.example);

export async function openHttpRig(given: Partial<HttpOptions> = {}): Promise<Http> {
  return openHttp({
    listen: [{ host: "127.0.0.1", port: 0 }],
    missing: "refuse",
    certificate: null,
    allowed_hosts: ["ship"],
    cors_origins: [],
    lamps: {
      ...{ rated_hours: 3000, end_of_life_efficiency: 70, horizon_hours: 500 },
      ...{ part_number: "", profile: [], lead_days: 60 },
    },
    record_book: { language: "en", time_tolerance_minutes: 10, volume_tolerance_percent: 5 },
    spans: spansOf({ flow_max_imo: 1000 }),
    monitoring: "open",
    holderOf: (secret) => HOLDERS.get(secret) ?? null,
    note: silent,
    readers: scriptedReaders(() => ["[]"]),
    write: scriptedWrites(() => "stored"),
    stream: openStream({ now_ms: Date.now, facts: () => null, log: SILENT }),
    clock: () => ({
      ...{ now: "2026-05-01T10:00:00.000Z", trusted: true, problem: null },
      ...{
        offset_seconds: null,
        reading_offset_seconds: null,
        offset_readings: 0,
        offset_at: null,
      },
      drift_seconds_per_day: null,
    }),
    readiness: () => READY,
    system: () => SYSTEM,
    shore: async () => SHORE,
    inspection: { asked: () => ASKED_SHEET, print: async () => Buffer.from(JSON.stringify(SHEET)) },
    backUp: async () => null,
    settings: {
      now: () => {
        throw new Error("there is no file");
      },
      change: async () => ({ outcome: "file", problem: "there is no file", reasons: [] }),
      test: async () => null,
    },
    seenTopics: () => [],
    tokens: {
      make: async ({ name, role }) => ({ name, role, token: "made" }),
      first: () => null,
    },
    support: () => null,
    metrics: async () => "ballastd_up 1\n",
    onAnswered: () => {},
    build: { version: "0.2.0", commit: "unbuilt" },
    sqliteVersion: "3.51.0",
    files: new Map([["/", { bytes: Buffer.from("<!doctype html>"), type: "text/html" }]]),
    log: SILENT,
    ...given,
  });
}

/** The base address of `http`. */
export const urlOf = (http: Http) => `http://${http.addresses()[0]}`;

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** All that came, unparsed. */
  readonly text: string;
}

/** `localAddress`: from which of this machine's own it comes. */
export async function openSocket(http: Http, localAddress?: string): Promise<Socket> {
  const [host, port] = http.addresses()[0].split(":");
  const socket = connect({ port: Number(port), host, localAddress });
  socket.on("error", silent);
  await once(socket, "connect");
  return socket;
}

/** Sends `sent` as it is, and reads until the server has closed or `until` is in what came. */
export async function exchange(http: Http, sent: string, until?: string): Promise<RawAnswer> {
  const socket = await openSocket(http);
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (until !== undefined && text.includes(until)) socket.destroy();
  });
  socket.write(sent, "latin1");
  await once(socket, "close");
  return parsed(text);
}

function parsed(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [line, ...lines] = text.slice(0, end).split("\r\n");
  const headers = lines.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
  });
  const status = Number(line.split(" ")[1]);
  return { status, headers: new Map(headers), body: text.slice(end + 4), text };
}
