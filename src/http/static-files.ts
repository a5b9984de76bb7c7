// The static files of the dashboard, the fleet page and the manual, by their path on the wire. They
// are read once at the start: a few hundred kilobytes that belong to the build.

import { existsSync } from "node:fs";
import path from "node:path";
import { assetPath, assetsIn, readAsset } from "../ground/assets.ts";
import type { StaticFile } from "./route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  // Only in development builds.
  ".map": "application/json; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".py": "text/plain; charset=utf-8",
  ".yml": "text/plain; charset=utf-8",
};

type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Every file of the built dashboard; `/` is its index.html. */
export function readDashboard(): StaticFiles {
  return readFolder("dashboard", (name) => (name === "/index.html" ? "/" : name));
}

/**
 * Every file of the built fleet page; `/` is its fleet.html. Assets that the dashboard has too are
 * in its folder alone.
 */
export function readFleetPage(): StaticFiles {
  const shared = [...readDashboard()].filter(([name]) => name.startsWith("/assets/"));
  const own = readFolder("fleet-page", (name) => (name === "/fleet.html" ? "/" : name));
  return new Map([...shared, ...own]);
}

/** Every file of the built manual; `/manual` is all of it, `/manual/<page>` one page. */
export function readManual(): StaticFiles {
  return readFolder("manual", (name) => `/manual${name.replace(/^\/index\.html$|\.html$/, "")}`);
}

function readFolder(folder: string, pathOf: (name: string) => string): StaticFiles {
  const files = new Map<string, StaticFile>();
  if (!existsSync(assetPath(folder))) throw new Error(`${folder}: not built, expected dist/`);
  for (const asset of assetsIn(folder)) {
    const type = TYPES[path.extname(asset)];
    if (type === undefined) throw new Error(`${asset}: its type is unknown`);
    files.set(pathOf(asset.slice(folder.length)), { bytes: readAsset(asset), type });
  }
  return files;
}
