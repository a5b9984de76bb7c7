// `ballastd fleet serve`: how each ship is, over HTTP and read only. It runs until a signal stops
// it.

import { once } from "node:events";
import { parseArgs } from "node:util";
import { listenList } from "../../config/values.ts";
import { becomeOffice } from "../../fleet/office.ts";
import { serveFleet } from "../../fleet/serve.ts";
import { openLog } from "../../ground/log.ts";
import { optionValue } from "../options.ts";

/** Loopback alone: there is no login, so a proxy or a private network decides who may read. */
const LISTEN = "127.0.0.1:8090";

export async function serve(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      listen: { type: "string", default: LISTEN },
      host: { type: "string", multiple: true, default: [] },
      database: { type: "string" },
    },
  });
  const listen = optionValue("listen", listenList, values.listen);
  const log = openLog("info");
  becomeOffice(values.database);
  const { addresses, close } = await serveFleet({
    ...{ listen, database: values.database, log },
    hosts: values.host.map((host) => host.toLowerCase()),
  });
  process.stdout.write(`fleet: ${addresses.map((address) => `http://${address}/`).join(" ")}\n`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await close();
}
