// A stolen key against the other ships and the office: by the server's disk and log, by what each
// look at the fleet reads, and by locks. The schema bounds each.

import { afterAll, beforeAll, expect, test } from "vitest";
import { fleetSchema } from "../../src/office/schema.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";

const OWN = "9074729";

let fleet: FleetRig;
let file: Awaited<ReturnType<FleetRig["add"]>>;
let ship: ShipSession;

beforeAll(async () => {
  // Its log in a folder, as Debian has it.
  fleet = await startFleet({ settings: ["logging_collector=on", "log_directory=log"] });
  file = await fleet.add(OWN);
  ship = await sail(file);
  await ship.hello();
});
afterAll(async () => {
  await ship?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

const asked = async (sql: string) => (await fleet.psql(sql)).trim();
const logged = async () => Number(await asked("select sum(size) from pg_ls_logdir()"));

/** Errors and plans of 2 MB each, made from a few bytes. */
async function chatter(by: ShipSession): Promise<void> {
  expect(await by.ask("select repeat('x', 2000000)::integer")).toBe("22P02");
  await by.ask("set debug_print_parse = on");
  await by.ask(`select '${"x".repeat(500_000)}' as result`);
  await by.ask(`select fail /* ${"x".repeat(500_000)} */`);
}

test("her errors don't fill the server's log; a role of before gets its limits", async () => {
  await chatter(ship);
  expect(await logged()).toBeLessThan(100_000);
  for (const statement of ["set log_min_messages = debug5", "set log_min_error_statement = error"])
    expect(await ship.ask(statement)).toBe("42501");
  const role = new URL(file.urls[0]).username;
  await fleet.psql(`alter role ${role} reset all`);
  {
    await using before = await sail(file);
    await chatter(before);
    expect(await logged()).toBeGreaterThan(2_000_000);
  }
  await fleet.psql(fleetSchema());
  const all = await logged();
  await using after = await sail(file);
  await chatter(after);
  expect((await logged()) - all).toBeLessThan(100_000);
  expect(
    await asked(`select array_length(rolconfig, 1) from pg_roles
    where rolname = '${role}'`),
  ).toBe("8");
});

test("an answer means that it is on the disk, whatever a role says of itself", async () => {
  const role = new URL(file.urls[0]).username;
  expect(await ship.ask("alter role current_user set synchronous_commit = off")).toBeNull();
  await using again = await sail(file);
  expect(await again.ask("select current_setting('synchronous_commit') as result")).toBe("off");
  const said = async (mode: string) => {
    await again.ask(`set synchronous_commit = ${mode}`);
    await again.ask("begin");
    await again.ask("select fleet.hello($1, 'x', '{}')", [again.instance]);
    const used = await again.ask("select current_setting('synchronous_commit') as result");
    await again.ask("commit");
    return used;
  };
  for (const mode of ["off", "local", "remote_write"]) expect(await said(mode), mode).toBe("on");
  expect(await said("remote_apply")).toBe("remote_apply");
  await fleet.psql(`alter role ${role} reset synchronous_commit`);
});

test("she makes no files of snapshots, of which a statement could make millions", async () => {
  expect(await ship.ask("select count(pg_export_snapshot()) from generate_series(1, 9)")).toBe(
    "42501",
  );
});

test("what all looks at the fleet read of a ship is bounded", async () => {
  const report = (key: string) =>
    ship.ask("select fleet.put_document($1, 'report', $2, 1, '{}') as result", [
      ...[ship.instance, key],
    ]);
  expect([await report("now"), await report("then")]).toEqual(["", "22023"]);
  const put = `with entries as (
      select convert_to(format('[1777593600000,%s]', x), 'UTF8') as body,
        decode(repeat('00', 32), 'hex') as before from generate_series(1, 1000) as x
    )
    select max(fleet.put_link($1, 'audit', 1, before, sha256(body || before), body, null, null))
      as result from entries`;
  expect(await ship.ask(put, [ship.instance])).toBe(1);
  const another = put.replace("1777593600000", "1777593600001").replace("(1, 1000)", "(1, 1)");
  expect(await ship.ask(another, [ship.instance])).toBe("54000");
  // Her own line goes on.
  const next = `select fleet.put_link($1, 'audit', 2, hash, sha256('[1777593600002,1]' || hash),
    '[1777593600002,1]', null, null) as result
    from (select sha256(convert_to('[1777593600000,1]', 'UTF8') || decode(repeat('00', 32), 'hex'))
      as hash) as first`;
  expect(await ship.ask(next, [ship.instance])).toBe(2);
  const hello = "select fleet.hello(gen_random_uuid(), 'x', '{}') as result";
  await fleet.psql(`insert into fleet.instance (ship, instance, version)
    select '${OWN}', gen_random_uuid(), 'x' from generate_series(1, 999 - (
      select count(*)::integer from fleet.instance where ship = '${OWN}'))`);
  expect(await ship.ask(hello)).toMatchObject({ chains: { audit: { head: 2 } } });
  expect(await ship.ask(hello)).toBe("54000");
  expect((await ship.hello()).others).toHaveLength(16);
});

test("a new schema doesn't have all wait behind a look that takes hours", async () => {
  await using look = await sail(file);
  const role = new URL(file.urls[0]).username;
  await fleet.psql(`grant fleet_reader to ${role}`);
  await look.ask("begin");
  await look.ask("select count(*) as result from fleet.now");
  await expect(fleet.psql(fleetSchema())).rejects.toThrow(/lock timeout/);
  await look.ask("commit");
  await fleet.psql(`revoke fleet_reader from ${role}`);
  await fleet.psql(fleetSchema());
});
