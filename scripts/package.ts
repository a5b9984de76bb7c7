// `npm run package`: the executables as Debian packages, and for a PC without dpkg as archives with
// their own install script, all in out/. Made by dpkg-deb and tar from one staged tree, without
// debhelper and without network; the same commit makes the same bytes. SHA256SUMS lists them.

import { hash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { orUsage } from "./command.ts";
import { type Cpu, needTools, wantedCpus } from "./executable/node-for.ts";
import { signingKey, writeChecksums } from "./package/checksums.ts";
import { type Facts, readFacts } from "./package/facts.ts";
import { type Installed, installedFiles } from "./package/installed-files.ts";
import { run } from "./run.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = path.join(root, "out");
const debian = path.join(root, "scripts", "package", "debian");
const stage = path.join(out, `package-${process.pid}`);

/** Debian's names of the architectures. */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };

const USAGE =
  "usage: npm run package -- [--cpu x64|arm64] [--update-key FILE] [--sign-key FILE]\n\n" +
  "  --update-key FILE  the public key of those who sign updates, to be installed along\n" +
  "  --sign-key FILE    the private key (Ed25519, PEM) that signs SHA256SUMS";

// Read before the build: a wrong key is told at once.
const { cpus, updateKey, signKey } = orUsage(USAGE, () => {
  const { values } = parseArgs({
    options: {
      cpu: { type: "string", multiple: true },
      "update-key": { type: "string" },
      "sign-key": { type: "string" },
    },
  });
  const { "update-key": update, "sign-key": sign } = values;
  if (update !== undefined) fs.accessSync(update, fs.constants.R_OK);
  const signKey = sign === undefined ? null : signingKey(sign);
  return { cpus: wantedCpus(values), updateKey: update ?? null, signKey };
});
needTools(cpus, [
  ["dpkg-deb", "dpkg"],
  ["tar", "tar"],
  ["gzip", "gzip"],
]);
run(process.execPath, ["scripts/build.ts", ...cpus.flatMap((cpu) => ["--cpu", cpu])], {
  cwd: root,
});
process.on("exit", () => fs.rmSync(stage, { recursive: true, force: true }));
const facts = readFacts(root);
// Tools take the time of all files from it.
const env = { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(facts.built_ms / 1000)) };
const packages = cpus.flatMap((cpu) => {
  const files = installedFiles({ root, cpu, facts, updateKey });
  return [writeDebian(cpu, files), writeArchive(cpu, files)];
});
const handedOut = [...packages, path.join(out, "ballastd.cdx.json")];
const sums = writeChecksums(out, { files: handedOut, key: signKey });
for (const file of [...packages, ...sums]) report(file);

function writeDebian(cpu: Cpu, files: readonly Installed[]): string {
  const tree = path.join(stage, cpu, "debian");
  writeTree(tree, files);
  const control = controlFiles(cpu, files);
  writeTree(path.join(tree, "DEBIAN"), control);
  const target = path.join(out, `ballastd_${facts.version}-1_${ARCHITECTURES[cpu]}.deb`);
  // Debian 12's dpkg reads no smaller format than xz that lintian accepts.
  run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z1", "--build", tree, target], {
    cwd: root,
    env,
  });
  return target;
}

function controlFiles(cpu: Cpu, files: readonly Installed[]): readonly Installed[] {
  const size_kib = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0);
  const sums = files
    .filter(({ isConfiguration, link }) => !isConfiguration && link === null)
    .map(({ name, bytes }) => `${hash("md5", bytes)}  ${name}\n`);
  const conffiles = files.filter(({ isConfiguration }) => isConfiguration);
  const text = (name: string, content: string, mode = 0o644) => ({
    name,
    bytes: Buffer.from(content),
    mode,
    link: null,
    isConfiguration: false,
  });
  const scripts = ["preinst", "postinst", "prerm", "postrm"].map((name) =>
    text(name, fs.readFileSync(path.join(debian, name), "utf8"), 0o755),
  );
  return [
    text("control", controlOf(cpu, facts, size_kib)),
    text("conffiles", conffiles.map(({ name }) => `/${name}\n`).join("")),
    text("md5sums", sums.join("")),
    ...scripts,
  ];
}

function controlOf(cpu: Cpu, { version, homepage }: Facts, size_kib: number): string {
  return fs
    .readFileSync(path.join(debian, "control"), "utf8")
    .replace("@VERSION@", `${version}-1`)
    .replace("@HOMEPAGE@", homepage)
    .replace("@ARCHITECTURE@", ARCHITECTURES[cpu])
    .replace("@SIZE@", String(size_kib));
}

/** root/ with all files, and beside it the scripts that put them in place. */
function writeArchive(cpu: Cpu, files: readonly Installed[]): string {
  const name = `ballastd_${facts.version}_linux-${cpu}`;
  const tree = path.join(stage, cpu, "archive");
  writeTree(path.join(tree, name, "root"), files);
  for (const script of ["install", "uninstall"])
    fs.cpSync(path.join(root, "scripts", script), path.join(tree, name, script));
  const target = path.join(out, `${name}.tar.gz`);
  const owner = ["--owner=0", "--group=0", "--numeric-owner", `--mtime=@${env.SOURCE_DATE_EPOCH}`];
  const args = ["--sort=name", "--format=ustar", ...owner, "--use-compress-program=gzip -n -6"];
  run("tar", [...args, "-cf", target, "-C", tree, name], { cwd: root, env });
  return target;
}

/** With modes as they are given, whatever the umask of who builds. */
function writeTree(folder: string, files: readonly Installed[]): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const { name, bytes, mode, link } of files) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (link !== null) fs.symlinkSync(link, file);
    else {
      fs.writeFileSync(file, bytes);
      fs.chmodSync(file, mode);
    }
  }
  const inside = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  fs.chmodSync(folder, 0o755);
  for (const entry of inside.filter((one) => one.isDirectory()))
    fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
}

function report(file: string): void {
  const bytes = fs.readFileSync(file);
  console.log(`${path.relative(root, file)}: ${bytes.length} bytes, ${hash("sha256", bytes)}`);
}
