// Debian's Mosquitto for tests: the real broker and its command-line clients, on a port and in a
// folder of its own that go away with it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Pair } from "./certificates.ts";
import { startOnPort } from "./port.ts";
import { type Process, startProcess } from "./process.ts";

const PATH = `${process.env.PATH}:/usr/sbin:/usr/bin`;

export interface Mosquitto {
  readonly port: number;
  readonly url: string;
  /** Ends the broker (it saves its sessions first) and keeps its folder. */
  stop(): Promise<void>;
  /** Starts it again on the same port with the same folder. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/**
 * A broker that listens on 127.0.0.1; with a login, only that user may connect. With `tls` it
 * speaks TLS and asks for a certificate of the same authority; `acl` is its access control list.
 */
export async function openMosquitto(
  login: { readonly username: string; readonly password: string } | null,
  tls: (Pair & { readonly ca: string }) | null = null,
  { acl = null }: { readonly acl?: string | null } = {},
): Promise<Mosquitto> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "ballastd-mosquitto-"));
  const lines = [
    `user ${os.userInfo().username}`,
    "persistence true",
    `persistence_location ${dir}/`,
    `allow_anonymous ${login === null}`,
  ];
  if (tls !== null) lines.push(`cafile ${tls.ca}`, `certfile ${tls.cert}`, `keyfile ${tls.key}`);
  if (tls !== null) lines.push("require_certificate true");
  if (login !== null) {
    const file = path.join(dir, "passwords");
    await runTool("mosquitto_passwd", ["-b", "-c", file, login.username, login.password]);
    lines.push(`password_file ${file}`);
  }
  if (acl !== null) {
    await writeFile(path.join(dir, "acl"), acl);
    lines.push(`acl_file ${path.join(dir, "acl")}`);
  }
  const config = path.join(dir, "mosquitto.conf");
  let { running, port, release } = await startOnPort(async (reserved) => {
    const all = [`listener ${reserved.port} 127.0.0.1`, ...lines, ""];
    await writeFile(config, all.join("\n"));
    return { ...reserved, running: await started(dir) };
  });
  const stop = async () => void (await running.stop("SIGTERM"));
  return {
    port,
    url: `${tls === null ? "mqtt" : "mqtts"}://127.0.0.1:${port}`,
    stop,
    start: async () => {
      running = await started(dir);
    },
    close: async () => {
      await stop();
      release();
      await rm(dir, { recursive: true });
    },
  };
}

/** Runs one of Mosquitto's tools to its end: its exit code, and what it printed. */
export async function runTool(
  tool: "mosquitto_pub" | "mosquitto_sub" | "mosquitto_passwd",
  options: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(tool, options, { env: { ...process.env, PATH } });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return { code: child.exitCode, output };
}

async function started(folder: string): Promise<Process> {
  const args = ["-c", path.join(folder, "mosquitto.conf")];
  const broker = startProcess({ file: "mosquitto", args, folder, env: { PATH } });
  await broker.waitUntil("its listener", () => / running$/m.test(broker.stderr()));
  return broker;
}
