// Forecasts of the same ships without the table of their lamps' make, with it, and with wrong ones:
// usual ships, and those whose lamps fall late, which need it most.

import { sailFleet } from "./fleet.ts";
import type { Case, ShipResult } from "./forecasts.ts";
import { PROFILES, type ProfileKind } from "./profiles.ts";
import { type Row, rowOf, type Scored, table } from "./report.ts";

/** Prints the scores by table, of all months and of the first, and returns them. */
export async function toldProfiles(order: {
  readonly seed: number;
  readonly ships: number;
}): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const plan of ["development", "bend late"] as const) {
    const ships = await sailFleet({ ...order, plan, odd: "any", tables: PROFILES });
    for (const isYoung of [false, true]) {
      const told = PROFILES.map((kind) => rowOf(kind, toldOf(ships, kind, isYoung), order.seed));
      const about = `${plan === "bend late" ? plan : "usual"}${isYoung ? ", first months" : ""}`;
      process.stdout.write(`${table(about, told)}\n`);
      rows.push(...told.map((row) => ({ ...row, name: `${about}: ${row.name}` })));
    }
  }
  return rows;
}

/** The cases of ships that were told one kind of table; of lamps' first months alone if asked. */
function toldOf(
  ships: readonly ShipResult[],
  kind: ProfileKind,
  isYoung: boolean,
): readonly Scored[] {
  return ships.flatMap(({ told, asked }) => {
    const months = Object.keys(asked).map(Number);
    const counted = isYoung ? [Math.min(...months)] : months;
    const isIn = (one: Case) => !isYoung || counted.includes(one.months);
    const cases = told.find((each) => each.kind === kind);
    if (cases === undefined) return [];
    return {
      cases: cases.cases.filter(isIn),
      halves: cases.halves.filter(isIn),
      asked: counted.reduce((sum, month) => sum + asked[month], 0),
    };
  });
}
