// The dashboard's files, as Vite built them, by their path on the wire. Read once at the start:
// they are a few dozen kilobytes and belong to the build.

import { existsSync } from "node:fs";
import path from "node:path";
import { assetPath, assetsIn, readAsset } from "../assets.ts";
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
  for (const asset of assetsIn("dashboard")) {
    const type = TYPES[path.extname(asset)];
    if (type === undefined) throw new Error(`${asset}: its type is unknown`);
    const name = asset.slice("dashboard".length);
    files.set(name === "/index.html" ? "/" : name, { bytes: readAsset(asset), type });
  }
  return files;
}
