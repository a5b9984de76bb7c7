// `ballastd fleet add`, `revoke`, `list` and `forks`: manage and list the ships in a fleet's
// database.

import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { isImoNumber } from "../bwts/documents/imo-number.ts";
import type { ShoreFile } from "../bwts/documents/shore-file.ts";
import { escaped, printListDocument, printResult } from "../cli/document.ts";
import { writeList } from "../cli/instance-data.ts";
import { optionValue } from "../cli/options.ts";
import { type OpenOutput, refuseOverwriting, removeFile, writeFile } from "../cli/output-file.ts";
import { keyPin } from "../config/values.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { isPlainLine, isVisible, PLAIN_EXPECTED } from "../ground/plain-text.ts";
import { quoted } from "../ground/quoted.ts";
import { bucketAt, keyText, readKeyFile } from "../shore/store-place.ts";
import { type Office, withOffice } from "./office.ts";
import { addShip, revokeShip } from "./ships.ts";

/** Options of every command of the office. */
export const COMMON = {
  database: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

const NAME_MAX = 100;
/** Mode of a file with a ship's key, which only its owner may read. */
const SECRET_MODE = 0o600;

export async function add(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...COMMON,
      name: { type: "string", default: "" },
      output: { type: "string", default: "" },
      url: { type: "string", multiple: true, default: [] },
      objects: { type: "string" },
      "objects-key": { type: "string" },
      "objects-pin": { type: "string" },
    },
  });
  const { name, output, url: urls, database, json } = values;
  const ship = readImo("add", positionals);
  if (!isVisible(name) || name.length > NAME_MAX || !isPlainLine(name))
    throw new Failure(
      EXIT.usage,
      `--name ${quoted(name)}: ${PLAIN_EXPECTED}, of 1 to ${NAME_MAX} others`,
    );
  if (output === "") throw new Failure(EXIT.usage, "--output is missing, expected a file");
  for (const url of urls)
    if (!isPlace(URL.parse(url)))
      // Without the value, which may have a password.
      throw new Failure(
        EXIT.usage,
        "--url: expected postgres://host:port/database, no login in it",
      );
  const objects = objectsOf(ship, values);
  refuseOverwriting(output, { force: false });
  const keyFile = keyFileAt(output, ship);
  const added = await withOffice(database, (office) =>
    addShip(office, { ship, name, urls, objects }, keyFile.write).catch(keyFile.undo),
  );
  const { role } = added;
  const text = `${ship} was added as ${role}; her key is in ${output}: carry it aboard`;
  printResult(json, { ship, name, role, urls: added.urls, output }, text);
}

interface ObjectsGiven {
  readonly objects?: string;
  readonly "objects-key"?: string;
  readonly "objects-pin"?: string;
}

/** A ship's folder in the store, with the ship's key; null without --objects. */
function objectsOf(
  ship: string,
  { objects, "objects-key": file, "objects-pin": given }: ObjectsGiven,
): ShoreFile["objects"] | null {
  if (objects === undefined) return null;
  const place = bucketAt(objects);
  if (place === null)
    throw new Failure(EXIT.usage, "--objects: expected https://host:port/bucket/folder");
  if (file === undefined)
    throw new Failure(EXIT.usage, "--objects-key is missing, expected the file of her key");
  const { origin, bucket, prefix } = place;
  const pin = given === undefined ? {} : { pin: optionValue("objects-pin", keyPin, given) };
  const key = keyText(readKeyFile(file, "--objects-key"));
  return { url: `${origin}/${bucket}/${prefix}${ship}`, key, ...pin };
}

/**
 * The file with a ship's key. It is written before the ship is added, and removed if that fails.
 */
function keyFileAt(output: string, ship: string) {
  let isWritten = false;
  return {
    async write(file: ShoreFile) {
      const text = `${JSON.stringify(file, null, 2)}\n`;
      const fill = async ({ handle }: OpenOutput) => void writeSync(handle, text);
      await writeFile(output, fill, SECRET_MODE);
      isWritten = true;
    },
    undo(error: unknown): never {
      if (!isWritten) throw error;
      // The connection broke during the commit, so the ship may have been added.
      if (error instanceof Failure && error.exitCode === EXIT.unavailable) {
        const next = `ballastd fleet list tells if ${ship} was added; her key is in ${output}`;
        throw new Failure(error.exitCode, `${error.message}; ${next}`);
      }
      removeFile(output);
      throw error;
    },
  };
}

/**
 * True for a URL of a PostgreSQL server with a host; without one there is no place for the role.
 */
function isPlace(url: URL | null): boolean {
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  return url.hostname !== "" && url.pathname.length > 1;
}

export async function revoke(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: COMMON,
  });
  const ship = readImo("revoke", positionals);
  await withOffice(values.database, (office) => revokeShip(office, ship));
  printResult(values.json, { ship, revoked: true }, `${ship} was revoked; her data stays`);
}

export function listShips(args: readonly string[]): Promise<void> {
  return printRows(args, "office.ships", "no ships", (row) => {
    const seen = row.last_contact === null ? "never heard" : `heard ${row.last_contact}`;
    const raw = row.raw_until === null ? [] : [`raw until ${row.raw_until}`];
    const forks = row.forks === 0 ? [] : [`${row.forks} forks`];
    const revoked = row.revoked === null ? [] : [`revoked ${row.revoked}`];
    return [row.ship, row.name, seen, ...raw, ...forks, ...revoked];
  });
}

export function listForks(args: readonly string[]): Promise<void> {
  return printRows(args, "office.forks", "no forks", (row) => [
    row.ship,
    `${row.chain} ${row.number}`,
    `branch ${row.branch} of ${row.links} links`,
    `begun by box ${row.instance}`,
    `received ${row.received}`,
  ]);
}

type ListedRow = Readonly<Record<string, string | number | null>>;

/** Prints the rows of a statement, as a JSON list of objects or one line each. */
async function printRows(
  args: readonly string[],
  statement: string,
  none: string,
  lineOf: (row: ListedRow) => readonly unknown[],
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: COMMON });
  const rows = await withOffice(values.database, (office) => plainRows(office, statement));
  if (values.json) printListDocument(rows);
  else
    writeList(
      rows.map((row) =>
        lineOf(row)
          .map((part) => escaped(`${part}`))
          .join("  "),
      ),
      none,
    );
}

/** Rows with times as texts. */
async function plainRows(office: Office, statement: string): Promise<readonly ListedRow[]> {
  const rows = await office.ask<Record<string, unknown>>(statement);
  return JSON.parse(JSON.stringify(rows));
}

function readImo(action: string, given: readonly string[]): string {
  const [ship, ...more] = given;
  if (ship === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `fleet ${action}: got ${given.length} ships, expected one`);
  if (isImoNumber(ship)) return ship;
  const expected = "expected an IMO number: seven digits, of which the last checks the others";
  throw new Failure(EXIT.usage, `fleet ${action} ${ship}: ${expected}`);
}

/** The named ship, else all. Throws a Failure for a ship that isn't in the fleet. */
export async function chosenShips(
  office: Office,
  action: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const one = named.length === 0 ? null : readImo(action, named);
  const rows = await office.ask<{ ship: string }>("office.fleet", [one]);
  if (one !== null && rows.length === 0)
    throw new Failure(EXIT.failed, `${one} is no ship of this fleet`);
  return rows.map(({ ship }) => ship);
}
