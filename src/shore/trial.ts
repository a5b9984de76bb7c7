// One hello outside the service, for a command. It shows whether the office can be reached, whether
// it accepts the ship's key, and what it lacks; then whether the store of objects, if there is one,
// would accept the ship's readings.

import type { Config } from "../config/config.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { type Backlog, backlogOf } from "../sqlite/exchange/shore-backlog.ts";
import { ledgerLocators } from "../sqlite/exchange/shore-ledger.ts";
import { type Heads, locators, shoreHeads } from "../sqlite/exchange/shore-links.ts";
import type { Connection } from "../sqlite/file/open.ts";
import { connectShore, isKeyRefused } from "./connection.ts";
import { commonOf } from "./hello.ts";
import { instanceNumber } from "./instance-number.ts";
import { openShipStore } from "./objects.ts";
import { serverOf, shorePlace } from "./shore.ts";

export interface ShoreTrial {
  readonly server: string;
  readonly instance: string;
  readonly connected_ms: number;
  readonly round_trip_ms: number;
  /** The office's clock minus the box's, in ms. */
  readonly clock_offset_ms: number;
  /** Numbers of the newest links aboard, and of the newest common ones. */
  readonly aboard: Heads;
  readonly ashore: Heads;
  readonly backlog: Backlog;
  /**
   * The store of shore.objects, and the reason if it accepts nothing. Null: readings go to the
   * server.
   */
  readonly objects: { readonly server: string; readonly problem: string | null } | null;
}

/** The box that asks, and its database. */
export interface TrialContext {
  readonly dir: string;
  readonly version: string;
  readonly db: Connection;
}

/** Says one hello and tests the store. Throws a Failure with the reason of the last URL. */
export async function tryShore(
  settings: Config["shore"],
  tried: TrialContext,
): Promise<ShoreTrial> {
  const { db } = tried;
  const { connection, hello, ...met } = await meetShore(settings, tried);
  await connection.end();
  const ashore = commonOf(hello);
  const { lacking } = hello.chains.segment;
  const has = { links: ashore, lacking, hours: hello.revisions.hour ?? 0, ledger: null };
  const clock_offset_ms = hello.now_ms - Date.now();
  return {
    ...{ ...met, aboard: shoreHeads(db), ashore, clock_offset_ms },
    backlog: backlogOf(db, has, settings.raw === "always"),
    objects: settings.objects === "" ? null : await tryObjects(settings, clock_offset_ms),
  };
}

/** Time without an answer after which the store counts as unreachable. */
const STORE_MAX_MS = 30 * SECOND_MS;
/** Name of the test object beside the readings, whose names are their hashes. */
const TRIAL_NAME = "trial";

async function tryObjects(settings: Config["shore"], clock_offset_ms: number) {
  const { host: server } = new URL(settings.objects);
  try {
    const store = openShipStore(settings, () => Date.now() + clock_offset_ms);
    const late = setTimeout(() => store.close(), STORE_MAX_MS);
    await store.tryPut(TRIAL_NAME).finally(() => {
      clearTimeout(late);
      store.close();
    });
    return { server, problem: null };
  } catch (error) {
    return { server, problem: messageOf(error) };
  }
}

/** Connects to the first server that answers and isn't a standby. */
export async function meetShore(settings: Config["shore"], tried: TrialContext) {
  let problem: Failure | null = null;
  for (const url of settings.url)
    try {
      return await meetAt(settings, url, tried);
    } catch (error) {
      problem = failureOf(serverOf(url), error);
    }
  throw problem ?? new Failure(EXIT.config, "shore.url isn't set: type ballastd shore join FILE");
}

async function meetAt(settings: Config["shore"], url: string, { dir, version, db }: TrialContext) {
  const instance = instanceNumber(dir);
  const began_ms = performance.now();
  const connection = await connectShore(shorePlace(settings, url));
  try {
    const connected_ms = performance.now() - began_ms;
    const asked_ms = performance.now();
    const own = { ...locators(db, {}), ...ledgerLocators(db) };
    const hello = await connection.hello({ instance, version }, own);
    if (hello === null) throw new Failure(EXIT.unavailable, "the server is a standby");
    const round_trip_ms = performance.now() - asked_ms;
    return { connection, hello, server: serverOf(url), instance, connected_ms, round_trip_ms };
  } catch (error) {
    await connection.end();
    throw error;
  }
}

function failureOf(server: string, error: unknown): Failure {
  const said = `${server}: ${messageOf(error)}`;
  return isKeyRefused(error)
    ? new Failure(EXIT.permission, `${said}; the office knows why: ballastd fleet list`)
    : new Failure(EXIT.unavailable, said);
}
