// The commands for whoever looks after the box: check, config show, log, support.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { zipOf } from "../../src/cli/commands/support.ts";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { unzipped } from "../rig/unzipped.ts";

const newFolder = foldersOfTests();

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly says: string;
  readonly fix: string | null;
}

async function checked(folder: string, env = {}, args: readonly string[] = []) {
  const { code, stdout, stderr } = await runProgram({
    args: ["check", "--json", ...args],
    folder,
    env,
  });
  expect(stderr).toBe("");
  const findings: readonly Finding[] = JSON.parse(stdout);
  const of = (what: string) => findings.find((finding) => finding.what === what);
  return { code, findings, of };
}

/** A folder with a day of readings, of an appliance that was stopped. */
async function withData(): Promise<string> {
  const folder = newFolder();
  await using appliance = await startAppliance({ folder });
  const messages = Array.from({ length: 3000 }, (_, index) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const payload = JSON.stringify({ timestamp, UVR_INTENSITY: index });
    return { kind: "telemetry", payload };
  });
  await appliance.publish(messages);
  await appliance.program.stop("SIGTERM");
  return folder;
}

describe("check", () => {
  test("finds nothing that failed on a sound instance, running or not", async () => {
    const folder = await withData();
    const resting = await checked(folder, {}, ["--thorough"]);
    expect(resting.findings.filter(({ state }) => state === "failed")).toEqual([]);
    expect(resting.of("buckets")?.says).toMatch(/^2 of 2 days recomputed from raw readings/);
    expect(resting.of("service")).toMatchObject({ state: "warning", says: "no instance runs" });
    expect(resting.code).toBe(0);
    await using appliance = await startAppliance({ folder });
    const running = await checked(folder);
    expect(running.of("service")?.says).toContain(`runs as process ${appliance.program.pid}`);
    expect(running.code).toBe(0);
    for (const { state, fix } of running.findings) expect(fix === null).toBe(state === "ok");
  });

  test("names what is wrong, each with what to do, and ends with exit code 1", async () => {
    const folder = await withData();
    const database = openWriter(path.join(folder, "data", "ballastd.db"));
    database.exec(
      "update bucket set count = count + 1 where interval = 'hour' and start_ms = 1767225600000",
    );
    database.exec(
      "update event set description = 'x'; update chain_head set count = 9 where chain = 'segment'",
    );
    database.close();
    chmodSync(path.join(folder, "data", "token"), 0o644);
    const free = "8000000 GiB";
    const found = await checked(folder, {
      BALLASTD_STORAGE_FREE_STOP: free,
      BALLASTD_STORAGE_FREE_WARN: free,
      BALLASTD_MQTT_MODE: "client",
      BALLASTD_MQTT_URL: "mqtt://127.0.0.1:1",
    });
    expect(found.code).toBe(1);
    expect(found.of("disk")).toMatchObject({ state: "failed" });
    expect(found.of("broker")).toMatchObject({ state: "failed" });
    expect(found.of("chains")).toMatchObject({ state: "failed" });
    expect(found.of("buckets")).toMatchObject({ state: "failed" });
    expect(found.of("permissions")).toMatchObject({
      state: "warning",
      fix: expect.stringMatching(/^chmod o= .*token$/),
    });
  });

  test("says what is wrong with the configuration before all else", async () => {
    const folder = newFolder();
    const broken = await checked(folder, { BALLASTD_LIMITS_UV_IMO: "much" });
    expect(broken.findings).toMatchObject([{ what: "configuration", state: "failed" }]);
    expect(broken.code).toBe(1);
    const text = await runProgram({ args: ["check"], folder });
    expect(text.stdout).toMatch(/^ok {7}configuration: .*\n/);
    expect(text.stdout).toMatch(/^warning {2}.*\n {9}do: /m);
  });
});

describe("config show", () => {
  test("says where each value comes from, and of a secret only that it is set", async () => {
    const folder = newFolder();
    writeFileSync(
      path.join(folder, "ballastd.toml"),
      '[system]\nvessel = "Ardent"\n[auth]\ntoken = "a-very-secret-token-1"\n',
    );
    const { stdout } = await runProgram({ args: ["config", "show", "--origin"], folder });
    expect(stdout).toMatch(/^system\.vessel = "Ardent" {2}# .*ballastd\.toml line 2$/m);
    expect(stdout).toMatch(/^auth\.token = "set" {2}# .*ballastd\.toml line 4$/m);
    expect(stdout).toMatch(/^http\.listen = \["127\.0\.0\.1:0"\] {2}# BALLASTD_HTTP_LISTEN$/m);
    expect(stdout).toMatch(/^mqtt\.prefix = "bwts" {2}# default$/m);
    expect(stdout).not.toContain("very-secret");
  });
});

describe("log", () => {
  test("is set area by area while it runs, and shows what was logged last", async () => {
    await using appliance = await startAppliance();
    const { folder } = appliance.program;
    const set = await runProgram({ args: ["log", "--area", "http", "--level", "debug"], folder });
    expect(set.stdout).toBe(
      "service  info\nmqtt  info\nhttp  debug\nstorage  info\njobs  info\n" +
        "modbus  info\nshore  info\nsparkplug  info\n",
    );
    await appliance.get("/nothing");
    await appliance.program.waitForOutput(/"area":"http".*"message":"request was refused"/);
    const { stdout } = await runProgram({ args: ["log"], folder });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).message)).toContain("request was refused");
    await runProgram({ args: ["log", "--level", "error"], folder });
    const before = appliance.program.stderr();
    await appliance.get("/nothing");
    expect(appliance.program.stderr()).toBe(before);
  });

  test("refuses a level or an area that it doesn't know, and says when nothing runs", async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, "data"));
    const bad = await runProgram({ args: ["log", "--level", "loud"], folder });
    expect(bad).toMatchObject({ code: 2 });
    expect(bad.stderr).toMatch(/--level loud: expected debug, info, warn, error/);
    expect(await runProgram({ args: ["log"], folder })).toMatchObject({ code: 69 });
  });
});

