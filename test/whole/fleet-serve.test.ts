// `ballastd fleet serve` on a fleet of which each ship is in another state: told apart, the worst
// first, every answer as the served OpenAPI document has it.

import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shipJudged } from "../../src/bwts/documents/fleet-ship.ts";
import { SYSTEM_VALUES } from "../../src/bwts/documents/system-values.ts";
import { keepOffice } from "../../src/office/office.ts";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { openValidator, type Validator } from "../rig/http-validator.ts";
import { until } from "../rig/mqtt-receiver.ts";
import { type Program, startProgram } from "../rig/program.ts";
import { type Link, linksOf, shipAboard } from "../rig/ship-links.ts";

const [WELL, SILENT, QUIET, ALARMED, NEVER, ODD] = [
  ...["9074729", "9176187", "9839272", "9321483", "9395044", "9703291"],
];

const NAMED = ["--host", "Fleet.example.com"];

let fleet: FleetRig;
let served: Program;
let url: string;
let validator: Validator;

beforeAll(async () => {
  fleet = await startFleet();
  const now_ms = Date.now();
  const zero = [0, Buffer.alloc(32).toString("base64")];
  const report = {
    ...{ at_ms: now_ms, data_ms: now_ms - 60_000, state: "RUNNING", operation_type: "BALLAST" },
    ...{ location: "Busan", values: SYSTEM_VALUES.map((_, place) => place + 0.5), alarms: [] },
    ...{ health: 91, heads: { segment: zero, event: zero, audit: zero }, hot: 12 },
    backlog: { links: 3, bytes: 4096, oldest_ms: now_ms - 1e6 },
    ...{ clock: { trusted: true, offset_ms: 40 }, raw_from_ms: 0 },
  };
  const say = async (imo: string, said: object, links: readonly Link[] = []) => {
    await using ship = await sail(await fleet.add(imo));
    await ship.hello();
    for (const link of links) expect(await ship.put(link)).toBe(link.number);
    const put = "select fleet.put_document($1, 'report', 'now', 1, $2) as result";
    expect(await ship.ask(put, [ship.instance, { ...report, ...said }])).toBe("");
  };
  await say(SILENT, { alarms: Array.from({ length: 1000 }, (_, place) => `CODE_${place}`) });
  await say(QUIET, { data_ms: now_ms - 7_200_000 });
  await say(ALARMED, { alarms: ["UV_LOW"] });
  const odd = { at_ms: "x", data_ms: {}, values: 7, alarms: [1], health: "high", clock: null };
  await say(ODD, { ...odd, state: "\u{1f6a2}".repeat(15_000) });
  await fleet.add(NEVER);
  const rig = shipAboard({ seed: 7, segments: 4, readings: 2000 });
  await say(WELL, {}, linksOf(rig.db));
  rig.close();
  // The readings of the rig are of one fixed day.
  await fleet.psql(`update fleet.branch set until_ms = ${now_ms};
    update fleet.instance set last_seen = now() - interval '2 hours' where ship = '${SILENT}'`);
  // An account that may only read.
  await fleet.psql("create role office login password 'known' in role fleet_reader");
  const database = `postgres://office:known@127.0.0.1:${fleet.port}/fleet`;
  served = startProgram({
    args: ["fleet", "serve", "--listen", "127.0.0.1:0", "--database", database, ...NAMED],
  });
  [, url] = await served.waitForOutput(/^fleet: (http:\S+)\/$/m);
  validator = openValidator(JSON.parse((await ask("/openapi.json")).body));
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

async function ask(path: string, method = "GET") {
  const answer = await fetch(url + path, { method });
  const type = answer.headers.get("Content-Type") ?? "";
  return { method, path, status: answer.status, type, body: await answer.text() };
}

/** The fleet, asked for by another name, as a proxy passes it on. */
async function byName(name: string) {
  const { hostname, port } = new URL(url);
  const asking = http.get({ hostname, port, path: "/api/fleet", headers: { Host: name } });
  const [answer] = await once(asking, "response");
  return { status: answer.statusCode, body: await text(answer) };
}

/** The body of an answer that the document describes. */
async function described(path: string, status = 200) {
  const answer = await ask(path);
  expect(answer.status, answer.body).toBe(status);
  expect(validator.answerProblems({ ...answer, path: path.replace(/\?.*/, "") })).toBeNull();
  return JSON.parse(answer.body);
}

test("the worst ship comes first, and silence isn't taken for a report", async () => {
  const { ships } = await described("/api/fleet");
  expect(
    ships.map(({ ship, contact, readings, troubles }: Record<string, unknown>) => [
      ...[ship, contact, readings, troubles],
    ]),
  ).toEqual([
    [ALARMED, "contact", "current", ["alarms", "raw_behind"]],
    [SILENT, "no_contact", "unknown", ["no_contact", "raw_behind"]],
    [NEVER, "never", "unknown", ["no_contact"]],
    [QUIET, "contact", "old", ["no_readings", "raw_behind"]],
    [ODD, "contact", "none", ["no_readings"]],
    [WELL, "contact", "current", []],
  ]);
  const of = (imo: string) => ships.find(({ ship }: { ship: string }) => ship === imo);
  expect(of(SILENT).report).toMatchObject({ is_current: false, state: "RUNNING", health: 91 });
  expect(of(WELL).report).toMatchObject({ is_current: true, values: { UVR_INTENSITY: 0.5 } });
  expect(of(ODD).report).toMatchObject({ at: null, alarms: [], health: null });
  expect(of(NEVER).report).toBeNull();
  // No ship swells everybody's page.
  expect(of(SILENT).report.alarms).toHaveLength(200);
  expect(of(ODD).report.state).toHaveLength(100);
  // One reading of a clock that was wrong doesn't stand as the present for years.
  const now_ms = Date.now();
  const facts = { now_ms, last_contact_ms: now_ms, report_received_ms: now_ms, raw_ms: now_ms };
  const none = { clock_offset_ms: null, alarms: 0, forks: 0 };
  expect(shipJudged({ ...facts, ...none, data_ms: Date.UTC(2099, 0) })).toMatchObject({
    ...{ readings: "unknown", troubles: ["no_readings"] },
  });
});

test("a ship's newest events are told, and what isn't there is refused", async () => {
  const { ship, events } = await described(`/api/ship?ship=${WELL}`);
  expect(ship.name).toBe(`MV ${WELL}`);
  expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
    ...["PROCESS_STOP", "ALARM_TRIGGERED", "PROCESS_START"],
  ]);
  expect((await described("/api/ship?ship=9999993", 404)).message).toMatch(/no ship of this/);
  await described("/api/ship?ship=1';drop", 400);
  const without = await described("/api/ship", 400);
  expect(without.message).toBe("ship: is missing, expected an IMO number, such as 9074729");
  expect((await ask("/api/ship", "POST")).status).toBe(405);
  const days = "startDate=2026-05-01&endDate=2026-05-02";
  expect((await described(`/api/ship/hours?ship=9999993&${days}`, 404)).message).toMatch(/no ship/);
  expect((await ask("/x")).status).toBe(404);
  expect(JSON.parse((await ask("/healthz")).body)).toEqual({ status: "ok" });
  // A page of another name that leads here is refused, so that no browser is made to read for it.
  const rebound = await byName("evil.example");
  expect(rebound.status).toBe(421);
  expect(rebound.body).toMatch(/expected its address or name, localhost, or one of --host"/);
  expect((await byName("fleet.example.com:8443")).status).toBe(200);
});

test("clients that take a byte of their file now and then keep nobody from a file", async () => {
  const file = `/export/ship?ship=${WELL}&startDate=2026-05-01&endDate=2026-05-02`;
  const { hostname, port } = new URL(url);
  const slow = ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"].map((localAddress) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on("error", () => undefined).pause();
    socket.write(`GET ${file} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return socket;
  });
  const taking = setInterval(() => slow.forEach((socket) => void socket.read(1)), 100);
  await until("each to have a part of its file", () => slow.every((one) => one.bytesRead > 0));
  const whole = await ask(file);
  expect(whole.status, whole.body.slice(0, 200)).toBe(200);
  expect(whole.body.split("\r\n")).toHaveLength(8002);
  clearInterval(taking);
  for (const socket of slow) socket.destroy();
});

test("connections that ask nothing make room, and leave the page to others", async () => {
  const { hostname, port } = new URL(url);
  const idle = Array.from({ length: 1100 }, (_, place) => {
    const localAddress = `127.0.4.${1 + (place % 50)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    return socket.on("error", () => undefined).resume();
  });
  await until("some to be cut", () => idle.filter((one) => one.destroyed).length >= 100);
  expect((await ask("/healthz")).status).toBe(200);
  for (const socket of idle) socket.destroy();
});

test("an address that is taken is named with the option, and a URL that can't be one", async () => {
  for (const place of ["mysql://u:hunter2@h/x", "postgres://u:hunter2@127.0.0.1:99999/x"]) {
    const { code, stderr } = await fleet.office("fleet", "serve", "--database", place);
    expect(stderr).toMatch(/--database: got another URL, expected postgres:/);
    expect([code, stderr.includes("hunter2")]).toEqual([2, false]);
  }
  const { host } = new URL(url);
  const { code, stderr } = await fleet.office("fleet", "serve", "--listen", host);
  expect(stderr).toContain(`${host} (--listen) can't be bound: another program listens there`);
  expect(code).toBe(69);
});

test("a table that is locked holds up no question for good", async () => {
  const kept = keepOffice(`postgres://office:known@127.0.0.1:${fleet.port}/fleet`, {
    ...{ connections_max: 1, answer_max_ms: 5000 },
  });
  const ask = () => kept.with((office) => office.ask("office.fleet", [WELL]));
  expect(await ask()).toHaveLength(1);
  const locked = fleet
    .psql("begin; lock table fleet.ship in access exclusive mode; select pg_sleep(600)")
    .catch(() => "");
  const isLocked = "select count(*) from pg_locks where mode = 'AccessExclusiveLock'";
  await expect.poll(async () => Number(await fleet.psql(isLocked))).toBeGreaterThan(0);
  await expect(ask()).rejects.toThrow(/PostgreSQL: .*statement timeout/);
  await fleet.psql(`select pg_terminate_backend(pid) from pg_stat_activity
    where query ~ 'pg_sleep' and pid <> pg_backend_pid()`);
  await locked;
  expect(await ask()).toHaveLength(1);
  await kept.close();
});

test("questions that differ only in what isn't asked for are one question", async () => {
  const all = Array.from({ length: 20 }, (_, place) => ask(`/api/fleet?odd=${place}`));
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("without its database it says so, goes on when it is back, and ends by a signal", async () => {
  await fleet.stop();
  expect((await described("/api/fleet", 503)).message).toMatch(/^PostgreSQL: /);
  await fleet.start();
  expect((await described("/api/fleet")).ships).toHaveLength(6);
  // A browser opens connections ahead, on which it asks nothing yet.
  const silent = connect(Number(new URL(url).port), "127.0.0.1");
  await once(silent, "connect");
  await ask("/healthz");
  expect((await served.stop("SIGTERM")).code).toBe(0);
  silent.destroy();
});
