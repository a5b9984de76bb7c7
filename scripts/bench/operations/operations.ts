// `npm run bench -- --operations`: the goals of operations and the ledger. A database of 24 months
// in which every reading is of an operation, a day each: no ship works as much. Processor time
// stands beside the time by the clock, since that is what other work on the machine doesn't change.

import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { bundledProgram } from "../../../test/rig/bundled.ts";
import type { Series } from "../../../test/rig/steady-plant.ts";
import { groupsOf } from "../table-rows.ts";
import { measureFile } from "./file.ts";
import { measureHeads } from "./heads.ts";
import { measureIngest } from "./ingest.ts";
import { measureJudging } from "./judging.ts";

/** Groups of rows in their order. */
const GROUPS = {
  ingest: measureIngest,
  judging: measureJudging,
  heads: measureHeads,
  file: measureFile,
};

interface Given {
  readonly series: Series;
  /** The folder of its database, also of one to be kept; null keeps nothing. */
  readonly keep: string | null;
  readonly program: string | null;
  /** The folder in which a temporary one is made. */
  readonly folder: string;
}

/** The table of the groups named, or of all. */
export async function measureOperations(
  names: readonly string[],
  { series, keep, program, folder }: Given,
  say: (text: string) => void,
): Promise<string> {
  const measured = groupsOf("operations", GROUPS, names);
  const own = keep ?? mkdtempSync(path.join(folder, "ballastd-bench-"));
  if (keep === null) process.once("exit", () => rmSync(own, { recursive: true, force: true }));
  const setup = { series, folder: own, program: program ?? bundledProgram(), say };
  return measured(setup, say);
}
