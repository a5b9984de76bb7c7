// `ballastd serve`: runs the appliance until it is told to stop. Here only the command line is
// read; what runs is put together in service/.

import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { openLog } from "../log.ts";
import { runUntilStopped } from "../service/run.ts";

export const summary = "run the appliance: receive, store, score, answer";

export const help = `usage: ballastd serve [--config FILE]

Receives the treatment system's messages over MQTT, stores and scores them, and serves the API and
the page for the crew. Ends cleanly, with everything stored, on SIGTERM and SIGINT.

  --config FILE   the configuration; by default $BALLASTD_CONFIG, else /etc/ballastd/ballastd.toml
                  if it is there, else none

Every key is also an environment variable: http.listen is BALLASTD_HTTP_LISTEN. A key that isn't
known, or a bad value, ends it with exit code 78 and a line that names it.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { config: { type: "string" } } });
  const { config, file } = loadConfig({ file: values.config ?? null, env: process.env });
  const log = openLog(config.log.level);
  await runUntilStopped({ config, file, log, isSimulated: false });
}
