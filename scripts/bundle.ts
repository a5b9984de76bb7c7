// `npm run bundle`: makes dist/, which holds all that ballastd needs to run but Node itself. Two
// bundles (the program and its threads), the SQL, SQLite's addon, the dashboard, the fleet page,
// the manual, what build this is. The same commit makes the same bytes. It is made aside and moved
// into place when complete, so that a failed build leaves the last good one.

import { createHash, hash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { parseArgs } from "node:util";
import { build as bundle, type Metafile } from "esbuild";
import * as z from "zod";
import { sqliteVersion } from "../src/sqlite/file/open.ts";
import { bom } from "./bundle/bom.ts";
import { licences } from "./bundle/licences.ts";
import { packagesOf } from "./bundle/packages.ts";
import { readCommit } from "./commit.ts";
import { wantedNode } from "./executable/node-for.ts";
import { writeManual } from "./manual/write.ts";

const root = path.resolve(import.meta.dirname, "..");
// For `npm run dev`: with source maps, and aside, so that no test or package takes it for dist/.
const { values } = parseArgs({ options: { dev: { type: "boolean", default: false } } });
const isDev = values.dev;
const dist = isDev ? path.join(root, "out", "dev") : path.join(root, "dist");
const stage = path.join(root, "out", `bundle-${process.pid}`);

// Packages that libraries load for what ballastd never does, or what Node has by itself: they would
// be a quarter of main.cjs, and their advisories would concern every ship.
const LEFT_OUT = {
  // MQTT.js: WebSockets, SOCKS proxies, and timers for browsers.
  ws: "left-out",
  socks: "left-out",
  "worker-timers": "left-out",
  // pg: its binding to libpq, and sockets of another maker's runtime.
  "pg-native": "left-out",
  "pg-cloudflare": "left-out",
  // The metrics' exemplars, which name traces.
  "@opentelemetry/api": "left-out",
  // pino: logging in a thread.
  "thread-stream": "left-out",
  "readable-stream": "node-stream",
  // All of MQTT: traces.
  debug: "silent-debug",
};

// The addons that better-sqlite3 brings for the machines that ballastd runs on.
const ADDONS = ["linux-x64.node", "linux-arm64.node"];

// A caller in test mode must not get a dashboard in test mode.
process.env.NODE_ENV = "production";

mkdirSync(stage, { recursive: true });
process.on("exit", () => rmSync(stage, { recursive: true, force: true }));

const inside = [
  ...(await writePrograms()),
  ...(await writePage({ start: "dashboard/index.html", folder: "dashboard" })),
  ...(await writePage({ start: "office/page/fleet.html", folder: "fleet-page" })),
];
shareAssets();
await writeManual(root, path.join(stage, "manual"));
cpSync(path.join(root, "sql"), path.join(stage, "sql"), {
  recursive: true,
  filter: (file) => !file.endsWith(".d.ts"),
});
copyAddons();
writeFacts(inside);
rmSync(dist, { recursive: true, force: true });
renameSync(stage, dist);

/**
 * main.cjs and worker.cjs: CommonJS, because that is what one executable can be made of. Answers
 * the files that they were made of.
 */
async function writePrograms(): Promise<readonly string[]> {
  const { metafile, warnings } = await bundle({
    absWorkingDir: root,
    entryPoints: { main: "src/main.ts", worker: "src/worker.ts" },
    outdir: stage,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    // Syntax only: an older Node must be able to parse the file to say that it is too old.
    target: "node18",
    alias: Object.fromEntries(
      Object.entries(LEFT_OUT).map(([name, stub]) => [name, `./scripts/bundle/${stub}.cjs`]),
    ),
    // Facts about the module that ES modules have; node-cron reads its URL.
    define: {
      "import.meta.dirname": "__dirname",
      "import.meta.url": "bundleUrl",
      NODE_MAJOR: `${Number.parseInt(wantedNode(root), 10)}`,
    },
    // The directive has to come before everything else to count.
    banner: {
      js: '"use strict";\nconst bundleUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    legalComments: "none",
    // V8 keeps the text as long as it runs. Lines stay short enough for a stack's numbers to say
    // something.
    minifyWhitespace: !isDev,
    minifySyntax: !isDev,
    sourcemap: isDev,
    lineLimit: 120,
    metafile: true,
    logLevel: "warning",
  });
  if (warnings.length > 0) throw new Error(`esbuild warns ${warnings.length} times, expected none`);
  refuseLoosePackages(metafile);
  for (const name of ["main.cjs", "worker.cjs"]) escapeLetters(path.join(stage, name));
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/**
 * Escapes what isn't ASCII, as esbuild does in strings, but not in regular expressions: one such
 * letter makes V8 keep two bytes of each letter of the file, in every thread. Idle, 6 MB less.
 */
function escapeLetters(file: string): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/[\u0080-\uffff]/g, escaped));
}

