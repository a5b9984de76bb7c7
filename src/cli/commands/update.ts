// `ballastd update`: installs a new version from a stick beside the running one, tries it, and
// returns if it fails.

import path from "node:path";
import { install, tryInsteadOf } from "../../app/control/update.ts";
import {
  type UpdateTarget,
  type UpdateVerdict,
  verdictOn,
} from "../../app/control/update-checks.ts";
import { readUpdate } from "../../app/control/update-file.ts";
import { versionFile } from "../../app/control/versions.ts";
import { restarted, runningVersion } from "../../app/control/wait-for-version.ts";
import { readBuild } from "../../ground/assets.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { escaped, printDocument, printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { readLine } from "../options.ts";

export const summary = "install a signed update, which returns to the old version if it fails";

export const help = `usage: ballastd update FILE [--unsigned] [--older] [--json] [--config FILE]
       ballastd update --verify FILE [--unsigned] [--older] [--json] [--config FILE]
       ballastd update --instead-of VERSION [--json] [--config FILE]

Checks the update's signature with the key in update.key_file, its machine and its version, unpacks
it into update.prefix beside the running version, makes a verified backup, and lets the new version
restore and migrate that backup in another folder. Only then is it made current, and the running
instance restarted. Before the new version takes a message it tries every kind of query; if one
fails, or its start is cut off twice, the version before returns with its data.

  --verify               say whether FILE would be installed, and if not, each reason: signature,
                         version, machine, schema, free space, content. Nothing is installed or
                         written. Exit code 0: it would be; what only shows on the data itself is
                         found by the rehearsal, which --verify doesn't make
  --unsigned             install it without checking its signature
  --older                install an older version
  --instead-of VERSION   nothing is installed: this version was put in the place of VERSION by other
                         means, and its next start is tried in the same way; dpkg -i types this
  --json                 one JSON object: version, and whether it runs already; with --verify:
                         file, taken, installed, manifest, signature, problems
  --config FILE          the configuration of the instance

See also: ballastd rollback --help.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    verify: { type: "boolean", default: false },
    unsigned: { type: "boolean", default: false },
    older: { type: "boolean", default: false },
    "instead-of": { type: "string" },
  });
  const config = configOf(values);
  const tell = (result: object, text: string) => {
    printResult(values.json, result, text);
  };
  const before = values["instead-of"];
  if (before !== undefined && values.verify)
    throw new Failure(EXIT.usage, "update: got --verify and --instead-of, expected one of them");
  if (before !== undefined) {
    if (tryInsteadOf(before, { config, build: readBuild() }))
      tell(
        { version: readBuild().version, runs: false },
        `the next start is tried; ${before} comes back if it fails`,
      );
    // This version is already installed, so there is nothing to try.
    else if (values.json) printDocument({ version: before, runs: false });
    return;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `update: got ${positionals.length} names, expected one FILE`);
  const target: UpdateTarget = {
    file: path.resolve(file),
    config,
    build: readBuild(),
    signature: values.unsigned ? "waived" : "needed",
    age: values.older ? "any" : "newer",
  };
  if (values.verify) {
    const verdict = verdictOn(target);
    tell(verdictObject(target, verdict), verdictText(target, verdict));
    process.exitCode = verdict.failures[0]?.exitCode ?? EXIT.ok;
    return;
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const { version } =
    (await switchedTo(target, say)) ??
    install({
      ...target,
      configArgs: values.config === undefined ? [] : ["--config", values.config],
      now_ms: Date.now(),
      say,
    });
  const now = await restarted(config.storage.dir);
  if (now === null)
    tell({ version, runs: false }, `${version} is installed; the next start tries it`);
  else if (now.version === version) tell({ version, runs: true }, `${version} runs`);
  else
    throw new Failure(
      EXIT.failed,
      `${version} failed and was taken back, ${now.version} runs: ${now.reason}`,
    );
}

/**
 * The version of the update if it is current, but the running instance is still another: a command
 * that was killed between the switch and the restart is completed by typing it again.
 */
async function switchedTo(
  { file, config, build }: UpdateTarget,
  say: (text: string) => void,
): Promise<{ readonly version: string } | null> {
  const { version } = readUpdate(file).manifest;
  if (version !== build.version) return null;
  const runs = await runningVersion(config.storage.dir);
  if (runs === null || runs === version) return null;
  say(`${version} is installed already, ${runs} still runs and is restarted`);
  return { version };
}

function verdictObject({ file, build }: UpdateTarget, verdict: UpdateVerdict): object {
  const { manifest, signature, failures } = verdict;
  const problems = failures.map(({ message }) => message);
  const taken = problems.length === 0;
  return { file, taken, installed: build.version, manifest, signature, problems };
}

function verdictText({ file, build, config }: UpdateTarget, verdict: UpdateVerdict): string {
  const { manifest, signature, failures } = verdict;
  const { prefix, key_file } = config.update;
  const lines = [escaped(file)];
  if (manifest !== null) {
    const { version, platform, arch, bytes, schema, sha256 } = manifest;
    const folder = path.dirname(versionFile(prefix, version));
    lines.push(
      `ballastd ${version} for ${platform} on ${arch}, schema ${schema}`,
      `${bytes} bytes, sha256 ${sha256}`,
      `signature: ${signature}${signature === "good" ? `, by the key in ${key_file}` : ""}`,
    );
    if (failures.length === 0)
      lines.push(
        `would be installed: unpacked into ${folder}, rehearsed on a backup of ` +
          `${config.storage.dir}, and started in place of ${build.version}, ` +
          "which comes back if it fails",
      );
  }
  lines.push(...failures.map(({ message }) => `would not be installed: ${message}`));
  return [...lines, "nothing was installed or written"].join("\n");
}
