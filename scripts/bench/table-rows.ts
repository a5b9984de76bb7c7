// Rows of the tables of `npm run bench -- --fleet` and `-- --operations`, in the form of
// docs/measured.md, so that what is printed is pasted there as it is.

import { EXIT, Failure } from "../../src/ground/errors.ts";

export interface TableRow {
  readonly what: string;
  /** "" without one. */
  readonly goal: string;
  readonly measured: string;
}

type Measure<Setup> = (setup: Setup) => Promise<readonly TableRow[]>;

/**
 * Returns the measurement of the named groups of an option, or of all without a name, in their
 * order; it gives the table in Markdown. Throws a Failure for a name that isn't a group's.
 */
export function groupsOf<Setup>(
  option: string,
  groups: Readonly<Record<string, Measure<Setup>>>,
  names: readonly string[],
) {
  const unknown = names.find((name) => !(name in groups));
  const known = Object.keys(groups).join(", ");
  if (unknown !== undefined)
    throw new Failure(EXIT.usage, `--${option}: got ${unknown}, expected of ${known}`);
  return async (setup: Setup, say: (text: string) => void): Promise<string> => {
    const rows: TableRow[] = [];
    for (const [name, measure] of Object.entries(groups)) {
      if (names.length > 0 && !names.includes(name)) continue;
      say(`${option}: ${name}`);
      rows.push(...(await measure(setup)));
    }
    return tableOf(rows);
  };
}

function tableOf(rows: readonly TableRow[]): string {
  const lines = rows.map(({ what, goal, measured }) => `| ${what} | ${goal} | ${measured} |`);
  return ["| what | goal | measured |", "| --- | ---: | ---: |", ...lines, ""].join("\n");
}
