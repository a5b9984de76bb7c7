// docs/operating.md, typed as it stands: every block of commands, in order, on a machine of its own
// (a folder in place of /, other ports in place of the usual ones, a service manager in place of
// systemd).

import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { parse as parseToml } from "smol-toml";
import { afterEach, expect, inject, test } from "vitest";
import { signingKey, writeChecksums } from "../../scripts/package/checksums.ts";
import { configurationFile } from "../../scripts/package/configuration-file.ts";
import { makeCurrent } from "../../src/app/control/versions.ts";
import { CONFIG_KEYS } from "../../src/config/config.ts";
import { HOUR_MS } from "../../src/ground/clock.ts";
import { topicOf } from "../oracle/appliance.ts";
import { reservePort } from "../rig/port.ts";
import { PROGRAM, temporaryFolder } from "../rig/program.ts";
import { installFirst, makeVersion } from "../rig/versions.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) {
    for (const unit of ["ballastd", "ballastd@two"])
      spawnSync(path.join(folder, "bin", "systemctl"), ["stop", unit], {
        env: { PATH: process.env.PATH },
      });
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The page's blocks of commands, before its reference. */
function blocksOfPage(): readonly string[] {
  const file = path.resolve(import.meta.dirname, "..", "..", "docs", "operating.md");
  const [typed = ""] = readFileSync(file, "utf8").split("\n## Commands\n");
  return [...typed.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
}

/**
 * Starts what is current again and again, as the units do, each instance with its own
 * configuration.
 */
const SYSTEMCTL = `#!/bin/sh
root=$(dirname "$(dirname "$0")")
for unit; do :; done
name=\${unit#ballastd@}
run=$root/run/$name
start() {
  mkdir -p "$run" && rm -f "$run/log" && touch "$run/wanted"
  (
    while [ -e "$run/wanted" ]; do
      "$root/opt/ballastd/current/ballastd" serve --recovery \
        --config "$root/etc/ballastd/$name.toml" > "$run/log" 2>&1 &
      echo $! > "$run/pid"
      wait $!
    done
    rm -f "$run/pid"
  ) > /dev/null 2>&1 &
  for _ in $(seq 1800); do grep -q '^MQTT:' "$run/log" 2> /dev/null && exit 0; sleep 0.1; done
  cat "$run/log"
  exit 1
}
stop() {
  rm -f "$run/wanted"
  [ -e "$run/pid" ] && kill -TERM "$(cat "$run/pid")" 2> /dev/null
  while [ -e "$run/pid" ]; do sleep 0.1; done
}
case "$1" in
  start|enable) start;;
  stop|disable) stop;;
  restart) stop; start;;
  status) [ -e "$run/pid" ];;
esac
`;

/** Further commands: the package is laid out already, and its user isn't on this machine. */
const TOOLS = {
  sudo: 'exec "$@"',
  dpkg: "exec systemctl start ballastd",
  journalctl: 'cat "$(dirname "$(dirname "$0")")/run/ballastd/log"',
  chgrp: "exit 0",
};

/** The ports of the page. */
const PORTS = ["8080", "1883", "8443", "8883", "8082", "1884"];

async function openMachine() {
  expect(inject("bundleProblem")).toBeNull();
  const root = temporaryFolder();
  folders.push(root);
  for (const folder of ["bin", "etc/ballastd", "opt/ballastd", "var/lib", "media/stick"])
    mkdirSync(path.join(root, folder), { recursive: true });
  const prefix = path.join(root, "opt", "ballastd");
  installFirst(prefix, "1.0.0", makeVersion(PROGRAM, root, { version: "1.0.0" }));
  makeCurrent(prefix, "1.0.0");
  const script = (name: string, text: string) => {
    writeFileSync(path.join(root, "bin", name), text);
    chmodSync(path.join(root, "bin", name), 0o755);
  };
  script("ballastd", `#!/bin/sh\nexec "${prefix}/current/ballastd" "$@"\n`);
  script("systemctl", SYSTEMCTL);
  for (const [name, text] of Object.entries(TOOLS)) script(name, `#!/bin/sh\n${text}\n`);
  const ports = new Map<string, string>();
  for (const port of PORTS) ports.set(port, String((await reservePort()).port));
  /** With the paths and ports of this machine. */
  const here = (text: string) =>
    text
      .replaceAll(/(?<=[\s"])\/(media|etc|var|opt)\//g, `${root}/$1/`)
      .replaceAll(new RegExp(`\\b(${PORTS.join("|")})\\b`, "g"), (port) => ports.get(port) ?? port);
  const config = path.join(root, "etc", "ballastd", "ballastd.toml");
  const isOther = /^#(?=listen|prefix|key_file)/gm;
  writeFileSync(config, here(configurationFile()).replace(isOther, ""));
  // Questions for `ballastd sql`: the page doesn't say which.
  writeFileSync(path.join(root, "questions.sql"), "select count(*) from event;\n");
  const env = { PATH: `${root}/bin:${process.env.PATH}`, BALLASTD_CONFIG: config };
  const type = (block: string) =>
    spawnSync("sh", ["-e", "-u", "-c", here(block)], { env, cwd: root, encoding: "utf8" });
  return { root, env, type, config };
}

/** An update and a package as they come on a stick, and their maker's public key. */
function packUpdate(root: string, env: NodeJS.ProcessEnv): void {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(
    path.join(root, "etc", "ballastd", "update-key.pem"),
    publicKey.export({ type: "spki", format: "pem" }),
  );
  const key = path.join(root, "private.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const script = path.resolve(import.meta.dirname, "..", "..", "scripts", "sign-update.ts");
  const stick = path.join(root, "media", "stick");
  const output = path.join(stick, "ballastd-1.1.0-linux-x64.update");
  const executable = makeVersion(PROGRAM, root, { version: "1.1.0" });
  const args = [script, "--key", key, "--output", output, executable];
  expect(spawnSync(process.execPath, args, { env, encoding: "utf8" })).toMatchObject({ status: 0 });
  const packages = ["amd64", "arm64"].map((cpu) => path.join(stick, `ballastd_1.1.0-1_${cpu}.deb`));
  for (const file of packages) writeFileSync(file, file);
  writeChecksums(stick, { files: packages, key: signingKey(key) });
  // Only this machine's package is on the stick.
  rmSync(packages[1] ?? "");
}

/** A lamp, and a message whose time lies eight hours ahead. */
async function publish(type: (block: string) => { readonly status: number | null }) {
  const ahead = new Date(Date.now() + 8 * HOUR_MS).toISOString();
  const send = (kind: string, payload: object) =>
    type(`mosquitto_pub --cafile /etc/ballastd/ballastd.pem -h 127.0.0.1 -p 8883 -u plc \
      -P 'engine room 7' -q 1 -t ${topicOf(kind)} -m '${JSON.stringify(payload)}'`);
  const lamp = { timestamp: "2026-05-01T06:00:00Z", status: "ACTIVE", runtime: 2990 };
  expect(send("lamps/7", lamp)).toMatchObject({ status: 0 });
  expect(send("telemetry", { timestamp: ahead, UVR_INTENSITY: 651.5 })).toMatchObject({
    status: 0,
  });
}

/** The expected output of a block, by a command in it. */
const SAYS: readonly (readonly [string, RegExp])[] = [
  ["http://127.0.0.1:8080/api/telemetry/latest", /"UVR_INTENSITY":648\.5/],
  ["https://127.0.0.1:8443/readyz", /"ready":true/],
  ["token revoke chief", /chief/],
  ["lamp replaced 7", /7/],
  ["replay --reason future", /: 1 would be stored.*: 1 stored; taken/s],
  ["ballastd rollback", /^would be installed: .*^1\.1\.0 runs\n1\.0\.0 runs again\n$/ms],
  ["openssl pkeyutl", /^Signature Verified Successfully\nballastd_1\.1\.0-1_amd64\.deb: OK\n$/m],
  ["ballastd@two", /^ok +service: 1\.0\.0 runs/m],
];

/** Every value in a configuration file, by `section.key`; none without a file. */
function valuesIn(file: string): ReadonlyMap<string, string> {
  const tables = Object.entries(existsSync(file) ? parseToml(readFileSync(file, "utf8")) : {});
  return new Map(
    tables.flatMap(([section, table]) =>
      Object.entries(Object(table)).map(([name, value]) => [
        `${section}.${name}`,
        JSON.stringify(value),
      ]),
    ),
  );
}

/** The lines of a file that are comments, or empty: what no command of the manual may touch. */
const remarksIn = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !/^#?[a-z_]+ = /.test(line));

/** Keys of either that the other has otherwise, or hasn't got. */
function keysChanged(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((key) => one.get(key) !== other.get(key)).sort();
}

/** The keys that a block's commands name. */
function keysNamed(block: string): readonly string[] {
  const commands = block.replaceAll("\\\n", " ").matchAll(/^ballastd config set (.*)$/gm);
  const words = [...commands].flatMap(([, rest]) => rest.split(/\s+/));
  return words.filter((word) => CONFIG_KEYS.some(({ key }) => key === word)).sort();
}

test("every command of docs/operating.md works as it stands, in its order", async () => {
  const { root, env, type, config } = await openMachine();
  packUpdate(root, env);
  const typed = blocksOfPage();
  expect(typed.length).toBeGreaterThanOrEqual(17);
  const unheard = new Set(SAYS);
  const named: string[] = [];
  for (const block of typed) {
    const before = { values: valuesIn(config), remarks: remarksIn(config) };
    const { status, stdout, stderr } = type(block);
    expect({ block, status, stdout, stderr }).toMatchObject({ block, status: 0 });
    // A second system's file is made from the first one's.
    const second = path.join(root, "etc", "ballastd", "two.toml");
    const changed = block.includes("two.toml") ? second : config;
    expect({ block, keys: keysChanged(before.values, valuesIn(changed)) }).toEqual({
      block,
      keys: keysNamed(block),
    });
    expect(remarksIn(changed)).toEqual(before.remarks);
    if (changed !== config) expect(valuesIn(config)).toEqual(before.values);
    named.push(...keysNamed(block));
    for (const said of SAYS.filter(([command]) => block.includes(command))) {
      expect(stdout).toMatch(said[1]);
      unheard.delete(said);
    }
    if (block.includes("ballastd.key")) await publish(type);
  }
  expect([...unheard]).toEqual([]);
  expect(named).toHaveLength(13);
  expect(named.filter((key) => key.startsWith("sparkplug."))).toEqual([]);
  expect(existsSync(path.join(root, "var", "lib", "ballastd"))).toBe(false);
  const stick = path.join(root, "media", "stick");
  expect(readdirSync(stick)).toEqual(
    expect.arrayContaining(["audit.csv", "last.db", "moving.db", "readings.csv", "support.zip"]),
  );
  expect(readFileSync(path.join(stick, "heads.txt"), "utf8")).toMatch(/the chains are whole/);
  expect(readFileSync(path.join(stick, "readings.csv"), "utf8")).toContain("648.5");
});
