// The process that can change the data folder for a command: the running instance, through its
// control socket, or, if none runs, a writer of the command's own, under the folder's lock.

import { byCommand } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import { readBuild } from "../ground/assets.ts";
import { callerName } from "../ground/caller.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openDamageRegister } from "../jobs/damage-register.ts";
import { damageFailure } from "../sqlite/file/damage.ts";
import { lockFolder } from "../sqlite/file/lock.ts";
import { openWriterThread, type Writer } from "../sqlite/threads/writer.ts";
import { NotCommitted } from "../sqlite/threads/writer-replies.ts";
import { carryOut } from "./control/carry-out.ts";
import { connectControl } from "./control/client.ts";
import { LINE_MAX_BYTES, type WriterRequest } from "./control/protocol.ts";
import { WORKER_FILE } from "./worker-file.ts";
import { writerRole } from "./writer-role.ts";

export interface Instance {
  /** The longest request in bytes of JSON; null for any. */
  readonly request_bytes_max: number | null;
  /** The result of the request, which is then on disk. Throws a Failure if it can't be done. */
  ask(request: WriterRequest): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Finds the instance of the configuration's folder, or opens the folder after `check`. Throws a
 * Failure if another process holds the folder and doesn't listen.
 */
export async function openInstance(
  config: Config,
  log: Log,
  check: () => void = () => {},
): Promise<Instance> {
  const client = await connectControl(config.storage.dir);
  if (client === null) return openOwn(config, log, check);
  return {
    request_bytes_max: LINE_MAX_BYTES,
    ask: client.ask,
    close: async () => client.close(),
  };
}

async function openOwn(config: Config, log: Log, check: () => void): Promise<Instance> {
  const lock = lockFolder(config.storage.dir);
  const writer = await openOwnWriter(config, log, check).catch((error) => {
    lock.release();
    throw error;
  });
  return {
    request_bytes_max: null,
    ask: (request) =>
      carryOut(request, writer, byCommand(callerName())).catch((error) => {
        if (!(error instanceof NotCommitted)) throw error;
        throw damageFailure(error) ?? new Failure(EXIT.io, error.message);
      }),
    async close() {
      await writer.close();
      lock.release();
    },
  };
}

async function openOwnWriter(config: Config, log: Log, check: () => void): Promise<Writer> {
  check();
  return openWriterThread({
    workerFile: WORKER_FILE,
    role: writerRole(config, readBuild()),
    log,
    onDamage: openDamageRegister(log).note,
    onLost: () => {},
  });
}
