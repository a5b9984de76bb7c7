// The inspector's pack as a folder, on a stick for example: the inspection sheet, the newest
// operations that ended with a proof of each verdict, and the verifier, which needs no ballastd.

import path from "node:path";
import type { Inspection } from "../../bwts/inspection/inspection.ts";
import { inspectionText } from "../../bwts/inspection/text.ts";
import type { Config } from "../../config/config.ts";
import { readAsset } from "../../ground/assets.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { proofText } from "../../ledger/proof.ts";
import { shownOperation } from "../../sqlite/answers/operations.ts";
import { makeProof } from "../../sqlite/ledger/proofs.ts";
import { readDatabase } from "../instance-data.ts";
import { refuseMissing, refuseOverwriting, writeTexts } from "../output-file.ts";
import { operationText } from "./operation-text.ts";

interface PackFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** As many as the sheet lists. */
export const PACK_MAX = 10;

const README = "README.txt";
const VERIFIER = "verify-ledger.py";

/** Throws a Failure for a folder that isn't there, or that has a pack already. */
export function refusePack(folder: string, { force }: { readonly force: boolean }): void {
  refuseMissing(folder);
  refuseOverwriting(path.join(folder, README), { force });
}

/** Writes the pack of a sheet that was given out; the README last, so that it tells a whole one. */
export async function writePack(
  folder: string,
  sheet: Inspection,
  { config, last }: { readonly config: Config; readonly last: number },
): Promise<readonly string[]> {
  const ended = sheet.operations.filter(({ end, version }) => end !== null && version > 0);
  const operations = ended.slice(0, last).flatMap(({ id }) => operationFiles(config, id));
  const files: readonly PackFile[] = [
    { name: "inspection.txt", content: inspectionText(sheet) },
    { name: "inspection.json", content: `${JSON.stringify(sheet)}\n` },
    ...operations,
    { name: VERIFIER, content: readAsset(`manual/${VERIFIER}`) },
  ];
  const all = [...files, { name: README, content: readmeOf(sheet, files) }];
  for (const { name, content } of all) await writeTexts(path.join(folder, name), [content]);
  return all.map(({ name }) => name);
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
    { name: proofName(id), content: proofText(proof) },
  ];
}

const proofName = (id: number) => `operation-${id}.proof.json`;

function readmeOf({ ship }: Inspection, files: readonly PackFile[]): string {
  const proofs = files.map(({ name }) => name).filter((name) => name.endsWith(".proof.json"));
  return `Inspector's pack of ${ship.vessel === "" ? "this ship" : ship.vessel}, by ballastd.
It is advice: the treatment system's own alarms and its certificate govern. It is no record book.

inspection.txt           the inspection sheet: 12 months, exceptions, trust
operation-N.txt          one operation: verdict, reasons, volumes, limits in force
operation-N.proof.json   proof that this verdict is in the ship's signed ledger
*.json                   the same for programs
verify-ledger.py         the verifier; it needs Python 3.8 or later, and no ballastd

Take the ship's verifier key from elsewhere than this folder: from a sheet of an
earlier visit, or from the office. Then type here:

${proofs.map((name) => `  python3 verify-ledger.py --key KEY --proof ${name}`).join("\n")}
`;
}
