// Restarts the running instance after a switch of versions, waits, and returns the version that
// runs in the end.

import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../ground/errors.ts";
import { askReport, connectControl } from "./client.ts";
import type { ReportAnswer } from "./protocol.ts";
import { readUpdateState } from "./update-state.ts";

/** Maximum wait: a migration of 24 months on a slow processor, a trial, and the return. */
const WAIT_MAX_MS = 30 * 60_000;
const POLL_MS = 250;

/**
 * Restarts the instance of `dir`. Resolves with the version that runs then and the state of the
 * update; null if none ran, or none came back in time.
 */
export async function restarted(
  dir: string,
): Promise<{ readonly version: string; readonly reason: string } | null> {
  const before = await reportOf(dir);
  if (before === null) return null;
  const client = await connectControl(dir);
  await client?.ask("restart", {});
  client?.close();
  const deadline_ms = Date.now() + WAIT_MAX_MS;
  while (Date.now() < deadline_ms) {
    await sleep(POLL_MS);
    const now = await reportOf(dir);
    if (now !== null && now.pid !== before.pid)
      return { version: now.version, reason: readUpdateState(dir)?.reason ?? "" };
  }
  return null;
}

/** Version of the running instance of `dir`; null if none runs. */
export async function runningVersion(dir: string): Promise<string | null> {
  return (await reportOf(dir))?.version ?? null;
}

async function reportOf(dir: string): Promise<ReportAnswer | null> {
  try {
    return await askReport(dir);
  } catch (error) {
    // The instance is ending, or has just begun to start.
    if (error instanceof Failure) return null;
    throw error;
  }
}
