// The control socket: how a command changes what a running instance holds. Only the owner of the
// data folder can open it; the folder's lock says that a socket file that is there at the start is
// of a process that is gone.

import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { messageOf } from "../errors.ts";
import { linesOf } from "../lines.ts";
import type { ProgramLog } from "../log.ts";
import type { Writer } from "../sqlite/writer.ts";
import { carryOut } from "./carry-out.ts";
import {
  ControlRequest,
  controlPath,
  LINE_MAX_BYTES,
  PATH_MAX_BYTES,
  type ReportAnswer,
} from "./control-protocol.ts";
import type { Tap } from "./tap.ts";

export interface Control {
  close(): Promise<void>;
}

/** Commands at a time; more are refused by the system. */
const CONNECTIONS_MAX = 4;
/** Of a new socket: for its owner alone. */
const OWNER_ONLY = 0o177;

/** What commands act on. */
interface Commanded {
  readonly writer: Writer;
  readonly tap: Tap;
  readonly log: ProgramLog;
  readonly report: () => Promise<ReportAnswer>;
  readonly restart: () => void;
}

/**
 * Listens in the data folder, whose lock must be held. A path too long is logged and done without.
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
  server.maxConnections = CONNECTIONS_MAX;
  // The socket is made within listen(): nobody else can open it, not even for a moment.
  const before = process.umask(OWNER_ONLY);
  server.listen(file);
  process.umask(before);
  await once(server, "listening");
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers one request after the other, until the command hangs up. */
async function serve(socket: Socket, parts: Commanded): Promise<void> {
  for await (const line of linesOf(socket, LINE_MAX_BYTES)) {
    const answer = "problem" in line ? { problem: line.problem } : await answerTo(line.text, parts);
    if (!socket.write(`${JSON.stringify(answer)}\n`)) await once(socket, "drain");
  }
}

async function answerTo(text: string, parts: Commanded): Promise<object> {
  try {
    const request = ControlRequest.parse(JSON.parse(text));
    return { result: await resultOf(request, parts) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function resultOf(request: ControlRequest, parts: Commanded): unknown {
  const { log, tap, writer } = parts;
  switch (request.command) {
    case "messages":
      return tap.since(request.after);
    case "log":
      if (request.level !== null) log.setLevel(request.level, request.area);
      return log.levels();
    case "report":
      return parts.report();
    case "restart":
      // After the answer has gone.
      setImmediate(parts.restart);
      return null;
    default:
      return carryOut(request, writer);
  }
}
