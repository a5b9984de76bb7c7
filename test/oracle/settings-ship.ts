// A ship whose settings are changed over HTTP: the built program with the configuration's file of
// the package, writable by its account or not.

import { chmodSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { configurationFile } from "../../scripts/package/configuration-file.ts";
import { type Appliance, startAppliance } from "./appliance.ts";

export const TOKEN = "token-of-the-maintainer-aboard";
/** As installed, at ports that the kernel gives. */
export const TEXT = `${configurationFile()
  .replace('#listen = ["127.0.0.1:8080"]', 'listen = ["127.0.0.1:0"]')
  .replace('#listen = ["127.0.0.1:1883"]', 'listen = ["127.0.0.1:0"]')}\n# Kept by the yard\n`;
const ACCOUNT = 65_534;
/** A command that becomes the service as that account. */
export const AS_ACCOUNT = [
  ...["setpriv", `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, "--clear-groups"],
];

export const envOf = (folder: string, file: string) => ({
  BALLASTD_AUTH_TOKEN: TOKEN,
  BALLASTD_CONFIG: file,
  BALLASTD_STORAGE_DIR: path.join(folder, "data"),
});

/** The addresses come from the file, as aboard. */
export const OWN_ADDRESSES = { BALLASTD_HTTP_LISTEN: undefined, BALLASTD_MQTT_LISTEN: undefined };

interface ShipOpened {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The configuration stands in a folder that the service's account may not write. */
  readonly isForeign?: boolean;
  readonly folder?: string;
}

export async function openShip(
  newFolder: () => string,
  { env = {}, isForeign = false, folder = newFolder() }: ShipOpened = {},
) {
  const other = newFolder();
  const file = path.join(isForeign ? other : folder, "ballastd.toml");
  const text = TEXT.replace("/var/lib/ballastd", path.join(folder, "data"));
  writeFileSync(file, text, { mode: 0o644 });
  chmodSync(other, 0o755);
  if (isForeign) chownSync(folder, ACCOUNT, ACCOUNT);
  const appliance = await startAppliance({
    folder,
    env: { ...envOf(folder, file), ...env },
    through: isForeign ? AS_ACCOUNT : [],
  });
  return {
    ...{ appliance, file, folder },
    // As the package has it, wherever the data is.
    read: () => readFileSync(file, "utf8").replace(path.join(folder, "data"), "/var/lib/ballastd"),
    [Symbol.asyncDispose]: () => appliance[Symbol.asyncDispose](),
  };
}

/** The addresses that the program prints at each start. */
export async function startsOf({ program }: Appliance, count: number) {
  const web = new RegExp(`(?:[^]*?^web: (http://\\S+)/$){${count}}[^]*?^MQTT: (\\S+) `, "m");
  const [, url = "", broker = ""] = await program.waitForOutput(web);
  return { url, broker };
}

export async function post({ url }: Appliance, body: unknown, token: string | null = TOKEN) {
  const answer = await fetch(`${url}/admin/config`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

export const SHIP = [
  { key: "system.vessel", value: "MV Exämple" },
  { key: "system.imo", value: "9074729" },
  { key: "limits.uv_imo", value: "300" },
  { key: "limits.source", value: "certificate 4711" },
];
