// Rounds of updates under ingest: forward to a version that works and back by command, forward to
// one that migrates and fails its trial and back by itself. At the end everything acknowledged has
// to be there once, and the chains have to verify.

import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeCurrent } from "../../src/app/control/versions.ts";
import { newestSchema } from "../../src/sqlite/file/migrate.ts";
import { reservePort } from "../../test/rig/port.ts";
import { until } from "../../test/rig/until.ts";
import { installFirst, makeVersion, type VersionSpec } from "../../test/rig/versions.ts";
import { startPlc } from "./plc.ts";
import { supervise } from "./supervisor.ts";

export interface Rounds {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly stored: number;
  /** Times that were acknowledged and aren't there, or are there twice. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly versions: readonly string[];
  readonly verified: boolean;
}

const FIRST: VersionSpec = { version: "1.0.0" };
const GOOD: VersionSpec = { version: "1.1.0" };
const BAD: VersionSpec = { version: "1.2.0", migrates: true, isBroken: true };
const PAGE = 10_000;

export async function upgradeRounds(options: {
  /** dist/main.cjs. */
  readonly program: string;
  /** An empty folder. */
  readonly folder: string;
  readonly rounds: number;
  readonly say: (text: string) => void;
}): Promise<Rounds> {
  const { program, folder, rounds, say } = options;
  const site = await openSite(program, folder);
  const supervisor = supervise(site.prefix, site.env);
  try {
    await until("the first start", async () => (await versionOf(site.http)) === FIRST.version);
    const plc = startPlc(site.mqtt, "bwts/BWTS-001/telemetry");
    const versions: string[] = [];
    const command = async (args: readonly string[], version: string) => {
      const { status, stderr } = await site.run(args);
      versions.push((await versionOf(site.http)) ?? "none");
      if (versions.at(-1) !== version)
        throw new Error(`${args.join(" ")}: exit ${status}, ${versions.at(-1)} runs\n${stderr}`);
    };
    for (let round = 1; round <= rounds; round += 1) {
      if (round % 2 === 1) {
        await command(["update", site.good], GOOD.version);
        await command(["rollback"], FIRST.version);
      } else await command(["update", site.bad], FIRST.version);
      say(`round ${round} of ${rounds}: ${plc.acknowledged.size} acknowledged`);
    }
    await plc.finish();
    const stored = await storedTimes(site.http);
    const verified = (await site.run(["verify"])).status === 0;
    const known = new Set(stored);
    return {
      rounds,
      acknowledged: plc.acknowledged.size,
      stored: stored.length,
      lost: [...plc.acknowledged].filter((time) => !known.has(time)),
      doubled: stored.filter((time, index) => index > 0 && stored[index - 1] === time),
      versions,
      verified,
    };
  } catch (error) {
    say(supervisor.output());
    throw error;
  } finally {
    await supervisor.stop();
  }
}

async function openSite(program: string, folder: string) {
  const [http_port, mqtt_port] = [(await reservePort()).port, (await reservePort()).port];
  const prefix = path.join(folder, "prefix");
  mkdirSync(prefix, { recursive: true });
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const [key, key_file] = ["private.pem", "public.pem"].map((name) => path.join(folder, name));
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(key_file, publicKey.export({ type: "spki", format: "pem" }));
  installFirst(prefix, FIRST.version, makeVersion(program, folder, FIRST));
  makeCurrent(prefix, FIRST.version);
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    BALLASTD_CONFIG: "/dev/null",
    BALLASTD_STORAGE_DIR: path.join(folder, "data"),
    BALLASTD_HTTP_LISTEN: `127.0.0.1:${http_port}`,
    BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt_port}`,
    BALLASTD_UPDATE_PREFIX: prefix,
    BALLASTD_UPDATE_KEY_FILE: key_file,
  };
  const packed = (spec: VersionSpec) => {
    const executable = makeVersion(program, folder, spec);
    const output = path.join(folder, `${spec.version}.update`);
    const schema = String(newestSchema() + (spec.migrates ? 1 : 0));
    const script = path.resolve(import.meta.dirname, "..", "sign-update.ts");
    const args = [script, "--key", key, "--schema", schema, "--output", output, executable];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    if (status !== 0) throw new Error(`sign-update: ${stderr}`);
    return output;
  };
  return {
    prefix,
    env,
    good: packed(GOOD),
    bad: packed(BAD),
    http: `http://127.0.0.1:${http_port}`,
    mqtt: `mqtt://127.0.0.1:${mqtt_port}`,
    /** A command of the version that is current. */
    run: (args: readonly string[]) => run(path.join(prefix, "current", "ballastd"), args, env),
  };
}

async function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, "close");
  return { status, stderr };
}

async function versionOf(http: string): Promise<string | null> {
  try {
    const answer = await fetch(`${http}/version`);
    const { version } = await answer.json();
    return version;
  } catch {
    return null;
  }
}

async function storedTimes(http: string): Promise<readonly string[]> {
  const times: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const range = "startDate=2026-01-01&endDate=2026-12-31";
    const path = `/api/telemetry/chunked?${range}&offset=${offset}&limit=${PAGE}`;
    const { data, pagination } = await (await fetch(http + path)).json();
    times.push(...data.map((reading: { timestamp: string }) => reading.timestamp));
    if (!pagination.hasMore) return times;
  }
}