/** Throws when a bundle would look for a package outside of itself. */
function refuseLoosePackages(metafile: Metafile): void {
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path: name, external } of imports)
      if (external && !isBuiltin(name))
        throw new Error(`${file} loads ${name}, expected everything to be in the bundle`);
}

/** Leaves out of the fleet page what the dashboard has alike, which is served from there. */
function shareAssets(): void {
  const assets = path.join(stage, "fleet-page", "assets");
  for (const name of readdirSync(assets)) {
    const [own, other] = [path.join(assets, name), path.join(stage, "dashboard", "assets", name)];
    if (existsSync(other) && readFileSync(own).equals(readFileSync(other))) rmSync(own);
  }
}

interface BuiltPage {
  /** Below src/. */
  readonly start: string;
  readonly folder: string;
}

/** A page in a folder of its own. Answers the files that it was made of. */
async function writePage({ start, folder }: BuiltPage): Promise<readonly string[]> {
  // Loaded here, after NODE_ENV is set.
  const { build, createLogger } = await import("vite");
  const customLogger = createLogger("warn");
  const files: string[] = [];
  await build({
    configFile: path.join(root, "src/dashboard/vite.config.ts"),
    root: path.dirname(path.join(root, "src", start)),
    build: {
      ...{ outDir: path.join(stage, folder), emptyOutDir: true, sourcemap: isDev },
      rolldownOptions: { input: path.join(root, "src", start) },
    },
    plugins: [
      {
        name: "files",
        generateBundle(_options, chunks) {
          for (const chunk of Object.values(chunks))
            if (chunk.type === "chunk")
              files.push(...chunk.moduleIds.map((file) => path.relative(root, file)));
        },
      },
    ],
    customLogger,
    logLevel: "warn",
  });
  // A style sheet or a picture that isn't there is only a warning to Vite.
  if (customLogger.hasWarned) throw new Error("vite warns (above), expected it not to");
  return files;
}

/** native/<platform>-<cpu>.node, one for each machine that ballastd runs on. */
function copyAddons(): void {
  const from = path.join(root, "node_modules", "better-sqlite3", "prebuilds");
  for (const name of ADDONS) cpSync(path.join(from, name), path.join(stage, "native", name));
}

/** Writes the facts of the build, and the licences of the packages of `files`. */
function writeFacts(files: readonly string[]): void {
  const Package = z.object({ name: z.string(), version: z.string(), license: z.string() });
  const text = readFileSync(path.join(root, "package.json"), "utf8");
  const { name, version, license } = Package.parse(JSON.parse(text));
  const commit = readCommit(root);
  const sqlite = sqliteVersion();
  const packages = packagesOf(root, files);
  writeJson("package.json", { name, version, license, type: "commonjs", bin: "main.cjs" });
  cpSync(path.join(root, "LICENSE"), path.join(stage, "LICENSE"));
  writeFileSync(path.join(stage, "THIRD-PARTY.txt"), licences(root, packages));
  writeJson("ballastd.cdx.json", bom({ version, commit, sqlite, packages }));
  const build = hashOfFiles();
  const built_ms = commit.committed_ms ?? Date.now();
  writeJson("build.json", { version, commit: commit.commit, build, sqlite, built_ms });
}

/** One SHA-256 over the names and contents of all that was built. */
function hashOfFiles(): string {
  const all = createHash("sha256");
  const files = readdirSync(stage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    all.update(`${path.relative(stage, file)}\0${hash("sha256", readFileSync(file))}\n`);
  return all.digest("hex");
}

function writeJson(name: string, value: object): void {
  writeFileSync(path.join(stage, name), `${JSON.stringify(value, null, 2)}\n`);
}
