// `ballastd fleet lake`: writes the ships' readings as Parquet files, for engines that answer
// queries over many ships.

import { parseArgs } from "node:util";
import { escaped, listDocument } from "../cli/document.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { type LakeShip, updateLake } from "./lake.ts";
import { type LakePlace, lakeFolder, lakeStore } from "./lake-place.ts";
import { type Office, withOffice } from "./office.ts";
import { officeStore, storeNamed } from "./office-store.ts";
import { COMMON, chosenShips } from "./ships-command.ts";

export async function lake(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...COMMON, objects: { type: "string" } },
  });
  const [given, ...named] = positionals;
  if (given === undefined)
    throw new Failure(EXIT.usage, "fleet lake: got no folder, expected one, or s3://BUCKET/PREFIX");
  const place = lakeAt(given);
  const objects = storeNamed(values.objects);
  const work = async (office: Office) => {
    const ships = await chosenShips(office, "lake", named);
    const update = async (tell: (done: LakeShip) => void) => {
      for (const ship of ships) {
        const done = await updateLake(office, place, ship);
        tell(done);
        if (done.problems.length > 0) process.exitCode = EXIT.failed;
      }
    };
    if (values.json) await listDocument(update);
    else await update((done) => process.stdout.write(linesOf(done)));
  };
  await withOffice(values.database, work, { objects });
}

function lakeAt(given: string): LakePlace {
  return /^[a-z0-9]+:\/\//i.test(given) ? lakeStore(officeStore(given)) : lakeFolder(given);
}

function linesOf({ ship, forks, problems, ...done }: LakeShip): string {
  const { written, readings, unchanged, removed, lacking } = done;
  const facts = [
    `${written} days written with ${readings} readings`,
    `${unchanged} unchanged`,
    ...(removed === 0 ? [] : [`${removed} removed`]),
    ...(lacking === 0 ? [] : [`${lacking} segments without payload`]),
    ...(forks.length === 0 ? [] : [`FORK: ${forks.length} branches, in forks/ship=${ship}`]),
  ];
  const left = problems.map((problem) => `${ship}  LEFT OUT: ${escaped(problem)}\n`);
  return `${ship}  ${facts.join(", ")}\n${left.join("")}`;
}
