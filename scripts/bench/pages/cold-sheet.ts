// The inspection sheet from a cold start: from the start of the program, with a year of operations
// on its disk, until a browser that was there has painted the whole sheet.

import { sailYear } from "../../../test/rig/inspected-year.ts";
import { startReady } from "../../../test/rig/served.ts";
import { until } from "../../../test/rig/until.ts";
import { paintOf, watchPaints } from "./painted.ts";
import { type Row, times } from "./row.ts";
import { type Stage, shipOf } from "./stage.ts";

/** The head of the ledger, which stands last. */
const LAST = ".sheet pre";
const OPERATIONS = 46;
const STARTS = 6;
const MOST_MS = 1500;

export async function coldSheet(stage: Stage): Promise<Row> {
  const installed = { program: stage.program, folder: stage.folder() };
  await recordYear(installed);
  const values_ms: number[] = [];
  for (let start = 0; start < STARTS; start += 1)
    values_ms.push(await sheetAfterStart(stage, installed));
  const what = "inspection sheet painted, from a cold start of the program";
  return times(what, { most: MOST_MS, by: "median", values_ms });
}

interface InstalledShip {
  readonly program: string;
  readonly folder: string;
}

async function recordYear(installed: InstalledShip): Promise<void> {
  await using ship = await shipOf(await startReady(installed));
  const ports = ["Singapore", "Busan"];
  await sailYear(ship, { now_ms: Date.now(), operations: OPERATIONS, ports, below: [40] });
  await until("all to be judged", async () => {
    const { counts } = await (await fetch(`${ship.url}/api/inspection`)).json();
    return counts.operations === OPERATIONS;
  });
}

async function sheetAfterStart({ browser }: Stage, installed: InstalledShip): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await watchPaints(page, LAST);
  const began_ms = Date.now();
  const served = await startReady(installed);
  await page.goto(`${served.http}/#/inspection`, { waitUntil: "commit" });
  const { at_ms } = await paintOf(page, () => true);
  await context.close();
  await served.kill();
  return at_ms - began_ms;
}
