// A ship that the tests of a file have in common: it sails once, and each test goes on with a copy
// of its database and of its lamps. To sail it takes seconds of the processor, a copy none.

import { cpSync, rmSync } from "node:fs";
import { afterAll } from "vitest";
import { openRig, type Rig, rigsOfTests, temporaryFolder } from "./database.ts";
import { type Fleet, openFleet } from "./fleet.ts";
import { temporaryFolder as keptFolder } from "./program.ts";
import type { Random } from "./random.ts";

export interface ShipCopy {
  readonly rig: Rig;
  readonly fleet: Fleet;
}

/** A way to copies of the ship that `sail` makes when the first is asked for. */
export function shipCopies(random: Random, sail: (rig: Rig) => Fleet): () => ShipCopy {
  const rigOf = rigsOfTests();
  const folder = keptFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let sailed: Fleet | null = null;
  return () => {
    if (sailed === null) {
      const rig = openRig({}, folder);
      sailed = sail(rig);
      rig.close();
    }
    const dir = temporaryFolder();
    cpSync(folder, dir, { recursive: true });
    const fleet = openFleet(random, () => 0, sailed.now_ms());
    fleet.lamps.splice(0, fleet.lamps.length, ...structuredClone(sailed.lamps));
    return { rig: rigOf({}, dir), fleet };
  };
}
