// Debian's Mosquitto for tests: the real broker and its command-line clients, on a free port, in a
// folder of its own that goes away with it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Pair } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { PATIENCE_MS } from "./patience.ts";

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
  const port = await freePort();
  const config = path.join(dir, "mosquitto.conf");
  const lines = [
    `user ${os.userInfo().username}`,
    `listener ${port} 127.0.0.1`,
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
  await writeFile(config, `${lines.join("\n")}\n`);
  let running = await started(config, port);
  const stop = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill("SIGTERM");
    await once(running, "exit");
  };
  return {
    port,
    url: `${tls === null ? "mqtt" : "mqtts"}://127.0.0.1:${port}`,
    stop,
    start: async () => {
      running = await started(config, port);
    },
    close: async () => {
      await stop();
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

async function started(config: string, port: number): Promise<ChildProcess> {
  const child = spawn("mosquitto", ["-c", config], {
    env: { ...process.env, PATH },
    stdio: "ignore",
  });
  const began_ms = performance.now();
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - began_ms > PATIENCE_MS)
      throw new Error(`mosquitto did not start on port ${port}: exit code ${child.exitCode}`);
    await pause(20);
  }
  return child;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
