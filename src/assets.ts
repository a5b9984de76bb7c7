// Files that belong to the program: SQL, the dashboard, the build's facts. The built program has
// them beside its bundle (dist/), the sources have them one folder up; nothing else knows where.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

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

/** What this build is: written by `npm run bundle`; from the sources, what package.json says. */
export interface Build {
  readonly version: string;
  readonly commit: string;
  /** The clock isn't trusted when it is earlier than this. */
  readonly built_ms: number;
}

export function readBuild(): Build {
  if (existsSync(assetPath("build.json"))) return JSON.parse(readAsset("build.json").toString());
  const { version } = JSON.parse(readAsset("package.json").toString());
  return { version, commit: "unbuilt", built_ms: 0 };
}
