// `ballastd inspection`: prints the inspection sheet as text or JSON. Giving it out is recorded:
// its verdicts are marked as given out, and a head of the ledger is signed for it.

import { printedSheet } from "../../app/control/printed-sheet.ts";
import { sheetSource } from "../../app/control/sheet-source.ts";
import { withInstance } from "../../app/instance.ts";
import { isSimulatedFolder } from "../../app/simulated.ts";
import type { Inspection } from "../../bwts/documents/inspection.ts";
import { inspectionText } from "../../bwts/documents/sheet-text.ts";
import type { Config } from "../../config/config.ts";
import { readBuild } from "../../ground/assets.ts";
import { systemClock } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { openLog } from "../../ground/log.ts";
import { inspectionOf } from "../../sqlite/answers/inspection.ts";
import { printResult } from "../document.ts";
import { PACK_MAX, refusePack, writePack } from "../inspection-pack.ts";
import { configOf, existingDatabase, readDatabase } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";
import { refuseOverwriting, STDOUT, writeTexts } from "../output-file.ts";

export const summary = "print the inspection sheet: verdicts of 12 months, exceptions, trust";

export const help = `usage: ballastd inspection [--output FILE] [--force] [--json] [--config FILE]
       ballastd inspection pack FOLDER [--last N] [--force] [--json] [--config FILE]

The sheet for an inspector, as text of 80 columns: how many operations of 12 months were within
limits, the exceptions, the last ten operations, one traced from uptake to discharge, the officer's
questions as far as data answers them, and how far the data can be trusted. ________ is for the crew
to fill in. The page Inspection of the dashboard prints the same on one sheet, with a QR code.

A head of the ledger is signed for it, and the ledger notes that it was given out; the audit log
notes who printed it; the verdicts on the sheet are marked, so that none is replaced in silence
later. docs/inspection.md explains it.

It is advice: the treatment system's own alarms and its certificate govern. It is no record book.

pack writes the inspector's pack into a folder that is there, a stick for example: the sheet, the
newest operations that ended, as text and JSON with a proof of each verdict, and the verifier, which
needs no ballastd.

  --output FILE   write the text, or with --json the object, into a file
  --last N        of pack, so many operations, 0 to ${PACK_MAX} (3)
  --force         overwrite the file, or the pack
  --json          one JSON object, as /api/inspection answers it; of pack the names of its files
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    output: { type: "string" },
    last: { type: "string" },
    force: { type: "boolean", default: false },
  });
  const [action, folder, ...more] = positionals;
  if (action !== undefined) {
    if (action !== "pack" || folder === undefined || more.length > 0 || values.output !== undefined)
      throw wrongAction("inspection", positionals.join(" "), "no word, or pack FOLDER");
    return pack(folder, values);
  }
  if (values.last !== undefined)
    throw new Failure(EXIT.usage, "inspection --last: is an option of inspection pack");
  const { output = STDOUT, json } = values;
  refuseOverwriting(output, values);
  const config = configOf(values);
  existingDatabase(config);
  const sheet = await givenOut(config);
  const text = inspectionText(sheet);
  if (output === STDOUT) {
    printResult(json, sheet, text);
    return;
  }
  await writeTexts(output, [json ? `${JSON.stringify(sheet)}\n` : text]);
  printResult(json, { file: output }, `${output}: the inspection sheet`);
}

interface PackOptions {
  readonly last?: string;
  readonly force: boolean;
  readonly json: boolean;
  readonly config?: string;
}

async function pack(folder: string, values: PackOptions): Promise<void> {
  const last = Number(values.last ?? "3");
  if (!/^\d{1,2}$/.test(values.last ?? "3") || last > PACK_MAX)
    throw new Failure(EXIT.usage, `--last ${values.last}: expected a number from 0 to ${PACK_MAX}`);
  refusePack(folder, values);
  const config = configOf(values);
  existingDatabase(config);
  const { files, not_judged } = await writePack(folder, await givenOut(config), {
    ...{ config, last },
    note: (written) =>
      withInstance(config, openLog(config.log.level), async (instance) => {
        const number = await instance.ask("note_pack", written);
        await instance.sign("print");
        return number;
      }),
  });
  const without = not_judged.map((id) => `; operation ${id} isn't judged yet and isn't in it`);
  const text = `${folder}: ${files.length} files, see README.txt${without.join("")}`;
  printResult(values.json, { folder, files, not_judged }, text);
}

async function givenOut(config: Config): Promise<Inspection> {
  const source = sheetSource(config, readBuild(), isSimulatedFolder(config.storage.dir));
  const asked = () => ({ now_ms: systemClock.now_ms(), source });
  return withInstance(config, openLog(config.log.level), (instance) =>
    printedSheet({
      read: async () => readDatabase(config, (db) => inspectionOf(db, asked(), config)),
      giveOut: (ids) => instance.ask("print_sheet", { ids: [...ids] }),
      sign: () => instance.sign("print"),
      requireWanted: () => {},
    }),
  );
}
