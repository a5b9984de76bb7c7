// The program's contents as a CycloneDX document, which a scanner for known faults reads: the npm
// packages of the bundles, SQLite, Node, and the libraries inside Node. It holds nothing that
// changes between two builds of one commit.

import type { Commit } from "../commit.ts";
import { cpeOf, type NodePart, nodeParts } from "./node-parts.ts";
import { NODE, type Package } from "./packages.ts";

export interface Built {
  readonly version: string;
  readonly commit: Commit;
  /** SQLite's version in better-sqlite3's addon. */
  readonly sqlite: string;
  readonly packages: readonly Package[];
}

const ROOT = "ballastd";
const SQLITE = "sqlite";
const SQLITE_DRIVER = "node_modules/better-sqlite3";
const node = (part: string) => (part === "node" ? "node" : `node/${part}`);

/** The document, for JSON. */
export function bom({ version, commit, sqlite, packages }: Built): object {
  const { committed_ms } = commit;
  const parts = nodeParts();
  const libraries = packages.filter(({ name }) => name !== NODE);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...(committed_ms === null ? {} : { timestamp: new Date(committed_ms).toISOString() }),
      component: {
        ...{ type: "application", "bom-ref": ROOT, name: ROOT, version },
        licenses: [{ license: { id: "MIT" } }],
        properties: [{ name: "commit", value: commit.commit }],
      },
    },
    components: [
      ...libraries.map(packageComponent),
      sqliteComponent(sqlite),
      ...parts.map(nodeComponent),
    ],
    dependencies: [
      { ref: ROOT, dependsOn: ["node", ...roots(libraries)] },
      ...libraries.map(({ folder, dependsOn }) => ({
        ref: folder,
        dependsOn: folder === SQLITE_DRIVER ? [...dependsOn, SQLITE] : dependsOn,
      })),
      { ref: "node", dependsOn: parts.slice(1).map(({ name }) => node(name)) },
    ],
  };
}

/** The packages that no other depends on. */
function roots(packages: readonly Package[]): readonly string[] {
  const below = new Set(packages.flatMap(({ dependsOn }) => dependsOn));
  return packages.map(({ folder }) => folder).filter((folder) => !below.has(folder));
}

function packageComponent({ folder, name, version, license, integrity }: Package): object {
  const [algorithm, digest = ""] = integrity.split("-");
  return {
    ...{ type: "library", "bom-ref": folder, name, version },
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: licensesOf(license),
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }
      : {}),
  };
}

function sqliteComponent(version: string): object {
  return {
    ...{ type: "library", "bom-ref": SQLITE, name: "sqlite", version },
    purl: `pkg:generic/sqlite@${version}`,
    cpe: cpeOf("sqlite:sqlite", version),
    licenses: licensesOf("blessing"),
  };
}

function nodeComponent({ name, version, license, purl, cpe }: NodePart): object {
  return {
    // Scanners pass by what is called a platform.
    type: name === "node" ? "application" : "library",
    ...{ "bom-ref": node(name), name, version, purl },
    ...(cpe === null ? {} : { cpe }),
    licenses: licensesOf(license),
  };
}

/** An SPDX identifier, or an expression of several. */
function licensesOf(license: string): readonly object[] {
  return [license.includes(" ") ? { expression: license } : { license: { id: license } }];
}
