// The SQL that makes or upgrades a fleet's database, as one transaction for psql. Tables change by
// numbered migrations, each applied once; functions, views and rights are defined again each time.
// The same text makes a second schema, with which the stored one is compared.

import { createHash } from "node:crypto";
import { assetsIn, readAsset } from "../ground/assets.ts";

const FIRST = ["roles", "migration-table"];
const LAST = [
  ...["values", "put", "put-document", "hello", "lost", "ships"],
  ...["views", "views.generated", "rights"],
];
/** The last part, which ends the transaction. */
const SERVER = "server-rights";

/** The script for `psql`. Running it again changes nothing; it refuses a newer schema. */
export function fleetSchema(): string {
  return [
    statedSchema(),
    `comment on schema fleet is '${fleetSchemaName()}';`,
    textOf(SERVER),
  ].join("\n");
}

/**
 * The text that identifies the schema, stored as its comment. It also changes with views and
 * functions, which have no migration.
 */
export function fleetSchemaName(): string {
  const text = `${statedSchema()}\n${textOf(SERVER)}`;
  return `ballastd ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** Paths of the schema's migrations, oldest first. */
export function schemaFiles(): readonly string[] {
  return assetsIn("sql/office/migrations").toSorted();
}

/** Statements that make the whole schema under another name, for a transaction of a superuser. */
export function schemaNamed(name: string): string {
  const migrations = schemaFiles();
  const texts = [
    `create schema ${name} authorization fleet_owner;`,
    textOf("migration-table").replace(":'known'", `'${migrations.length}'`),
    ...migrations.map((file) => readAsset(file).toString()),
    ...LAST.map(textOf),
  ];
  return texts.join("\n").replace(OWN_NAME, name);
}

/** The schema's name before a dot, and after the word schema. */
const OWN_NAME = /\bfleet(?=\.)|(?<=\bschema )fleet\b/g;

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
