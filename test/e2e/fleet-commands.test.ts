// The office's commands on a PostgreSQL server of its own, as the manual types them: the schema
// twice, certificates, a ship's file, the list, and what each refuses.

import { X509Certificate } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { sail } from "../rig/fleet-rig.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { type Cluster, startCluster } from "../rig/postgresql.ts";
import { startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const newFolder = foldersOfTests(afterAll);
let cluster: Cluster;
let schema: string;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** The stdout of a command that must succeed. */
async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.office("fleet", ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function refused(code: number, message: RegExp, ...args: readonly string[]): Promise<void> {
  const run = await cluster.office("fleet", ...args);
  expect(run.stderr).toMatch(message);
  expect(run).toMatchObject({ code, stdout: "" });
}

test("without a database or the schema, the command says what comes first", async () => {
  await refused(1, /database "fleet" does not exist; createdb makes it/, "list");
  await cluster.psql("create database fleet", "postgres");
  await refused(1, /first ballastd fleet schema \| psql/, "list");
});

test("what doesn't answer as PostgreSQL is one line, without the password", async () => {
  const peer = net.createServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 400")));
  await new Promise<void>((listening) => peer.listen(0, "127.0.0.1", listening));
  const { port } = Object(peer.address());
  const cases = [
    [2, "postgres://u:s3cret@:bad:port/x", "--database: got another URL, expected"],
    [2, "mysql://u:s3cret@127.0.0.1/x", "--database: got another URL, expected"],
    [69, `postgres://u:s3cret@127.0.0.1:${port}/x`, "PostgreSQL: Connection terminated"],
    [69, "postgres://u:s3cret@localhost:1/x", "PostgreSQL: .*ECONNREFUSED"],
    [69, `postgres://u@127.0.0.1:${cluster.port}/x`, "PostgreSQL: SASL: .*password must be"],
  ] as const;
  for (const [code, url, message] of cases) {
    const run = await cluster.office("fleet", "list", "--database", url);
    expect(run.stderr).toMatch(new RegExp(`^ballastd: ${message}.*\n$`));
    expect(run.stderr).not.toContain("s3cret");
    expect(run).toMatchObject({ code, stdout: "" });
  }
  peer.close();
});

test("the schema is applied, again, and not over a newer one", async () => {
  schema = await done("schema");
  await cluster.psql(schema);
  const described = `select count(*), sum(hashtext(pg_describe_object(classid, objid, 0)))
    from pg_depend where refobjid = 'fleet'::regnamespace`;
  const before = await cluster.psql(described);
  await cluster.psql(schema);
  expect(await cluster.psql(described)).toBe(before);
  const versions = await cluster.psql("select version from fleet.migration order by version");
  expect(versions.trim().split("\n")).toEqual(["1", "2", "3"]);
  await cluster.psql("insert into fleet.migration values (99)");
  await expect(cluster.psql(schema)).rejects.toThrow(/has schema 99 .*: use the newer ballastd/);
  await cluster.psql("delete from fleet.migration where version = 99");
  // As another version made it, which may have other views.
  await cluster.psql("comment on schema fleet is 'ballastd of another day'");
  await refused(1, /is another ballastd's; first ballastd fleet schema \| psql/, "list");
  await cluster.psql(schema);
  await done("list");
});

test("serve stays with no other rights than those of the socket's owner", async () => {
  const args = ["fleet", "serve", "--listen", "127.0.0.1:0"];
  await using served = startProgram({ args, env: cluster.env });
  await served.waitForOutput(/^fleet: http:/m);
  const ids = /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${served.pid}/status`, "utf8"))?.[1];
  const { uid } = statSync(cluster.folder);
  expect(ids).toBe([uid, uid, uid, uid].join("\t"));
});

test("certificates are taken by the server at once, and renewed with the same key", async () => {
  const file = path.join(newFolder(), "early.shore");
  await refused(1, /server.pem: is not there; first/, "add", "9074729", ...named(file));
  const wrong = ["certificate", "--host", "a b,DNS:x"];
  await refused(2, /--host a b,DNS:x: expected a name or an IP address/, ...wrong);
  // Longer than the name of a certificate's subject may be.
  const long = `${"fleet.".repeat(12)}example.com`;
  const written = await done("certificate", "--host", long, "--host", "127.0.0.1");
  expect(written).toContain('hostssl "fleet" +fleet_ship all cert');
  const folder = path.join(cluster.folder, "data", "ballastd");
  expect(statSync(path.join(folder, "ca.key")).mode & 0o777).toBe(0o600);
  const server = () => new X509Certificate(readFileSync(path.join(folder, "server.pem")));
  const ca = new X509Certificate(readFileSync(path.join(folder, "ca.pem")));
  const first = server();
  expect(first.verify(ca.publicKey) && first.checkIssued(ca) && ca.ca).toBe(true);
  expect(first.subjectAltName).toBe(`DNS:${long}, IP Address:127.0.0.1`);
  expect(await done("certificate", "--host", "127.0.0.1", "--json")).toMatch(/has the rule/);
  const second = server();
  expect(second.fingerprint256).not.toBe(first.fingerprint256);
  expect(second.publicKey.equals(first.publicKey)).toBe(true);
  const rules = readFileSync(path.join(cluster.folder, "data", "pg_hba.conf"), "utf8");
  expect(rules.split("\n").slice(1, 4)).toEqual([
    'hostssl "fleet" +fleet_ship all cert',
    "host all +fleet_ship all reject",
    "local all +fleet_ship reject",
  ]);
  expect(rules.match(/cert$/gm)).toHaveLength(1);
  // Rules that can't be read would keep the server from starting.
  await cluster.psql('create database "fl""eet"', "postgres");
  const quoted = ["certificate", "--host", "127.0.0.1", "--database", 'fl"eet'];
  await refused(1, /database fl"eet: expected a name without quotes/, ...quoted);
  expect(readFileSync(path.join(cluster.folder, "data", "pg_hba.conf"), "utf8")).toBe(rules);
});

const named = (file: string) => ["--name", "MV Ædle \u200fX", "--output", file];

test("a ship's file joins her, once, and the list tells of her", async () => {
  const folder = newFolder();
  const file = path.join(folder, "9074729.shore");
  await refused(2, /9074728: expected an IMO number: seven digits/, "add", "9074728");
  // The ship would refuse the file: no line has such a character in it.
  const broken = ["add", "9074729", "--name", "MV Ædle\u2028X", "--output", file];
  await refused(2, /"MV Ædle\\u2028X": expected a text without control characters/, ...broken);
  const without = ["add", "9074729", ...named(file), "--url", "postgres://"];
  await refused(2, /--url: expected postgres:\/\/host:port\/database/, ...without);
  expect(await done("add", "9074729", ...named(file))).toMatch(
    /9074729 was added as ship_9074729_1/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const shore = ShoreFile.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(shore.urls).toEqual([`postgres://ship_9074729_1@127.0.0.1:${cluster.port}/fleet`]);
  const elsewhere = path.join(folder, "again.shore");
  await refused(1, /9074729 is there since \d{4}-/, "add", "9074729", ...named(elsewhere));
  expect(() => statSync(elsewhere)).toThrow(/ENOENT/);
  await using ship = await sail(shore);
  await ship.hello();
  const [listed, ...others] = JSON.parse(await done("list", "--json"));
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ ship: "9074729", revoked: null, version: "0.3.0", forks: 0 });
  expect(await done("list")).toMatch(/^9074729 {2}MV Ædle \\u200fX {2}heard 20/);
  expect(await done("forks")).toBe("no forks\n");
});

test("no session of a ship's keeps the office waiting", LONG, async () => {
  const file = path.join(newFolder(), "waiting.shore");
  const key = path.join(newFolder(), "9176187.shore");
  await done("add", "9176187", ...named(key));
  await using ship = await sail(ShoreFile.parse(JSON.parse(readFileSync(key, "utf8"))));
  // Her row and her role are hers to change as long as she likes.
  await ship.ask("set idle_in_transaction_session_timeout = 0");
  await ship.ask("begin");
  await ship.hello();
  expect(await ship.ask("alter role current_user password 'own'")).toBeNull();
  await refused(1, /9176187 is there since \d{4}-/, "add", "9176187", ...named(file));
  await done("revoke", "9176187");
  await cluster.psql("alter function fleet.add_ship(text, text) set lock_timeout = '50ms'");
  await cluster.psql("alter role postgres password 'office'", "postgres");
  const url = `postgres://postgres:office@127.0.0.1:${cluster.port}/fleet`;
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query("begin; select from fleet.ship for no key update");
  await refused(75, /lock timeout: another session holds/, "add", "9176187", ...named(file));
  await other.end();
  expect(existsSync(file)).toBe(false);
});

test("a ship is there with the file of her key, or neither is", LONG, async () => {
  // Another account than root's can write here.
  const file = path.join(cluster.folder, "9176187.shore");
  const roles = "select count(*) from pg_roles where rolname ~ '^ship_9176187_'";
  const before = await cluster.psql(roles);
  const fault = (body: string, when: string) =>
    cluster.psql(`create or replace function public.fault() returns trigger language plpgsql
      as $$ begin ${body}; return new; end $$;
      create constraint trigger fault after insert or update on fleet.ship ${when}
      for each row execute function public.fault()`);
  // The name is taken by a folder when the file gets it.
  await fault(`copy (select 1 where false) to program 'mkdir ${file}'`, "");
  await refused(73, /9176187.shore: isn't a plain file/, "add", "9176187", ...named(file));
  expect(readdirSync(cluster.folder).filter((name) => name.includes("shore"))).toEqual([
    "9176187.shore",
  ]);
  rmdirSync(file);
  await cluster.psql("drop trigger fault on fleet.ship");
  await fault("raise exception 'no commit'", "deferrable initially deferred");
  await refused(1, /PostgreSQL: no commit/, "add", "9176187", ...named(file));
  expect(existsSync(file)).toBe(false);
  // The line breaks in the middle of the commit: nobody knows if she is there.
  await cluster.psql("drop trigger fault on fleet.ship");
  const crash =
    "execute format('copy (select 1 where false) to program ''kill -9 %s''', pg_backend_pid())";
  await fault(crash, "deferrable initially deferred");
  const unknown = /fleet list tells if 9176187 was added; her key is in .*9176187.shore/;
  await refused(69, unknown, "add", "9176187", ...named(file));
  rmSync(file);
  // The server starts again by itself.
  const isBack = () => cluster.psql("select 1").then(Boolean, () => false);
  while (!(await isBack())) await sleep(50);
  // The crash may have taken its commit, too: the cluster doesn't wait for the disk.
  await cluster.psql("drop trigger if exists fault on fleet.ship");
  expect(await cluster.psql(roles)).toBe(before);
  await done("add", "9176187", ...named(file));
});

test("a revoked ship is out, and comes back with a new key by another way in", LONG, async () => {
  const file = path.join(newFolder(), "new.shore");
  expect(await done("revoke", "9074729", "--json")).toBe('{"ship":"9074729","revoked":true}\n');
  await refused(1, /9074729 is no ship of this fleet, or revoked/, "revoke", "9074729");
  const url = ["--url", "postgres://fleet.example.com:443/fleet"];
  await done("add", "9074729", ...named(file), ...url);
  const { urls } = ShoreFile.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(urls).toEqual(["postgres://ship_9074729_2@fleet.example.com:443/fleet"]);
});
