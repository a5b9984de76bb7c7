// A ship's role may call six functions and nothing else: everything that she must not do is tried
// with her own certificate, and a key that was revoked in mid-flight is out at once.

import { afterAll, beforeAll, expect, test } from "vitest";
import { fleetNow } from "../../src/office/fleet-now.ts";
import { withOffice } from "../../src/office/office.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";

const OWN = "9074729";
const OTHER = "9176187";

let fleet: FleetRig;
let file: Awaited<ReturnType<FleetRig["add"]>>;
let ship: ShipSession;

beforeAll(async () => {
  fleet = await startFleet();
  file = await fleet.add(OWN);
  ship = await sail(file);
  await ship.hello();
  await using other = await sail(await fleet.add(OTHER));
  await other.hello();
  await document(other, { state: "RUNNING" });
});
afterAll(async () => {
  await ship?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

const PRIVILEGES = "select, insert, update, delete, truncate, references, trigger";

const document = (by: ShipSession, body: object, key = "now", revision = 1) =>
  by.ask("select fleet.put_document($1, 'report', $2, $3, $4) as result", [
    ...[by.instance, key, revision, body],
  ]);

/** Insufficient privilege. */
const DENIED = "42501";
/**
 * No such column, not this kind of relation, not in a transaction, a view that isn't written, no
 * schema to create in, no such file: found before the privilege is looked at.
 */
const ELSE = ["42703", "42809", "25P01", "55000", "3F000", "58P01", "0A000"];

test("tables, views and functions of the fleet are closed to her", async () => {
  const names = await fleet.psql(`select oid::regclass from pg_class
    where relnamespace = 'fleet'::regnamespace and relkind in ('r', 'p', 'v')
      and relname !~ '_1?[0-68-9]$'`);
  const relations = names.trim().split("\n");
  expect(relations).toEqual(
    expect.arrayContaining(["fleet.ship", "fleet.link", "fleet.link_7", "fleet.now"]),
  );
  for (const name of relations)
    for (const statement of [
      `select * from ${name}`,
      `select count(*) from ${name}`,
      `delete from ${name}`,
      `update ${name} set ship = '${OTHER}'`,
      `insert into ${name} default values`,
      `truncate ${name}`,
      `lock table ${name} in access share mode`,
      `copy ${name} to stdout`,
      `create trigger t before insert on ${name} execute function fleet.hello()`,
    ])
      expect([DENIED, ...ELSE], statement).toContain(await ship.ask(statement));
  expect(
    await fleet.psql(`select oid::regclass from pg_class
      where relnamespace = 'fleet'::regnamespace and (relkind <> 'S'
        and (has_table_privilege('${roleOf()}', oid, '${PRIVILEGES}')
          or has_any_column_privilege('${roleOf()}', oid, 'select, insert, update, references'))
        or relkind = 'S' and has_sequence_privilege('${roleOf()}', oid, 'usage, select, update'))`),
  ).toBe("");
  const functions = await fleet.psql(`select oid::regprocedure from pg_proc
    where pronamespace = 'fleet'::regnamespace
    and not has_function_privilege('${roleOf()}', oid, 'execute')`);
  expect(functions).toContain("fleet.add_ship(text,text)");
  const open = await fleet.psql(`select proname from pg_proc
    where pronamespace = 'fleet'::regnamespace
    and has_function_privilege('${roleOf()}', oid, 'execute') order by 1`);
  expect(open.trim().split("\n")).toEqual([
    ...["hello", "lost_segment", "put_document", "put_link", "put_object", "put_payload"],
  ]);
  for (const statement of [
    `select fleet.add_ship('9839272', 'x')`,
    `select fleet.bar_ship('${OTHER}')`,
    `select fleet.own_ship(null)`,
    `select fleet.lacking('${OTHER}', 1, 0)`,
  ])
    expect(await ship.ask(statement), statement).toBe(DENIED);
});

const roleOf = () => new URL(file.urls[0]).username;

test("she makes nothing, changes nothing and becomes nobody else", async () => {
  for (const statement of [
    "create temp table t (x int)",
    "create table t (x int)",
    "create table fleet.t (x int)",
    "create schema s",
    "create function fleet.f() returns int language sql as 'select 1'",
    "create or replace function fleet.own_ship(box uuid) returns text language sql as 'select 1'",
    "do $$ begin perform 1; end $$",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select pg_advisory_lock(1)",
    "select pg_notify('c', 'x')",
    "select pg_logical_emit_message(false, 'x', 'x')",
    "copy (select 1) to '/tmp/x'",
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    "select pg_reload_conf()",
    "select * from pg_authid",
    "set role fleet_owner",
    "set role fleet_reader",
    "set role postgres",
    "set session authorization postgres",
    `alter role ${roleOf()} superuser`,
    `alter role ${roleOf()} connection limit 100`,
    `grant fleet_reader to ${roleOf()}`,
    "alter system set ssl = off",
    "alter database fleet set search_path = x",
    "create extension dblink",
    "drop schema fleet cascade",
    "alter function fleet.hello(uuid, text, jsonb) reset all",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'",
  ])
    expect([DENIED, ...ELSE], statement).toContain(await ship.ask(statement));
  // Her search path is her own; the functions don't use it.
  await ship.ask("set search_path = fleet, public");
  expect(await document(ship, { state: "IDLE" })).toBe("");
  const rows = await fleet.psql("select ship, state from fleet.now order by ship");
  expect(rows.trim().split("\n")).toEqual([`${OWN}|IDLE`, `${OTHER}|RUNNING`]);
});

test("her sorts can't fill the server's disk", async () => {
  await using greedy = await sail(file);
  await greedy.ask("set work_mem = '64kB'");
  const sorted =
    "select max(x) from (select x from generate_series(1, 3000000) as x order by -x) s";
  expect(await greedy.ask(sorted)).toBe("53400");
  for (const statement of ["set temp_file_limit = -1", "alter role current_user reset all"])
    await greedy.ask(statement);
  expect(await greedy.ask(sorted)).toBe("53400");
  await using again = await sail(file);
  expect(await again.ask("select current_setting('temp_file_limit') as result")).toBe("64MB");
});

test("arguments that can't be meant are refused, and quoted as they came", async () => {
  const bytes = Buffer.alloc(32);
  const link = { chain: "segment", number: 1, previous: bytes, hash: bytes, body: bytes } as const;
  const whole = { ...link, digest: bytes, payload: null };
  const injected = "segment'; drop table fleet.link cascade; --";
  for (const changed of [
    { chain: injected },
    { chain: "" },
    { chain: null },
    { number: null },
    { number: 0 },
    { number: -1 },
    { previous: null },
    { previous: Buffer.alloc(31) },
    { hash: Buffer.alloc(33) },
    { body: null },
    { body: Buffer.alloc(4 * 1024 * 1024 + 1) },
    { digest: null },
    { digest: Buffer.alloc(1) },
    { payload: Buffer.alloc(64 * 1024 * 1024 + 1) },
    { chain: "event" },
    { chain: "audit" },
  ])
    expect(await ship.put(Object.assign({ ...whole }, changed)), Object.keys(changed)[0]).toBe(
      "22023",
    );
  expect(await ship.put(Object.assign({ ...whole }, { number: 2 ** 31 }))).toBe("22003");
  const stranger = "00000000-0000-4000-8000-000000000000";
  for (const [text, values] of [
    ["select fleet.hello(null, 'x', '{}')", []],
    ["select fleet.hello($1, $2, '{}')", [ship.instance, "x".repeat(65)]],
    ["select fleet.hello($1, 'x', null)", [ship.instance]],
    ["select fleet.hello($1, 'x', '[]')", [ship.instance]],
    [`select fleet.hello($1, 'x', '{"segment": 7}')`, [ship.instance]],
    [
      "select fleet.hello($1, 'x', $2)",
      [ship.instance, { event: Array.from({ length: 65 }, () => [1, "00"]) }],
    ],
    ["select fleet.put_document($1, 'report', 'now', 1, '{}')", [stranger]],
    ["select fleet.put_document(null, 'report', 'now', 1, '{}')", []],
    ["select fleet.put_document($1, $2, 'now', 1, '{}')", [ship.instance, injected]],
    ["select fleet.put_document($1, 'report', '', 1, '{}')", [ship.instance]],
    ["select fleet.put_document($1, 'report', $2, 1, '{}')", [ship.instance, "k".repeat(201)]],
    ["select fleet.put_document($1, 'report', 'now', -1, '{}')", [ship.instance]],
    ["select fleet.put_document($1, 'report', 'now', 1, '[]')", [ship.instance]],
    ["select fleet.put_document($1, 'report', 'now', 1, null)", [ship.instance]],
    [
      "select fleet.put_document($1, 'report', 'now', 1, $2)",
      [ship.instance, { long: "x".repeat(64 * 1024) }],
    ],
  ] as const)
    expect(await ship.ask(text, values), text).toBe("22023");
  expect(await ship.ask("select fleet.hello('x', 'x', '{}')")).toBe("22P02");
  expect((await fleet.psql("select count(*) from fleet.link")).trim()).toBe("0");
});

test("of documents the highest revision stays, by box; odd ones spoil no view", async () => {
  expect(await document(ship, { state: "RUNNING" }, "now", 7)).toBe("");
  expect(await document(ship, { state: "OLDER" }, "now", 6)).toBe("");
  expect(await document(ship, { state: "SAME" }, "now", 7)).toBe("");
  expect((await ship.hello()).revisions).toEqual({ report: 7 });
  await using second = await sail(file);
  expect((await second.hello()).revision).toBe(7);
  const hour = (by: ShipSession, revision: number, body: object) =>
    by.ask("select fleet.put_document($1, 'hour', 'h', $2, $3) as result", [
      ...[by.instance, revision, body],
    ]);
  const odd = { start_ms: 1e300, count: "many", values: [1e-320, true, null, { x: 1 }, "5"] };
  expect(await hour(ship, 8, odd)).toBe("");
  const reported = { at_ms: "x", data_ms: -5, values: {}, backlog: 7, clock: [], raw_from_ms: "" };
  expect(await document(ship, reported, "now", 9)).toBe("");
  expect((await fleet.psql(`select start, count, uvr_intensity from fleet.hour`)).trim()).toBe(
    "||",
  );
  expect((await fleet.psql("select count(*) from fleet.now, fleet.silent")).trim()).toBe("0");
  await hour(second, 10, { start_ms: 1777593600000, count: 3600, values: [648.5, 76] });
  const rows =
    "select start at time zone 'UTC', count, UVR_INTENSITY, lamp_16_power from fleet.hour";
  expect((await fleet.psql(rows)).trim()).toBe("2026-05-01 00:00:00|3600|648.5|");
  expect((await fleet.psql("select count(*) from fleet.document where kind = 'hour'")).trim()).toBe(
    "2",
  );
  expect((await fleet.psql(`select boxes from fleet.now where ship = '${OWN}'`)).trim()).toBe("2");
  await fleet.psql("update fleet.instance set last_seen = now() - interval '2 hours'");
  await fleet.psql("update fleet.document set received = now() - interval '2 hours'");
  expect((await fleet.psql("select ship from fleet.silent order by 1")).trim()).toBe(
    `${OWN}\n${OTHER}`,
  );
});

test("a request is open until she has answered it", async () => {
  const wanted = { from: "2026-05-01T00:00:00Z", to: "2026-05-02T00:00:00Z" };
  await fleet.psql(`insert into fleet.request (ship, wanted)
    values ('${OWN}', '${JSON.stringify(wanted)}'), ('${OTHER}', '${JSON.stringify(wanted)}')`);
  const [request, ...more] = (await ship.hello()).requests;
  expect(more).toEqual([]);
  expect(request.wanted).toEqual(wanted);
  await ship.ask("select fleet.put_document($1, 'answer', $2, 11, '{}')", [
    ...[ship.instance, String(request.id)],
  ]);
  expect((await ship.hello()).requests).toEqual([]);
});

test("without her certificate, without TLS or revoked, she is out", async () => {
  const stranger = await fleet.add("9839272");
  await expect(sail({ ...stranger, urls: file.urls })).rejects.toMatchObject({ code: "28000" });
  const [url] = stranger.urls;
  await expect(sail({ ...stranger, urls: [url.replace(/fleet$/, "postgres")] })).rejects.toThrow();
  await fleet.psql(`alter role ${new URL(url).username} password 'known'`);
  const plain = url.replace("@", ":known@");
  await expect(
    fleet.psql("select 1", plain.replace("postgres://", "postgresql://")),
  ).rejects.toThrow(/rejects connection|connection requires a valid client certificate/);
  // She holds her row locked, and would for ever.
  for (const text of ["set idle_in_transaction_session_timeout = 0", "begin"]) await ship.ask(text);
  await ship.hello();
  const revoked = await fleet.office("fleet", "revoke", OWN);
  expect(revoked, revoked.stderr).toMatchObject({ code: 0 });
  expect(await ship.ask("commit")).not.toBeNull();
  await expect(sail(file)).rejects.toMatchObject({ code: "28000" });
  // A new key works, and the old one stays out.
  await using again = await sail(await fleet.add(OWN));
  expect((await again.hello()).revision).toBe(11);
  await expect(sail(file)).rejects.toMatchObject({ code: "28000" });
  expect(
    (await fleet.psql(`select revoked is null from fleet.ship where ship = '${OWN}'`)).trim(),
  ).toBe("t");
});

test("odd times and revisions of hers take no answer away", async () => {
  const imo = "9305879";
  await using box = await sail(await fleet.add(imo));
  await box.ask("set fleet.carried = '-infinity'");
  await box.hello();
  expect(await document(box, { state: "RUNNING" })).toBe("");
  const { ships } = await withOffice(fleet.url, (office) =>
    fleetNow(office, { ship: null, silence_minutes: 60 }),
  );
  expect(ships.find(({ ship }) => ship === imo)).toMatchObject({
    ...{ contact: "no_contact", last_contact: "1970-01-01T00:00:00.000Z" },
    report: { received: "1970-01-01T00:00:00.000Z", is_current: false },
  });
  // Her own box couldn't read it in the answer to its hello.
  expect(await document(box, {}, "now", 2 ** 53)).toBe("22023");
});
