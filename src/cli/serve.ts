// `ballastd serve`: runs the appliance until it is stopped. This file reads the command line;
// service/ connects the parts.

import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { openLog } from "../log.ts";
import { runRecovering } from "../service/recovery.ts";
import { runUntilStopped } from "../service/run.ts";

export const summary = "run the appliance: receive, store, score, answer";

export const help = `usage: ballastd serve [--recovery] [--config FILE]

Receives the treatment system's messages over MQTT, stores and scores them, and serves the API and
the page for the crew. Ends cleanly, with everything stored, on SIGTERM and SIGINT.

  --recovery      stay up, read-only, when it can't be started: the page says what is wrong and what
                  to type; it tries again by itself, at once when the configuration changes or on
                  SIGHUP
  --config FILE   the configuration; by default $BALLASTD_CONFIG, else /etc/ballastd/ballastd.toml
                  if it is there, else none

Every key is also an environment variable: http.listen is BALLASTD_HTTP_LISTEN. A key that isn't
known, or a bad value, ends it with exit code 78 and a line that names it; with --recovery it stays
up. An address that can't be had is tried again every few seconds, and nothing else waits for it.
On SIGHUP certificates are read again.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { recovery: { type: "boolean", default: false }, config: { type: "string" } },
  });
  const given = { file: values.config ?? null, env: process.env };
  if (values.recovery) return runRecovering(given);
  const { config, file } = loadConfig(given);
  const log = openLog(config.log.level);
  await runUntilStopped({ config, file, log, isSimulated: false });
}