describe("support", () => {
  test("puts everything into one ZIP file, and no secret", async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, "password"), "very-secret-2\n");
    const env = {
      BALLASTD_AUTH_TOKEN: "a-very-long-secret-1",
      BALLASTD_MQTT_USERNAME: "plc",
      BALLASTD_MQTT_PASSWORD_FILE: path.join(folder, "password"),
    };
    await using appliance = await startAppliance({ folder, env });
    await fetch(`${appliance.url}/admin/audit`, {
      headers: { Authorization: "Bearer wrong-secret-3" },
    });
    const made = await runProgram({ args: ["support", "out.zip"], folder, env });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const bytes = readFileSync(path.join(folder, "out.zip"));
    const files = unzipped(bytes);
    expect([...files.keys()]).toEqual([
      "versions.txt",
      "check.txt",
      "config.txt",
      "schema.sql",
      "running.txt",
      "metrics.txt",
      "log.ndjson",
      "errors.ndjson",
    ]);
    expect(files.get("metrics.txt")).toMatch(/^ballastd_build_info/m);
    expect(files.get("schema.sql")).toMatch(
      /^-- migration 1: 001-first\.sql\n(.*\n)*create table/i,
    );
    expect(files.get("config.txt")).toMatch(/^auth\.token = "set"/m);
    for (const [name, text] of files)
      expect({ name, has: /secret-\d/.test(text) }).toEqual({ name, has: false });

    const added = await runProgram({
      args: ["token", "add", "--name", "viewer", "--role", "viewer"],
      ...{ folder, env },
    });
    const ask = (token: string) =>
      fetch(`${appliance.url}/admin/support`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await ask(added.stdout.trim())).status).toBe(403);
    expect((await fetch(`${appliance.url}/admin/support`)).status).toBe(401);
    const token = env.BALLASTD_AUTH_TOKEN;
    const [first, second] = await Promise.all([ask(token), ask(token)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const given = first.status === 200 ? first : second;
    expect(given.headers.get("content-type")).toBe("application/zip");
    expect(given.headers.get("content-disposition")).toMatch(
      /^attachment; filename="ballastd-BWTS-001-support-[\dT_-]+\.zip"$/,
    );
    const same = unzipped(Buffer.from(await given.arrayBuffer()));
    expect([...same.keys()]).toEqual([...files.keys()]);
    expect(same.get("config.txt")).toBe(files.get("config.txt"));
    expect(same.get("running.txt")).toContain(`"ready": true`);
    for (const [name, text] of same)
      expect({ name, has: /secret-\d/.test(text) }).toEqual({ name, has: false });
    const headers = { Authorization: `Bearer ${token}` };
    const audit = await (await fetch(`${appliance.url}/admin/audit`, { headers })).json();
    expect(audit.data).toContainEqual(
      expect.objectContaining({ kind: "export", detail: { what: "support", format: "zip" } }),
    );
    const head = await fetch(`${appliance.url}/admin/support`, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, null]);
    // Whoever goes away leaves no archive under way.
    const left = new AbortController();
    const gone = fetch(`${appliance.url}/admin/support`, { headers, signal: left.signal });
    left.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(async () => (await ask(token)).status).toBe(200);
  });

  test("works where nothing else does", async () => {
    const folder = newFolder();
    const env = { BALLASTD_LIMITS_UV_IMO: "much" };
    const made = await runProgram({ args: ["support", "out.zip"], folder, env });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const files = unzipped(readFileSync(path.join(folder, "out.zip")));
    expect(files.get("check.txt")).toMatch(/limits\.uv_imo|BALLASTD_LIMITS_UV_IMO/);
  });

  test("a file is archived whatever the box's clock says", () => {
    const files = new Map([["ünder way.txt", "text"]]);
    for (const at_ms of [0, Date.UTC(2026, 1, 29), Date.UTC(2150, 0, 1), 8.64e15])
      expect(unzipped(zipOf(files, at_ms))).toEqual(files);
  });
});
