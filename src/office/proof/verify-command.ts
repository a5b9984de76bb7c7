// `ballastd fleet verify`: proves by the ships' hashes that the data at the office is the data from
// aboard. Changes nothing.

import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { escaped, listDocument } from "../../cli/document.ts";
import { writeWhole } from "../../ground/durable.ts";
import { EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { BadNote, readVerifierKey, verifierKey } from "../../ledger/note.ts";
import { type Office, withOffice } from "../office.ts";
import { storeNamed } from "../office-store.ts";
import { COMMON, chosenShips } from "../ships-command.ts";
import { NOTHING_REMEMBERED, RememberedFile, rememberedNow } from "./remembered.ts";
import { provenSchema } from "./schema-proof.ts";
import { askAgain, markProven, type ShipVerifyResult, verifyShip } from "./verify.ts";

export async function verify(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...COMMON,
      objects: { type: "string" },
      "ask-again": { type: "boolean", default: false },
      key: { type: "string", multiple: true, default: [] },
      record: { type: "boolean", default: false },
      since: { type: "string" },
    },
  });
  const isAgain = values["ask-again"];
  const trusted = new Set(values.key.map(trustedKey));
  const memory = openMemory(values.since);
  const work = async (office: Office) => {
    const ships = await chosenShips(office, "verify", positionals);
    if (positionals.length === 0) memory.requireShips(ships);
    const schema = await provenSchema(office);
    const verifyAll = async (tell: (found: ShipVerifyResult) => void) => {
      const one = async (ship: string) => {
        const isRecording = values.record;
        const { marks, ...proven } = await verifyShip(office, ship, {
          trusted,
          isRecording,
          schema,
        });
        const found = await memory.compared(office, proven);
        if (isAgain) await askAgain(office, found);
        if (values.record) await markProven(office, ship, marks);
        tell(found);
        if (found.problem !== null) process.exitCode = EXIT.failed;
      };
      for (const ship of ships) await one(ship).catch((error) => notVerified(ship, error));
    };
    if (values.json) await listDocument(verifyAll);
    else await verifyAll((found) => process.stdout.write(text(found, isAgain)));
    memory.keep();
  };
  await withOffice(values.database, work, { objects: storeNamed(values.objects) });
}

/**
 * Reports a ship that couldn't be verified and continues: an unexpected row of one ship must not
 * end the proof of all others.
 */
function notVerified(ship: string, error: unknown): void {
  if (error instanceof Failure && error.exitCode !== EXIT.failed) throw error;
  process.stderr.write(`ballastd: ${ship}: not verified: ${escaped(messageOf(error))}\n`);
  process.exitCode = EXIT.failed;
}

function trustedKey(text: string): string {
  try {
    return verifierKey(readVerifierKey(text));
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    throw new Failure(EXIT.usage, `--key ${messageOf(error)}`);
  }
}

/** The memory in FILE. It is rewritten only if nothing remembered is missing. */
function openMemory(file: string | undefined) {
  const before = file === undefined ? NOTHING_REMEMBERED : readMemory(file);
  const ships = { ...before.ships };
  let isMissing = false;
  return {
    /**
     * Throws a Failure for remembered ships that are missing here, since they can't be compared.
     */
    requireShips(here: readonly string[]) {
      const gone = Object.keys(ships).filter((ship) => !here.includes(ship));
      if (gone.length > 0)
        throw new Failure(EXIT.failed, `${file}: ${gone.join(", ")} isn't here any more`);
    },
    async compared(office: Office, found: ShipVerifyResult): Promise<ShipVerifyResult> {
      if (file === undefined) return found;
      const { ship, problem } = found;
      const { now, lost } = await rememberedNow(office, ship, ships[ship]);
      ships[ship] = now;
      if (lost.length === 0) return found;
      isMissing = true;
      const more = lost.length > 1 ? `, and ${lost.length - 1} more` : "";
      const said = `since ${file}: ${lost[0]} isn't here any more${more}`;
      return { ...found, problem: problem === null ? said : `${problem}; ${said}` };
    },
    keep() {
      if (file === undefined || isMissing) return;
      // With the caller's rights: the file may have to be kept from the owner of the database.
      atPath(file, () => writeWhole(file, `${JSON.stringify({ ...before, ships })}\n`));
    },
  };
}

function readMemory(file: string): RememberedFile {
  if (!existsSync(file)) return NOTHING_REMEMBERED;
  try {
    return RememberedFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new Failure(EXIT.failed, `${file}: expected a file that fleet verify --since wrote`);
  }
}

/** Maximum number of lost objects that are named. */
const NAMED_MAX = 20;

function text(
  { ship, hours, forks, ledger, problem, ...found }: ShipVerifyResult,
  isAgain: boolean,
): string {
  const { segments, lacking, readings, events, audit, objects, lost_objects: lost } = found;
  const { equal, differing, fewer_aboard, not_here } = hours;
  const sealed = `${segments} segments (${lacking} without payload) with ${readings} readings`;
  const sums = `${equal} equal, ${differing} differ, ${fewer_aboard} with readings hidden aboard`;
  return [
    `${ship}: ${sealed}, ${events} events, ${audit} entries of the audit log`,
    `  head of the segments:  ${found.segment_head}`,
    `  head of the events:    ${found.event_head}`,
    `  head of the audit log: ${found.audit_head}`,
    `  hours: ${sums}, ${not_here} not here in full`,
    ...ledgerLines(ledger),
    ...(objects === 0 ? [] : [`  ${objects} payloads are objects in the store`]),
    ...lost
      .slice(0, NAMED_MAX)
      .map(({ number, problem: why }) => `  LOST: segment ${number}: ${why}`),
    ...(lost.length > NAMED_MAX ? [`  LOST: ${lost.length - NAMED_MAX} more`] : []),
    ...(isAgain && lost.length > 0 ? ["  the ship is asked for what is lost"] : []),
    ...(forks.length === 0 ? [] : [`  FORK: branches ${forks.join(", ")}`]),
    problem === null ? "  the chains are whole" : `  BROKEN: ${escaped(problem)}`,
    `  not proven: ${escaped(found.not_proven.join("; "))}`,
    "",
  ].join("\n");
}

function ledgerLines({
  heads,
  proven,
  waiting,
  waits_for,
  keys,
  faults,
}: ShipVerifyResult["ledger"]) {
  const waits = waiting === 0 ? "" : `, ${waiting} wait for ${waits_for}`;
  return [
    `  signed heads: ${heads}, the tree of ${proven} made again here${waits}`,
    ...keys.map(({ number, verifier_key, is_signed_before, reason, at }) => {
      const trust = is_signed_before ? "" : ", NOT SIGNED BY THE KEY BEFORE";
      return `  key ${number}: ${escaped(`${verifier_key} (${reason}, ${at})`)}${trust}`;
    }),
    ...faults.slice(0, NAMED_MAX).map((fault) => `  LEDGER: ${escaped(fault)}`),
  ];
}
