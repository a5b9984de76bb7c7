// `ballastd config show`: the effective configuration from file, environment and defaults, and the
// origin of each key.

import { shownConfig } from "../../app/shown-config.ts";
import { loadConfig } from "../../config/load.ts";
import { printListDocument } from "../document.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "show the effective configuration";

export const help = `usage: ballastd config show [--origin] [--json] [--config FILE]

Prints the version of the file's form, and every key with its value; of a secret only whether it is
set.

  --origin        also the origin of each: default, environment variable, or file and line
  --json          a JSON list of objects: key, value, origin
  --config FILE   the configuration to show`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    origin: { type: "boolean", default: false },
  });
  if (positionals.length !== 1 || positionals[0] !== "show")
    throw wrongAction("config", positionals.join(" "), "config show");
  const keys = shownConfig(loadConfig({ file: values.config ?? null, env: process.env }));
  if (values.json) {
    printListDocument(keys.map(({ key, value, origin }) => ({ key, value, origin })));
    return;
  }
  const lines = keys.map(
    ({ key, value, origin }) =>
      `${key} = ${JSON.stringify(value)}${values.origin ? `  # ${origin}` : ""}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}
