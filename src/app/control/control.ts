// The control socket, by which a command changes data of a running instance. Only the owner of the
// data folder can open it. The folder's lock is held, so a socket file found at the start belongs
// to a dead process.

import { once } from "node:events";
import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type * as z from "zod";
import { type By, byCommand } from "../../bwts/audit.ts";
import type { ShoreAnswer } from "../../bwts/documents/shore-answer.ts";
import { messageOf } from "../../ground/errors.ts";
import { linesOf } from "../../ground/lines.ts";
import type { ProgramLog } from "../../ground/log.ts";
import { damageFailure } from "../../sqlite/file/damage.ts";
import type { Writer } from "../../sqlite/threads/writer.ts";
import type { WriterCommand } from "../../sqlite/threads/writer-commands.ts";
import {
  type ControlAnswer,
  type ControlAnswers,
  type ControlCommand,
  controlPath,
  INPUTS,
  type Input,
  LINE_MAX_BYTES,
  type OwnCommand,
  PATH_MAX_BYTES,
  type ReportAnswer,
  RequestHead,
} from "./protocol.ts";
import type { LedgerSigner } from "./signer.ts";
import type { Tap } from "./tap.ts";

export interface Control {
  close(): Promise<void>;
}

/** Maximum number of commands served at a time; the system refuses more. */
export const COMMANDS_MAX = 4;

/** The parts that commands act on. */
interface Commanded {
  readonly writer: Writer;
  readonly signer: LedgerSigner;
  readonly tap: Tap;
  readonly log: ProgramLog;
  readonly report: () => Promise<ReportAnswer>;
  readonly shore: () => Promise<ShoreAnswer | null>;
  readonly sendAshore: (range: Input["shore_send"]) => Promise<ControlAnswers["shore_send"]>;
  readonly reloadShore: () => Promise<void>;
  readonly restart: () => void;
}

/**
 * Listens in the data folder, whose lock must be held. If the socket's path is too long, that is
 * logged, and there is no socket.
 */
export async function openControl(
  options: Commanded & {
    readonly dir: string;
  },
): Promise<Control> {
  const { log } = options;
  const file = controlPath(options.dir);
  const length = Buffer.byteLength(file);
  if (length > PATH_MAX_BYTES) {
    log.warn("no control socket: the path is too long, commands need the service stopped", {
      path: file,
      bytes: length,
      bytes_max: PATH_MAX_BYTES,
    });
    return { close: async () => {} };
  }
  rmSync(file, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", (error) => log.debug("control socket", { problem: messageOf(error) }));
    serve(socket, options).catch((error) => {
      log.debug("a command was cut off", { problem: messageOf(error) });
      socket.destroy();
    });
  });
  server.maxConnections = COMMANDS_MAX;
  await listenAt(server, file);
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      rmSync(file, { force: true });
    },
  };
}

/**
 * Makes the socket in a folder that only its user can enter, so that nobody else can open it at any
 * moment, then moves it to `file`. The temporary path is no longer than the final one.
 */
async function listenAt(server: Server, file: string): Promise<void> {
  const folder = mkdtempSync(path.join(path.dirname(file), "c"));
  try {
    const made = path.join(folder, "s");
    server.listen(made);
    await once(server, "listening");
    chmodSync(made, 0o600);
    renameSync(made, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Pause before carrying out a request: in this time the command's end arrives, if it had given up.
 */
const GONE_MS = 10;

/**
 * Answers requests one after the other, until the command disconnects. Requests of a command that
 * gave up while this process hung aren't carried out.
 */
async function serve(socket: Socket, parts: Commanded): Promise<void> {
  let isGone = false;
  for (const event of ["end", "close"]) socket.once(event, () => (isGone = true));
  // Piped through a stream that flows: otherwise the end would be noticed only when it is read.
  for await (const line of linesOf(socket.pipe(new PassThrough()), LINE_MAX_BYTES)) {
    await pause(GONE_MS);
    // A process that was busy for all of the pause has read nothing in it: it reads in a turn.
    await nextTurn();
    if (isGone) return;
    const answer =
      "problem" in line
        ? { problem: line.problem, damaged: false }
        : await answerTo(line.text, parts);
    if (!socket.write(`${JSON.stringify(answer)}\n`)) await once(socket, "drain");
  }
}

async function answerTo(text: string, parts: Commanded): Promise<z.input<typeof ControlAnswer>> {
  try {
    const said: unknown = JSON.parse(text);
    const { command, by } = RequestHead.parse(said);
    const result = isOwn(command)
      ? await carryOut(command, said, parts)
      : await forward(command, said, { by: byCommand(by), writer: parts.writer });
    return { result };
  } catch (error) {
    const damage = damageFailure(error);
    return { problem: messageOf(damage ?? error), damaged: damage !== null };
  }
}

const OWN: {
  readonly [C in OwnCommand]: (
    parts: Commanded,
    input: Input[C],
  ) => ControlAnswers[C] | Promise<ControlAnswers[C]>;
} = {
  messages: ({ tap }, { after }) => tap.since(after),
  log({ log }, { level, area }) {
    if (level !== null) log.setLevel(level, area);
    return log.levels();
  },
  report: ({ report }) => report(),
  shore: ({ shore }) => shore(),
  shore_send: ({ sendAshore }, range) => sendAshore(range),
  async shore_reload({ reloadShore }) {
    await reloadShore();
    return null;
  },
  ledger_sign: ({ signer }, { reason }) => signer.sign(reason),
  ledger_rotate: ({ signer }) => signer.rotate(),
  restart({ restart }) {
    // Restarts after the answer has been sent.
    setImmediate(restart);
    return null;
  },
};

const isOwn = (command: ControlCommand): command is OwnCommand => Object.hasOwn(OWN, command);

function carryOut<C extends OwnCommand>(command: C, said: unknown, parts: Commanded) {
  return OWN[command](parts, INPUTS[command].input.parse(said));
}

function forward<C extends WriterCommand>(
  command: C,
  said: unknown,
  { writer, by }: { readonly writer: Writer; readonly by: By },
) {
  return writer.command(command, INPUTS[command].input.parse(said), by);
}
