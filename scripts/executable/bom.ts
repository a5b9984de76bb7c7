// What is shipped, as a CycloneDX document that a scanner for known faults reads. It is made of the
// lock file, so that it names what was built in, and of nothing that changes between two builds of
// one commit.

import { readFileSync } from "node:fs";
import path from "node:path";
import { readCommit } from "../commit.ts";
import { type Shipped, shippedPackages } from "../licences.ts";

/** The document, for JSON. */
export function bom(root: string): object {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { commit, committed_ms } = readCommit(root);
  const sqlite = JSON.parse(readFileSync(path.join(root, "dist", "build.json"), "utf8")).sqlite;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...(committed_ms === null ? {} : { timestamp: new Date(committed_ms).toISOString() }),
      component: {
        type: "application",
        "bom-ref": "ballastd",
        name: "ballastd",
        version,
        licenses: [{ license: { id: "MIT" } }],
        properties: [{ name: "commit", value: commit }],
      },
    },
    components: [...shippedPackages(root).map(component), sqliteComponent(sqlite)],
  };
}

function component({ folder, name, version, license, integrity }: Shipped): object {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest = ""] = integrity.split("-");
  return {
    type: "library",
    // A package may be there twice, in two versions or two places.
    "bom-ref": folder,
    name,
    version,
    purl,
    licenses: [{ expression: license }],
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }
      : {}),
  };
}

function sqliteComponent(version: string): object {
  return {
    type: "library",
    "bom-ref": "sqlite",
    name: "sqlite",
    version,
    purl: `pkg:generic/sqlite@${version}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { name: "public domain" } }],
  };
}
