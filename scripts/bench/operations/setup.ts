// The parts that each group of `npm run bench -- --operations` is given: the readings, the folder
// of the database, the program.

import type { Series } from "../../../test/rig/steady-plant.ts";

export interface OperationsSetup {
  readonly series: Series;
  /** Has the data folder `data`, which the first group that needs it fills. */
  readonly folder: string;
  /** The path of main.cjs. */
  readonly program: string;
  readonly say: (text: string) => void;
}
