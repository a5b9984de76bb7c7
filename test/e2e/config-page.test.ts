// Settings over HTTP, on the built program: what is changed, what is said, and that a refusal
// leaves the file byte for byte as it was.

import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, test as single } from "vitest";
import { configurationFile } from "../../scripts/package/configuration-file.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests(afterAll);
const test = single.concurrent;

const TOKEN = "token-of-the-maintainer-aboard";
const TEXT = `${configurationFile()}\n# Kept by the yard\n`;
const ACCOUNT = 65_534;

const envOf = (folder: string, file: string) => ({
  BALLASTD_AUTH_TOKEN: TOKEN,
  BALLASTD_CONFIG: file,
  BALLASTD_STORAGE_DIR: path.join(folder, "data"),
});

interface Opened {
  readonly env?: Readonly<Record<string, string>>;
  /** The configuration stands in a folder that the service's account may not write. */
  readonly isForeign?: boolean;
}

async function openShip({ env = {}, isForeign = false }: Opened = {}) {
  const [folder, other] = [newFolder(), newFolder()];
  const file = path.join(isForeign ? other : folder, "ballastd.toml");
  writeFileSync(file, TEXT, { mode: 0o644 });
  chmodSync(other, 0o755);
  if (isForeign) chownSync(folder, ACCOUNT, ACCOUNT);
  const account = ["setpriv", `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, "--clear-groups"];
  const appliance = await startAppliance({
    folder,
    env: { ...envOf(folder, file), ...env },
    through: isForeign ? account : [],
  });
  return {
    ...{ appliance, file, folder },
    read: () => readFileSync(file, "utf8"),
    [Symbol.asyncDispose]: () => appliance[Symbol.asyncDispose](),
  };
}

async function post({ url }: Appliance, body: unknown, token: string | null = TOKEN) {
  const answer = await fetch(`${url}/admin/config`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

async function audited({ url }: Appliance) {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/admin/audit?kind=settings`, { headers });
  return (await answer.json()).data;
}

const one = (key: string, value: unknown) => ({ changes: [{ key, value }] });

const SHIP = [
  { key: "system.vessel", value: "MV Exämple" },
  { key: "system.imo", value: "9074729" },
  { key: "limits.uv_imo", value: "300" },
  { key: "limits.source", value: "certificate 4711" },
];

test("a dry run says what changes; then it is stored, audited and used", async ({ expect }) => {
  const { folder, file } = await (async () => {
    await using ship = await openShip();
    const { appliance, read, file } = ship;
    const changes = [
      { key: "system.vessel", old: "", new: "MV Exämple" },
      { key: "system.imo", old: "", new: "9074729" },
      { key: "limits.uv_imo", old: 252, new: 300 },
      expect.objectContaining({ key: "limits.source", new: "certificate 4711" }),
    ];
    expect(await post(appliance, { changes: SHIP, check: true })).toEqual({
      status: 200,
      body: { changes, stored: false, before: null, restart: true },
    });
    expect(read()).toBe(TEXT);
    expect(existsSync(`${file}.before`)).toBe(false);
    expect(await audited(appliance)).toEqual([]);
    expect(await post(appliance, { changes: SHIP })).toEqual({
      status: 200,
      body: { changes, stored: true, before: "ballastd.toml.before", restart: true },
    });
    expect(read()).toContain("# Kept by the yard");
    expect(readFileSync(`${file}.before`, "utf8")).toBe(TEXT);
    const stored = read();
    // Sent again, as after a lost answer: nothing differs, and the restart is still to come.
    expect((await post(appliance, { changes: SHIP })).body).toEqual({
      ...{ changes: [], stored: false, before: null, restart: true },
    });
    expect(read()).toBe(stored);
    await expect
      .poll(() => audited(appliance))
      .toMatchObject([{ actor: "configured", address: "127.0.0.1", detail: { changes } }]);
    await appliance.program.stop("SIGTERM");
    return ship;
  })();
  await using again = await startAppliance({ folder, env: envOf(folder, file) });
  const { system } = await again.json("/readyz");
  expect(system).toMatchObject({ vessel: "MV Exämple", imo: "9074729" });
  expect((await post(again, { changes: SHIP })).body.restart).toBe(false);
  expect((await post(again, one("limits.uv_imo", null))).body).toMatchObject({
    ...{ changes: [{ key: "limits.uv_imo", old: 300, new: 252 }], stored: true, restart: true },
  });
});

