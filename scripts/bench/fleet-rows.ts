// Rows of the table of `npm run bench -- --fleet`, in the form of docs/measured.md, so that what it
// prints is pasted there as it is.

export interface FleetRow {
  readonly what: string;
  /** "" without one. */
  readonly goal: string;
  readonly measured: string;
}

/** The table in Markdown, to be pasted. */
export function fleetTable(rows: readonly FleetRow[]): string {
  const lines = rows.map(({ what, goal, measured }) => `| ${what} | ${goal} | ${measured} |`);
  return ["| what | goal | measured |", "| --- | ---: | ---: |", ...lines, ""].join("\n");
}
