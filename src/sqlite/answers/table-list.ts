// The tables and columns that a statement of `ballastd sql` can use, as text for people. The table
// of readings has no definition of its own: its columns are those of the catalogue.

import { TAGS, tagIndex } from "../../bwts/tags.ts";
import { type Connection, prepare } from "../file/open.ts";
import { READING_COLUMNS } from "./reading-table.ts";

/** The table of hot readings, which that of all readings hides under its own name. */
const HOT = "main.reading";

/** The names of all tables and views. */
export function tableNames(db: Connection): readonly string[] {
  const found = prepare<"prompt.tables", { name: string }>(db, "prompt.tables").all({});
  const names = found.map(({ name }) => (name === "reading" ? HOT : name));
  return ["reading(FROM, TO)", ...names];
}

/** The definition of a table or view, of all of them for null; empty if there is none. */
export function definitionsOf(db: Connection, name: string | null): readonly string[] {
  if (name === "reading") return READING_COLUMNS.map(describedColumn);
  const stored = name === HOT ? "reading" : name;
  const found = prepare(db, "prompt.schema").all({ name: stored });
  return found.map(({ text }) => `${text};`);
}

function describedColumn(name: string): string {
  const tag = tagIndex(name);
  if (tag === null) return name;
  const { type, unit, about } = TAGS[tag];
  return `${name}  ${unit === null ? type : `${type}, ${unit}`}  ${about}`;
}
