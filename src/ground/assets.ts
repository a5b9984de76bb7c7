// The program's own files: SQL, the dashboard, the facts of the build. They are beside the bundle
// (dist/), inside a single executable, or, from the sources, one folder up; only this module knows.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isSea } from "node:sea";

/** True in a single executable, whose files can be read, but not loaded or run. */
export const IS_EXECUTABLE = isSea();

const here = import.meta.dirname;
const root = existsSync(path.join(here, "sql")) ? here : path.join(here, "..", "..");

/** The content of a file of the program, named from its root: `sql/reading.sql`. */
export function readAsset(name: string): Buffer {
  return readFileSync(assetPath(name));
}

/** The path of a file of the program. */
export function assetPath(name: string): string {
  return path.join(root, ...name.split("/"));
}

/** The files under a folder of the program, in all depths, named from its root. */
export function assetsIn(folder: string): readonly string[] {
  return readdirSync(assetPath(folder))
    .map((name) => `${folder}/${name}`)
    .flatMap((name) => (statSync(assetPath(name)).isDirectory() ? assetsIn(name) : [name]));
}

/**
 * The facts of this build, written by `npm run bundle`; from the sources, those of package.json.
 */
export interface Build {
  readonly version: string;
  readonly commit: string;
  /** SHA-256 over all built files; equal for two builds of one commit. */
  readonly build: string;
  readonly sqlite: string;
  /** Time of the build; an earlier clock isn't trusted. */
  readonly built_ms: number;
}

export function readBuild(): Build {
  if (existsSync(assetPath("build.json"))) return JSON.parse(readAsset("build.json").toString());
  const { version } = JSON.parse(readAsset("package.json").toString());
  return { version, commit: "unbuilt", build: "", sqlite: "unknown", built_ms: 0 };
}
