// One hello outside the service, for a command: whether the shore is reached, whether it takes the
// ship's key, and what it lacks.

import type { Config } from "../config/config.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import type { Connection } from "../sqlite/file/open.ts";
import { type Backlog, backlogOf } from "../sqlite/shore/backlog.ts";
import { type Heads, locators, shoreHeads } from "../sqlite/shore/links.ts";
import { connectShore, isKeyRefused } from "./connection.ts";
import { commonOf } from "./hello.ts";
import { instanceNumber } from "./instance-number.ts";
import { serverOf, shorePlace } from "./shore.ts";

export interface ShoreTrial {
  readonly server: string;
  readonly instance: string;
  readonly connected_ms: number;
  readonly round_trip_ms: number;
  /** The shore's clock less the box's. */
  readonly clock_offset_ms: number;
  /** Links aboard, and the newest common ones. */
  readonly aboard: Heads;
  readonly ashore: Heads;
  readonly backlog: Backlog;
}

interface Tried {
  readonly dir: string;
  readonly version: string;
  readonly db: Connection;
}

/** Tries each URL. Throws a Failure with the reason of the last one. */
export async function tryShore(settings: Config["shore"], tried: Tried): Promise<ShoreTrial> {
  let problem: Failure | null = null;
  for (const url of settings.url)
    try {
      return await tryUrl(settings, url, tried);
    } catch (error) {
      problem = failureOf(serverOf(url), error);
    }
  throw problem ?? new Failure(EXIT.config, "shore.url isn't set: type ballastd shore join FILE");
}

async function tryUrl(settings: Config["shore"], url: string, { dir, version, db }: Tried) {
  const instance = instanceNumber(dir);
  const began_ms = performance.now();
  const connection = await connectShore(shorePlace(settings, url));
  try {
    const connected_ms = performance.now() - began_ms;
    const aboard = shoreHeads(db);
    const asked_ms = performance.now();
    const hello = await connection.hello({ instance, version }, locators(db, {}));
    if (hello === null) throw new Failure(EXIT.unavailable, "the server is a standby");
    const ashore = commonOf(hello);
    const has = { links: ashore, lacking: hello.chains.segment.lacking };
    return {
      ...{ server: serverOf(url), instance, connected_ms, aboard, ashore },
      round_trip_ms: performance.now() - asked_ms,
      clock_offset_ms: hello.now_ms - Date.now(),
      backlog: backlogOf(
        db,
        { ...has, hours: hello.revisions.hour ?? 0 },
        settings.raw === "always",
      ),
    };
  } finally {
    await connection.end();
  }
}

function failureOf(server: string, error: unknown): Failure {
  const said = `${server}: ${messageOf(error)}`;
  return isKeyRefused(error)
    ? new Failure(EXIT.permission, `${said}; the office knows why: ballastd fleet list`)
    : new Failure(EXIT.unavailable, said);
}
