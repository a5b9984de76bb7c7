// A ship joins as the manual says: one file, one command, a running instance that takes it without
// a restart. Then an alert, readings and events are ashore, and the API, the metrics and the
// command tell of it.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ShoreAnswer } from "../../src/bwts/documents/shore-answer.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { reservePort } from "../rig/port.ts";
import { runProgram, startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const newFolder = foldersOfTests(afterAll);
let fleet: FleetRig;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

test("the file of another ship is refused, and nothing is written", async () => {
  const folder = newFolder();
  const config = path.join(folder, "ballastd.toml");
  const before = '[system]\nimo = "9839272"\n';
  writeFileSync(config, before);
  const file = path.join(folder, "9525338.shore");
  writeFileSync(file, JSON.stringify(await fleet.add("9525338")));
  const env = { BALLASTD_CONFIG: config };
  expect(await runProgram({ args: ["shore", "join", file], folder, env })).toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/file of ship 9525338, and system\.imo of this one is 9839272/),
  });
  expect(readFileSync(config, "utf8")).toBe(before);
  expect(existsSync(path.join(folder, "data", "shore-key.pem"))).toBe(false);
});

test("an altered, endless or waiting file is refused, and what was there stays", LONG, async () => {
  const folder = newFolder();
  const config = path.join(folder, "ballastd.toml");
  writeFileSync(config, "");
  const env = { BALLASTD_CONFIG: config };
  const own = await fleet.add("9321483");
  const other = await fleet.add("9454436");
  const file = path.join(folder, "own.shore");
  const join = (given: string) => runProgram({ args: ["shore", "join", given], folder, env });
  const objects = { url: "https://store.example/fleet/9321483", key: "no key" };
  for (const altered of [
    { ...own, certificate: own.certificate.slice(0, 300) },
    { ...own, key: own.key.slice(0, 60) },
    { ...own, key: other.key },
    { ...own, certificate: other.certificate, key: other.key },
    { ...own, name: "\u001b[2J" },
    { ...own, objects },
  ]) {
    writeFileSync(file, JSON.stringify(altered));
    const stderr = expect.stringMatching(
      /isn't a file of ballastd fleet add, or was cut off or alt/,
    );
    expect(await join(file)).toMatchObject({ code: 1, stdout: "", stderr });
  }
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const odd of [pipe, "/dev/zero"])
    expect(await join(odd)).toMatchObject({
      code: 74,
      stderr: expect.stringMatching(/not a file/),
    });
  expect(readFileSync(config, "utf8")).toBe("");
  expect(existsSync(path.join(folder, "data", "shore-key.pem"))).toBe(false);
});

/** The place of a ship in a store that isn't there. */
async function awayStore(ship: string): Promise<string> {
  const { port } = await reservePort();
  return `https://127.0.0.1:${port}/fleet/${ship}`;
}

