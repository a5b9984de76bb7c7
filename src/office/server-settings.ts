// Prepares a PostgreSQL server for ships: its certificate, the authority with which it checks
// theirs, and the rules of pg_hba.conf by which they log in with a certificate only.

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeWhole } from "../ground/durable.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { type Authority, openAuthority } from "./authority.ts";
import type { Office } from "./office.ts";

/** A row of office.server. */
interface Server {
  readonly config_file: string;
  readonly hba_file: string;
  readonly ssl: string;
  readonly ssl_ca_file: string;
  readonly port: string;
  readonly listen_addresses: string;
  readonly database: string;
}

export interface FleetServer extends Server {
  readonly authority: Authority;
}

/** The server and its authority, in a folder beside its configuration. */
export async function fleetServer(office: Office): Promise<FleetServer> {
  const [server] = await office.ask<Server>("office.server");
  const folder = path.join(path.dirname(server.config_file), "ballastd");
  return { ...server, authority: openAuthority(folder) };
}

const MARK = "# ballastd fleet: ships log in by certificate, and by nothing else.";
/**
 * Rules against other logins of ships: a role may set its own password, which must open nothing.
 */
const REJECTED = ["host all +fleet_ship all reject", "local all +fleet_ship reject"];

/**
 * Writes certificates, settings and rules, has the server reload them, and returns what was
 * written.
 */
export async function openServerToShips(
  office: Office,
  { hosts, listen }: { readonly hosts: readonly string[]; readonly listen: string | null },
): Promise<readonly string[]> {
  const server = await fleetServer(office);
  const { authority, hba_file, ssl_ca_file } = server;
  if (ssl_ca_file !== "" && ssl_ca_file !== authority.ca)
    throw new Failure(
      EXIT.failed,
      `ssl_ca_file is ${ssl_ca_file}: the server has an authority for other clients already; ` +
        "use a server of its own for the fleet",
    );
  // A name that breaks its rule would keep PostgreSQL from starting.
  if (/["\\\p{Cc}]/u.test(server.database))
    throw new Failure(
      EXIT.failed,
      `database ${server.database}: expected a name without quotes, backslashes and newlines`,
    );
  authority.makeServer(hosts);
  const settings = {
    ssl: "on",
    ssl_ca_file: authority.ca,
    ssl_cert_file: authority.serverCertificate,
    ssl_key_file: authority.serverKey,
    ...(listen === null ? {} : { listen_addresses: listen }),
  };
  for (const [name, value] of Object.entries(settings)) await office.set(name, value);
  await reload(office, authority.ca);
  const rule = `hostssl "${server.database}" +fleet_ship all cert`;
  const isWritten = putRule(hba_file, rule);
  await reload(office, authority.ca);
  const [wrong] = await office.ask<{ problem: string }>("office.wrong_rules");
  if (wrong !== undefined) throw new Failure(EXIT.failed, `${hba_file} ${wrong.problem}`);
  return [
    `${path.dirname(authority.ca)}: authority and server certificate for ${hosts.join(", ")}`,
    `settings: ${Object.keys(settings).join(", ")}`,
    `${hba_file}: ${isWritten ? rule : "has the rule already"}`,
  ];
}

const RELOAD_MAX_MS = 60_000;
const RELOAD_POLL_MS = 50;

/** Has the server reload its files; waits until this session has the new settings. */
async function reload(office: Office, ca: string): Promise<void> {
  await office.ask("office.reload");
  const began_ms = performance.now();
  while (performance.now() - began_ms < RELOAD_MAX_MS) {
    const [{ ssl, ssl_ca_file }] = await office.ask<Server>("office.server");
    if (ssl === "on" && ssl_ca_file === ca) return;
    await sleep(RELOAD_POLL_MS);
  }
  throw new Failure(EXIT.failed, "PostgreSQL didn't take ssl and ssl_ca_file: see its log");
}

/**
 * Puts the rule before all others, because the first that matches counts. False if it is there
 * already.
 */
function putRule(file: string, rule: string): boolean {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  if (lines.includes(rule)) return false;
  const mark = lines.indexOf(MARK);
  if (mark === -1) lines.unshift(MARK, rule, ...REJECTED, "");
  else lines.splice(mark + 1, 0, rule);
  const { mode, uid, gid } = statSync(file);
  writeWhole(file, lines.join("\n"), { mode: mode & 0o777, account: { uid, gid } });
  return true;
}
