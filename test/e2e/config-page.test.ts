// Settings over HTTP, on the built program: what is changed, what is said, and that a refusal
// leaves the file byte for byte as it was.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import {
  envOf,
  OWN_ADDRESSES,
  openShip,
  post,
  SHIP,
  TEXT,
  TOKEN,
} from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const newFolder = foldersOfTests(afterAll);
const test = single.concurrent;

async function audited({ url }: Appliance) {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/admin/audit?kind=settings`, { headers });
  return (await answer.json()).data;
}

const one = (key: string, value: unknown) => ({ changes: [{ key, value }] });

test("a dry run says what changes; then it is stored, audited and used", async ({ expect }) => {
  const { folder, file } = await (async () => {
    await using ship = await openShip(newFolder);
    const { appliance, read, file } = ship;
    const changes = [
      { key: "system.vessel", old: "", new: "MV Exämple" },
      { key: "system.imo", old: "", new: "9074729" },
      { key: "limits.uv_imo", old: 252, new: 300 },
      expect.objectContaining({ key: "limits.source", new: "certificate 4711" }),
    ];
    expect(await post(appliance, { changes: SHIP, check: true })).toEqual({
      status: 200,
      body: {
        ...{ changes, doubts: [], stored: false, before: null },
        ...{ restart: true, restarting: false },
      },
    });
    expect(read()).toBe(TEXT);
    expect(existsSync(`${file}.before`)).toBe(false);
    expect(await audited(appliance)).toEqual([]);
    expect(await post(appliance, { changes: SHIP })).toEqual({
      status: 200,
      body: {
        changes,
        doubts: [],
        stored: true,
        before: "ballastd.toml.before",
        restart: true,
        restarting: false,
      },
    });
    expect(read()).toContain("# Kept by the yard");
    expect(readFileSync(`${file}.before`, "utf8")).toContain("# Kept by the yard");
    const stored = read();
    // Sent again, as after a lost answer: nothing differs, and the restart is still to come.
    expect((await post(appliance, { changes: SHIP })).body).toEqual({
      ...{ changes: [], doubts: [], stored: false, before: null, restart: true, restarting: false },
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

const CERTIFICATE = {
  ...{ "system.capacity": 1000, "limits.uv_imo": 252, "limits.uv_uscg": 530 },
  ...{ "limits.flow_max_imo": 900, "limits.flow_max_uscg": 900 },
};

const UNUSUAL: readonly [string, Record<string, number>, string[]][] = [
  ["a certificate's", {}, []],
  ["swapped", { "limits.uv_imo": 530, "limits.uv_uscg": 252 }, ["uv_swapped"]],
  ["UV and flow swapped", { "limits.uv_uscg": 900, "limits.flow_max_uscg": 400 }, ["flow_low"]],
  ["in other units", { "limits.uv_imo": 25.2, "limits.uv_uscg": 5300 }, ["uv_low", "uv_high"]],
  [
    "a capacity of a river",
    { "system.capacity": 10001 },
    ["flow_low", "flow_low", "capacity_high"],
  ],
  ["a long time beyond", { "limits.beyond_seconds": 3600 }, ["beyond_long"]],
];

test("limits that hardly any certificate has are doubted, each by its code", async ({ expect }) => {
  await using ship = await openShip(newFolder);
  for (const [about, values, codes] of UNUSUAL) {
    const changes = Object.entries({ ...CERTIFICATE, ...values }).map(([key, value]) => ({
      ...{ key, value },
    }));
    const { status, body } = await post(ship.appliance, { changes, check: true });
    expect([about, status]).toEqual([about, 200]);
    expect([about, ...body.doubts.map(({ code }: { code: string }) => code)]).toEqual([
      about,
      ...codes,
    ]);
  }
});

describe("a refused set-up leaves the file byte for byte, and says what is allowed", () => {
  let shared: ReturnType<typeof openShip>;
  beforeAll(() => {
    shared = openShip(newFolder, { env: OWN_ADDRESSES });
  });
  afterAll(async () => (await shared)[Symbol.asyncDispose]());
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
    ["no UV limit at all", one("limits.uv_imo", 0), ["limits.uv_imo is 0", "from 1 to"]],
    [
      "a flow above the rated capacity",
      one("system.capacity", 500),
      ["limits.flow_max_imo is 1000", "at most system.capacity (500)"],
    ],
    ["a text for a limit", one("limits.uv_imo", "high"), ['limits.uv_imo is "high"', "expected"]],
    ["a wrong zone", one("system.utc_offset", "+25:00"), ["system.utc_offset", "expected"]],
    ["an unknown key", one("system.vesel", "MV"), ["system.vesel", "unknown", "system.vessel"]],
    ["a host", one("shore.url", "https://a.example"), ["shore.url", "expected system.vessel"]],
    ["a secret", one("auth.token", "0123456789abcdef-x"), ["auth.token", "expected system."]],
    ["a file", one("storage.dir", "/tmp/x"), ["storage.dir", "ballastd config set"]],
    ["a key twice", { changes: [...SHIP, SHIP[0]] }, ["system.vessel", "twice"]],
    ["one wrong of many", { changes: [...SHIP, { key: "limits.dp_warn", value: 101 }] }, ["101"]],
    ["a hexadecimal limit", one("limits.uv_imo", "0x10"), ["limits.uv_imo", "expected"]],
    ["an IMO number of zeros", one("system.imo", "0000000"), ["0000000", "the first no 0"]],
    [
      "a misspelt dry run",
      { changes: [{ key: "limits.uv_imo", value: 300 }], chek: true },
      ["chek", "no member"],
    ],
    [
      "a value of a wrong kind among others",
      { changes: [SHIP[0], { key: "limits.uv_imo", value: [300] }] },
      ["changes[1].value: an array was given", "expected a text, a number"],
    ],
    [
      "a number as key",
      { changes: [{ key: 5, value: 300 }] },
      ["changes[0].key: 5 was given", "expected a text"],
    ],
    [
      "two wrong ones",
      {
        changes: [
          { key: "system.imo", value: "9074728" },
          { key: "system.utc_offset", value: "+9" },
        ],
      },
      ["system.imo", "expected 9; system.utc_offset"],
    ],
    ["no change at all", { changes: [] }, ["changes", "expected at least one"]],
    [
      "an address of no network here",
      one("http.listen", "192.0.2.9:8080"),
      ["http.listen", "192.0.2.9:8080", "this machine doesn't have that address"],
    ],
    ["a port of the kernel's choice", one("http.listen", "127.0.0.1:0"), ["127.0.0.1:0", "1 to"]],
    ["a group's address", one("mqtt.listen", "224.0.0.1:1883"), ["224.0.0.1:1883", "expected"]],
    ["no port", one("mqtt.listen", "10.1.2.3:99999"), ["mqtt.listen", "10.1.2.3:99999", "65535"]],
    ["a short password", one("mqtt.password", "short"), ["mqtt.password", "8 to 128"]],
    ["a long password", one("mqtt.password", "short".repeat(120)), ["at most 512 characters"]],
    ["a password as a host", one("mqtt.listen", "shorty:1883"), ["...:1883 (mqtt.listen"]],
    ["a user without a password", one("mqtt.username", "plc"), ["mqtt.username", "password"]],
  ] as const)("%s", async ([, body, words]) => {
    const ship = await shared;
    for (const asked of [body, { ...body, check: true }]) {
      const refused = await post(ship.appliance, asked);
      expect(refused.status).toBe(400);
      for (const word of words) expect(refused.body.message).toContain(word);
      expect(JSON.stringify(refused.body)).not.toMatch(/0123456789abcdef|short/);
    }
    expect(ship.read()).toBe(TEXT);
    expect(existsSync(`${ship.file}.before`)).toBe(false);
    expect(await audited(ship.appliance)).toEqual([]);
  });

  test("nobody's token, a viewer's and an engineer's", async ({ expect }) => {
    await using ship = await openShip(newFolder);
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

  test("a value that somebody else has changed since the dry run", async ({ expect }) => {
    await using ship = await openShip(newFolder);
    const vessel = (value: string) => ({
      changes: [
        { key: "system.vessel", value, old: "" },
        { key: "limits.uv_imo", value: "300", old: 252 },
      ],
    });
    // Both at once: one is stored, the other is refused.
    const both = await Promise.all(
      ["MV One", "MV Two"].map((name) => post(ship.appliance, vessel(name))),
    );
    const [done, refused] = both.toSorted((a, b) => a.status - b.status);
    expect([done.status, refused.status]).toEqual([200, 409]);
    const [{ new: stored }] = done.body.changes;
    expect(done.body.changes).toHaveLength(2);
    expect(refused.body.message).toContain(`the file has "${stored}" meanwhile: nothing`);
    expect(ship.read()).toContain(`vessel = "${stored}"`);
  });

  test("a second password before the restart", LONG, async ({ expect }) => {
    await using ship = await openShip(newFolder);
    const login = (password: string) => ({
      changes: [
        { key: "mqtt.username", value: "plc" },
        { key: "mqtt.password", value: password },
      ],
    });
    for (const password of ["engine room 7", "engine room 8"])
      expect((await post(ship.appliance, login(password))).body).toMatchObject({
        ...{ stored: true, restart: true },
        changes: expect.arrayContaining([expect.objectContaining({ key: "mqtt.password_file" })]),
      });
    const file = path.join(ship.folder, "data", "mqtt-password");
    expect(readFileSync(file, "utf8")).toBe("engine room 8\n");
    await expect.poll(() => audited(ship.appliance)).toHaveLength(2);
  });

  test("a value from the environment", LONG, async ({ expect }) => {
    await using ship = await openShip(newFolder, { env: { BALLASTD_SYSTEM_VESSEL: "MV Other" } });
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: expect.stringMatching(/^system\.vessel: .* BALLASTD_SYSTEM_VESSEL, .* take it out/),
    });
    expect(ship.read()).toBe(TEXT);
  });

  test("a folder that the service may not write", async ({ expect }) => {
    await using ship = await openShip(newFolder, { isForeign: true });
    for (const check of [true, false]) {
      const { status, body } = await post(ship.appliance, { changes: SHIP, check });
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: expect.stringContaining("type aboard: sudo ballastd config set"),
      });
    }
    expect(ship.read()).toBe(TEXT);
  });

  test("a disk that fails as the file before is kept", LONG, async ({ expect }) => {
    await using ship = await openShip(newFolder);
    mkdirSync(`${ship.file}.before`);
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect(status).toBe(409);
    expect(body.message).toContain("nothing was changed");
    expect(ship.read()).toBe(TEXT);
  });

  test("a file that was damaged since the start", LONG, async ({ expect }) => {
    await using ship = await openShip(newFolder);
    const damaged = `${ship.read()}[limits\nuv_imo = \n`;
    writeFileSync(ship.file, damaged);
    const { status, body } = await post(ship.appliance, { changes: SHIP });
    expect(status).toBe(409);
    expect(body.message).toMatch(/mend it aboard by hand: .*ballastd\.toml line \d+/);
    expect(ship.read()).toBe(damaged);
  });
});
