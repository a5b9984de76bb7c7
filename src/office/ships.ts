// Adds and revokes a fleet's ships: a role for each key, and the file that brings the key aboard.
// The file has its name before the commit, so that no ship exists whose key was lost.

import type { ShoreFile } from "../bwts/documents/shore-file.ts";
import type { Office } from "./office.ts";
import { fleetServer } from "./server-settings.ts";

export interface NewShip {
  readonly ship: string;
  readonly name: string;
  /** URLs by which the ship reaches the server; empty for the names in its certificate. */
  readonly urls: readonly string[];
  /** The ship's folder in the office's store; null if its readings go to the server. */
  readonly objects: ShoreFile["objects"] | null;
}

/** Adds a ship with a new key; `write` gets its file before the commit. */
export async function addShip(
  office: Office,
  { ship, name, urls, objects }: NewShip,
  write: (file: ShoreFile) => Promise<void>,
) {
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
      ...(objects && { objects }),
    };
    await write(file);
    return { role, urls: file.urls };
  });
}

/** Ends a ship's key and its sessions; its data stays. */
export async function revokeShip(office: Office, ship: string): Promise<void> {
  // A session may hold a lock on the role, which may change its own password.
  await office.ask("office.end_sessions", [ship]);
  await office.ask("office.bar", [ship]);
  await office.ask("office.end_sessions", [ship]);
  await office.ask("office.revoke", [ship]);
}

const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host);

function withUser(given: string, role: string): string {
  const url = new URL(given);
  url.username = role;
  url.password = "";
  return url.href;
}
