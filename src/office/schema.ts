// The SQL that makes or upgrades a fleet's database, as one transaction for psql. Tables change by
// numbered migrations, each applied once; functions, views and rights are defined again each time.

import { createHash } from "node:crypto";
import { assetsIn, readAsset } from "../ground/assets.ts";

const FIRST = ["roles"];
const LAST = [
  ...["values", "put", "put-document", "hello", "lost", "ships"],
  ...["views", "views.generated"],
];

/** The script for `psql`. Running it again changes nothing; it refuses a newer schema. */
export function fleetSchema(): string {
  return [
    statedSchema(),
    `comment on schema fleet is '${fleetSchemaName()}';`,
    // The last part, which ends the transaction.
    textOf("rights"),
  ].join("\n");
}

/**
 * The text that identifies the schema, stored as its comment. It also changes with views and
 * functions, which have no migration.
 */
export function fleetSchemaName(): string {
  const text = `${statedSchema()}\n${textOf("rights")}`;
  return `ballastd ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** Paths of the schema's migrations, oldest first. */
export function schemaFiles(): readonly string[] {
  return assetsIn("sql/office/migrations").toSorted();
}

/** The texts of the schema's functions and views. */
export const schemaText = (): string => LAST.map(textOf).join("\n");

function statedSchema(): string {
  const migrations = schemaFiles();
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
  return readAsset(`sql/office/${name}.sql`).toString();
}
