// The place of a lake: a folder of this machine, or a bucket of an S3 store. A file is there as a
// whole or not at all, and is replaced as a whole. Names are paths within the lake.

import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { openNew, partOf, placeFile } from "../ground/durable.ts";
import type { ObjectStore } from "../shore/object-store.ts";

export interface LakePlace {
  /** Names of the files in a folder and below it. */
  names(folder: string): Promise<ReadonlySet<string>>;
  /** The file's content; null if there is none. */
  read(name: string): Promise<Buffer | null>;
  write(name: string, chunks: Iterable<Uint8Array>): Promise<void>;
  remove(name: string): Promise<void>;
}

const MODE = 0o644;

export function lakeFolder(root: string): LakePlace {
  return {
    async names(folder) {
      const here = path.join(root, folder);
      if (!existsSync(here)) return new Set();
      const all = readdirSync(here, { withFileTypes: true, recursive: true });
      return new Set(
        all
          .filter((entry) => !entry.isDirectory())
          .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name))),
      );
    },
    async read(name) {
      const file = path.join(root, name);
      return existsSync(file) ? readFileSync(file) : null;
    },
    async write(name, chunks) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      // With a name that the engines skip.
      const part = partOf(path.join(path.dirname(file), `_${path.basename(file)}`));
      const handle = openNew(part, MODE);
      try {
        for (const chunk of chunks) writeFileSync(handle, chunk);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      } finally {
        closeSync(handle);
      }
      placeFile(part, file);
    },
    async remove(name) {
      rmSync(path.join(root, name), { force: true });
      const folders = path.dirname(name).split(path.sep);
      for (; folders.length > 1; folders.pop()) {
        const folder = path.join(root, ...folders);
        if (readdirSync(folder).length > 0) return;
        rmdirSync(folder);
      }
    },
  };
}

/** A lake in a bucket. The file of a ship's day has some 4 MB and is stored in one piece. */
export function lakeStore(store: ObjectStore): LakePlace {
  return {
    names: async (folder) => new Set(await store.names(`${folder}/`)),
    read: (name) => store.get(name),
    write: (name, chunks) => store.put(name, Buffer.concat([...chunks])),
    remove: (name) => store.remove(name),
  };
}
