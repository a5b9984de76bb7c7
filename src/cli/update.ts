// `ballastd update`: a new version from a stick, installed beside the one that runs, tried, and
// taken back by itself if it can't do its work.

import path from "node:path";
import { parseArgs } from "node:util";
import { readBuild } from "../assets.ts";
import { EXIT, Failure } from "../errors.ts";
import { install, tryInsteadOf } from "../service/update.ts";
import { restarted } from "../service/wait-for-version.ts";
import { configOf } from "./instance-data.ts";

export const summary = "install a signed update, which is taken back by itself if it fails";

export const help = `usage: ballastd update FILE [--unsigned] [--older] [--json] [--config FILE]
       ballastd update --instead-of VERSION [--json] [--config FILE]

Checks the update's signature with the key in update.key_file, its machine and its version, unpacks
it into update.prefix beside the version that runs, makes a verified backup, and has the new version
restore and migrate that backup aside. Only then it is made the current one, and the running
instance is told to start again. Before the new version takes a message it asks itself everything;
if that fails, or its start is cut off twice, the version before comes back with its data.

  --unsigned             install it without checking who made it
  --older                install it although it is older
  --instead-of VERSION   nothing is installed: this version was put in the place of VERSION by other
                         means, and its next start is tried in the same way; dpkg -i types this
  --json                 one JSON object: version, and whether it runs already
  --config FILE          the configuration of the instance

See also: ballastd rollback --help.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      unsigned: { type: "boolean", default: false },
      older: { type: "boolean", default: false },
      "instead-of": { type: "string" },
      json: { type: "boolean", default: false },
      config: { type: "string" },
    },
  });
  const config = configOf(values);
  const tell = (result: object, text: string) =>
    process.stdout.write(`${values.json ? JSON.stringify(result) : text}\n`);
  const before = values["instead-of"];
  if (before !== undefined) {
    if (tryInsteadOf(before, { config, build: readBuild() }))
      tell(
        { version: readBuild().version, runs: false },
        `the next start is tried; ${before} comes back if it fails`,
      );
    return;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `update: got ${positionals.length} names, expected one FILE`);
  const { version } = install({
    file: path.resolve(file),
    config,
    build: readBuild(),
    signature: values.unsigned ? "waived" : "needed",
    age: values.older ? "any" : "newer",
    configArgs: values.config === undefined ? [] : ["--config", values.config],
    now_ms: Date.now(),
    say: (text) => process.stderr.write(`${text}\n`),
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
