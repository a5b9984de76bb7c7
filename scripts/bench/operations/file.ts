// The file of all operations, as `ballastd export operations` of a stopped service writes it: time
// from the command's start, and size.

import { statSync } from "node:fs";
import path from "node:path";
import { SECOND_MS } from "../../../src/ground/clock.ts";
import { runInstalled } from "../../../test/rig/served.ts";
import type { TableRow } from "../table-rows.ts";
import type { OperationsSetup } from "./setup.ts";
import { operationsIn, voyageIn } from "./voyage.ts";

export async function measureFile(setup: OperationsSetup): Promise<readonly TableRow[]> {
  const { folder, program, series, say } = setup;
  voyageIn(folder, series).close();
  const rows: TableRow[] = [];
  for (const format of ["csv", "ndjson"]) {
    const file = path.join(folder, `operations.${format}`);
    say(file);
    const began_ms = performance.now();
    const args = ["export", "operations", "--format", format, "--output", file, "--force"];
    await runInstalled({ program, folder }, ...args);
    const took_s = (performance.now() - began_ms) / SECOND_MS;
    const bytes = statSync(file).size;
    const each = (bytes / operationsIn(series) / 1000).toFixed(1);
    rows.push({
      what: `file of all operations, ${format}, from the command's start; size; of each`,
      goal: "",
      measured: `${took_s.toFixed(2)} s; ${(bytes / 1e6).toFixed(2)} MB; ${each} kB`,
    });
  }
  return rows;
}
