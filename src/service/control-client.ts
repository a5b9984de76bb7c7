// A command's end of the control socket: whether an instance runs, and what it says to a request.
// Who connects waits for each answer before asking again.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { callerName } from "../caller.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import { linesOf } from "../lines.ts";
import {
  ControlAnswer,
  type ControlRequest,
  controlPath,
  LINE_MAX_BYTES,
  PATH_MAX_BYTES,
} from "./control-protocol.ts";

/** A running instance, as a command can ask it. */
export interface ControlClient {
  /** What the instance answers; throws a Failure with its words when it can't do it. */
  ask(request: ControlRequest): Promise<unknown>;
  close(): void;
}

/** Connects to the instance that runs in `dir`; null when none listens there. */
export async function connectControl(dir: string): Promise<ControlClient | null> {
  const file = controlPath(dir);
  if (Buffer.byteLength(file) > PATH_MAX_BYTES) return null;
  const socket = connect(file);
  try {
    await once(socket, "connect");
  } catch (error) {
    const code = codeOf(error);
    // Nothing there, or a file that a killed process left.
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return null;
    throw new Failure(EXIT.permission, `${file}: ${messageOf(error)}`);
  }
  return clientOn(socket);
}

function clientOn(socket: Socket): ControlClient {
  socket.on("error", () => socket.destroy());
  const lines = linesOf(socket, LINE_MAX_BYTES);
  return {
    async ask(request) {
      socket.write(`${JSON.stringify({ ...request, by: callerName() })}\n`);
      const { value: line } = await lines.next().catch(() => ({ value: undefined }));
      if (line === undefined || "problem" in line)
        throw new Failure(EXIT.unavailable, "the running instance went away, try again");
      const answer = ControlAnswer.parse(JSON.parse(line.text));
      if ("problem" in answer)
        throw new Failure(answer.damaged ? EXIT.io : EXIT.failed, answer.problem);
      return answer.result;
    },
    close: () => socket.destroy(),
  };
}
