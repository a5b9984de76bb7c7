// The process that can change the data folder for a command: the running instance, through its
// control socket; if none runs, the command's own writer, under the folder's lock.

import { byCommand } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import { readBuild } from "../ground/assets.ts";
import { callerName } from "../ground/caller.ts";
import { type Log, openLog } from "../ground/log.ts";
import { lockFolder } from "../sqlite/file/lock.ts";
import type { SignedHead } from "../sqlite/records/head-rows.ts";
import { openWriterThread, type Writer } from "../sqlite/threads/writer.ts";
import type { CommandAnswer, WriterCommand } from "../sqlite/threads/writer-commands.ts";
import { connectControl } from "./control/client.ts";
import { type Input, LINE_MAX_BYTES } from "./control/protocol.ts";
import { openHeadSigner } from "./head-signer.ts";
import { WORKER_FILE, writerRole } from "./threads.ts";

export interface Instance {
  /** Maximum size of a request, in bytes of JSON; null without a limit. */
  readonly request_bytes_max: number | null;
  /**
   * Resolves with the command's answer when all is on disk. Throws a Failure if it can't be done.
   */
  ask<C extends WriterCommand>(command: C, input: Input[C]): Promise<CommandAnswer[C]>;
  /** Signs a head of the ledger with the key in the folder, or with a new one. */
  sign(reason: Input["ledger_sign"]["reason"]): Promise<SignedHead>;
  rotate(): Promise<SignedHead>;
  close(): Promise<void>;
}

/** Has the instance of the configuration's folder sign a head of the ledger. */
export async function signedHead(
  config: Config,
  sign: (instance: Pick<Instance, "sign" | "rotate">) => Promise<SignedHead>,
  log: Log = openLog(config.log.level),
): Promise<SignedHead> {
  return withInstance(config, log, sign);
}

/** Sends one command to the instance of the configuration's folder. */
export async function askInstance<C extends WriterCommand>(
  config: Config,
  command: C,
  input: Input[C],
  log: Log = openLog(config.log.level),
): Promise<CommandAnswer[C]> {
  return withInstance(config, log, (instance) => instance.ask(command, input));
}

/** Opens the instance of the configuration's folder for the time of `work`. */
export async function withInstance<Result>(
  config: Config,
  log: Log,
  work: (instance: Instance) => Promise<Result>,
): Promise<Result> {
  const instance = await openInstance(config, log);
  try {
    return await work(instance);
  } finally {
    await instance.close();
  }
}

/**
 * Connects to the instance of the configuration's folder, or opens the folder after `check`. Throws
 * a Failure if another process holds the folder and doesn't listen.
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
    sign: (reason) => client.ask("ledger_sign", { reason }),
    rotate: () => client.ask("ledger_rotate", {}),
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
    ask: (command, input) => writer.command(command, input, byCommand(callerName())),
    ...openHeadSigner(config, { writer, log }),
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
    // The command names what it meets itself: a job of the writer said it again, if it was earlier.
    onDamage: () => {},
    onLost: () => {},
  });
}
