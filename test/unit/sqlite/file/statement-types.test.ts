// A misspelt parameter or column of a statement fails the type check.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foldersOfTests } from "../../../rig/folders.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..", "..");
const newFolder = foldersOfTests();

// A line each, with the error that it must have; null for none.
const LINES: readonly (readonly [line: string, error: string | null])[] = [
  ["at.get({ at_ms: 1 })?.received_ms.toFixed();", null],
  ["at.get({ at: 1 });", "'at' does not exist in type '{ at_ms: number | bigint; }'"],
  ["at.get({});", "Property 'at_ms' is missing"],
  ['at.get({ at_ms: "1" });', "Type 'string' is not assignable to type 'number | bigint'"],
  ["at.get({ at_ms: 1 })?.receivd_ms;", "Property 'receivd_ms' does not exist"],
  ["at.get({ at_ms: 1 })?.row.toFixed();", "Property 'toFixed' does not exist on type 'Uint8Array"],
  ['prepare(db, "segment.bytes").get({ id: 1 })?.payload.length;', "is possibly 'null'"],
  ['prepare(db, "reading.a");', "No overload matches this call"],
  ['prepare<"event.stored", { source: "plc" }>(db, "event.stored");', null],
  ['prepare<"event.stored", { sourc: "plc" }>(db, "event.stored");', "does not satisfy"],
  ['prepare<"event.stored", { source: number }>(db, "event.stored");', "does not satisfy"],
];

test("names and types of parameters and columns are those of sql/", () => {
  const folder = newFolder();
  const open = path.join(root, "src/sqlite/file/open.ts");
  const head = [
    `import { type Connection, prepare } from ${JSON.stringify(open)};`,
    "declare const db: Connection;",
    'const at = prepare(db, "reading.at");',
  ];
  const lines = [...head, ...LINES.map(([line]) => line)];
  writeFileSync(path.join(folder, "snippet.ts"), lines.join("\n"));
  const settings = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: { typeRoots: [path.join(root, "node_modules/@types")] },
    include: ["snippet.ts"],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
  const { stdout } = spawnSync(
    path.join(root, "node_modules/.bin/tsc"),
    ["--project", folder, "--pretty", "false"],
    { encoding: "utf8" },
  );
  const errors = Map.groupBy(
    stdout.split("\n").filter((line) => /^\S*snippet\.ts\(/.test(line)),
    (line) => Number(/\((\d+),/.exec(line)?.[1]) - head.length - 1,
  );
  for (const [index, [line, error]] of LINES.entries()) {
    const found = errors.get(index)?.join("\n") ?? "";
    if (error === null) expect(found, line).toBe("");
    else expect(found, line).toContain(error);
  }
});
