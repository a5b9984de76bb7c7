// The inspector's pack as a folder, for example on a stick: the inspection sheet, the newest ended
// operations with a proof of each verdict, and the verifier, which needs no ballastd. A list has
// the hash of each file, and the ledger an entry with the hash of that list: so every file that is
// altered, added or taken away is detected.

import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Inspection } from "../bwts/documents/inspection.ts";
import { operationText } from "../bwts/documents/operation-text.ts";
import { inspectionText } from "../bwts/documents/sheet-text.ts";
import type { Config } from "../config/config.ts";
import { readAsset } from "../ground/assets.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { proofText } from "../ledger/proof.ts";
import { shownOperation } from "../sqlite/answers/operations.ts";
import { makeProof } from "../sqlite/records/ledger-proofs.ts";
import { readDatabase } from "./instance-data.ts";
import { refuseMissing, refuseOverwriting, removeFile, writeTexts } from "./output-file.ts";

interface PackFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Maximum number of operations in a pack: as many as the sheet lists. */
export const PACK_MAX = 10;

const README = "README.txt";
const VERIFIER = "verify-ledger.py";
const FILES = "files.txt";
const FILES_PROOF = "files.proof.json";
const OF_OPERATION = /^operation-\d+\.(txt|json|proof\.json)$/;

/** Throws a Failure if the folder doesn't exist, or has a pack already (without --force). */
export function refusePack(folder: string, { force }: { readonly force: boolean }): void {
  refuseMissing(folder);
  refuseOverwriting(path.join(folder, README), { force });
}

interface PackMaking {
  readonly config: Config;
  readonly last: number;
  /** Records the pack in the audit log, signs a head, and returns the number of the entry. */
  readonly note: (pack: { operations: number[]; files_sha256: string }) => Promise<number>;
}

/** The written files, and the operations that have no verdict yet. */
interface Pack {
  readonly files: readonly string[];
  readonly not_judged: readonly number[];
}

/**
 * Writes the pack for a sheet that was given out. Operations of an earlier pack in the folder are
 * deleted first; the README is written last, so that its presence shows a whole pack.
 */
export async function writePack(
  folder: string,
  sheet: Inspection,
  { config, last, note }: PackMaking,
): Promise<Pack> {
  const ended = sheet.operations.filter(({ end }) => end !== null).slice(0, last);
  const isOpen = ({ version, remarks }: (typeof ended)[number]) =>
    version === 0 || remarks.includes("waiting");
  const judged = ended.filter((one) => !isOpen(one)).map(({ id }) => id);
  const not_judged = ended.filter(isOpen).map(({ id }) => id);
  const files: readonly PackFile[] = [
    { name: "inspection.txt", content: inspectionText(sheet) },
    { name: "inspection.json", content: `${JSON.stringify(sheet)}\n` },
    ...judged.flatMap((id) => operationFiles(config, id)),
    { name: VERIFIER, content: readAsset(`manual/${VERIFIER}`) },
    { name: README, content: readmeOf(sheet, not_judged) },
  ];
  const list = files.map(({ name, content }) => `${hash("sha256", content)}  ${name}\n`).join("");
  const number = await note({ operations: judged, files_sha256: hash("sha256", list) });
  const leaves = [{ kind: "audit", number } as const];
  const proof = readDatabase(config, (db) =>
    db.transaction(() => makeProof(db, { leaves, rows: [], since: null }))(),
  );
  for (const name of readdirSync(folder).filter((one) => OF_OPERATION.test(one)))
    removeFile(path.join(folder, name));
  const all: readonly PackFile[] = [
    { name: FILES, content: list },
    { name: FILES_PROOF, content: proofText(proof) },
    ...files,
  ];
  for (const { name, content } of all) await writeTexts(path.join(folder, name), [content]);
  return { files: all.map(({ name }) => name), not_judged };
}

function operationFiles(config: Config, id: number): readonly PackFile[] {
  const { operation, proof } = readDatabase(config, (db) =>
    db.transaction(() => {
      const found = shownOperation(db, id, config.limits);
      const number = found?.versions.at(-1)?.ledger_number;
      if (found === null || number === undefined)
        throw new Failure(EXIT.failed, `operation ${id}: is gone since the sheet was made`);
      const leaves = [{ kind: "verdict", number } as const];
      return { operation: found, proof: makeProof(db, { leaves, rows: [], since: null }) };
    })(),
  );
  return [
    { name: `operation-${id}.txt`, content: `${operationText(operation)}\n` },
    { name: `operation-${id}.json`, content: `${JSON.stringify(operation)}\n` },
    { name: `operation-${id}.proof.json`, content: proofText(proof) },
  ];
}

function readmeOf({ ship }: Inspection, not_judged: readonly number[]): string {
  const without = not_judged.map(
    (id) => `Operation ${id} ended just now and isn't judged yet: it isn't in this pack.\n`,
  );
  return `Inspector's pack of ${ship.vessel || "a ship whose name wasn't entered"}, by ballastd.
It is advice: the treatment system's own alarms and its certificate govern. It is no record book.
${without.join("")}
inspection.txt           the inspection sheet: 12 months, exceptions, trust
operation-N.txt          one operation: verdict, reasons, volumes, limits in force
operation-N.proof.json   proof that this verdict is in the ship's signed ledger
*.json                   the same for programs
files.txt                SHA-256 of each file; files.proof.json proves that the ship signed it
verify-ledger.py         the verifier; it needs Python 3.8 or later, and no ballastd

Take the ship's key from elsewhere than this folder: the line "key SHA256:..." of a sheet of an
earlier visit, or from the office. Best take the verifier from elsewhere too. Then type here:

  python3 verify-ledger.py --key KEY --pack .

It names each file that was altered, added or taken away, and the verdicts that are proven.
`;
}
