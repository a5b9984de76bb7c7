// A PostgreSQL cluster of its own in a temporary folder, on a free port, by the programs of
// Debian's package. PostgreSQL refuses to run as root; then its package's own account runs it, and
// root reaches it through the socket as that account, as on an office's server.

import { chmodSync, chownSync, rmSync } from "node:fs";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { newestPrograms, unprivileged } from "./postgresql-programs.ts";
import { type Process, runProcess, startProcess } from "./process.ts";
import { runProgram, temporaryFolder } from "./program.ts";

export interface ClusterOptions {
  /** Syncs to the disk as a real one does; false (the default) for tests that cut no power. */
  readonly durable?: boolean;
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[];
}

export interface Cluster extends AsyncDisposable {
  /** Its socket is here, its data in data/. */
  readonly folder: string;
  readonly port: number;
  /** By which psql and the office's commands find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs statements as superuser; answers rows without headings. */
  psql(input: string, database?: string): Promise<string>;
  /** Runs a command of the program as the office does, on the server's machine. */
  office(...args: readonly string[]): ReturnType<typeof runProgram>;
  /** Starts it again after `stop`. */
  start(): Promise<void>;
  /** SIGINT: "fast"; SIGQUIT: as a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a new cluster. Throws if PostgreSQL isn't installed. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const programs = newestPrograms();
  if (programs === null)
    throw new Error("PostgreSQL is missing, expected Debian's package postgresql");
  const folder = temporaryFolder();
  const account = await unprivileged(folder);
  if (account !== null) chownSync(folder, account.uid, account.gid);
  // As /var/run/postgresql: everybody may look for the socket.
  chmodSync(folder, 0o755);
  const run = { folder, account };
  const data = path.join(folder, "data");
  const login = account === null ? "trust" : "peer";
  const made = ["-D", data, "-U", "postgres", `--auth-local=${login}`, "--auth-host=scram-sha-256"];
  const plain = ["-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  await runProcess({ ...run, file: path.join(programs, "initdb"), args: [...made, ...plain] });
  const port = await freePort();
  const env = { PGHOST: folder, PGPORT: `${port}`, PGUSER: "postgres" };
  const psql = (input: string, database = "fleet") => {
    const args = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", database];
    return runProcess({ ...run, env, file: path.join(programs, "psql"), args }, [input]);
  };
  let server: Process | null = null;
  const start = async () => {
    server = startProcess({
      ...run,
      file: path.join(programs, "postgres"),
      args: ["-D", data, "-k", folder, "-p", `${port}`, ...settingsOf(options)],
    });
    const isReady = () =>
      psql("select 1", "postgres").then(
        () => true,
        () => false,
      );
    await server.waitUntil("a connection", isReady);
  };
  const stop = async (signal: NodeJS.Signals = "SIGINT") => void (await server?.stop(signal));
  await start();
  return {
    ...{ folder, port, env, psql, start, stop },
    office: (...args) => runProgram({ args, env }),
    async [Symbol.asyncDispose]() {
      await stop("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf({ durable = false, settings = [] }: ClusterOptions): readonly string[] {
  const loose = durable ? [] : ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
  const all = ["listen_addresses=127.0.0.1", "shared_buffers=32MB", ...loose, ...settings];
  return all.flatMap((setting) => ["-c", setting]);
}
