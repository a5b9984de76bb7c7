// `serve --recovery` with what a service can't be started: it stays up, says what is wrong and what
// to type, answers what can be read, and goes on by itself when it is mended.

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { USUAL } from "../../src/app/recovery/recovery.ts";
import { stepsFor } from "../../src/app/recovery/recovery-page.ts";
import { readableConfig } from "../../src/config/load.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { occupyPort, reservePort } from "../rig/port.ts";
import { type Program, runProgram, startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const newFolder = foldersOfTests();

/** The address is that of the file. */
const FROM_FILE = { BALLASTD_HTTP_LISTEN: undefined };

async function recoveryUrl(program: Program): Promise<string> {
  const [, url] = await program.waitForOutput(/^RECOVERY: .*\nweb: (\S+)\/$/m);
  return url;
}

async function get(url: string) {
  const answer = await fetch(url);
  const again = answer.headers.get("retry-after");
  return { status: answer.status, text: await answer.text(), again };
}

/** A folder with one reading, of an appliance that was stopped. */
async function withOneReading(): Promise<string> {
  const folder = newFolder();
  await using appliance = await startAppliance({ folder });
  const payload = JSON.stringify({ timestamp: "2026-05-01T10:00:00Z", UVR_INTENSITY: 648.5 });
  await appliance.publish([{ kind: "telemetry", payload }]);
  await appliance.program.stop("SIGTERM");
  return folder;
}

test("a damaged database is named, /readyz says why, and a restore mends it", async () => {
  const folder = await withOneReading();
  expect(await runProgram({ args: ["backup", "b.db"], folder })).toMatchObject({ code: 0 });
  const database = path.join(folder, "data", "ballastd.db");
  writeFileSync(database, Buffer.alloc(20_000, 7));
  await using program = startProgram({ args: ["serve", "--recovery"], folder });
  const url = await recoveryUrl(program);
  expect(await get(`${url}/healthz`)).toMatchObject({ status: 200 });
  const readyz = await get(`${url}/readyz`);
  expect(readyz).toMatchObject({ status: 503, again: "10" });
  expect(JSON.parse(readyz.text)).toMatchObject({
    ready: false,
    reasons: [expect.stringMatching(/not a database/)],
  });
  const page = await get(`${url}/`);
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/not a database/);
  expect(page.text).toMatch(/^ballastd restore FILE/m);
  expect(await get(`${url}/api/telemetry/latest`)).toMatchObject({ status: 503, again: "1" });
  expect(await runProgram({ args: ["restore", "b.db"], folder })).toMatchObject({ code: 0 });
  await program.stop("SIGTERM");
  await using appliance = await startAppliance({ folder });
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject({ UVR_INTENSITY: 648.5 });
});

test("a bad configuration is named with its line where it serves; mended, it is used", async () => {
  const folder = await withOneReading();
  const file = path.join(folder, "ballastd.toml");
  const { port } = await reservePort();
  const http = `[http]\nlisten = "127.0.0.1:${port}"\n`;
  writeFileSync(file, `${http}[limits]\nuv_imo = "much"\n`);
  await using program = startProgram({ args: ["serve", "--recovery"], folder, env: FROM_FILE });
  const url = await recoveryUrl(program);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const page = await get(`${url}/`);
  expect(page.text).toMatch(/limits\.uv_imo \(.*ballastd\.toml line 4\) is "much"/);
  expect(page.text).toContain(`nano ${file}\nballastd check --config ${file}</pre>`);
  const latest = await get(`${url}/api/telemetry/latest`);
  expect(JSON.parse(latest.text)).toMatchObject({ UVR_INTENSITY: 648.5 });
  writeFileSync(file, http);
  await program.waitForOutput(new RegExp(`^data: .*\nweb: http://127.0.0.1:${port}/$`, "m"));
  expect(await get(`${url}/readyz`)).toMatchObject({ status: 200 });
});

