// The Node that an executable is made of: the npm registry's package of the very version that
// builds it. That of the other kind of machine is no package that npm would install here, so it has
// a lock file of its own, in scripts/arm64.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "../run.ts";

export const CPUS = ["x64", "arm64"] as const;
export type Cpu = (typeof CPUS)[number];

/** The named processors, by default all. */
export function wantedCpus(values: { readonly cpu?: readonly string[] }): readonly Cpu[] {
  const unknown = values.cpu?.find((name) => !CPUS.some((cpu) => cpu === name));
  if (unknown !== undefined) throw new Error(`--cpu ${unknown}: expected ${CPUS.join(" or ")}`);
  return CPUS.filter((cpu) => values.cpu?.includes(cpu) ?? true);
}

/** Node for a kind of machine, and the program that strips it of its symbols. */
export interface NodeBinary {
  readonly version: string;
  readonly file: string;
  readonly strip: string;
}

const SOURCES = {
  x64: {
    folder: ".",
    strip: "x86_64-linux-gnu-strip",
    debian: "binutils-x86-64-linux-gnu",
  },
  arm64: {
    folder: "scripts/arm64",
    strip: "aarch64-linux-gnu-strip",
    debian: "binutils-aarch64-linux-gnu",
  },
};

/** Throws when it isn't there, or when it is another version than the one that builds. */
export function nodeFor(root: string, cpu: Cpu): NodeBinary {
  const { folder, strip, debian } = SOURCES[cpu];
  const version = process.versions.node;
  const home = path.join(root, folder, "node_modules", `node-linux-${cpu}`);
  if (versionIn(home) !== version && cpu !== "x64")
    run("npm", ["ci"], { cwd: path.join(root, folder) });
  if (versionIn(home) !== version)
    throw new Error(`Node for ${cpu} is ${versionIn(home)}, expected ${version}, which builds it`);
  if (spawnSync(strip, ["--version"]).status !== 0)
    throw new Error(`${strip} is missing; install with: sudo apt-get install ${debian}`);
  return { version, file: path.join(home, "bin", "node"), strip };
}

function versionIn(home: string): string | null {
  const file = path.join(home, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
}
