// Adds and revokes a fleet's ships: a role for each key, and the file that brings the key aboard.
// The file is written before the commit, so that no ship is there whose key was lost.

import { writeSync } from "node:fs";
import type { ShoreFile } from "../bwts/shore/shore-file.ts";
import type { Office } from "./office.ts";
import { fleetServer } from "./server-settings.ts";

export interface NewShip {
  readonly ship: string;
  readonly name: string;
  /** By which she reaches the server; none for the names in its certificate. */
  readonly urls: readonly string[];
}

/** Adds a ship with a new key, and writes her file to `handle` before the commit. */
export async function addShip(office: Office, { ship, name, urls }: NewShip, handle: number) {
  const { authority, port, database } = await fleetServer(office);
  const places =
    urls.length > 0
      ? urls
      : authority
          .hosts()
          .map((host) => `postgres://${hostOf(host)}:${port}/${encodeURIComponent(database)}`);
  return office.transaction(async () => {
    const [{ role }] = await office.ask<{ role: string }>("office.add", [ship, name]);
    const file: ShoreFile = {
      format: 1,
      ...{ ship, name },
      urls: places.map((url) => withUser(url, role)),
      ...authority.makeShip(role),
      key_pin: authority.keyPin(),
    };
    writeSync(handle, `${JSON.stringify(file, null, 2)}\n`);
    return { role, urls: file.urls };
  });
}

/** Ends a ship's key and her sessions; her data stays. */
export async function revokeShip(office: Office, ship: string): Promise<void> {
  const [{ role }] = await office.ask<{ role: string }>("office.bar", [ship]);
  await office.ask("office.end_sessions", [role]);
  await office.ask("office.revoke", [ship]);
}

const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host);

function withUser(given: string, role: string): string {
  const url = new URL(given);
  url.username = role;
  url.password = "";
  return url.href;
}