describe("a refused set-up leaves the file byte for byte, and says what is allowed", () => {
  test.for([
    ["a wrong check digit", one("system.imo", "9074728"), ["9074728", "expected 9"]],
    ["letters in the IMO number", one("system.imo", "IMO 907472"), ["IMO 907472", "7 digits"]],
    [
      "limits swapped",
      {
        changes: [
          { key: "limits.dp_warn", value: 1 },
          { key: "limits.dp_alarm", value: 0.5 },
        ],
      },
      ["limits.dp_alarm is 0.5", "expected more than limits.dp_warn (1)"],
    ],
    ["a limit beyond its range", one("limits.uv_imo", -5), ["limits.uv_imo is -5", "expected"]],
    ["a text for a limit", one("limits.uv_imo", "high"), ['limits.uv_imo is "high"', "expected"]],
    ["a wrong zone", one("system.utc_offset", "+25:00"), ["system.utc_offset", "expected"]],
    ["an unknown key", one("system.vesel", "MV"), ["system.vesel", "unknown", "system.vessel"]],
    ["a host", one("http.listen", "0.0.0.0:80"), ["http.listen", "expected system.vessel"]],
    ["a secret", one("auth.token", "0123456789abcdef-x"), ["auth.token", "expected system."]],
    ["a file", one("storage.dir", "/tmp/x"), ["storage.dir", "ballastd config set"]],
    ["a key twice", { changes: [...SHIP, SHIP[0]] }, ["system.vessel", "twice"]],
    ["one wrong of many", { changes: [...SHIP, { key: "limits.dp_warn", value: 101 }] }, ["101"]],
    ["a list as value", one("limits.uv_imo", [300]), ["changes", "expected"]],
    ["no change at all", { changes: [] }, ["changes", "expected at least one"]],
  ] as const)("%s", async ([, body, words], { expect }) => {
    await using ship = await openShip();
    for (const asked of [body, { ...body, check: true }]) {
      const refused = await post(ship.appliance, asked);
      expect(refused.status).toBe(400);
      for (const word of words) expect(refused.body.message).toContain(word);
      expect(refused.body.message).not.toContain("0123456789abcdef");
    }
    expect(ship.read()).toBe(TEXT);
    expect(existsSync(`${ship.file}.before`)).toBe(false);
    expect(await audited(ship.appliance)).toEqual([]);
  });

  test("nobody's token, a viewer's and an engineer's", async ({ expect }) => {
    await using ship = await openShip();
    const { appliance, folder } = ship;
    const roles: (string | null)[] = [null];
    for (const role of ["viewer", "engineer"]) {
      const args = ["token", "add", "--name", role, "--role", role];
      const env = envOf(folder, ship.file);
      roles.push((await runProgram({ args, folder, env })).stdout.trim().split(/\s/).at(-1) ?? "");
    }
    const statuses: number[] = [];
    for (const token of roles)
      statuses.push((await post(appliance, { changes: SHIP }, token)).status);
    expect(statuses).toEqual([401, 403, 403]);
    expect(ship.read()).toBe(TEXT);
  });

  test("a value from the environment", async ({ expect }) => {
    await using ship = await openShip({ env: { BALLASTD_SYSTEM_VESSEL: "MV Other" } });
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: expect.stringMatching(/^system\.vessel: .* BALLASTD_SYSTEM_VESSEL, .* take it out/),
    });
    expect(ship.read()).toBe(TEXT);
  });

  test("a folder that the service may not write", async ({ expect }) => {
    await using ship = await openShip({ isForeign: true });
    for (const check of [true, false]) {
      const { status, body } = await post(ship.appliance, { changes: SHIP, check });
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: expect.stringContaining("type aboard: sudo ballastd config set"),
      });
    }
    expect(ship.read()).toBe(TEXT);
  });

  test("a disk that fails as the file before is kept", async ({ expect }) => {
    await using ship = await openShip();
    mkdirSync(`${ship.file}.before`);
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect(status).toBe(409);
    expect(body.message).toContain("nothing was changed");
    expect(ship.read()).toBe(TEXT);
  });

  test("a file that was damaged since the start", async ({ expect }) => {
    await using ship = await openShip();
    const damaged = `${TEXT}[limits\nuv_imo = \n`;
    writeFileSync(ship.file, damaged);
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect(status).toBe(409);
    expect(body.message).toMatch(/mend it aboard by hand: .*ballastd\.toml line \d+/);
    expect(ship.read()).toBe(damaged);
  });
});
