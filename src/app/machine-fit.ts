// Checks settings against this machine: its addresses and ports, and the folder of backups. An
// address that can't be reached or a folder that can't be written would be noticed only after the
// restart.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createServer, isIPv4 } from "node:net";
import path from "node:path";
import type { KeySetting } from "../config/change.ts";
import { openListening } from "../config/listening.ts";
import { type Listen, readableListen, shownListen } from "../config/values.ts";
import { codeOf, EXIT, Failure } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { quoted } from "../ground/quoted.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";

interface Machine {
  /** The ports on which this process listens. */
  readonly ports: () => ReadonlySet<number>;
  readonly log: Log;
}

/** Matches a path that may be shown. */
const PLAIN_PATH = /^(?!\/\/)[^@:]*$/;

/** Matches folders in memory, which are empty after a start. */
const FLEETING = /^\/(dev|run|proc|sys)(\/|$)/;

/**
 * The problem with a folder for backups; null if there is none. A missing or read-only one would
 * fail every night.
 */
export function folderProblem({ key, value }: KeySetting): Failure | null {
  if (key.key !== "backup.dir" || value === null || value === "") return null;
  const dir = String(value);
  // A share's address with a login in it (//user:password@host/share) isn't shown.
  const given = PLAIN_PATH.test(dir) ? dir : "…";
  const refused = (why: string, stated: RefusalReason) =>
    new Failure(EXIT.config, `backup.dir: ${quoted(given)} ${why}`, stated);
  if (!path.isAbsolute(dir))
    return refused(
      "isn't a whole path, expected one like /media/stick",
      reason("folder_unfit", { given }),
    );
  if (FLEETING.test(realPlace(dir)))
    return refused(
      "is emptied at a start, expected a folder that stays",
      reason("folder_fleeting", { given }),
    );
  try {
    if (!statSync(dir).isDirectory())
      return refused("is no folder, expected one", reason("folder_absent", { given }));
    accessSync(dir, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error) ?? "?";
    if (code === "ENAMETOOLONG")
      return refused("has a name that is too long", reason("folder_long", { given }));
    return refused(
      `can't be written by the service (${code}), expected a folder that it may ` +
        "write: its own, or one below /media or /mnt",
      ABSENT.includes(code)
        ? reason("folder_absent", { given })
        : reason("folder_closed", { given, error: code }),
    );
  }
}

/** Codes of a path on which a folder is missing, or is none. */
const ABSENT = ["ENOENT", "ENOTDIR", "ELOOP"];

/** The path without links and `..`, as far as it exists: a link may lead into memory. */
function realPlace(dir: string): string {
  for (let above = path.resolve(dir); ; above = path.dirname(above))
    try {
      return path.join(realpathSync(above), path.relative(above, path.resolve(dir)));
    } catch {
      if (above === path.dirname(above)) return above;
    }
}

/**
 * The problem with an address to listen on; null if there is none. For a missing or taken one the
 * next start would wait, without a page.
 */
export async function listenProblem(
  { key: { section, name }, value }: KeySetting,
  { ports, log }: Machine,
): Promise<Failure | null> {
  if (name !== "listen" || (section !== "http" && section !== "mqtt")) return null;
  const odd = readableListen(value ?? []).find(({ host, port }) => port === 0 || !isUnicast(host));
  if (odd !== undefined)
    return new Failure(
      EXIT.config,
      `${section}.listen: ${shownListen(odd)} was given, expected a port from 1 to 65535 and an ` +
        "address of this machine, or 0.0.0.0: nobody would find it again",
      reason("address_odd", { setting: `${section}.listen`, address: shownListen(odd) }),
    );
  const held = ports();
  // This process itself holds such a port and will free it, so any free port is tried instead.
  const portFor = ({ port }: Listen) => (held.has(port) ? 0 : port);
  const listen = readableListen(value ?? []);
  try {
    const make = () => createServer((socket) => socket.destroy());
    const tried = await openListening({ section, listen, portFor, missing: "refuse", make, log });
    await tried.close();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** False for a multicast address, which can be bound but not reached. */
function isUnicast(host: string): boolean {
  if (isIPv4(host)) return Number(host.split(".")[0]) < 224;
  return !/^ff/i.test(host);
}
