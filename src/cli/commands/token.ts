// `ballastd token`: manages tokens with their roles. Names, roles and hashes of the secrets are
// stored; a running instance applies a change before the command ends.

import { askInstance } from "../../app/instance.ts";
import { newSecret } from "../../app/tokens.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import {
  CONFIGURED,
  nameIsToken,
  ROLES,
  type Role,
  type StoredToken,
  TokenName,
} from "../../bwts/token.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { storedTokens } from "../../sqlite/records/tokens.ts";
import { printDocument, printListDocument, printResult } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "add, list and revoke the bearer tokens of people and programs";

export const help = `usage: ballastd token add --name NAME --role ROLE [--json] [--config FILE]
       ballastd token list [--json] [--config FILE]
       ballastd token revoke NAME [--config FILE]

add prints a new token, once: only its hash is stored. revoke makes a token invalid. Both take
effect at once on a running instance, and work on the data folder if none runs.

  --name NAME     its user or purpose: 1 to 64 letters, digits, _ . or -
  --role ROLE     viewer      reads, if auth.monitoring = "token"
                  engineer    also stores plants, states lamp replacements, reads the audit log
                  maintainer  has all permissions
  --json          a JSON object, of list a list of objects
  --config FILE   the configuration of the instance

The token that is configured (auth.token), or made on the first start (auth.token_file), is listed
as configured, with the role maintainer; it is changed in the configuration.`;

const OPTIONS = {
  name: { type: "string" },
  role: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const [action, ...names] = positionals;
  const given = { ...values, names };
  switch (action) {
    case "add":
      return add(given);
    case "list":
      return list(given);
    case "revoke":
      return revoke(given);
    default:
      throw wrongAction("token", action, "add, list or revoke");
  }
}

interface TokenOptions {
  readonly name?: string;
  readonly role?: string;
  readonly json: boolean;
  readonly config?: string;
  /** The arguments after the action. */
  readonly names: readonly string[];
}

async function add({ json, names, ...given }: TokenOptions): Promise<void> {
  refuseSurplus("add", names);
  const name = readName(given.name);
  const role = readRole(given.role);
  const config = configOf(given);
  if (name === config.auth.token) throw nameIsToken();
  const { secret, hash } = newSecret();
  const sha256 = hash.toString("hex");
  await askInstance(config, "token_add", { name, role, sha256 });
  printResult(json, { name, role, token: secret }, secret);
  process.stderr.write(`token ${name} (${role}) was added; it is shown only this once\n`);
}

async function revoke({ json, names, name, role, ...given }: TokenOptions): Promise<void> {
  refuseOption("revoke", { name, role });
  const [revoked, ...more] = names;
  if (revoked === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `token revoke: got ${names.length} names, expected one`);
  if (revoked === CONFIGURED)
    throw new Failure(
      EXIT.usage,
      `token ${CONFIGURED}: it is auth.token, or in auth.token_file; change it there, and restart`,
    );
  await askInstance(configOf(given), "token_revoke", { name: revoked });
  if (json) printDocument({ name: revoked, revoked: true });
  process.stderr.write(`token ${revoked} was revoked\n`);
}

function list({ json, names, name, role, ...given }: TokenOptions): void {
  refuseSurplus("list", names);
  refuseOption("list", { name, role });
  const config = configOf(given);
  const stored = readDatabase(config, storedTokens);
  const rows = [{ name: CONFIGURED, role: "maintainer", added: null }, ...stored.map(rowOf)];
  if (json) {
    printListDocument(rows);
    return;
  }
  const lines = rows.map(
    (row) =>
      `${row.name}  ${row.role}  ` +
      (row.added === null
        ? "by the configuration, or on the first start"
        : withShipTime(row.added, config.system.utc_offset)),
  );
  writeList(lines, null);
}

function rowOf({ name, role, added_ms }: StoredToken) {
  return { name, role, added: printTime(added_ms) };
}

function readName(given: string | undefined): string {
  if (given === undefined) throw new Failure(EXIT.usage, "--name is missing, expected a name");
  const read = TokenName.safeParse(given);
  if (read.success) return read.data;
  // Without the value: a token may have been pasted in a name's place.
  throw new Failure(EXIT.usage, `--name: ${read.error.issues[0].message}`);
}

function readRole(given: string | undefined): Role {
  const role = ROLES.find((known) => known === given);
  if (role !== undefined) return role;
  const was = given === undefined ? "is missing," : `${given}:`;
  throw new Failure(EXIT.usage, `--role ${was} expected ${ROLES.join(", ")}`);
}

function refuseSurplus(action: string, names: readonly string[]): void {
  if (names.length > 0)
    throw new Failure(EXIT.usage, `token ${action} ${names.join(" ")}: expected options only`);
}

function refuseOption(action: string, given: Readonly<Record<string, string | undefined>>): void {
  const name = Object.keys(given).find((option) => given[option] !== undefined);
  if (name !== undefined)
    throw new Failure(EXIT.usage, `token ${action} --${name}: only token add takes it`);
}
