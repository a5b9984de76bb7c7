// Tells of every change of the files below some folders. Each folder is watched by itself: Node's
// own `recursive` watches files, and loses one as soon as an editor, sed or git has put a new file
// in its place.

import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import path from "node:path";

/** Calls `changed` with the path of whatever was written, made, renamed or removed. */
export function watchFolders(
  folders: readonly string[],
  changed: (file: string) => void,
): { close(): void } {
  const watchers = new Map<string, FSWatcher>();

  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const forgetBelow = (folder: string) => {
    for (const watched of [...watchers.keys()])
      if (watched === folder || watched.startsWith(`${folder}${path.sep}`)) forget(watched);
  };
  const add = (folder: string) => {
    const watcher = watch(folder, (_event, name) => {
      const file = path.join(folder, name ?? "");
      // A folder may be gone, new, or another one of the same name.
      if (name !== null && (watchers.has(file) || isFolder(file))) {
        forgetBelow(file);
        addWithAllBelow(file);
      }
      changed(file);
    });
    watcher.on("error", () => forget(folder));
    watchers.set(folder, watcher);
  };
  const addWithAllBelow = (folder: string) => {
    for (const found of foldersOf(folder)) add(found);
  };

  for (const folder of folders) addWithAllBelow(folder);
  return { close: () => [...watchers.keys()].forEach(forget) };
}

/** A folder and all below it; none if it has gone meanwhile. */
function foldersOf(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  const below = inside.filter((entry) => entry.isDirectory());
  return [folder, ...below.map((entry) => path.join(entry.parentPath, entry.name))];
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
