// A command's end of the control socket: detects a running instance, and sends it requests. The
// client waits for each answer before its next request.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type * as z from "zod";
import { callerName } from "../../ground/caller.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { linesOf } from "../../ground/lines.ts";
import {
  ANSWERS,
  ControlAnswer,
  type ControlAnswers,
  type ControlCommand,
  controlPath,
  type Input,
  LINE_MAX_BYTES,
  PATH_MAX_BYTES,
  type ReportAnswer,
} from "./protocol.ts";

/**
 * Maximum wait for an answer: the writer may first have to store a batch, or a void, on a slow
 * disk.
 */
const ANSWER_MAX_MS = 30 * 60_000;
/** Time after which the terminal shows that the command still waits. */
const SLOW_MS = 5_000;
/** Maximum wait for the report. It needs no commit, but processor time that other work may take. */
const REPORT_MAX_MS = 60_000;

/** A connection from a command to a running instance. */
export interface ControlClient {
  /** The instance's answer; throws a Failure with its message if it refuses or fails. */
  ask<C extends ControlCommand>(command: C, input: Input[C]): Promise<ControlAnswers[C]>;
  close(): void;
}

/** The report of the instance in `dir`; null when none listens there. */
export async function askReport(dir: string): Promise<ReportAnswer | null> {
  return withControl(dir, (client) => client.ask("report", {}));
}

/** The state of the link to the office, of the instance in `dir`; null when none listens there. */
export async function askShore(dir: string): Promise<ControlAnswers["shore"]> {
  return withControl(dir, (client) => client.ask("shore", {}));
}

/**
 * Makes the instance in `dir` send readings of a range to the office; null when none listens there.
 */
export async function sendAshore(dir: string, range: Input["shore_send"]) {
  return withControl(dir, (client) => client.ask("shore_send", range));
}

/** Makes the instance in `dir` read [shore] again; false when none listens there. */
export async function reloadShore(dir: string): Promise<boolean> {
  const isDone = await withControl(dir, async (client) => {
    await client.ask("shore_reload", {});
    return true;
  });
  return isDone ?? false;
}

async function withControl<Result>(
  dir: string,
  work: (client: ControlClient) => Promise<Result>,
): Promise<Result | null> {
  const client = await connectControl(dir, REPORT_MAX_MS);
  if (client === null) return null;
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Checks an answer. Throws a Failure for an unexpected one, as from another version. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new Failure(EXIT.failed, "the running instance answers as no ballastd of this version");
}

/** Connects to the instance that runs in `dir`; null when none listens there. */
export async function connectControl(
  dir: string,
  answer_max_ms = ANSWER_MAX_MS,
): Promise<ControlClient | null> {
  const file = controlPath(dir);
  if (Buffer.byteLength(file) > PATH_MAX_BYTES) return null;
  const socket = connect(file);
  try {
    await once(socket, "connect");
  } catch (error) {
    const code = codeOf(error);
    // There is no socket, or one left by a killed process.
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return null;
    throw new Failure(EXIT.permission, `${file}: ${messageOf(error)}`);
  }
  return clientOn(socket, answer_max_ms);
}

// Another program of the same account may listen there, so its answers are validated.
function clientOn(socket: Socket, answer_max_ms: number): ControlClient {
  socket.on("error", () => socket.destroy());
  const lines = linesOf(socket, LINE_MAX_BYTES);
  return {
    async ask(command, input) {
      socket.write(`${JSON.stringify({ ...input, command, by: callerName() })}\n`);
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        socket.destroy();
      }, answer_max_ms);
      const slow = setTimeout(() => {
        if (!process.stderr.isTTY) return;
        const most = `waiting for up to ${answer_max_ms / 1000} s, Ctrl-C gives it up`;
        process.stderr.write(`the running instance doesn't answer yet: ${most}\n`);
      }, SLOW_MS);
      const { value: line } = await lines.next().catch(() => ({ value: undefined }));
      clearTimeout(late);
      clearTimeout(slow);
      if (isLate) {
        const waited = `within ${answer_max_ms / 1000} s`;
        throw new Failure(EXIT.unavailable, `the running instance gave no answer ${waited}`);
      }
      if (line === undefined || "problem" in line)
        throw new Failure(EXIT.unavailable, "the running instance went away, try again");
      const answer = readAnswer(ControlAnswer, parsed(line.text));
      if ("problem" in answer)
        throw new Failure(answer.damaged ? EXIT.io : EXIT.failed, answer.problem);
      return readAnswer(ANSWERS[command].answer, answer.result);
    },
    close: () => socket.destroy(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
