// SQL files of the benchmark: each statement under `-- name:`. What follows from the catalogue (101
// columns) is put in for `{...}`: columns, their definitions, aggregates.

import { readFileSync } from "node:fs";
import path from "node:path";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS, type Tag, type TagType } from "../../src/bwts/tags.ts";

/** The columns of a wide table, the time first. */
export const COLUMNS: readonly Tag[] = TAGS;

export interface Dialect {
  /** The declaration of a column, by type. */
  readonly types: Readonly<Record<TagType, string>>;
  readonly quote: (name: string) => string;
}

/** The statements of `scripts/bench/<file>` by name. */
export function readStatements(file: string, dialect: Dialect): ReadonlyMap<string, string> {
  const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  const parts = text.split(/^-- name: *(\S+)\n/m).slice(1);
  const statements = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2)
    statements.set(parts[index], filled(parts[index + 1], dialect));
  return statements;
}

/** The statement of a name; throws when the file has none. */
export function statement(statements: ReadonlyMap<string, string>, name: string): string {
  const sql = statements.get(name);
  if (sql === undefined) throw new Error(`statement ${name}: not in the file`);
  return sql;
}

function filled(sql: string, { types, quote }: Dialect): string {
  const fields = COLUMNS.slice(1);
  const texts: Readonly<Record<string, string>> = {
    columns: fields.map(({ name }) => quote(name)).join(", "),
    definitions: fields.map(({ name, type }) => `${quote(name)} ${types[type]}`).join(",\n  "),
    parameters: fields.map(() => "?").join(", "),
    runtime: RUNTIME_ANALYSIS.map((index) => quote(TAGS[index].name)).join(", "),
    bucket_definitions: kept(({ name, isMean }) =>
      isMean ? `${name} real not null, ${name}_n integer not null` : `${name} real`,
    ),
    bucket_new: kept(({ name, isMean }) =>
      isMean ? `coalesce(new.${name}, 0), new.${name} is not null` : `new.${name}`,
    ),
    bucket_added: kept(({ name, isMean }) =>
      isMean
        ? `${name} = ${name} + excluded.${name}, ${name}_n = ${name}_n + excluded.${name}_n`
        : `${name} = max(coalesce(${name}, excluded.${name}), excluded.${name})`,
    ),
    bucket_rows: kept(({ name, isMean }) =>
      isMean ? `${name} / nullif(${name}_n, 0) as ${name}` : name,
    ),
    aggregates: AGGREGATED.map((index) => aggregate(TAGS[index], quote)).join(", "),
  };
  return sql.replace(/\{(\w+)\}/g, (whole, name) => texts[name] ?? whole).trim();
}

/** A part of each aggregated field in a table of buckets: sum and number, or a maximum. */
function kept(part: (field: { name: string; isMean: boolean }) => string): string {
  const fields = AGGREGATED.map((index) => TAGS[index]);
  return fields
    .map(({ name, aggregate: how }) => part({ name, isMean: how === "mean" }))
    .join(",\n  ");
}

// The counter's newest value is its largest, but for the hour in which a lamp was replaced: by hand
// one would leave it at that.
function aggregate({ name, aggregate: how }: Tag, quote: Dialect["quote"]): string {
  const call = how === "mean" ? "avg" : "max";
  return `${call}(${quote(name)}) as ${quote(name)}`;
}
