// `ballastd demo`: runs the appliance on simulated data. The ship's history is published as MQTT
// messages, and its folder is marked, so that nobody can take its data for a real ship's.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runUntilStopped } from "../../app/recovery/run.ts";
import { readPassword } from "../../app/secret-files.ts";
import type { Service } from "../../app/service.ts";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/load.ts";
import { shownPath } from "../../config/shown.ts";
import { type Clock, DAY_MS, printTime, systemClock } from "../../ground/clock.ts";
import { openLog } from "../../ground/log.ts";
import { type PublishProgress, publishHistory, publishLive } from "../../simulator/publish.ts";
import type { BrokerLogin } from "../../simulator/publisher.ts";
import { createShip } from "../../simulator/ship.ts";

export const summary = "run the appliance on a simulated ship with 24 months of history";

export const help = `usage: ballastd demo

Starts an embedded broker on 127.0.0.1:1883, the page and the API on http://127.0.0.1:8080, and a
simulated ship: her last 24 months are published through MQTT as fast as they are stored, then she
goes on live, a reading every 10 seconds. The data stays in ./demo-data, marked as simulated; a
second start continues from there. Ctrl-C ends it.

Reading needs no token. For acts, such as to acknowledge an alert or to print the inspection sheet,
the page takes the one in ./demo-data/token.

No configuration file is read; environment variables are, BALLASTD_HTTP_LISTEN and
BALLASTD_MQTT_LISTEN for other ports, BALLASTD_STORAGE_DIR for another folder.`;

/** Interval of live readings: fast enough to watch. */
const LIVE_CADENCE_MS = 10_000;
/**
 * Length of the history that a second start sends again, in case the first ended within a batch.
 */
const OVERLAP_MS = DAY_MS;

export async function run(args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args], options: {} });
  const env = { BALLASTD_STORAGE_DIR: "demo-data", ...process.env, BALLASTD_MQTT_MODE: "embedded" };
  // The ship publishes from this machine to itself, so no certificate is needed.
  const plain = { BALLASTD_MQTT_TLS_CERT: "", BALLASTD_MQTT_TLS_KEY: "", BALLASTD_MQTT_TLS_CA: "" };
  const given = { file: null, env: { ...env, ...plain, BALLASTD_CONFIG: undefined } };
  const { config } = loadConfig({ ...given, defaultFile: null });
  const log = openLog(config.log.level);
  await runUntilStopped({
    config,
    ...given,
    log,
    isSimulated: true,
    beside: (service, stop) => sail(config, service, stop),
  });
}

async function sail(config: Config, service: Service, stop: AbortSignal): Promise<void> {
  const clock = systemClock;
  const ship = createShip({
    ...readShip(config.storage.dir, clock),
    system_id: config.system.id,
  });
  const connection: BrokerLogin = {
    url: service.broker[0],
    prefix: config.mqtt.prefix,
    username: config.mqtt.username || null,
    password: readPassword(config.mqtt.password_file) || null,
  };
  const { last_reading_ms } = service.writer.state;
  const to_ms = clock.now_ms();
  const from_ms = last_reading_ms === null ? 0 : last_reading_ms - OVERLAP_MS;
  const began_ms = clock.now_ms();
  const history = { ship, from_ms, to_ms, connection, signal: stop, progress: openProgress() };
  const { readings, complete } = await publishHistory(history);
  if (!complete) return;
  // Sending the history took a while; the live readings continue from the present.
  const live = { ship, connection, signal: stop, cadence_ms: LIVE_CADENCE_MS };
  const live_ms = clock.now_ms();
  const caughtUp = await publishHistory({ ...live, from_ms: to_ms + 1, to_ms: live_ms });
  if (!caughtUp.complete) return;
  const seconds = ((clock.now_ms() - began_ms) / 1000).toFixed(1);
  const web = service.web.join(" ");
  process.stderr.write(`\n${readings} readings published in ${seconds} s, now live: ${web}\n`);
  const next_ms = ship.nextOperation(clock.now_ms());
  if (next_ms !== null)
    process.stderr.write(`she is at sea and treats water again at ${printTime(next_ms)}\n`);
  if (config.auth.token === "")
    process.stderr.write(
      `where the page asks for a token, it is in ${shownPath(config.auth.token_file)}\n`,
    );
  await publishLive({ ...live, from_ms: live_ms + 1, clock });
}

/** The simulated ship of this folder, chosen at the first start. */
function readShip(dir: string, clock: Clock): { seed: number; anchor_ms: number } {
  const file = path.join(dir, "ship.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const ship = { seed: 1, anchor_ms: clock.now_ms() };
  writeFileSync(file, `${JSON.stringify(ship)}\n`);
  return ship;
}

/** Shows progress: on a terminal one line that is rewritten, elsewhere a line for every tenth. */
function openProgress(): (progress: PublishProgress) => void {
  let shown = -1;
  return ({ readings, readings_total }) => {
    const percent = readings_total ? Math.floor((100 * readings) / readings_total) : 100;
    const step = process.stderr.isTTY ? percent : Math.floor(percent / 10);
    if (step === shown) return;
    shown = step;
    const line = `publishing her history: ${percent} % (${readings} of ${readings_total} readings)`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
  };
}
