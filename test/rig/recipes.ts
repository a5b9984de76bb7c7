// The recipes of CONTRIBUTING.md carried out: what is added for a field, an endpoint, an alert, a
// tile and a migration, and where. An anchor is a line of the file as it is: one that has gone, or
// is there twice, fails the test, and then the recipe is looked at too.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ALLOWED, CAPS } from "./caps.ts";

/** A text that is put before or behind `anchor`, or, without one, is a new file. */
export interface Step {
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
  readonly add: string;
}

export type Recipe = (folder: string) => readonly Step[];

/** Carries steps out in a copy of the tree; returns the files that were changed. */
export function carryOut(folder: string, steps: readonly Step[]): readonly string[] {
  for (const { file, before, after, add } of steps) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    const anchor = before ?? after;
    if (anchor === undefined) {
      writeFileSync(target, add, { flag: "wx" });
      continue;
    }
    const parts = readFileSync(target, "utf8").split(anchor);
    if (parts.length !== 2)
      throw new Error(`${file}: has "${anchor}" ${parts.length - 1} times, expected it once`);
    const [from, to] = before === undefined ? [`${anchor}${add}`, ""] : ["", `${add}${anchor}`];
    writeFileSync(target, `${parts[0]}${from}${to}${parts[1]}`);
  }
  return [...new Set(steps.map(({ file }) => file))];
}

/** The catalogue's line of a new field; what follows from it is in `FIELD_REST`. */
export const FIELD_LINE: Recipe = () => [
  {
    file: "src/bwts/tags.ts",
    before: "  SYS_VALVE_POSITION: ",
    add: '  SYS_INLET_PRESSURE: number("bar", "pressure at the inlet", [0, 6], "pressure"),\n',
  },
];

export const FIELD_REST: Recipe = () => [
  {
    file: "src/bwts/data-channels.ts",
    before: "  SYS_VALVE_POSITION: ",
    add: '  SYS_INLET_PRESSURE: channel(SYSTEM, "qty-pressure/cnt-sea.water/detail-inlet"),\n',
  },
  {
    file: "src/simulator/plant.ts",
    before: "    SYS_VALVE_POSITION: ",
    add: '    SYS_INLET_PRESSURE: settled("SYS_INLET_PRESSURE", pressure_bar + 0.2),\n',
  },
];

const PLANT_NOUN = `// A plant of interface B as it is listed. Its id is a text: a JSON number would
// lose the last digits of an int64.

import * as z from "zod";

export const StoredPlant = z
  .object({ id: z.string(), name: z.string(), tag: z.string().nullable() })
  .meta({ id: "StoredPlant", example: { id: "7", name: "BWTS-001", tag: "uv" } });

export type StoredPlant = z.output<typeof StoredPlant>;
`;

const PLANT_LIST = `

/** The plants, by id, as JSON texts. */
export function* plantTexts(
  db: Connection,
  { limit }: { readonly limit: number },
): Generator<string> {
  const rows = prepare<"plant.listed", StoredPlant>(db, "plant.listed").iterate({ limit });
  for (const row of rows) yield JSON.stringify(row);
}
`;

const PLANT_LISTED = `
-- name: plant.listed
-- By id, which is a text: a JSON number would lose the last digits of an int64.
select cast(id as text) as id, name, tag from plant order by plant.id limit $limit;
`;

const PLANTS_ROUTE = `export const PLANTS_ROUTE = route({
  path: "/api/plants",
  operation: "listPlants",
  summary: "The plants that were stored, by id",
  query: { limit: limitParameter(100) },
  answer: z.array(StoredPlant),
  ask: ({ limit }) => ({ name: "plants", limit }),
});

`;

export const ENDPOINT: Recipe = (folder) => [
  { file: "src/bwts/stored-plant.ts", add: PLANT_NOUN },
  ...moreRoom(folder, "bwts", 2),
  {
    file: "sql/plant.sql",
    after: "insert into plant (id, name, tag) values ($id, $name, $tag);\n",
    add: PLANT_LISTED,
  },
  {
    file: "src/sqlite/records/plants.ts",
    before: 'import { type Connection, prepare } from "../file/open.ts";\n',
    add: 'import type { StoredPlant } from "../../bwts/stored-plant.ts";\n',
  },
  {
    file: "src/sqlite/records/plants.ts",
    after: '  return "stored";\n}',
    add: PLANT_LIST.trimEnd(),
  },
  {
    file: "src/sqlite/answers/queries.ts",
    before: 'import { alarmTexts } from "./alarms.ts";\n',
    add: 'import { plantTexts } from "../records/plants.ts";\n',
  },
  {
    file: "src/sqlite/answers/queries.ts",
    before: "  alarms: each(alarmTexts),\n",
    add: "  plants: each(plantTexts),\n",
  },
  {
    file: "src/http/routes/plants.ts",
    before: 'import { NewPlantBody, PlantAnswer } from "../../bwts/plant.ts";\n',
    add: 'import * as z from "zod";\n',
  },
  {
    file: "src/http/routes/plants.ts",
    before: 'import { readBody } from "../body.ts";\n',
    add: 'import { StoredPlant } from "../../bwts/stored-plant.ts";\n',
  },
  {
    file: "src/http/routes/plants.ts",
    before: 'import { Refusal } from "../refusal.ts";\n',
    add: 'import { limitParameter } from "../parameters.ts";\n',
  },
  { file: "src/http/routes/plants.ts", before: "export const PLANT_ROUTE = ", add: PLANTS_ROUTE },
  {
    file: "src/http/routes/routes.ts",
    after: "import { PLANT_ROUTE",
    add: ", PLANTS_ROUTE",
  },
  { file: "src/http/routes/routes.ts", before: "  PLANT_ROUTE,\n", add: "  PLANTS_ROUTE,\n" },
];

