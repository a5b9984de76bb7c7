// `ballastd fleet schema` and `ballastd fleet certificate`: set up a PostgreSQL server as the
// fleet's office.

import net from "node:net";
import { parseArgs } from "node:util";
import { printResult } from "../cli/document.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { withOffice } from "./office.ts";
import { fleetSchema } from "./schema.ts";
import { openServerToShips } from "./server-settings.ts";

export async function printSchema(args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args], options: {} });
  process.stdout.write(fleetSchema());
}

/** Form of a host name by RFC 1123; it is written into openssl's configuration. */
const HOST = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,62}\.)*[A-Za-z0-9-]{0,62}$/;

export async function makeCertificate(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      host: { type: "string", multiple: true, default: [] },
      listen: { type: "string" },
      database: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const { host: hosts, listen = null, database, json } = values;
  if (hosts.length === 0)
    throw new Failure(EXIT.usage, "--host is missing, expected a name or an IP address");
  for (const host of hosts)
    if (net.isIP(host) === 0 && !HOST.test(host))
      throw new Failure(EXIT.usage, `--host ${host}: expected a name or an IP address`);
  const written = await withOffice(
    database,
    (office) => openServerToShips(office, { hosts, listen }),
    { withSchema: false },
  );
  const next = listen === null ? [] : ["next: sudo systemctl restart postgresql"];
  printResult(json, { written }, [...written, ...next].join("\n"));
}
