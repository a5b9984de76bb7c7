// The audit log through the built program: an entry for whatever changes something or shows who was
// there, the log over HTTP and as a file, and damage to it found.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseFile, openWriter } from "../../src/sqlite/file/open.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { BY_COMMAND } from "../rig/command-user.ts";
import { openValidator } from "../rig/http-validator.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG, sampled } from "../rig/scale.ts";
import { walked } from "../rig/walked-pages.ts";

const SECRET = "a-secret-of-the-configuration";
const env = { BALLASTD_AUTH_TOKEN: SECRET };

interface Entry {
  readonly id: number;
  readonly timestamp: string;
  readonly clock_trusted: boolean;
  readonly kind: string;
  readonly actor: string;
  readonly address: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

const ballastd = (...args: string[]) => runProgram({ args, folder, env });

async function ask(appliance: Appliance, target: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };
  const answer = await fetch(appliance.url + target, { headers, ...init });
  return { status: answer.status, text: await answer.text() };
}

async function page(appliance: Appliance, query = "") {
  const { status, text } = await ask(appliance, `/admin/audit${query}`);
  expect(status, text).toBe(200);
  const checked = { method: "GET", path: "/admin/audit", status, type: "application/json" };
  const validator = openValidator(await appliance.json("/openapi.json"));
  expect(validator.answerProblems({ ...checked, body: text })).toBeNull();
  const answer: {
    data: Entry[];
    pagination: { offset: number; limit: number; total: number; hasMore: boolean };
  } = JSON.parse(text);
  return answer;
}

