// `ballastd serve`: runs the appliance until it is stopped. This file reads the command line; app/
// connects the parts.

import { parseArgs } from "node:util";
import { runRecovering } from "../../app/recovery/recovery.ts";
import { runUntilStopped, stopSignals } from "../../app/recovery/run.ts";
import { limitDoubts } from "../../config/limit-doubts.ts";
import { loadConfig } from "../../config/load.ts";
import { openLog } from "../../ground/log.ts";

export const summary = "run the appliance: receive, store, score, answer";

export const help = `usage: ballastd serve [--recovery] [--config FILE]

Receives the treatment system's messages over MQTT, stores and scores them, and serves the API and
the page for the crew. Ends cleanly, with everything stored, on SIGTERM and SIGINT.

  --recovery      if the service can't be started, run read-only: the page shows the problem and
                  the next step; it tries again by itself, and at once when the configuration
                  changes or on SIGHUP
  --config FILE   the configuration; by default $BALLASTD_CONFIG, else /etc/ballastd/ballastd.toml
                  if it exists, else none

Every key is also an environment variable: http.listen is BALLASTD_HTTP_LISTEN. An unknown
key, or a bad value, ends it with exit code 78 and a line that names the key; with --recovery it
runs read-only. An address that can't be bound is tried again every few seconds, without delaying
anything else. On SIGHUP certificates are read again.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { recovery: { type: "boolean", default: false }, config: { type: "string" } },
  });
  const given = { file: values.config ?? null, env: process.env };
  if (values.recovery) return runRecovering(given);
  const stop = stopSignals();
  let isAgain = true;
  while (isAgain) {
    const { config, file } = loadConfig(given);
    const log = openLog(config.log.level);
    for (const { text } of limitDoubts(config)) log.area("service").warn(text);
    isAgain = await runUntilStopped({ config, file, log, isSimulated: false }, stop);
  }
}
