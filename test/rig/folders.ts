// Temporary folders that a file's tests needn't remove themselves.

import { rmSync } from "node:fs";
import { afterEach } from "vitest";
import { temporaryFolder } from "./program.ts";

/** A way to make folders that are removed after each test of a file, or when `hook` says so. */
export function foldersOfTests(hook: (remove: () => void) => void = afterEach): () => string {
  const folders: string[] = [];
  hook(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = temporaryFolder();
    folders.push(folder);
    return folder;
  };
}
