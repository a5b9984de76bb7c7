// `npm run generate`: writes what is derived from the sources and kept in git, because people read
// it there. A test makes it again in memory and fails on a difference; nothing is edited by hand
// between the markers.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { VOIDED } from "../src/codec/line.ts";
import { COLUMNS } from "../src/sqlite/exchange/export-columns.ts";
import { bucketStatements } from "./generate/bucket-statements.ts";
import { commandTable, configTables, routeTable, tagTable } from "./generate/catalogue-tables.ts";
import { englishTypes } from "./generate/english-types.ts";
import { fleetViews } from "./generate/fleet-views.ts";
import { keyTable } from "./generate/key-table.ts";
import { brokerLimitTable, healthTable, httpLimitTable } from "./generate/limit-tables.ts";
import {
  alarmTable,
  auditTable,
  exitTable,
  faultTable,
  payloadTable,
  reasonTable,
  roleTable,
  watchedTable,
} from "./generate/meaning-tables.ts";

import { metricTable } from "./generate/metric-table.ts";
import { registerTable, stateTable } from "./generate/register-tables.ts";
import { ruleTable } from "./generate/rule-table.ts";
import { statementTypes } from "./generate/statement-types.ts";

const root = path.resolve(import.meta.dirname, "..");

/** A generated file: its path from the top folder, and what must be in it. */
export interface Generated {
  readonly file: string;
  readonly text: string;
}

/** Every generated file. Throws when a file has lost the markers of its generated part. */
export function generated(): readonly Generated[] {
  return [
    page("docs/alerts.md", { alarms: alarmTable(), watched: watchedTable() }),
    page("docs/dashboard.md", { keys: keyTable() }),
    page("docs/operating.md", {
      commands: commandTable(),
      exits: exitTable(),
    }),
    page("docs/connecting-a-plc.md", {
      tags: tagTable(),
      kinds: payloadTable(),
      reasons: reasonTable(),
      faults: faultTable(),
      limits: brokerLimitTable(),
    }),
    page("docs/api.md", {
      monitoring: routeTable("monitoring"),
      changing: routeTable("plants"),
      admin: routeTable("admin"),
      system: routeTable("system"),
      metrics: metricTable(),
      health: healthTable(),
      limits: httpLimitTable(),
    }),
    page("docs/configuration.md", configTables()),
    page("docs/modbus.md", { registers: registerTable(), states: stateTable() }),
    page("docs/operations.md", { rules: ruleTable() }),
    page("docs/security.md", { roles: roleTable(), audit: auditTable() }),
    { file: "sql/wide.generated.sql", text: wideTable() },
    { file: "sql/bucket.generated.sql", text: bucketStatements() },
    { file: "sql/office/views.generated.sql", text: fleetViews() },
    { file: "sql/statements.generated.d.ts", text: statementTypes() },
    { file: "src/dashboard/lang/en.d.json.ts", text: englishTypes() },
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

if (import.meta.main)
  for (const { file, text } of generated()) {
    const target = path.join(root, file);
    const current = existsSync(target) && readFileSync(target, "utf8") === text;
    if (!current) writeFileSync(target, text);
    console.log(`${file}: ${current ? "is current" : "written"}`);
  }
