// All operations judged from their raw readings as their job does it, all at once: first when none
// is judged yet, so that each gets a version and a statement of the ledger, then again as when a
// release has other rules, and everything comes to the same.

import { SECOND_MS } from "../../../src/ground/clock.ts";
import { addAllDue } from "../../../src/sqlite/derived/derived-repair.ts";
import { OPERATIONS } from "../../../src/sqlite/derived/operations.ts";
import { prepare } from "../../../src/sqlite/file/open.ts";
import type { Rig } from "../../../test/rig/database.ts";
import { derived } from "../../../test/rig/derive.ts";
import type { TableRow } from "../table-rows.ts";
import type { OperationsSetup } from "./setup.ts";
import { openVoyage, operationsIn, voyageIn } from "./voyage.ts";

/** Up to so many readings the goal is the first, above it the second. */
const FEW_READINGS = 350_400;
const GOALS = ["3 s", "20 s"];

export async function measureJudging(setup: OperationsSetup): Promise<readonly TableRow[]> {
  const { series, folder, say } = setup;
  const expected = operationsIn(series);
  const row = (how: string, rig: Rig): TableRow => {
    const { processor_s, clock_s } = timed(() => judgeAll(rig, expected));
    const size = `${series.readings.toLocaleString("en")} readings, ${expected} operations`;
    return {
      what: `${size}, ${how}: by the clock; processor`,
      goal: series.readings > FEW_READINGS ? GOALS[1] : GOALS[0],
      measured: `${clock_s.toFixed(2)}; ${processor_s.toFixed(2)} s`,
    };
  };
  const rows: TableRow[] = [];
  say("loading");
  const loaded = voyageIn(folder, series);
  if (countOf(loaded) === 0) rows.push(row("judged first", loaded));
  loaded.close();
  // As a start does it when the rules' version is another one.
  const again = openVoyage(folder);
  addAllDue(again.db, [OPERATIONS]);
  while (again.store.sealFull());
  rows.push(row("computed again", again));
  again.close();
  return rows;
}

/** Judges until nothing is due. Throws unless each operation has one version, within limits. */
function judgeAll(rig: Rig, expected: number): void {
  let judged = 0;
  for (;;) {
    const { done, count } = derived(rig, OPERATIONS);
    judged += count;
    if (done.length === 0) break;
  }
  const [within, versions] = ["within", "versions"].map((of) => countOf(rig, of === "within"));
  if (judged < expected || within !== expected || versions !== expected)
    throw new Error(
      `${judged} judged, ${versions} versions, ${within} within limits; expected ${expected}`,
    );
}

function countOf({ db }: Rig, isWithin = false): number {
  if (!isWithin) return prepare(db, "operation.count_versions").get({})?.count ?? 0;
  const within = { operation_type: null, location: null, verdict: "within_limits" };
  const ever = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER, limit: -1 };
  return prepare(db, "operation.page").all({ ...ever, ...within }).length;
}

function timed(work: () => void): { readonly processor_s: number; readonly clock_s: number } {
  const [began_ms, before] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(before);
  const clock_s = (performance.now() - began_ms) / SECOND_MS;
  return { clock_s, processor_s: (user + system) / (1000 * SECOND_MS) };
}
