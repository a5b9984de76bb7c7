// The installed files with their paths, as one table for the Debian package, the archive for other
// systems and the tests. Nothing is written twice; the manual, the completion and the configuration
// are generated from the program's own texts.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bashCompletion } from "../../src/cli/bash.ts";
import { fishCompletion } from "../../src/cli/fish.ts";
import { zshCompletion } from "../../src/cli/zsh.ts";
import type { Cpu } from "../executable/node-for.ts";
import { configurationFile } from "./configuration-file.ts";
import type { Facts } from "./facts.ts";
import { manual } from "./manual.ts";

export interface Installed {
  /** Its path from the root of the file system, without the first slash. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly mode: number;
  /** Target of a link; null for a file. */
  readonly link: string | null;
  /** Belongs to who runs the machine: an upgrade doesn't overwrite it. */
  readonly isConfiguration: boolean;
}

interface Parts {
  readonly root: string;
  /** Its executable must be built. */
  readonly cpu: Cpu;
  readonly facts: Facts;
  /** The file of the public key of those who sign updates; null: none is installed. */
  readonly updateKey: string | null;
}

/** Everything that is installed. */
export function installedFiles({ root, cpu, facts, updateKey }: Parts): readonly Installed[] {
  const read = (...parts: readonly string[]) => readFileSync(path.join(root, ...parts));
  const unit = read("systemd", "ballastd.service").toString();
  const doc = "usr/share/doc/ballastd";
  const version = `versions/${facts.version}`;
  const programs = {
    // As `ballastd update` lays out the versions after it.
    [`opt/ballastd/${version}/ballastd`]: read("out", `ballastd-linux-${cpu}`),
    "opt/ballastd/switch-back": read("systemd", "switch-back"),
    "opt/ballastd/take-settings": read("systemd", "take-settings"),
  };
  const links = {
    "opt/ballastd/current": version,
    "usr/bin/ballastd": "/opt/ballastd/current/ballastd",
  };
  const configuration = {
    "etc/ballastd/ballastd.toml": configurationFile(),
    ...(updateKey === null ? {} : { "etc/ballastd/update-key.pem": readFileSync(updateKey) }),
  };
  const others = {
    "usr/lib/systemd/system/ballastd.service": unit,
    "usr/lib/systemd/system/ballastd@.service": unitOfAnother(unit),
    "usr/lib/sysusers.d/ballastd.conf": read("systemd", "sysusers.conf"),
    "usr/share/bash-completion/completions/ballastd": bashCompletion(facts.commands),
    "usr/share/zsh/vendor-completions/_ballastd": zshCompletion(facts.commands),
    "usr/share/fish/vendor_completions.d/ballastd.fish": fishCompletion(facts.commands),
    [`${doc}/THIRD-PARTY.txt.gz`]: packed(read("dist", "THIRD-PARTY.txt")),
    [`${doc}/ballastd.cdx.json`]: read("out", "ballastd.cdx.json"),
    [`${doc}/changelog.Debian.gz`]: packed(debianChangelog(facts)),
    [`${doc}/changelog.gz`]: packed(read("CHANGELOG.md")),
    [`${doc}/copyright`]: read("scripts", "package", "debian", "copyright"),
    "usr/share/lintian/overrides/ballastd": read("scripts/package/debian/lintian-overrides"),
    "usr/share/man/man1/ballastd.1.gz": packed(manual(facts)),
  };
  // The manual's pages and what they name, as they lie in the repository, so that links hold.
  const pages = readdirSync(path.join(root, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, "docs"), path.join(entry.parentPath, entry.name)))
    .map((name) => [`${doc}/${name}`, read("docs", name)]);
  const plain = { mode: 0o644, link: null, isConfiguration: false };
  return [
    ...filesOf(programs, { ...plain, mode: 0o755 }),
    ...filesOf(configuration, { ...plain, isConfiguration: true }),
    ...filesOf({ ...others, ...Object.fromEntries(pages) }, plain),
    ...Object.entries(links).map(([name, link]) => ({ ...plain, name, bytes: NOTHING, link })),
  ];
}

const NOTHING = Buffer.alloc(0);

function filesOf(
  contents: Readonly<Record<string, Buffer | string>>,
  how: Omit<Installed, "name" | "bytes">,
): readonly Installed[] {
  return Object.entries(contents).map(([name, text]) => ({
    ...how,
    name,
    bytes: Buffer.from(text),
  }));
}

/** The unit of a second system aboard: its own configuration and its own folders. */
function unitOfAnother(unit: string): string {
  return unit
    .replace(/^# ballastd, .*$/m, "# A second system aboard, watched over as ballastd.service is.")
    .replace(/^(#.*) \/etc\/ballastd\/ballastd\.toml/m, "$1 /etc/ballastd/<name>.toml")
    .replace(/^#(.*)systemctl edit ballastd$/m, "#$1systemctl edit ballastd@<name>")
    .replace("/var/lib/ballastd go", "/var/lib/ballastd-<name> go")
    .replace(/^(Description=.*)$/m, "$1 (%i)")
    .replaceAll("/etc/ballastd/ballastd.toml\n", "/etc/ballastd/%i.toml\n")
    .replace(/^((?:State|Cache|Runtime)Directory=ballastd)$/gm, "$1-%i")
    .replace(/^((?:WorkingDirectory|Environment)=.*\/ballastd)$/gm, "$1-%i");
}

/** Debian's own form; what changed for a user is in the other one. */
function debianChangelog({ version, built_ms }: Facts): string {
  const date = new Date(built_ms).toUTCString().replace("GMT", "+0000");
  return [
    `ballastd (${version}-1) stable; urgency=medium`,
    "",
    `  * ballastd ${version}; what it brings is in changelog.gz.`,
    "",
    ` -- ballastd <ballastd@packages.invalid>  ${date}`,
    "",
  ].join("\n");
}

function packed(content: Buffer | string): Buffer {
  return gzipSync(content, { level: 9 });
}
