// `ballastd check` as root, of a service that runs as another user: it looks as that user does, and
// asks recovery, which has no control socket.

import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { asHttp, authority } from "../rig/certificates.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { reservePort } from "../rig/port.ts";
import { runProgram, startProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();
/** The user id of nobody. */
const SERVICE = 65_534;
const AS_SERVICE = ["setpriv", `--reuid=${SERVICE}`, `--regid=${SERVICE}`, "--clear-groups"];

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly says: string;
}

/** A folder that the service can enter, with a data folder that is its own. */
function serviceFolder(): string {
  expect(process.getuid?.(), "these tests are about root: run them as root, or with sudo").toBe(0);
  const folder = newFolder();
  const data = path.join(folder, "data");
  mkdirSync(data);
  chownSync(data, SERVICE, SERVICE);
  chmodSync(folder, 0o755);
  return folder;
}

async function checked(folder: string, env: Readonly<Record<string, string>>) {
  const { stdout, stderr } = await runProgram({ args: ["check", "--json"], folder, env });
  expect(stderr).toBe("");
  const findings: readonly Finding[] = JSON.parse(stdout);
  expect(stdout).not.toContain("taken by another");
  expect(stdout).not.toMatch(/"says":"configuration: /);
  return (what: string) => findings.find((finding) => finding.what === what);
}

test("a key that the service can't read is named, and recovery is told from others", async () => {
  const folder = serviceFolder();
  const pair = authority(folder, "authority").issue("ship");
  chmodSync(pair.key, 0o600);
  const { port } = await reservePort();
  const env = { ...asHttp(pair), BALLASTD_HTTP_LISTEN: `127.0.0.1:${port}` };
  const options = { args: ["serve", "--recovery"], folder, env, through: AS_SERVICE };
  await using program = startProgram(options);
  await program.waitForOutput(/^RECOVERY: .*tls_key.*may not be read by this user\nweb: http:/m);
  const of = await checked(folder, env);
  expect(of("certificate of http")).toMatchObject({
    state: "failed",
    says: expect.stringMatching(/^http\.tls_key .*ship\.key may not be read by this user/),
  });
  expect(of("service")).toMatchObject({
    state: "failed",
    says: expect.stringMatching(/^nothing is recorded, see http:.*may not be read by this user/),
  });
  expect(of("data folder")).toMatchObject({ state: "ok" });
});

test("a configuration that is refused is named, with what recovery says of it", async () => {
  const folder = newFolder();
  const { port } = await reservePort();
  const env = { BALLASTD_HTTP_LISTEN: `127.0.0.1:${port}`, BALLASTD_LIMITS_UV_IMO: "much" };
  await using program = startProgram({ args: ["serve", "--recovery"], folder, env });
  await program.waitForOutput(/^RECOVERY: /m);
  const of = await checked(folder, env);
  expect(of("configuration")?.says).toMatch(/^BALLASTD_LIMITS_UV_IMO is "much"/);
  expect(of("service")?.says).toMatch(/^nothing is recorded, see .*LIMITS_UV_IMO is "much"/);
});

test("what the service may not read or write is found, though root may", async () => {
  const folder = serviceFolder();
  const password_file = path.join(folder, "password");
  writeFileSync(password_file, "engine room 7\n", { mode: 0o600 });
  chmodSync(path.join(folder, "data"), 0o500);
  writeFileSync(path.join(folder, "ballastd.toml"), "", { mode: 0o600 });
  const of = await checked(folder, {
    BALLASTD_MQTT_USERNAME: "plc",
    BALLASTD_MQTT_PASSWORD_FILE: password_file,
  });
  expect(of("secrets")?.says).toMatch(/^mqtt\.password_file: .*password can't be read \(EACCES\)/);
  expect(of("data folder")?.says).toMatch(/data can't be written by user 65534$/);
  expect(of("configuration file")?.says).toMatch(/toml can't be read by the service's user 65534$/);
});

test("keys of the ship that others can read are named, and one that is none", async () => {
  const folder = newFolder();
  const file = (name: string) => {
    const at = path.join(folder, name);
    writeFileSync(at, "nothing\n", { mode: 0o644 });
    return at;
  };
  const of = await checked(folder, {
    BALLASTD_SHORE_KEY: file("shore-key"),
    BALLASTD_SHORE_OBJECTS: "https://127.0.0.1:1/fleet",
    BALLASTD_SHORE_OBJECTS_KEY: file("objects-key"),
  });
  expect(of("permissions")?.says).toMatch(/^others can read .*shore-key, .*objects-key$/);
  expect(of("secrets")?.says).toMatch(/^shore\.objects_key: the file has no key/);
});

test("with --config it says that the commands to type need it too", async () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, "data"));
  writeFileSync(path.join(folder, "data", "ballastd.db"), Buffer.alloc(20_000, 7));
  const file = path.join(folder, "two.toml");
  writeFileSync(file, "# defaults\n");
  const { code, stdout } = await runProgram({ args: ["check", "--config", file], folder });
  expect(code).toBe(1);
  expect(stdout).toContain("ballastd restore FILE\n");
  expect(stdout.endsWith(`\nwith each of these commands: --config ${file}\n`)).toBe(true);
  const usual = await runProgram({ args: ["check"], folder });
  expect(usual.stdout).not.toContain("with each of these");
});