async function exported(...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await ballastd("export", "--audit", ...options);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function entries(): Promise<readonly Entry[]> {
  const text = await exported("--format", "ndjson");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const short = ({ kind, actor, address, detail }: Entry) => ({ kind, actor, address, detail });
const byClient = { actor: "configured", address: "127.0.0.1" };
const byCommand = { actor: expect.stringMatching(BY_COMMAND), address: null };
const bySelf = { actor: "ballastd", address: null };

test("whatever changes something has its entry, in the order in which it was done", async () => {
  const file = path.join(folder, "in.csv");
  writeFileSync(file, "timestamp,SYS_PRESSURE\r\n2026-05-01T00:00:00Z,2.5\r\nyesterday,1\r\n");
  await using appliance = await startAppliance({ folder, env });
  const plant = (body: string) => ask(appliance, "/plants", { method: "POST", body });
  expect((await plant('{"id":9223372036854775807,"name":"a"}')).status).toBe(200);
  expect((await plant('{"id":9223372036854775807,"name":"a"}')).status).toBe(200);
  expect((await plant('{"id":9223372036854775807,"name":"b"}')).status).toBe(400);
  expect((await fetch(`${appliance.url}/admin/audit`)).status).toBe(401);
  expect((await ask(appliance, "/export/telemetry?columns=SYS_PRESSURE")).status).toBe(200);
  await ask(appliance, "/export/telemetry?columns=SYS_PRESSURE", { method: "HEAD" });
  await ballastd("token", "add", "--name", "mate", "--role", "viewer");
  await ballastd("token", "revoke", "mate");
  expect((await ballastd("import", file)).code).toBe(1);
  await ballastd("export", "--from", "2026-05-01", "--output", path.join(folder, "out.csv"));
  await appliance.program.stop("SIGTERM");
  const columns = ["SYS_PRESSURE"];
  const open = { from: null, to: null };
  const counts = { stored: 1, same: 0, refused: 1 };
  // The daily backup may be made meanwhile.
  const told = (await entries()).filter(({ kind }) => kind !== "backup");
  expect(told.map(short)).toMatchObject([
    { ...bySelf, kind: "start", detail: { version: expect.any(String), simulated: false } },
    { ...byClient, kind: "login", detail: { role: "maintainer" } },
    { ...byClient, kind: "plant_added", detail: { id: "9223372036854775807", name: "a" } },
    {
      ...{ kind: "refusal", actor: "unknown", address: "127.0.0.1" },
      detail: { status: 401, method: "GET", path: "/admin/audit" },
    },
    {
      ...{ ...byClient, kind: "export" },
      detail: { what: "telemetry", format: "csv", ...open, columns },
    },
    { ...byCommand, kind: "token_added", detail: { name: "mate", role: "viewer" } },
    { ...byCommand, kind: "token_revoked", detail: { name: "mate", role: "viewer" } },
    { ...byCommand, kind: "import", detail: { file, state: "started" } },
    { ...byCommand, kind: "import", detail: { file, state: "finished", ...counts } },
    { ...byCommand, kind: "export", detail: { from: "2026-05-01", to: null, columns: null } },
    { ...bySelf, kind: "stop", detail: { problem: null } },
    { ...byCommand, kind: "export", detail: { what: "audit", output: "-" } },
  ]);
});

test("a kill is an unclean stop, and what was changed in the configuration is told", async () => {
  {
    await using appliance = await startAppliance({ folder, env });
    expect((await page(appliance, "?kind=config_change")).data).toEqual([]);
    await appliance.program.stop("SIGKILL");
  }
  const changed = {
    BALLASTD_AUTH_TOKEN: `${SECRET}-2`,
    BALLASTD_LIMITS_UV_IMO: "300",
    BALLASTD_HTTP_CORS_ORIGINS: "http://bridge",
  };
  {
    await using appliance = await startAppliance({ folder, env: changed });
    await appliance.program.stop("SIGTERM");
  }
  await using appliance = await startAppliance({ folder, env: changed });
  const beside = ["login", "export", "backup"];
  const last = (await entries()).filter(({ kind }) => !beside.includes(kind));
  expect(last.slice(-6).map(short)).toEqual([
    { ...bySelf, kind: "start", detail: last.at(-6)?.detail },
    { ...bySelf, kind: "unclean_stop", detail: { started: last.at(-6)?.timestamp } },
    {
      ...bySelf,
      kind: "config_change",
      detail: {
        "auth.token": "changed",
        "limits.uv_imo": { before: 252, after: 300 },
        "http.cors_origins": { before: [], after: ["http://bridge"] },
      },
    },
    { ...bySelf, kind: "start", detail: last.at(-3)?.detail },
    { ...bySelf, kind: "stop", detail: { problem: null } },
    { ...bySelf, kind: "start", detail: last.at(-1)?.detail },
  ]);
  for (const file of [databaseFile(path.join(folder, "data")), "ballastd.db-wal"])
    expect(readFileSync(path.resolve(folder, "data", file), "latin1")).not.toContain(SECRET);
  await appliance.program.stop("SIGTERM");
});

test("a start that fails, for want of a password, is told with its end", LONG, async () => {
  const password_file = path.join(folder, "nothing");
  const login = { BALLASTD_MQTT_USERNAME: "plc", BALLASTD_MQTT_PASSWORD_FILE: password_file };
  const failed = await runProgram({ args: ["serve"], folder, env: { ...env, ...login } });
  expect(failed.code).toBe(78);
  const [change, start, stop] = (await entries()).slice(-4);
  const problem = expect.stringContaining(password_file);
  expect(change.detail).toMatchObject({ "mqtt.username": { after: "plc" } });
  expect(start.kind).toBe("start");
  expect(stop).toMatchObject({ kind: "stop", detail: { problem } });
});

test("the log is paged newest first, by kind and date, and a bad question is refused", async () => {
  await using appliance = await startAppliance({ folder, env });
  await page(appliance);
  const all = (await page(appliance, "?limit=10000")).data;
  const total = all.length;
  expect(all.map(({ id }) => id)).toEqual(all.map((_entry, index) => total - index));
  expect(all.every(({ clock_trusted }) => clock_trusted)).toBe(true);
  // The first backup or proof may add an entry meanwhile.
  const until = `endDate=${all[0].timestamp}`;
  const second = await page(appliance, `?limit=3&offset=3&${until}`);
  expect(second).toEqual({
    data: all.slice(3, 6),
    pagination: { offset: 3, limit: 3, total, hasMore: true },
  });
  const paths = await walked(`${appliance.url}/admin/audit?limit=4&kind=start&x=%3E`, "next", {
    headers: { Authorization: `Bearer ${SECRET}` },
  });
  expect(paths.flat()).toEqual(all.filter(({ kind }) => kind === "start"));
  const end = await page(appliance, `?offset=${2 ** 53}&${until}`);
  expect(end).toMatchObject({ data: [], pagination: { total, hasMore: false } });
  const starts = await page(appliance, "?kind=start&limit=2");
  const known = all.filter(({ kind }) => kind === "start");
  expect(starts.data).toEqual(known.slice(0, 2));
  expect(starts.pagination.total).toBe(known.length);
  const { timestamp } = known[1];
  const range = `startDate=${timestamp}&endDate=${timestamp}`;
  expect((await page(appliance, `?${range}&kind=start`)).data).toEqual([known[1]]);
  expect((await page(appliance, "?endDate=2026-01-01")).data).toEqual([]);
  for (const query of ["kind=nothing", "limit=0", "limit=10001", "offset=-1", "startDate=x"]) {
    const { status, text } = await ask(appliance, `/admin/audit?${query}`);
    expect(status, query).toBe(400);
    expect(text).toContain(query.split("=")[0]);
  }
  await appliance.program.stop("SIGTERM");
});

test("the file has every entry as the API answers it, in CSV too", async () => {
  const json = await entries();
  const csv = await exported("--to", json.at(-1)?.timestamp ?? "");
  const [head, ...rows] = csv.trimEnd().split("\r\n");
  expect(head).toBe("id,timestamp,clock_trusted,kind,actor,address,detail,hash");
  expect(rows).toHaveLength(json.length);
  const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  for (const [index, { detail, ...entry }] of json.entries()) {
    const { id, timestamp, kind, actor, address, hash } = entry;
    const cells = [id, timestamp, true, kind, actor, address ?? "", quoted(detail), hash];
    expect(rows[index]).toBe(cells.join());
  }
  for (const options of [
    ["--format", "sqlite", "--output", "a"],
    ["--columns", "SYS_PRESSURE"],
  ])
    expect((await ballastd("export", "--audit", ...options)).code).toBe(2);
});

const DONE_TO_IT: readonly (readonly [string, string])[] = [
  ["update audit set actor = 'nobody' where id = 3", "audit 3"],
  ["update audit set detail = json_set(detail, '$.name', 'b') where id = 3", "audit 3"],
  ["update audit set at_ms = at_ms - 1 where id = 1", "audit 1"],
  ["delete from audit where id = 5", "audit 5"],
  ["delete from audit where id = (select max(id) from audit)", "is missing"],
];
test.each(sampled(2, DONE_TO_IT))(
  "verify names what was done to the log by %j",
  async (change, named) => {
    const data = path.join(folder, "data");
    const before = readFileSync(databaseFile(data));
    const whole = await ballastd("verify", "--json");
    expect(JSON.parse(whole.stdout)).toMatchObject({ problem: null });
    expect(JSON.parse(whole.stdout).audit).toBeGreaterThan(20);
    const db = openWriter(databaseFile(data));
    db.exec(change);
    db.close();
    const broken = await ballastd("verify");
    writeFileSync(databaseFile(data), before);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain(`BROKEN: `);
    expect(broken.stdout).toContain(named);
  },
);

test("what can't be recorded for want of space is exported all the same, and says so", async () => {
  await using appliance = await startAppliance({
    folder,
    env: {
      ...env,
      BALLASTD_STORAGE_FREE_WARN: "8000000GiB",
      BALLASTD_STORAGE_FREE_STOP: "8000000GiB",
    },
  });
  const { code, stderr, stdout } = await ballastd("export");
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2026-05-01"),
  });
  expect(stderr).toContain("not in the audit log: this export");
  expect((await ask(appliance, "/api/events")).status).toBe(200);
  await appliance.program.waitForOutput(/the audit log can't be written/);
});