test("a second system's page names its own configuration and unit in every command", () => {
  const problems = [
    "the update to 1.1.0 failed",
    "database: is damaged",
    "http: the certificate can't be read",
  ];
  const commands = (file: string) => {
    const readable = readableConfig({ file, env: {} });
    return problems.flatMap((problem) => stepsFor({ problem, error: null, readable }).commands);
  };
  const second = commands("/etc/ballastd/two.toml");
  for (const command of second)
    expect(command).toMatch(
      / --config \/etc\/ballastd\/two\.toml$|^(systemctl|journalctl) .* ?ballastd@two\b/,
    );
  const first = commands("/etc/ballastd/ballastd.toml");
  expect(first).toEqual(
    second.map((line) => line.replace(" --config /etc/ballastd/two.toml", "").replace("@two", "")),
  );
});

test("what may be read by whom, and where it lies, isn't guessed", LONG, async () => {
  const folder = await withOneReading();
  const file = path.join(folder, "ballastd.toml");
  const pages: string[] = [];
  const statusWith = async (toml: string) => {
    writeFileSync(file, toml);
    await using program = startProgram({ args: ["serve", "--recovery"], folder });
    const url = await recoveryUrl(program);
    pages.push((await get(`${url}/`)).text);
    return (await get(`${url}/api/telemetry/latest`)).status;
  };
  expect(await statusWith('[auth]\nmonitorng = "token"\n')).toBe(401);
  // Its links show no token, so the page says how.
  expect(pages[0]).toContain("Authorization: Bearer TOKEN");
  expect(await statusWith("[storage]\ndir = 7\n")).toBe(503);
});

test("with its addresses taken it waits for one, and neither ends nor goes on SIGHUP", async () => {
  const folder = newFolder();
  const holder = await occupyPort();
  // So is the usual one: by this test and other runs of it at once, or by another program.
  const usual = createServer((socket) => socket.destroy());
  usual.listen({ host: USUAL.host, port: USUAL.port, reusePort: true });
  await once(usual, "listening").catch(() => null);
  const file = path.join(folder, "ballastd.toml");
  writeFileSync(file, `[http]\nlisten = "127.0.0.1:${holder.port}"\n[limits]\nuv_imo = "much"\n`);
  await using program = startProgram({ args: ["serve", "--recovery"], folder, env: FROM_FILE });
  try {
    await program.waitForOutput(/^RECOVERY: .*\nweb: no address yet\nwaiting: /m);
    process.kill(program.pid, "SIGHUP");
    await program.waitForOutput(/^RECOVERY: (.*\n)+RECOVERY: /m);
    await holder.vacate();
    const page = `http://127.0.0.1:${holder.port}/`;
    await program.waitUntil("the page", () =>
      get(page).then(
        () => true,
        () => false,
      ),
    );
    expect((await get(page)).text).toMatch(/limits\.uv_imo/);
  } finally {
    await holder.vacate();
    usual.close();
  }
  expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("in recovery nobody can write", async () => {
  const folder = await withOneReading();
  const env = { BALLASTD_LIMITS_UV_IMO: "much" };
  await using program = startProgram({ args: ["serve", "--recovery"], folder, env });
  const url = await recoveryUrl(program);
  const token = readFileSync(path.join(folder, "data", "token"), "utf8").trim();
  const written = await fetch(`${url}/plants`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ id: 1, name: "x" }),
  });
  expect([written.status, written.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("a certificate that can't be used doesn't hide the page", async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "cert.pem"), "nonsense");
  const env = { BALLASTD_HTTP_TLS_CERT: "cert.pem", BALLASTD_HTTP_TLS_KEY: "cert.pem" };
  await using program = startProgram({ args: ["serve", "--recovery"], folder, env });
  const url = await recoveryUrl(program);
  expect(url).toMatch(/^http:/);
  expect((await get(`${url}/`)).text).toMatch(/http\.tls_cert cert\.pem is not PEM/);
});

test("without --recovery the same ends the process with its exit code", async () => {
  const folder = newFolder();
  const env = { BALLASTD_LIMITS_UV_IMO: "much" };
  expect(await runProgram({ args: ["serve"], folder, env })).toMatchObject({ code: 78 });
});
