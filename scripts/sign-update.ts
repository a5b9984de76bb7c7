// `npm run sign-update -- --key FILE EXECUTABLE`: makes the update file for a stick of an
// executable of this machine's architecture, signed with an Ed25519 private key (PEM). The key
// stays where it is: its path is given, nothing of it is stored. `--unsigned` makes a file without
// a signature.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Manifest, updateHead } from "../src/app/control/update-file.ts";
import { newestSchema } from "../src/sqlite/file/migrate.ts";
import { orUsage } from "./command.ts";
import { signingKey } from "./package/checksums.ts";

const USAGE =
  "usage: npm run sign-update -- --key FILE|--unsigned [--arch ARCH] [--output FILE] EXECUTABLE" +
  "\n\n" +
  "  --version V, --schema N  of an executable that can't be run here";

const { values, executable, content, key } = orUsage(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: "string" },
      unsigned: { type: "boolean", default: false },
      arch: { type: "string", default: process.arch },
      version: { type: "string" },
      schema: { type: "string" },
      output: { type: "string" },
    },
  });
  const [executable, ...more] = positionals;
  const hasOneKind = (values.key !== undefined) !== values.unsigned;
  if (executable === undefined || more.length > 0 || !hasOneKind)
    throw new Error("expected --key FILE, or --unsigned, and one executable");
  const key = values.key === undefined ? null : signingKey(values.key);
  return { values, executable, content: readFileSync(executable), key };
});
const manifest = Manifest.parse({
  version: values.version ?? versionOf(executable),
  platform: "linux",
  arch: values.arch,
  schema: values.schema === undefined ? newestSchema() : Number(values.schema),
  bytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
});
const output =
  values.output ?? `ballastd-${manifest.version}-${manifest.platform}-${manifest.arch}.update`;
writeFileSync(output, Buffer.concat([updateHead(manifest, key), content]));
console.log(`${output}: ${manifest.version}, schema ${manifest.schema}`);

function versionOf(file: string): string {
  const { status, stdout, stderr } = spawnSync(file, ["version", "--json"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} version: ${stderr}`);
  const { version } = JSON.parse(stdout);
  return String(version);
}
