// Bytes on the line to the shore, TLS included: a connection, a hello, a segment as it is sealed,
// and a backlog. A satellite's megabyte is paid for.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectShore } from "../../src/shore/connection.ts";
import { type Rig, removeFolders } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { openProxy } from "../rig/proxy.ts";
import { rowsAboard, sailOn, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

let fleet: FleetRig;

beforeAll(async () => {
  fleet = await startFleet();
  await fleet.psql("alter database fleet set track_functions = 'pl'");
});
afterAll(async () => fleet?.[Symbol.asyncDispose]());
afterEach(removeFolders);

const number = async (text: string) => Number(await fleet.psql(text));

/** A ship at sea, and what she has sent of it. */
async function atSea(imo: string, segments: number) {
  const rig = shipAboard({ seed: 51, segments, readings: 200 });
  const proxy = await openProxy({ port: fleet.port });
  const box = openBox(rig, await fleet.add(imo), { port: proxy.port });
  const untilAshore = () => drained(rig, imo);
  await untilAshore();
  return {
    ...{ rig, box, untilAshore },
    up_bytes: proxy.sentUp_bytes,
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]();
      proxy.close();
      rig.close();
    },
  };
}

async function drained({ db }: Rig, imo: string): Promise<void> {
  const aboard = rowsAboard(db).join("\n");
  await until("all rows", async () => (await rowsAshore(fleet, imo)).join("\n") === aboard);
}

test("the first greeting is one that PostgreSQL takes: no second is sent", async () => {
  const { urls, certificate: cert, key, key_pin } = await fleet.add("9074729");
  const connection = await connectShore({ url: urls[0], cert, key, key_pin });
  expect(connection.traffic().sent_bytes).toBeLessThan(1100);
  await connection.end();
});

test("a backlog goes after one hello, links first; whole on a line known to be quick", async () => {
  await using sea = await atSea("9176187", 12);
  const calls = "select calls from pg_stat_user_functions where funcname = 'hello'";
  await until("the server's count", async () => (await number(calls)) > 0);
  expect(await number(calls)).toBe(1);
  // By the transactions that wrote the rows last.
  const order = async () =>
    (
      await fleet.psql(`select string_agg(number::text, ' ' order by xmin::text::bigint)
        from fleet.link where ship = '9176187' and chain = 'segment'`)
    ).trim();
  const linksFirst = "12 11 10 9 8 7 6 5 4 3 2 1";
  expect(await order()).toBe(linksFirst);
  expect(sea.box.shore.state.bandwidth_bytes_s).toBeGreaterThan(6000);
  sailOn(sea.rig, { seed: 52, segments: 5, readings: 50, days: 3 });
  await sea.untilAshore();
  expect(await order()).toBe(`${linksFirst} 13 14 15 16 17`);
});

test("a segment that is sealed goes in one statement, at 250 bytes beside its own", async () => {
  await using sea = await atSea("9839272", 3);
  const before = sea.up_bytes();
  sailOn(sea.rig, { seed: 52, segments: 1, readings: 50, days: 3 });
  await sea.untilAshore();
  const own = await number(`select octet_length(body) + octet_length(payload) from fleet.link
    where ship = '9839272' and number = 4 and chain = 'segment'`);
  expect(sea.up_bytes() - before - own).toBeLessThan(250);
});

test("a later hello names one link of each chain, and more if that one is gone", async () => {
  const imo = "9321483";
  await using sea = await atSea(imo, 40);
  const hello = async () => {
    const before = sea.up_bytes();
    const { state } = sea.box.shore;
    const { answered } = state;
    state.isHelloWanted = true;
    await until("a hello", async () => state.answered !== answered);
    return sea.up_bytes() - before;
  };
  const bytes = await hello();
  expect(bytes).toBeLessThan(500);
  // As a shore that was put back while the line stood.
  await fleet.psql(`delete from fleet.link where ship = '${imo}';
    delete from fleet.branch where ship = '${imo}'`);
  expect(await hello()).toBeGreaterThan(2 * bytes);
  await sea.untilAshore();
  expect(sea.box.shore.state.refusals.size).toBe(0);
});
