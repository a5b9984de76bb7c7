// The protocol between a command and a running instance: one request, one answer, in turn, each a
// line of JSON on the control socket. A request is the command's name, its input, and its user.

import path from "node:path";
import * as z from "zod";
import { CommandUser } from "../../bwts/audit.ts";
import { ShoreAnswer } from "../../bwts/documents/shore-answer.ts";
import { AREAS, LOG_LEVELS } from "../../ground/log.ts";
import { WRITER_COMMANDS } from "../../sqlite/threads/writer-commands.ts";

/** Maximum length of a line, in either direction. */
export const LINE_MAX_BYTES = 1024 * 1024;

/** Maximum length of a Unix socket's path, in bytes: 108 with the zero at its end (unix(7)). */
export const PATH_MAX_BYTES = 107;

/** Path of the control socket of a data folder. */
export function controlPath(dir: string): string {
  return path.join(dir, "control.sock");
}

const whole = z.number().int();

/** A message as `messages` lists it; only the head of one that is too large. */
const TappedMessage = z.object({
  topic: z.string(),
  payload_base64: z.base64(),
  payload_bytes: whole,
  received_ms: whole,
  retain: z.boolean(),
});
export type TappedMessage = z.output<typeof TappedMessage>;

/** A signed head of the ledger, as it is stored. */
const StoredHead = z.object({
  at_ms: whole,
  origin: z.string(),
  size: whole,
  reason: z.string(),
  checkpoint: z.string(),
  ssh_signature: z.string(),
});

/** The commands of a running instance beside those to its writer. */
const OWN_COMMANDS = {
  /**
   * The messages after number `after`; null begins to watch. `last` is the newest message's number.
   */
  messages: {
    input: z.object({ after: whole.nullable() }),
    answer: z.object({ last: whole, messages: z.array(TappedMessage) }),
  },
  /** Sets the level of an area, or with null changes nothing; answers all levels. */
  log: {
    input: z.object({ area: z.enum(AREAS).nullable(), level: z.enum(LOG_LEVELS).nullable() }),
    answer: z.record(z.enum(AREAS), z.enum(LOG_LEVELS)),
  },
  /** Facts that only the running instance knows, for a fault report. */
  report: {
    input: z.object({}),
    answer: z.object({
      version: z.string(),
      pid: whole,
      uptime_s: z.number(),
      readiness: z.unknown(),
      metrics: z.string(),
      log: z.array(z.string()),
      problems: z.array(z.string()),
    }),
  },
  /** The state of the link to the office; null while it isn't known. */
  shore: { input: z.object({}), answer: ShoreAnswer.nullable() },
  /** Sends the readings of a range to the office; null while there is no link. */
  shore_send: {
    input: z.object({ start_ms: whole, end_ms: whole }),
    answer: z.object({ segments: whole, state: ShoreAnswer.shape.state }).nullable(),
  },
  /** Reads [shore] of the configuration again. */
  shore_reload: { input: z.object({}), answer: z.null() },
  /** Signs a head of the ledger. */
  ledger_sign: { input: z.object({ reason: z.enum(["print", "export"]) }), answer: StoredHead },
  /** Exchanges the key of the ledger, and signs a head with the new one. */
  ledger_rotate: { input: z.object({}), answer: StoredHead },
  /** Stops as on SIGTERM; the service manager starts it again. */
  restart: { input: z.object({}), answer: z.null() },
} as const;

const CONTROL_COMMANDS = { ...WRITER_COMMANDS, ...OWN_COMMANDS };

type ControlCommands = typeof CONTROL_COMMANDS;
export type ControlCommand = keyof ControlCommands;
export type OwnCommand = keyof typeof OWN_COMMANDS;
export type Input = { readonly [C in ControlCommand]: z.output<ControlCommands[C]["input"]> };
export type ControlAnswers = {
  readonly [C in ControlCommand]: z.output<ControlCommands[C]["answer"]>;
};
export type ReportAnswer = ControlAnswers["report"];

/** The schemas of all inputs, in a type that a function for any command can use. */
export const INPUTS: { readonly [C in ControlCommand]: { readonly input: z.ZodType<Input[C]> } } =
  CONTROL_COMMANDS;
export const ANSWERS: {
  readonly [C in ControlCommand]: { readonly answer: z.ZodType<ControlAnswers[C]> };
} = CONTROL_COMMANDS;

/**
 * The head of a request. `by` is the user who typed the command, as the command claims. Only the
 * folder's owner and root can connect, so the claim is as reliable as the account.
 */
export const RequestHead = z.object({
  command: z
    .string()
    .refine((name): name is ControlCommand => Object.hasOwn(CONTROL_COMMANDS, name), {
      error: ({ input }) => `${input}: isn't a command of this version`,
    }),
  by: CommandUser,
});

export const ControlAnswer = z.union([
  z.object({ result: z.unknown() }),
  /** `damaged`: damaged data is the cause. */
  z.object({ problem: z.string(), damaged: z.boolean() }),
]);