test("one file and one command join a running ship, whose clock stands in 1970", async () => {
  const folder = newFolder();
  const clock = fakeClock(folder);
  clock.set(-Math.floor(Date.now() / 1000) + 3600);
  const config = path.join(folder, "ballastd.toml");
  const before = '# kept\n[shore]\nraw = "asked"\n\n# a\n[ log ]\nlevel = "warn"\n';
  writeFileSync(config, before, { mode: 0o640 });
  const env = { BALLASTD_CONFIG: config, ...clock.env };
  await using program = startProgram({ args: ["serve"], folder, env });
  const [, api] = await program.waitForOutput(/^web: (http:\/\/\S+)\/$/m);
  const shore = async () => ShoreAnswer.parse(await (await fetch(`${api}/api/shore`)).json());
  expect(await shore()).toMatchObject({ state: "off", backlog: null });
  const command = (...args: readonly string[]) =>
    runProgram({ args: ["shore", ...args], folder, env });
  const cut = path.join(folder, "cut.shore");
  writeFileSync(cut, '{"format": 1');
  expect(await command("join", cut)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/isn't a file of ballastd fleet add, or was cut off/),
  });
  expect(readFileSync(config, "utf8")).toBe(before);
  const file = path.join(folder, "9074729.shore");
  const url = await awayStore("9074729");
  const secret = "aws_access_key_id = known\naws_secret_access_key = not-to-be-told\n";
  const objects = { url, key: secret };
  writeFileSync(file, JSON.stringify({ ...(await fleet.add("9074729")), objects }));
  const joined = await command("join", file);
  expect(joined.code, joined.stderr).toBe(0);
  expect(joined.stdout).toMatch(/the running instance sends from now on/);
  expect(joined.stdout).toMatch(/audit: \d+ links aboard/);
  const text = readFileSync(config, "utf8");
  expect(text).toMatch(/^# kept\n+# a\n\[ log \]\nlevel = "warn"\n\n\[shore\]\nurl = \["postgres:/);
  expect(text).toMatch(/\nraw = "asked"\n$/);
  expect(statSync(config).mode & 0o777).toBe(0o640);
  const objectsKey = path.join(folder, "data", "shore-objects-key");
  expect(text).toContain(`\nobjects = "${url}"\nobjects_key = "${objectsKey}"\n`);
  expect(readFileSync(objectsKey, "utf8")).toBe(secret);
  for (const key of [path.join(folder, "data", "shore-key.pem"), objectsKey])
    expect(statSync(key).mode & 0o777).toBe(0o600);
  for (let told = await shore(); told.state !== "connected" || told.backlog?.links !== 0; ) {
    await sleep(100);
    told = await shore();
  }
  const told = await shore();
  expect(told).toMatchObject({ server: null, raw: "asked", refused: [], parted: [] });
  expect(told.objects).toEqual({ server: null, problem: null });
  expect(Math.abs(told.clock_offset_seconds ?? 0)).toBeGreaterThan(1e9);
  const rows = "select count(*) from fleet.link where ship = '9074729' and chain = 'audit'";
  expect(Number(await fleet.psql(rows))).toBeGreaterThan(0);
  expect(await (await fetch(`${api}/metrics`)).text()).toMatch(/^ballastd_shore_connected 1$/m);
  const status = await command("status", "--json");
  expect(ShoreAnswer.parse(JSON.parse(status.stdout)).server).toMatch(/^127\.0\.0\.1:\d+$/);
  // The store of objects isn't there.
  const stdout = expect.stringMatching(/left to send: 0\.0 MB.*\nobjects: .*: connect ECONNREF/s);
  expect(await command("test")).toMatchObject({ code: 69, stdout });
  // With raw = "asked" the crew sends by hand, and carries a file, beside the running service.
  const sent = await command("send", "--from", "2026-05-01", "--json");
  expect(JSON.parse(sent.stdout), sent.stderr).toMatchObject({ segments: 0 });
  expect(await command("send")).toMatchObject({ code: 2, stdout: "" });
  expect((await command("recall")).stderr).toMatch(/no segment in common/);
  const bundle = path.join(folder, "9074729.bundle");
  expect((await command("bundle", bundle)).stdout).toMatch(/0 segments .*, \d+ entries of the/);
  const taken = await fleet.office("fleet", "import", bundle);
  expect(taken.stdout, taken.stderr).toMatch(/entries of the audit log: \d+ new, \d+ here before/);
  // The office ends the key: the crew hears of it.
  expect((await fleet.office("fleet", "revoke", "9074729")).code).toBe(0);
  const codes = async (): Promise<string> => (await fetch(`${api}/api/alarms?state=open`)).text();
  while (!(await codes()).includes('"SHORE_REFUSED"')) await sleep(200);
  expect((await command("test")).stderr).toMatch(/the office knows why: ballastd fleet list/);
});

test("a newer file without a store ends the way into it, and keeps the rest", LONG, async () => {
  const folder = newFolder();
  const config = path.join(folder, "ballastd.toml");
  writeFileSync(config, '[shore]\nraw = "asked"\n');
  const env = { BALLASTD_CONFIG: config };
  await using program = startProgram({ args: ["serve"], folder, env });
  const [, api] = await program.waitForOutput(/^web: (http:\/\/\S+)\/$/m);
  const file = path.join(folder, "9176187.shore");
  const join = () => runProgram({ args: ["shore", "join", file], folder, env });
  const plain = await fleet.add("9176187");
  const url = await awayStore("9176187");
  const objects = { url, key: "aws_access_key_id = one\naws_secret_access_key = two\n" };
  writeFileSync(file, JSON.stringify({ ...plain, objects }));
  expect((await join()).stdout).not.toMatch(/names no store/);
  expect(readFileSync(config, "utf8")).toContain(`\nobjects = "${url}"\n`);
  const key = path.join(folder, "data", "shore-objects-key");
  expect(existsSync(key)).toBe(true);
  writeFileSync(file, JSON.stringify(plain));
  const said = "readings go into the database: .* names no store, so that shore.objects, ";
  expect(await join()).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
  const left = readFileSync(config, "utf8");
  expect(left).toMatch(/\nraw = "asked"\n$/);
  expect([left.includes("objects"), existsSync(key)]).toEqual([false, false]);
  const shore = async () => ShoreAnswer.parse(await (await fetch(`${api}/api/shore`)).json());
  await expect.poll(async () => (await shore()).objects).toBeNull();
  expect((await join()).stdout).not.toMatch(/names no store/);
});
