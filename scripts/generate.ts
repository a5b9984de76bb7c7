// `npm run generate`: writes what is derived from the sources and kept in git, because people read
// it there. A test makes it again in memory and fails on a difference; nothing is edited by hand
// between the markers.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { LAMP_NUMBERS, TAGS, type Tag } from "../src/bwts/tags.ts";
import { KEYS } from "../src/config.ts";
import { variableOf } from "../src/config-read.ts";
import { CONFIG_VERSION } from "../src/config-version.ts";
import { COLUMNS, VOIDED } from "../src/sqlite/export-columns.ts";

const root = path.resolve(import.meta.dirname, "..");

/** A generated file: its path from the top folder, and what must be in it. */
export interface Generated {
  readonly file: string;
  readonly text: string;
}

/** Every generated file. Throws when a file has lost the markers of its generated part. */
export function generated(): readonly Generated[] {
  return [
    page("docs/connecting-a-plc.md", { tags: tagTable() }),
    page("docs/configuration.md", { config: configTable() }),
    { file: "sql/wide.generated.sql", text: wideTable() },
  ];
}

/** A page with its generated tables, each between the markers of its name. */
function page(file: string, tables: Readonly<Record<string, string>>): Generated {
  const before = readFileSync(path.join(root, file), "utf8");
  const text = Object.entries(tables).reduce(
    (content, [name, table]) => between({ file, content, name, table }),
    before,
  );
  return { file, text };
}

/** `content` with `table` between `<!-- name:start -->` and `<!-- name:end -->`. */
function between(part: { file: string; content: string; name: string; table: string }): string {
  const { file, content, name, table } = part;
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [head, middle, ...more] = content.split(start);
  const [old, tail, ...rest] = (middle ?? "").split(end);
  if (old === undefined || tail === undefined || more.length > 0 || rest.length > 0)
    throw new Error(`${file}: expected ${start} and ${end} in it, once and in this order`);
  return `${head}${start}\n${table}\n${end}${tail}`;
}

/** The catalogue; what every lamp has is one row, as LAMP_XX. */
function tagTable(): string {
  const [first, ...others] = LAMP_NUMBERS.map((number) => `LAMP_${number}_`);
  const rows = TAGS.filter(({ name }) => !others.some((prefix) => name.startsWith(prefix))).map(
    (tag) => [
      `\`${tag.name.replace(first ?? "", "LAMP_XX_")}\``,
      tag.type,
      tag.unit ?? "",
      typicalValue(tag),
      tag.aggregate ?? "",
      tag.about,
    ],
  );
  return markdownTable(["field", "type", "unit", "typical", "in buckets", "meaning"], rows);
}

function typicalValue({ typical }: Tag): string {
  if (typical === null) return "";
  return typeof typical === "object" ? typical.join(" to ") : String(typical);
}

function configTable(): string {
  const rows = Object.entries(KEYS).flatMap(([section, keys]) =>
    Object.entries(keys).map(([name, { fallback, about }]) => [
      `\`${section}.${name}\``,
      `\`${variableOf(section, name)}\``,
      defaultValue(fallback),
      // A browser takes it for a tag otherwise.
      about.replaceAll("<", "\\<"),
    ]),
  );
  const version = [
    "`version`",
    "",
    `\`${CONFIG_VERSION}\``,
    "form of the file, above all sections; a newer one than this is refused",
  ];
  const head = ["key", "environment variable", "default", "what it is"];
  return markdownTable(head, [version, ...rows]);
}

function defaultValue(fallback: unknown): string {
  const text = Array.isArray(fallback) ? fallback.join(", ") : String(fallback);
  return text === "" ? "" : `\`${text}\``;
}

/**
 * The table of an exported SQLite file. Every column has a line of its own, with the comma before
 * it, so that an export of some columns leaves the others' lines out.
 */
function wideTable(): string {
  const types = { number: "real", integer: "integer", string: "text", boolean: "integer" };
  const columns = [...COLUMNS.slice(1), { name: VOIDED, type: "boolean" } as const];
  return `-- The wide table of an export, made of the catalogue by npm run generate.

-- name: wide.table
create table reading (
  timestamp text primary key not null
${columns.map(({ name, type }) => `  , ${name} ${types[type]}`).join("\n")}
  , negative_zeros text
) without rowid;

-- name: wide.add
insert into reading (
  timestamp
${columns.map(({ name }) => `  , ${name}`).join("\n")}
  , negative_zeros
) values (
  $timestamp
${columns.map(({ name }) => `  , $${name}`).join("\n")}
  , $negative_zeros
);
`;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

if (import.meta.main)
  for (const { file, text } of generated()) {
    const target = path.join(root, file);
    const current = existsSync(target) && readFileSync(target, "utf8") === text;
    if (!current) writeFileSync(target, text);
    console.log(`${file}: ${current ? "is current" : "written"}`);
  }
