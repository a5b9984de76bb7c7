// The SQL that makes or upgrades a fleet's database, as one transaction for psql. Tables change by
// numbered migrations, each once; functions, views and rights are stated anew each time.

import { assetsIn, readAsset } from "../ground/assets.ts";

const FIRST = ["roles"];
const LAST = [...["values", "put", "hello", "ships"], ...["views", "views.generated", "rights"]];

/** The script for `psql`. To run it again changes nothing; of a newer schema it refuses to. */
export function fleetSchema(): string {
  const migrations = assetsIn("sql/fleet/migrations").toSorted();
  return [
    `\\set known ${migrations.length}`,
    ...FIRST.map(textOf),
    ...migrations.flatMap((file, index) => [
      `\\set version ${index + 1}`,
      textOf("migration-begin"),
      readAsset(file).toString(),
      textOf("migration-end"),
    ]),
    ...LAST.map(textOf),
  ].join("\n");
}

function textOf(name: string): string {
  return readAsset(`sql/fleet/${name}.sql`).toString();
}
