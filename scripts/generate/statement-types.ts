// Types of the statements in sql/ by their names, for the type check alone. Of a result's columns
// SQLite says from which column of which table they are; expressions are known by their form. A
// parameter has the type of the column of its name. Where nothing is known, names are checked only.

import { migrate } from "../../src/sqlite/file/migrate.ts";
import { type Connection, connect, readSql, readStatements } from "../../src/sqlite/file/open.ts";

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
}

/** The columns of each table by their names. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, Column>>;

const TYPES: Readonly<Record<string, string>> = {
  integer: "number",
  real: "number",
  text: "string",
  blob: "Uint8Array",
};

/** The type of what may be anything. */
const ANY = "Value";

/** The declarations of all statements that can be prepared on an empty database. */
export function statementTypes(): string {
  const db = connect(":memory:", {});
  migrate(db, 0);
  db.exec(readSql("label-backup"));
  const tables = tablesOf(db);
  const members = [...readStatements()]
    .filter(([, text]) => isComplete(db, text))
    .map(([name, text]) => {
      const bare = text.replaceAll(/--.*/g, "");
      const parameters = parametersOf(bare, tables);
      return `  "${name}": { parameters: ${parameters}; row: ${rowOf(db, bare, tables)} };`;
    });
  db.close();
  return `// Types of the statements in this folder, made by npm run generate.

type ${ANY} = number | bigint | string | Uint8Array | null;

export interface Statements {
${members.join("\n")}
}
`;
}

function tablesOf(db: Connection): Tables {
  const rows = db
    .prepare<[], { table: string; name: string; type: string; nullable: number }>(
      `select t.name as "table", c.name, c.type, not c."notnull" and c.pk = 0 as nullable
       from pragma_table_list as t, pragma_table_info(t.name) as c where t.schema = 'main'`,
    )
    .all();
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map(
    [...byTable].map(([table, columns]) => [
      table,
      new Map(
        columns.map(({ name, type, nullable }) => [
          name,
          { type: TYPES[type.toLowerCase()] ?? ANY, isNullable: nullable === 1 },
        ]),
      ),
    ]),
  );
}

/** False for one whose tables or names are put in when it is used. */
function isComplete(db: Connection, text: string): boolean {
  try {
    db.prepare(text);
    return true;
  } catch {
    return false;
  }
}

function parametersOf(text: string, tables: Tables): string {
  const names = [...new Set([...text.matchAll(/\$(\w+)/g)].map(([, name]) => name))];
  const used = [...text.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].map(([, table]) => table);
  const writes = /^\s*(?:with[^;]*?\)\s*)?(?:insert|replace|update)\b/.test(text);
  const members = names.map((name) => {
    const columns = used.flatMap((table) => tables.get(table)?.get(name) ?? []);
    const isNull = text.includes(`$${name} is null`);
    const isNullable = isNull || (writes && columns.some((column) => column.isNullable));
    return `${name}: ${given(name, columns)}${isNullable ? " | null" : ""}`;
  });
  return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
}

/** The type of a parameter. A number can be given as a bigint, which SQLite takes as an integer. */
function given(name: string, columns: readonly Column[]): string {
  const [type, ...others] = new Set(columns.map((column) => column.type));
  const known = type ?? (/_ms$|^(?:limit|offset)$/.test(name) ? "number" : ANY);
  if (others.length > 0) return ANY;
  return known === "number" ? "number | bigint" : known;
}

function rowOf(db: Connection, text: string, tables: Tables): string {
  const statement = db.prepare(text);
  if (!statement.reader) return "never";
  const members = statement.columns().map(({ name, table, column, type: declared }) => {
    const known = table === null ? undefined : tables.get(table)?.get(column ?? "");
    // SQLite tells the types of its own tables.
    const told = TYPES[declared?.toLowerCase() ?? ""];
    const source = known ?? (told === undefined ? undefined : { type: told, isNullable: true });
    const type =
      source === undefined ? expression(text, name) : taken({ text, name, table }, source);
    return `${name}: ${type}`;
  });
  return `{ ${members.join("; ")} }`;
}

/** A column of a result, and the table from which it is. */
interface Taken {
  readonly text: string;
  readonly name: string;
  readonly table: string | null;
}

/** The type of a column of a table. A query in its place, or a left join, may lack it. */
function taken({ text, name, table }: Taken, source: Column): string {
  const isQuery = new RegExp(String.raw`\)\s+as\s+${name}\b`).test(text);
  const isJoined = new RegExp(String.raw`left join\s+${table}\b`).test(text);
  return source.isNullable || isQuery || isJoined ? `${source.type} | null` : source.type;
}

/** Types of expressions by how they end before `as`. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bcount\(\*\)$/, "number"],
  [/\bcoalesce\(.*, 0\)$/, "number"],
  [/\bexists ?\([^()]*\)$/, "number"],
  [/\b(?:min|max|avg)\(\w+\)$/, "number | null"],
  [/\biif\([^()]*, '\w+'\)$/, "string"],
  [/'\w+'$/, "string"],
  [/\bnull$/, "null"],
  [/\bsqlite_version\(\)$/, "string"],
  [/\btotal_changes\(\)$/, "number"],
];

/** The type of an expression with a name. */
function expression(text: string, name: string): string {
  const [before, after] = text.replaceAll(/\s+/g, " ").split(new RegExp(` as ${name}\\b`), 2);
  if (after === undefined) return ANY;
  return FORMS.find(([form]) => form.test(before))?.[1] ?? ANY;
}
