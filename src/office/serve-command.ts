// `ballastd fleet serve`: the fleet page and its API over HTTP, read only. It runs until a signal
// stops it.

import { once } from "node:events";
import { parseArgs } from "node:util";
import * as z from "zod";
import { optionValue } from "../cli/options.ts";
import { listenList } from "../config/values.ts";
import { openLog } from "../ground/log.ts";
import { becomeOffice } from "./office.ts";
import { storeNamed } from "./office-store.ts";
import { serveFleet } from "./serve.ts";

/**
 * Default address: loopback only, since there is no login. A proxy or a private network decides who
 * may read.
 */
const LISTEN = "127.0.0.1:8090";

/** Default time without contact before an alert: six reports at their usual interval. */
const SILENCE_MINUTES = 60;

/** Default time limit for a file: the largest one, 2 GB, at 5 Mbit/s. */
const FILE_MINUTES = 60;

const minutesWithin = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `expected ${least} to ${most} minutes`,
    )
    .transform(Number);
/** Parser of --silence-minutes: from two reports to a month. */
const silenceMinutes = minutesWithin(20, 43_200);
/** Parser of --file-minutes: up to a day. */
const fileMinutes = minutesWithin(1, 1440);

export async function serve(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      listen: { type: "string", default: LISTEN },
      host: { type: "string", multiple: true, default: [] },
      "silence-minutes": { type: "string", default: String(SILENCE_MINUTES) },
      "file-minutes": { type: "string", default: String(FILE_MINUTES) },
      database: { type: "string" },
      objects: { type: "string" },
    },
  });
  const silence_minutes = optionValue("silence-minutes", silenceMinutes, values["silence-minutes"]);
  const file_minutes = optionValue("file-minutes", fileMinutes, values["file-minutes"]);
  const listen = optionValue("listen", listenList, values.listen);
  const log = openLog("info");
  becomeOffice(values.database);
  // Throws at the start for a malformed place or key.
  storeNamed(values.objects)?.close();
  const { addresses, close } = await serveFleet({
    ...{ listen, silence_minutes, file_minutes, database: values.database, log },
    openObjects: () => storeNamed(values.objects),
    hosts: values.host.map((host) => host.toLowerCase()),
  });
  process.stdout.write(`fleet: ${addresses.map((address) => `http://${address}/`).join(" ")}\n`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await close();
}
