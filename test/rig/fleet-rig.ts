// A fleet's shore for tests: a cluster with the schema, certificates and ships, and connections as
// a ship has them. Ships are added without the command, which would take a process each.

import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { openAuthority } from "../../src/office/authority.ts";
import { fleetSchema } from "../../src/office/schema.ts";
import { type Cluster, type ClusterOptions, startCluster } from "./postgresql.ts";
import { runProcess } from "./process.ts";
import { EXECUTABLE, PROGRAM } from "./program.ts";
import type { Link } from "./ship-links.ts";

export interface FleetRig extends Cluster {
  /** The database, for the office's functions in the test's own process. */
  readonly url: string;
  /** Adds a ship and answers her file. */
  add(imo: string): Promise<ShoreFile>;
  /** Adds ships in one transaction; the certificates are made one by one. */
  addAll(imos: readonly string[]): Promise<readonly ShoreFile[]>;
}

/** A cluster that takes ships. */
export async function startFleet(options: ClusterOptions = {}): Promise<FleetRig> {
  const cluster = await startCluster(options);
  await cluster.psql("create database fleet", "postgres");
  await cluster.psql(fleetSchema());
  await cluster.psql("alter role postgres password 'office'", "postgres");
  const [file, ...before] = EXECUTABLE === null ? [process.execPath, PROGRAM] : [EXECUTABLE];
  const args = [...before, "fleet", "certificate", "--host", "127.0.0.1"];
  await runProcess({ file, args, folder: cluster.folder, env: cluster.env });
  const authority = openAuthority(path.join(cluster.folder, "data", "ballastd"));
  const addAll = async (imos: readonly string[]) => {
    const added = `select ship, fleet.add_ship(ship, 'MV ' || ship)
      from unnest('{${imos}}'::text[]) as ship`;
    const files: ShoreFile[] = [];
    for (const row of (await cluster.psql(added)).trim().split("\n")) {
      const [ship, role] = row.split("|");
      const file = {
        ...{ format: 1, ship, name: `MV ${ship}`, key_pin: authority.keyPin() },
        urls: [`postgres://${role}@127.0.0.1:${cluster.port}/fleet`],
        ...authority.makeShip(role),
      };
      files.push(ShoreFile.parse(file));
      // A signal to stop is heard.
      await setImmediate();
    }
    return files;
  };
  const url = `postgres://postgres:office@127.0.0.1:${cluster.port}/fleet`;
  return { ...cluster, url, addAll, add: async (imo) => (await addAll([imo]))[0] };
}

/** All links of a ship as texts, sorted; `rowsAboard` has the same of a ship's database. */
export async function rowsAshore(fleet: Cluster, ship: string): Promise<readonly string[]> {
  const hex = ["hash", "previous", "body", "digest", "payload"]
    .map((name) => `coalesce(encode(${name}, 'hex'), '')`)
    .join(", ");
  const text = `select chain, number, ${hex} from fleet.link where ship = '${ship}'`;
  return (await fleet.psql(text)).trim().split("\n").sort();
}

export interface ShipSession extends AsyncDisposable {
  readonly client: Client;
  readonly instance: string;
  hello(own?: object): Promise<Hello>;
  /** Puts a link with some of its members changed; answers its number or the error's code. */
  put(link: Link, changed?: Partial<Link>): Promise<number | string>;
  /** Says that it has nothing: a box without a report has lost it. */
  report(): Promise<unknown>;
  /** The result of a statement, or the code of its error. */
  ask(text: string, values?: readonly unknown[]): Promise<unknown>;
}

export interface Hello {
  readonly now_ms: number;
  readonly chains: Readonly<Record<Link["chain"], ChainHere>>;
  readonly requests: readonly { readonly id: number; readonly wanted: object }[];
  readonly others: readonly { readonly instance: string; readonly version: string }[];
  readonly revisions: Readonly<Record<string, number>>;
  readonly revision: number;
}

interface ChainHere {
  readonly common: number;
  readonly head: number;
  readonly lacking?: readonly (readonly [number, number])[];
}

/** A session of a ship's box by TLS, with the server's key pinned. */
export async function sail(file: ShoreFile, instance: string = randomUUID()): Promise<ShipSession> {
  const { certificate: cert, key, urls, key_pin } = file;
  const client = new Client({
    connectionString: urls[0],
    ssl: { cert, key, rejectUnauthorized: false, minVersion: "TLSv1.3" },
  });
  client.on("error", () => undefined);
  await client.connect();
  const { stream } = Object(client).connection;
  if (!(stream instanceof TLSSocket) || pinOf(stream) !== key_pin)
    throw new Error(`${urls[0]}: expected TLS by the key ${key_pin}`);
  const ask = async (text: string, values: readonly unknown[] = []) =>
    client.query(text, [...values]).then(
      ({ rows }) => rows[0]?.result ?? null,
      (error) => error.code ?? String(error),
    );
  return {
    client,
    instance,
    ask,
    async hello(own = {}) {
      const text = "select fleet.hello($1, $2, $3) as result";
      return (await client.query(text, [instance, "0.3.0", own])).rows[0].result;
    },
    put(link, changed = {}) {
      const { chain, number, previous, hash, body, digest, payload } = { ...link, ...changed };
      return ask("select fleet.put_link($1, $2, $3, $4, $5, $6, $7, $8) as result", [
        ...[instance, chain, number, previous, hash, body, digest, payload],
      ]);
    },
    report() {
      const none = [0, Buffer.alloc(32).toString("base64")];
      const heads = { segment: none, event: none, audit: none };
      return ask("select fleet.put_document($1, 'report', 'now', 1, $2) as result", [
        ...[instance, { heads, ashore: { segment: 0, event: 0, audit: 0 } }],
      ]);
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => undefined),
  };
}

function pinOf(stream: TLSSocket): string | null {
  const der = stream.getPeerX509Certificate()?.publicKey.export({ type: "spki", format: "der" });
  return der === undefined ? null : `sha256//${createHash("sha256").update(der).digest("base64")}`;
}
