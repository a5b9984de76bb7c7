// A PostgreSQL cluster of its own in a temporary folder, on a port of its own, by the programs of
// Debian's package. PostgreSQL refuses to run as root; then its package's own account runs it, and
// root reaches it through the socket as that account, as on an office's server.

import { chmodSync, chownSync, rmSync } from "node:fs";
import path from "node:path";
import { type ReservedPort, startOnPort } from "./port.ts";
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
  const place = await newPlace();
  const login = place.account === null ? "trust" : "peer";
  const made = ["-D", place.data, "-U", "postgres"];
  const logins = [`--auth-local=${login}`, "--auth-host=scram-sha-256"];
  await place.run("initdb", [...made, ...logins, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  return startOnPort((reserved) => started(reserved, place, options));
}

/** Starts a standby that follows `primary`; what is set there later isn't set here. */
export async function startStandby(
  primary: Cluster,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const place = await newPlace();
  const from = ["-h", primary.folder, "-p", `${primary.port}`, "-U", "postgres"];
  await place.run("pg_basebackup", ["-D", place.data, ...from, "-R", "-c", "fast", "--no-sync"]);
  return startOnPort((reserved) => started(reserved, place, options));
}

type Place = Awaited<ReturnType<typeof newPlace>>;

/** A folder for a cluster, and PostgreSQL's programs, run by an account that they take. */
async function newPlace() {
  const programs = newestPrograms();
  if (programs === null)
    throw new Error("PostgreSQL is missing, expected Debian's package postgresql");
  const folder = temporaryFolder();
  const account = await unprivileged(folder);
  if (account !== null) chownSync(folder, account.uid, account.gid);
  // As /var/run/postgresql: everybody may look for the socket.
  chmodSync(folder, 0o755);
  const commandOf = (name: string, args: readonly string[]) => ({
    ...{ folder, account, args, file: path.join(programs, name) },
  });
  return {
    ...{ folder, account, commandOf, data: path.join(folder, "data") },
    run: (name: string, args: readonly string[]) => runProcess(commandOf(name, args)),
  };
}

async function started(
  { port, release }: ReservedPort,
  place: Place,
  options: ClusterOptions,
): Promise<Cluster> {
  const { folder, data, commandOf } = place;
  const env = { PGHOST: folder, PGPORT: `${port}`, PGUSER: "postgres" };
  const psql = (input: string, database = "fleet") => {
    const args = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", database];
    return runProcess({ ...commandOf("psql", args), env }, [input]);
  };
  let server: Process | null = null;
  const start = async () => {
    const args = ["-D", data, "-k", folder, "-p", `${port}`, ...settingsOf(options)];
    server = startProcess(commandOf("postgres", args));
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
      release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf({ durable = false, settings = [] }: ClusterOptions): readonly string[] {
  const loose = durable ? [] : ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
  const all = ["listen_addresses=127.0.0.1", "shared_buffers=32MB", ...loose, ...settings];
  return all.flatMap((setting) => ["-c", setting]);
}
