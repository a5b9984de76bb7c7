// A file of a ship's readings that `ballastd fleet serve` makes from a store of objects or a server
// that doesn't get on: when its client goes away the work stops, and its turn is free again.

import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { type Program, startProgram } from "../rig/program.ts";
import { linksOf, shipAboard } from "../rig/ship-links.ts";
import { until } from "../rig/until.ts";

const SHIP = "9074729";
/** A ship with an object for each day, of which the store gives one at a time. */
const SLOW = "9176187";
const KEPT_MS = 8 * SECOND_MS;
const FILE = `/export/ship?ship=${SHIP}&startDate=2026-05-01&endDate=2026-05-02`;

let fleet: FleetRig;
let store: http.Server;
let served: Program;
let url: string;
/** Answers of the store that haven't ended. */
const dripping = new Set<ServerResponse>();
let asked = 0;
/** Objects that come whole, by their names. */
const kept = new Map<string, Buffer>();

/** A store that answers late, or with a byte now and then, and never ends. */
function drip({ url: name = "" }: http.IncomingMessage, response: ServerResponse): void {
  const found = kept.get(name.slice(name.lastIndexOf("/") + 1));
  if (found !== undefined) return void setTimeout(() => response.end(found), KEPT_MS);
  asked += 1;
  dripping.add(response);
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 100);
  response.on("close", () => {
    clearInterval(timer);
    dripping.delete(response);
  });
}

beforeAll(async () => {
  fleet = await startFleet();
  const rig = shipAboard({ seed: 7, segments: 2, readings: 50 });
  await using ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  for (const link of linksOf(rig.db)) expect(await ship.put(link)).toBe(link.number);
  rig.close();
  await fleet.psql(`update fleet.link set payload = null, object = '${SHIP}/a'
    where chain = 'segment'`);
  store = http.createServer(drip).listen(0, "127.0.0.1");
  await once(store, "listening");
  const { port } = store.address() as AddressInfo;
  const objects = ["--objects", `http://127.0.0.1:${port}/fleet`];
  served = startProgram({
    args: ["fleet", "serve", "--listen", "127.0.0.1:0", ...objects, "--file-minutes", "1"],
    env: { ...fleet.env, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" },
  });
  [, url] = await served.waitForOutput(/^fleet: (http:\S+)\/$/m);
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  store?.closeAllConnections();
  store?.close();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

/** Sessions of the program that a file's question began. */
const sessions = async () =>
  Number(
    await fleet.psql(`select count(*) from pg_stat_activity
      where application_name = 'ballastd fleet' and query ~ 'payload'`),
  );

test("when the client of a file goes away the store and the database are let go", async () => {
  const leaving = new AbortController();
  const gone = fetch(url + FILE, { signal: leaving.signal }).catch((error) => error.name);
  await until("the store's answer to begin", async () => dripping.size === 1);
  expect(await sessions()).toBe(1);
  leaving.abort();
  expect(await gone).toBe("AbortError");
  await until("the store to be let go", async () => dripping.size === 0);
  await until("the database too", async () => (await sessions()) === 0);
  // Nor is it asked again.
  await sleep(SECOND_MS);
  expect([asked, dripping.size]).toEqual([1, 0]);
});

test("a database that hangs keeps no turn of a client that has gone away", async () => {
  const locked = fleet
    .psql("begin; lock fleet.link in access exclusive mode; select pg_sleep(600)")
    .catch(() => "");
  await until("the lock", async () =>
    Boolean(
      Number(
        await fleet.psql(`select count(*) from pg_locks
      where mode = 'AccessExclusiveLock' and relation = 'fleet.link'::regclass`),
      ),
    ),
  );
  const leaving = new AbortController();
  const gone = ["127.0.0.1", "127.0.0.1"].map(() =>
    fetch(url + FILE, { signal: leaving.signal }).catch((error) => error.name),
  );
  await until("both to have their turns", async () => {
    const asking = "select count(*) from pg_locks where relation = 'fleet.link'::regclass";
    return Number(await fleet.psql(`${asking} and not granted`)) === 2;
  });
  leaving.abort();
  expect(await Promise.all(gone)).toEqual(["AbortError", "AbortError"]);
  // An address has two turns: a third file waits, and begins only in theirs.
  const { status } = await fetch(`${url}${FILE.replace(SHIP, "9999993")}`);
  expect(status).toBe(404);
  await fleet.psql(`select pg_terminate_backend(pid) from pg_stat_activity
    where query ~ 'pg_sleep' and pid <> pg_backend_pid()`);
  await locked;
});

test("a file that isn't whole within its time is cut, though bytes come all along", async () => {
  const rig = shipAboard({ seed: 8, segments: 12, readings: 250, cadence_ms: DAY_MS / 250 });
  await using ship = await sail(await fleet.add(SLOW));
  await ship.hello();
  for (const link of linksOf(rig.db)) {
    if (link.payload !== null) kept.set(link.digest?.toString("hex") ?? "", link.payload);
    expect(await ship.put(link)).toBe(link.number);
  }
  rig.close();
  await fleet.psql(`update fleet.link set payload = null, object = ship || '/' ||
    encode(digest, 'hex') where chain = 'segment' and ship = '${SLOW}'`);
  const begun_ms = performance.now();
  // The two turns of an address.
  const readers = [1, 2].map(async () => {
    const file = `/export/ship?ship=${SLOW}&startDate=2026-05-01&endDate=2026-05-12`;
    const { status, body } = await fetch(url + file);
    let bytes = 0;
    try {
      for await (const chunk of body ?? []) bytes += chunk.length;
      return "whole";
    } catch {
      return { status, isBegun: bytes > 0 };
    }
  });
  const cut = { status: 200, isBegun: true };
  expect(await Promise.all(readers)).toEqual([cut, cut]);
  const took_ms = performance.now() - begun_ms;
  expect(took_ms).toBeGreaterThanOrEqual(MINUTE_MS);
  await until("the database to be let go", async () => (await sessions()) === 0);
  expect((await fetch(`${url}${FILE.replace(SHIP, "9999993")}`)).status).toBe(404);
});
