// Compares the schema of the office's database with the one of this program: a foreign view,
// function or trigger could show other rows than ships delivered, or accept none. Functions are
// compared by their texts. PostgreSQL prints a view in its own words, so it is asked to print ours
// too. A function whose arguments change is dropped by the schema first: two of the same name are a
// fault.

import type { Office } from "../office.ts";
import { schemaFiles, schemaText } from "../schema.ts";

export interface SchemaProven {
  readonly faults: readonly string[];
  /** Unproven data in words. */
  readonly not_proven: readonly string[];
}

interface Definition {
  readonly name: string;
  readonly definition: string;
}

/** Rows of office.functions. */
interface FunctionFound extends Definition {
  readonly is_definer: boolean;
  /** A line each, such as `search_path=pg_catalog, pg_temp`. */
  readonly settings: string;
}

/** Rows of office.views. */
interface ViewFound extends Definition {
  readonly is_made: boolean;
}

/** The result without a comparison. */
export const SCHEMA_UNPROVEN: SchemaProven = { faults: [], not_proven: [] };

export async function provenSchema(office: Office): Promise<SchemaProven> {
  const text = schemaText();
  const foreign = await office.ask<{ what: string; name: string; relation: string }>(
    "office.foreign",
  );
  const [migrations] = await office.ask<{ count: number; newest: number }>("office.migrations");
  const expected = schemaFiles().length;
  const isMigrated = migrations?.count === expected && migrations.newest === expected;
  const views = await viewFaults(office, definitionsIn(text, VIEW));
  return {
    faults: [
      ...(await functionFaults(office, text)),
      ...(views ?? []),
      ...foreign.map(({ what, name, relation }) => `the ${what} ${name} on ${relation}`),
      ...(isMigrated ? [] : ["the schema's migrations aren't those that were run"]),
    ],
    not_proven: views === null ? ["views of the schema: this role can't compare them"] : [],
  };
}

const VIEW = /^create or replace view fleet\.(\w+) as\n(.*?);$/gms;
const FUNCTION = /^create or replace function fleet\.(\w+)\((.*?)\bas \$\$(.*?)\$\$;$/gms;
const SETTING = / set (\w+) = (.*?)(?= set |\s*$)/g;

function definitionsIn(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(pattern)].map(([, name, definition]) => [name, definition]));
}

const changed = (what: string, name: string) =>
  `the ${what} fleet.${name} isn't the one of ballastd fleet schema`;

async function functionFaults(office: Office, text: string) {
  const found = await office.ask<FunctionFound>("office.functions");
  const isStated = ([, name, head, definition]: RegExpMatchArray) => {
    const settings = [...head.matchAll(SETTING)].map(
      ([, key, value]) => `${key}=${value.replaceAll("'", "")}`,
    );
    const own = found.filter((one) => one.name === name);
    const isSame = (one: FunctionFound) =>
      one.definition === definition &&
      one.settings === settings.join("\n") &&
      one.is_definer === /\bsecurity definer\b/.test(head);
    return own.length > 0 && own.every(isSame);
  };
  const wrong = [...text.matchAll(FUNCTION)].filter((one) => !isStated(one));
  return wrong.map(([, name]) => changed("function", name));
}

/** Faults of the views; null if this role can't compare them. */
async function viewFaults(office: Office, expected: ReadonlyMap<string, string>) {
  let found: readonly ViewFound[] = [];
  const made_so = await office.beside(expected, async () => {
    found = await office.ask<ViewFound>("office.views");
  });
  if (made_so === "not allowed") return null;
  if (made_so === "wrong") return ["the schema's views can't be made of its tables and views"];
  const [made, stored] = [true, false].map((is_made) => {
    const of = found.filter((one) => one.is_made === is_made);
    return new Map(of.map(({ name, definition }) => [name, definition]));
  });
  const wrong = [...expected.keys()].filter((name) => made.get(name) !== stored.get(name));
  return wrong.map((name) => changed("view", name));
}
