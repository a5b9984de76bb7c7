// Compares the schema of the office's database with the one of this program: a foreign view,
// function or trigger could show other rows than ships delivered, or accept none, and a missing
// constraint or a foreign right lets rows in that no ship makes. PostgreSQL prints objects in its
// own words, so the whole schema is made a second time under another name, all that the catalogue
// says of both is compared, and the second one is taken back.

import { randomBytes } from "node:crypto";
import { messageOf } from "../../ground/errors.ts";
import type { Office } from "../office.ts";
import { schemaFiles, schemaNamed } from "../schema.ts";

export interface SchemaProven {
  readonly faults: readonly string[];
  /** Unproven data in words. */
  readonly not_proven: readonly string[];
}

/** A row of office.catalogue: an object of a schema, in PostgreSQL's words. */
interface ObjectFound {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

/** The result without a comparison. */
export const SCHEMA_UNPROVEN: SchemaProven = { faults: [], not_proven: [] };

/** Kinds of which the schema has none, whoever compares. */
const NEVER = ["trigger", "rule", "policy"];

export async function provenSchema(office: Office): Promise<SchemaProven> {
  // Before anything is made: an event trigger of the database's owner would know of it.
  const stored = await catalogue(office, "fleet");
  const foreign = await office.ask<{ what: string; name: string }>("office.foreign");
  const second = `fleet_${randomBytes(8).toString("hex")}`;
  let made: readonly ObjectFound[] = [];
  const outcome = await office.beside(schemaNamed(second), async () => {
    made = await catalogue(office, second);
  });
  const [{ versions }] = await office.ask<{ versions: number[] | null }>("office.migrations");
  const isMigrated =
    versions?.join() ===
    schemaFiles()
      .map((_, at) => at + 1)
      .join();
  const ships = await office.ask<{ ship: string }>("office.unknown_ships");
  return {
    faults: [
      ...foreign.map(({ what, name }) => `the ${what} ${name}`),
      ...objectFaults(outcome, { stored, made }),
      ...(isMigrated ? [] : ["the schema's migrations aren't those that were run"]),
      ...ships.map(({ ship }) => `rows of the ship ${ship}, which is no ship of this fleet`),
    ],
    not_proven:
      outcome === "not allowed" ? ["the schema: this role can't make another to compare"] : [],
  };
}

async function catalogue(office: Office, schema: string): Promise<readonly ObjectFound[]> {
  const found = await office.ask<ObjectFound>("office.catalogue", [schema]);
  const named = (text: string) => text.replaceAll(schema, "fleet");
  return found.map(({ kind, name, definition }) => {
    return { kind, name: named(name), definition: named(definition) };
  });
}

type MadeBeside = Awaited<ReturnType<Office["beside"]>>;

interface TwoSchemas {
  readonly stored: readonly ObjectFound[];
  readonly made: readonly ObjectFound[];
}

function objectFaults(outcome: MadeBeside, { stored, made }: TwoSchemas): readonly string[] {
  if (outcome === "not allowed")
    return stored
      .filter(({ kind }) => NEVER.includes(kind))
      .map((one) => `${titleOf(one)} isn't of ballastd fleet schema`);
  if (outcome !== "made")
    return [`the schema can't be made beside this one: ${messageOf(outcome)}`];
  const [here, ours] = [stored, made].map(
    (all) => new Map(all.map((one) => [titleOf(one), one.definition])),
  );
  const titles = [...new Set([...here.keys(), ...ours.keys()])].sort();
  // A divided table comes before its parts, and a table before its columns.
  titles.sort((one, other) => one.length - other.length);
  return titles.flatMap((title) => {
    if (!here.has(title)) return [`${title} is missing`];
    if (!ours.has(title)) return [`${title} isn't of ballastd fleet schema`];
    if (here.get(title) === ours.get(title)) return [];
    return [`${title} isn't the one of ballastd fleet schema`];
  });
}

const titleOf = ({ kind, name }: ObjectFound) => `the ${kind} ${name}`;
