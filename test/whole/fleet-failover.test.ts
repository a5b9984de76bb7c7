// Several servers: the first that writes is taken, whatever the others do. A synchronous standby
// that is promoted under load has all that was acknowledged.

import { afterAll, beforeAll, expect, test } from "vitest";
import { PACE } from "../../src/shore/backoff.ts";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { reservePort } from "../rig/port.ts";
import { type Cluster, startStandby } from "../rig/postgresql.ts";
import { BLACK_HOLE, CLEAR, type NetworkProxy, openProxy } from "../rig/proxy.ts";
import { rowsAboard, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

const SHIP = "9074729";

let fleet: FleetRig;
let standby: Cluster;
let hole: NetworkProxy;
let toPrimary: NetworkProxy;

beforeAll(async () => {
  // A killed process leaves what it wrote to the system; no power is cut.
  const options = { durable: true, settings: ["fsync=off"] };
  fleet = await startFleet(options);
  standby = await startStandby(fleet, options);
  hole = await openProxy({ port: fleet.port });
  hole.set({ up: BLACK_HOLE, down: BLACK_HOLE });
  toPrimary = await openProxy({ port: fleet.port });
});
afterAll(async () => {
  hole?.close();
  toPrimary?.close();
  await standby?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

/** Links there, as told by `where`. */
async function countAt(cluster: Cluster, where = "true"): Promise<number> {
  return Number(await cluster.psql(`select count(*) from fleet.link where ${where}`));
}
const WITH_PAYLOAD = "chain = 'segment' and payload is not null";

test("a standby that is promoted under load has all that was acknowledged", async () => {
  const rig = shipAboard({ seed: 81, segments: 90, readings: 60 });
  const file = await fleet.add(SHIP);
  const at = (port: number) => file.urls[0].replace(`:${fleet.port}/`, `:${port}/`);
  const nobody = await reservePort();
  const ports = [nobody.port, hole.port, standby.port, toPrimary.port];
  // Some payloads go at once, the others slowly.
  toPrimary.set({ up: { ...CLEAR, bytes_per_s: 120_000 } });
  await fleet.psql("alter system set synchronous_standby_names = '*'", "postgres");
  await fleet.psql("select pg_reload_conf()");
  const isSynchronous = "select count(*) from pg_stat_replication where sync_state = 'sync'";
  await until("a synchronous standby", async () => (await fleet.psql(isSynchronous)) === "1\n");
  // The ship's own pace: in the black hole she loses a quarter of a round's 24 s.
  await using box = openBox(rig, { ...file, urls: ports.map(at) }, { pace: PACE });
  const { state } = box.shore;
  const tell = () => JSON.stringify(state);
  await until("a session", async () => state.phase === "connected", tell);
  expect(state.server).toBe(`127.0.0.1:${toPrimary.port}`);
  // The links are there, and payloads on their way.
  const lacking = () => (state.has?.lacking ?? []).reduce((sum, [a, b]) => sum + b - a + 1, 0);
  await until("the links", async () => state.has?.links.segment === 90, tell);
  await until("some payloads", async () => lacking() > 0 && lacking() < 85, tell);
  await fleet.stop("SIGKILL");
  await until("the end of the session", async () => state.phase !== "connected", tell);
  const acknowledged = { links: state.has?.links, payloads: 90 - lacking() };
  expect(acknowledged.links).toEqual({ segment: 90, event: 3, audit: 2 });
  expect(acknowledged.payloads).toBeGreaterThan(5);
  const isReplayed = "select pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()";
  await until("what was received", async () => (await standby.psql(isReplayed)) === "t\n");
  expect(await countAt(standby)).toBe(95);
  const kept = await countAt(standby, WITH_PAYLOAD);
  expect(kept).toBeGreaterThanOrEqual(acknowledged.payloads);
  expect(kept).toBeLessThan(90);
  await standby.psql("select pg_promote()");
  const isOn = async () => (await countAt(standby, WITH_PAYLOAD)) > kept;
  await until("a payload more", isOn, tell);
  await until("the rest", async () => (await countAt(standby, WITH_PAYLOAD)) === 90, tell);
  expect(state.server).toBe(`127.0.0.1:${standby.port}`);
  expect(state.refusals.size).toBe(0);
  expect(box.parted).toEqual([]);
  expect(await rowsAshore(standby, SHIP)).toEqual(rowsAboard(rig.db));
});
