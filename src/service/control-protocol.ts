// What a command and an instance say to each other: one request, one answer, in turn; over the
// control socket each is a line of JSON.

import path from "node:path";
import { z } from "zod";
import { ROLES, TokenName } from "../bwts/token.ts";

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
  z.object({
    command: z.literal("audit"),
    kind: z.enum(["export", "import"]),
    detail: z.record(z.string(), z.unknown()),
  }),
  z.object({
    command: z.literal("token_add"),
    name: TokenName,
    role: z.enum(ROLES),
    /** Of the secret, which stays with the command. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.object({ command: z.literal("token_revoke"), name: z.string() }),
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
