// What a command and a running instance say to each other over the control socket: one JSON request
// a line, one JSON answer a line, in turn.

import path from "node:path";
import { z } from "zod";

/** The longest line either side takes. */
export const LINE_MAX_BYTES = 1024 * 1024;

/** The most readings of a request: their problems have to fit the answer. */
export const RECORDS_MAX = 500;

/** The longest path of a Unix socket, in bytes: 108 with the zero at its end (unix(7)). */
export const PATH_MAX_BYTES = 107;

/** Where the socket of a data folder is. */
export function controlPath(dir: string): string {
  return path.join(dir, "control.sock");
}

const line = z.number().int();

export const ControlRequest = z.discriminatedUnion("command", [
  z.object({
    command: z.literal("import"),
    records: z.array(z.object({ line, json: z.string() })).max(RECORDS_MAX),
  }),
]);
export type ControlRequest = z.output<typeof ControlRequest>;

export const ControlAnswer = z.union([
  z.object({ result: z.unknown() }),
  z.object({ problem: z.string() }),
]);

/** The result of `import`. */
export const ImportAnswer = z.object({
  stored: line,
  same: line,
  refused: z.array(z.object({ line, problem: z.string() })),
});
