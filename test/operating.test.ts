// "Operating it aboard" in the README, typed as it stands: every block of commands, in order, on a
// machine of its own (a folder in place of /, a service manager in place of systemd).

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
import { connectAsync } from "mqtt";
import { afterEach, expect, inject, test } from "vitest";
import { installFirst, makeVersion } from "../scripts/upgrades/versions.ts";
import { makeCurrent } from "../src/service/update-state.ts";
import { topicOf } from "./oracle/appliance.ts";
import { freePort } from "./support/free-port.ts";
import { PROGRAM, temporaryFolder } from "./support/program.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) {
    spawnSync(path.join(folder, "bin", "systemctl"), ["stop", "ballastd"], { env: {} });
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The section's blocks of commands. */
function blocks(): readonly string[] {
  const readme = readFileSync(path.resolve(import.meta.dirname, "..", "README.md"), "utf8");
  const section = /^## Operating it aboard\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
}

/** start, stop and disable --now: starts what is current again and again, as the unit does. */
const SYSTEMCTL = `#!/bin/sh
root=$(dirname "$(dirname "$0")")
stop() {
  rm -f "$root/wanted"
  [ -e "$root/pid" ] && kill -TERM "$(cat "$root/pid")" 2> /dev/null
  while [ -e "$root/pid" ]; do sleep 0.1; done
}
case "$1" in
  start)
    touch "$root/wanted"
    (
      while [ -e "$root/wanted" ]; do
        "$root/opt/ballastd/current/ballastd" serve --recovery > "$root/log" 2>&1 &
        echo $! > "$root/pid"
        wait $!
      done
      rm -f "$root/pid"
    ) > /dev/null 2>&1 &
    for _ in $(seq 300); do grep -q '^MQTT:' "$root/log" 2> /dev/null && exit 0; sleep 0.1; done
    exit 1;;
  stop) stop;;
  disable) stop;;
esac
rm -f "$root/log"
`;

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
  const [http, mqtt] = [await freePort(), await freePort()];
  const config = path.join(root, "etc", "ballastd", "ballastd.toml");
  writeFileSync(
    config,
    `[storage]
dir = "${root}/var/lib/ballastd"
[http]
listen = "127.0.0.1:${http}"
[mqtt]
listen = "127.0.0.1:${mqtt}"
[update]
prefix = "${prefix}"
key_file = "${root}/etc/ballastd/update-key.pem"
`,
  );
  const env = { PATH: `${root}/bin:${process.env.PATH}`, BALLASTD_CONFIG: config };
  /** Types a block: the paths of the README are those of this machine. */
  const type = (block: string) => {
    const there = block.replaceAll(/(?<=\s)\/(media|etc|var)\//g, `${root}/$1/`);
    return spawnSync("sh", ["-e", "-u", "-c", there], { env, cwd: root, encoding: "utf8" });
  };
  return { root, env, type, http: `http://127.0.0.1:${http}`, mqtt: `mqtt://127.0.0.1:${mqtt}` };
}

function packUpdate(root: string, env: NodeJS.ProcessEnv): void {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(
    path.join(root, "etc", "ballastd", "update-key.pem"),
    publicKey.export({ type: "spki", format: "pem" }),
  );
  const key = path.join(root, "private.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const script = path.resolve(import.meta.dirname, "..", "scripts", "sign-update.ts");
  const output = path.join(root, "media", "stick", "ballastd-1.1.0-linux-x64.update");
  const executable = makeVersion(PROGRAM, root, { version: "1.1.0" });
  const args = [script, "--key", key, "--output", output, executable];
  expect(spawnSync(process.execPath, args, { env, encoding: "utf8" })).toMatchObject({ status: 0 });
}

test('every command of "Operating it aboard" does what the README says, in its order', async () => {
  const { root, env, type, http, mqtt } = await openMachine();
  packUpdate(root, env);
  expect(type("systemctl start ballastd")).toMatchObject({ status: 0 });
  const client = await connectAsync(mqtt, { reconnectPeriod: 0 });
  const payload = JSON.stringify({ timestamp: "2026-05-01T10:00:00Z", UVR_INTENSITY: 648.5 });
  await client.publishAsync(topicOf("telemetry"), payload, { qos: 1 });
  await client.endAsync(true);
  // On a connection of its own: the instance is another one each time.
  const headers = { Connection: "close" };
  const latest = async () => (await fetch(`${http}/api/telemetry/latest`, { headers })).json();
  const typed = blocks();
  expect(typed.length).toBeGreaterThanOrEqual(8);
  for (const block of typed) {
    const { status, stdout, stderr } = type(block);
    expect({ block, status, stdout, stderr }).toMatchObject({ block, status: 0 });
    if (/^systemctl start|^ballastd rollback/m.test(block))
      expect(await latest()).toMatchObject({ UVR_INTENSITY: 648.5 });
    if (block.includes("rollback")) expect(stdout).toBe("1.1.0 runs\n1.0.0 runs again\n");
  }
  expect(existsSync(path.join(root, "var", "lib", "ballastd"))).toBe(false);
  const stick = path.join(root, "media", "stick");
  expect(readdirSync(stick)).toEqual(
    expect.arrayContaining(["audit.csv", "last.db", "moving.db", "readings.csv", "support.zip"]),
  );
  expect(readFileSync(path.join(stick, "heads.txt"), "utf8")).toMatch(/the chains are whole/);
  expect(readFileSync(path.join(stick, "readings.csv"), "utf8")).toContain("648.5");
}, 180_000);
