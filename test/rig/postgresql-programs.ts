// The programs of Debian's package postgresql, and the account that may run them.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { type Account, runProcess } from "./process.ts";

const VERSIONS = "/usr/lib/postgresql";

/** The folder of the newest version's programs; null when none is installed. */
export function newestPrograms(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const [newest] = readdirSync(VERSIONS)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(VERSIONS, version, "bin"))
    .filter((programs) => existsSync(path.join(programs, "initdb")));
  return newest ?? null;
}

/** The package's own account when this runs as root, which PostgreSQL refuses; else null. */
export async function unprivileged(folder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (option: string) =>
    Number(await runProcess({ file: "id", args: [option, "postgres"], folder }));
  return { uid: await id("-u"), gid: await id("-g") };
}