export const ALERT: Recipe = (folder) => [
  {
    file: "src/bwts/present/alert.ts",
    before: "  SENSOR_IMPLAUSIBLE: {\n",
    add: `  CIP_OVERDUE: {
    priority: "warning",
    meaning: "The cleaning in place (CIP) is long overdue.",
    action: "Clean the reactor in place before the next operation.",
  },
`,
  },
  {
    file: "src/bwts/present/watched.ts",
    before: '  {\n    ...{ code: "CIP_DUE"',
    add: `  {
    ...{ code: "CIP_OVERDUE", name: "the time since the last cleaning in place" },
    ...{ parameter: "CIP_HOURS_SINCE_LAST", unit: "h", side: "above", during: "always" },
    ...{ limits: ["cip_hours"], settled_ms: 0, margin: 0 },
  },
`,
  },
  {
    file: "src/scada/modbus-registers.ts",
    before: "  UV_BELOW_LIMIT: 21,\n",
    add: `  CIP_OVERDUE: ${nextRegister(folder)},\n`,
  },
];

const TILE = `// The number of readings that are stored. It is asked for again after each
// reading, because the page shows how the database grows.

import { systemWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { isLike, numberOrNull, type Read } from "../store/checks.ts";
import { useAnswer } from "../store/use-store.ts";

interface ShownCount {
  readonly readings: number | null;
}

const readCount: Read<ShownCount> = (body) =>
  isLike<{ readonly record_count: number }>(body)
    ? { value: { readings: numberOrNull(body.record_count) } }
    : null;

export function CountPanel() {
  const part = useAnswer("/api/stats", readCount, ["reading"]);
  return (
    <Panel name="count" title={t("size")} part={part}>
      {({ readings }) => (
        <FactList facts={[[t("size"), readings === null ? null : printNumber(readings)]]} />
      )}
    </Panel>
  );
}
`;

export const TILE_STEPS: Recipe = () => [
  { file: "src/dashboard/system/count.tsx", add: TILE },
  {
    file: "src/dashboard/system/system-page.tsx",
    before: 'import { CLOCK_PATH, readClock, readSystem, SYSTEM_PATH } from "./facts.ts";\n',
    add: 'import { CountPanel } from "./count.tsx";\n',
  },
  {
    file: "src/dashboard/system/system-page.tsx",
    before: "              <BackupPanel ",
    add: "              <CountPanel />\n",
  },
];

export const MIGRATION: Recipe = (folder) => {
  const number = readdirSync(path.join(folder, "sql", "migrations")).length + 1;
  return [
    {
      file: `sql/migrations/${String(number).padStart(3, "0")}-plant-names.sql`,
      add: "-- Plants are looked up by name.\ncreate index plant_name on plant (name);\n",
    },
  ];
};

/** The entry of tidy-caps.json for a room that is full; nothing for another. */
function moreRoom(folder: string, room: string, more: number): readonly Step[] {
  const files = readdirSync(path.join(folder, "src", room), { withFileTypes: true });
  const count = files.filter((entry) => entry.isFile()).length;
  if (count + more <= CAPS.room_files) return [];
  const why = "the nouns of the domain, a file each";
  const end = Object.keys(ALLOWED.rooms).length > 0 ? "," : "\n  ";
  const add = `\n    "${room}": { "files": ${count + more}, "why": "${why}" }${end}`;
  return [{ file: "test/unit/tidy-caps.json", after: '"rooms": {', add }];
}

function nextRegister(folder: string): number {
  const text = readFileSync(path.join(folder, "src/scada/modbus-registers.ts"), "utf8");
  const [, table = ""] = text.split("const ADDRESSES");
  const [rows] = table.split("};");
  return Math.max(...[...rows.matchAll(/: (\d+),/g)].map(([, address]) => Number(address))) + 1;
}
