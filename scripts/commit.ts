// Git's facts about the sources: the commit after which a build is named, and its time, which
// replaces the time of building so that the same commit gives the same bytes.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** `commit` ends in `-dirty` with changes on top; "unknown" and null where there is no commit. */
export interface Commit {
  readonly commit: string;
  readonly committed_ms: number | null;
}

export function readCommit(root: string): Commit {
  // An unpacked release inside of another repository is not that repository's commit.
  if (!existsSync(path.join(root, ".git"))) return UNKNOWN;
  const shown = git(root, "log", "-1", "--format=%H %ct");
  if (shown === null) return UNKNOWN;
  const [hash, committed_s] = shown.split(" ");
  const dirty = git(root, "status", "--porcelain") !== "";
  return {
    commit: dirty ? `${hash}-dirty` : `${hash}`,
    committed_ms: Number(committed_s) * 1000,
  };
}

const UNKNOWN: Commit = { commit: "unknown", committed_ms: null };

/** Git's output, or null if it fails: no git, no commit yet, a folder it distrusts. */
function git(root: string, ...args: readonly string[]): string | null {
  try {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: [...stdio] }).trim();
  } catch {
    return null;
  }
}
