// `npm run build`: one executable for each kind of machine, out/ballastd-linux-<cpu>, and what is
// in it as a CycloneDX document. dist/ is staged with what pkg needs and put into a stripped Node
// by pkg's SEA mode; the same commit makes the same bytes, whatever folder it lies in.

import { hash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { orUsage } from "./command.ts";
import { type Cpu, needTools, nodeFor, wantedCpus } from "./executable/node-for.ts";
import { run } from "./run.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = path.join(root, "out");
const stage = path.join(out, `build-${process.pid}`);

const cpus = orUsage("usage: npm run build -- [--cpu x64|arm64]", () =>
  wantedCpus(parseArgs({ options: { cpu: { type: "string", multiple: true } } }).values),
);
needTools(cpus);
fs.mkdirSync(stage, { recursive: true });
process.on("exit", () => fs.rmSync(stage, { recursive: true, force: true }));
run(process.execPath, ["scripts/bundle.ts"], { cwd: root });
for (const cpu of cpus) build(cpu);
write(
  path.join(out, "ballastd.cdx.json"),
  fs.readFileSync(path.join(root, "dist/ballastd.cdx.json")),
);

function build(cpu: Cpu): void {
  const home = path.join(stage, cpu);
  const made = path.join(home, "executable");
  // The folder's name becomes part of the paths inside.
  const program = path.join(home, "ballastd");
  stageProgram(program, cpu);
  const target = stageNode(home, cpu);
  const pkg = path.join(root, "node_modules", "@yao-pkg", "pkg", "lib-es5", "bin.js");
  const args = [pkg, program, "--sea", "--targets", target, "--output", made];
  // pkg keeps the Nodes that it knows in its home folder, and must itself run on the one it packs.
  const env = { ...process.env, HOME: home };
  run(process.execPath, args, { cwd: home, env });
  const bytes = withoutFolder(fs.readFileSync(made));
  const file = path.join(out, `ballastd-linux-${cpu}`);
  write(file, bytes, 0o755);
  console.log(`${path.relative(root, file)}: ${bytes.length} bytes, ${hash("sha256", bytes)}`);
}

/** dist/ with the addon of one kind of machine, and what pkg is to take along. */
function stageProgram(folder: string, cpu: Cpu): void {
  fs.cpSync(path.join(root, "dist"), folder, {
    recursive: true,
    filter: (file) => !file.endsWith(".node") || file.endsWith(`linux-${cpu}.node`),
  });
  const addon = path.join(folder, "native", `linux-${cpu}.node`);
  run(nodeFor(root, cpu).strip, ["--strip-unneeded", addon], { cwd: root });
  // pkg hands a thread its file as a text within a text, twice in memory and never compiled ahead.
  // So that file only loads the thread's own, as any other file is loaded.
  const worker = path.join(folder, "worker.cjs");
  fs.renameSync(worker, path.join(folder, "thread.cjs"));
  fs.writeFileSync(worker, 'require("./thread.cjs");\n');
  const file = path.join(folder, "package.json");
  const about = JSON.parse(fs.readFileSync(file, "utf8"));
  fs.writeFileSync(file, JSON.stringify({ ...about, pkg: { assets: ["**/*"] } }));
}

/** Puts Node where pkg looks for it before it would ask the network; the target to name to it. */
function stageNode(home: string, cpu: Cpu): string {
  const { version, file, strip } = nodeFor(root, cpu);
  const name = `node-v${version}-linux-${cpu}`;
  const cache = path.join(home, ".pkg-cache", "sea");
  const bin = path.join(cache, name, "bin");
  fs.mkdirSync(bin, { recursive: true });
  run(strip, ["-o", path.join(bin, "node"), file], { cwd: root });
  // The archive is never read: these say that it was fetched, checked and unpacked.
  for (const mark of [`${name}.tar.gz`, `${name}.tar.gz.ok`, `${name}/bin/node.ok`])
    fs.writeFileSync(path.join(cache, mark), "");
  return `node${version}-linux-${cpu}`;
}

/**
 * The executable without the random name of the temporary folder that pkg worked in. It stands in
 * it once; anything else would be a pkg that works otherwise.
 */
function withoutFolder(bytes: Buffer): Buffer {
  const found = [...bytes.toString("latin1").matchAll(/pkg-sea-([A-Za-z0-9]{6})\//g)];
  const [first, ...others] = found;
  if (first === undefined || others.length > 0)
    throw new Error(`the name of pkg's folder stands in it ${found.length} times, expected once`);
  bytes.write("000000", first.index + "pkg-sea-".length, "latin1");
  return bytes;
}

/** Moved into place when complete: what runs keeps its file. */
function write(file: string, content: string | Buffer, mode = 0o644): void {
  const part = path.join(stage, path.basename(file));
  fs.writeFileSync(part, content, { mode });
  fs.renameSync(part, file);
}
