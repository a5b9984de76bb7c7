// The recipes of CONTRIBUTING.md, followed on a copy of the tree: types, style and the house's
// rules hold after each has been carried out, with no more than the recipe names. All are carried
// out on one copy, since each only adds, and are checked together.

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foldersOfTests } from "../rig/folders.ts";
import { startProcess } from "../rig/process.ts";
import {
  ALERT,
  carryOut,
  ENDPOINT,
  FIELD_LINE,
  FIELD_REST,
  MIGRATION,
  TILE_STEPS,
} from "../rig/recipes.ts";
import { root } from "../rig/sources.ts";

const newFolder = foldersOfTests();
const FOREIGN = new Set(["node_modules", "dist", "out", "data", "demo-data", ".git"]);

function copyOfTree(): string {
  const folder = newFolder();
  const isOurs = (file: string) => !FOREIGN.has(path.relative(root, file).split(path.sep)[0]);
  cpSync(root, folder, { recursive: true, filter: isOurs });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** The output of a script of a package in `folder`, and if it succeeded. */
async function run(folder: string, script: string, ...args: readonly string[]) {
  const file = process.execPath;
  const child = startProcess({ file, args: [path.join(folder, script), ...args], folder });
  const { code } = await child.ended;
  return { code, output: `${child.stdout()}${child.stderr()}` };
}

const types = (folder: string, project: string) =>
  run(folder, "node_modules/typescript/bin/tsc", "--project", project);

test("a field, an endpoint, an alert, a tile and a migration pass all checks", async () => {
  const folder = copyOfTree();
  mkdirSync(path.join(folder, "out"));
  const lineOnly = carryOut(folder, FIELD_LINE(folder));
  // The line alone: the compiler names what it lacks, and the program's modules load all the same.
  const lacking = [...FIELD_REST(folder)].map(({ file }) => file).sort();
  const project = { extends: "../tsconfig.json", files: lacking.map((file) => `../${file}`) };
  writeFileSync(
    path.join(folder, "out", "lacking.json"),
    JSON.stringify({ ...project, include: [] }),
  );
  const { code, output } = await types(folder, "out/lacking.json");
  expect(code, output).not.toBe(0);
  const named = output.split("\n").filter((line) => line.includes("SYS_INLET_PRESSURE"));
  expect(named.map((line) => line.split("(")[0]).sort()).toEqual(lacking);
  expect(await run(folder, "src/bwts/data-channels.ts")).toEqual({ code: 0, output: "" });

  const changed = [FIELD_REST, ENDPOINT, ALERT, TILE_STEPS, MIGRATION].flatMap((recipe) =>
    carryOut(folder, recipe(folder)),
  );
  const files = [...new Set([...lineOnly, ...changed])].filter((file) =>
    /\.(tsx?|json)$/.test(file),
  );
  expect(await run(folder, "scripts/generate.ts")).toMatchObject({ code: 0 });
  expect(await types(folder, ".")).toEqual({ code: 0, output: "" });
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const styled = await run(folder, biome, "ci", "--error-on-warnings", "--colors=off", ...files);
  expect(styled.code, styled.output).toBe(0);
  // Without the project's own configuration, which builds the program first.
  writeFileSync(path.join(folder, "out", "tidy.mjs"), "export default {};\n");
  const options = ["--config", "out/tidy.mjs", "--root", ".", "--no-isolate", "--maxWorkers=1"];
  const vitest = "node_modules/vitest/vitest.mjs";
  const tidy = await run(folder, vitest, "run", "test/unit/tidy", ...options);
  expect(tidy.code, tidy.output).toBe(0);
});
