// The dashboard's files, as Vite built them, by their path on the wire. Read once at the start:
// they are a few dozen kilobytes and belong to the build.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { assetPath, readAsset } from "../assets.ts";
import type { StaticFile } from "../http/route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Every file of the built dashboard; `/` is its index.html. */
export function readDashboard(): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(assetPath("dashboard"))) throw new Error("dashboard: not built, expected dist/");
  const found = readdirSync(assetPath("dashboard"), { recursive: true, withFileTypes: true });
  for (const file of found.filter((entry) => entry.isFile())) {
    const full = path.join(file.parentPath, file.name);
    const name = path.relative(assetPath("dashboard"), full).split(path.sep).join("/");
    const type = TYPES[path.extname(name)];
    if (type === undefined) throw new Error(`dashboard/${name}: its type is unknown`);
    files.set(name === "index.html" ? "/" : `/${name}`, {
      bytes: readAsset(`dashboard/${name}`),
      type,
    });
  }
  return files;
}
