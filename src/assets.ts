// Files that belong to the program: SQL, the dashboard, the build's facts. The built program has
// them beside its bundle (dist/), one executable inside of itself, the sources have them one folder
// up; nothing else knows where.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isSea } from "node:sea";

/** Whether this is one executable, its files inside: they can be read, but not loaded or run. */
export const IS_EXECUTABLE = isSea();

const here = import.meta.dirname;
const root = existsSync(path.join(here, "sql")) ? here : path.join(here, "..");

/** The content of a file of the program, named from its root: `sql/reading.sql`. */
export function readAsset(name: string): Buffer {
  return readFileSync(assetPath(name));
}

/** Where a file of the program lies. */
export function assetPath(name: string): string {
  return path.join(root, ...name.split("/"));
}

/** The files under a folder of the program, in all depths, named from its root. */
export function assetsIn(folder: string): readonly string[] {
  return readdirSync(assetPath(folder))
    .map((name) => `${folder}/${name}`)
    .flatMap((name) => (statSync(assetPath(name)).isDirectory() ? assetsIn(name) : [name]));
}

/** What this build is: written by `npm run bundle`; from the sources, what package.json says. */
export interface Build {
  readonly version: string;
  readonly commit: string;
  /** SHA-256 over all files that were built; two builds of one commit have the same. */
  readonly build: string;
  readonly sqlite: string;
  /** The clock isn't trusted when it is earlier than this. */
  readonly built_ms: number;
}

export function readBuild(): Build {
  if (existsSync(assetPath("build.json"))) return JSON.parse(readAsset("build.json").toString());
  const { version } = JSON.parse(readAsset("package.json").toString());
  return { version, commit: "unbuilt", build: "", sqlite: "unknown", built_ms: 0 };
}
