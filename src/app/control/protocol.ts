// The protocol between a command and an instance: one request, one answer, in turn. Over the
// control socket each is a line of JSON.

import path from "node:path";
import * as z from "zod";
import { CommandUser } from "../../bwts/audit.ts";
import { LampWordBody } from "../../bwts/lamps/word.ts";
import { ROLES, TokenName } from "../../bwts/token.ts";
import { AREAS, LEVELS } from "../../ground/log.ts";
import { VOIDABLE } from "../../sqlite/sealed/voids.ts";

/** The longest line either side takes. */
export const LINE_MAX_BYTES = 1024 * 1024;

/** Most readings of a request: their problems must fit the answer. */
export const RECORDS_MAX = 500;

/** The longest path of a Unix socket, in bytes: 108 with the zero at its end (unix(7)). */
export const PATH_MAX_BYTES = 107;

/** Path of the control socket of a data folder. */
export function controlPath(dir: string): string {
  return path.join(dir, "control.sock");
}

/** The longest reason of a void: some lines of text. */
export const REASON_MAX = 1000;

/** The most quarantine entries that a command names. */
export const IDS_MAX = 10_000;

const whole = z.number().int();

/** A message as `messages` lists it; of one that is too large, its head. */
export const TappedMessage = z.object({
  topic: z.string(),
  payload_base64: z.base64(),
  payload_bytes: z.number().int(),
  received_ms: z.number().int(),
  retain: z.boolean(),
});
export type TappedMessage = z.output<typeof TappedMessage>;

/** Requests to the writer, of the running instance or of a command without one. */
const WriterRequest = z.discriminatedUnion("command", [
  z.object({
    command: z.literal("import"),
    records: z.array(z.object({ line: whole, json: z.string() })).max(RECORDS_MAX),
  }),
  z.object({
    command: z.literal("audit"),
    kind: z.enum(["backup", "export", "import", "update"]),
    detail: z.record(z.string(), z.unknown()),
  }),
  z.object({
    command: z.literal("token_add"),
    name: TokenName,
    role: z.enum(ROLES),
    /** Hash of the secret, which stays with the command. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.object({ command: z.literal("lamp_word"), position: z.number().int(), word: LampWordBody }),
  z.object({ command: z.literal("token_revoke"), name: z.string() }),
  z.object({
    command: z.literal("void"),
    start_ms: whole,
    end_ms: whole,
    what: z.enum(VOIDABLE),
    reason: z.string().min(1).max(REASON_MAX),
  }),
  z.object({ command: z.literal("undo_void"), id: whole }),
  z.object({ command: z.literal("disown"), reason: z.string().min(1).max(REASON_MAX) }),
  z.object({
    command: z.literal("replay"),
    ids: z.array(whole).max(IDS_MAX).nullable(),
    reason: z.string().nullable(),
    received: z.object({ start_ms: whole, end_ms: whole }),
    shift_ms: whole,
    after_id: whole,
    isTrial: z.boolean(),
  }),
]);
export type WriterRequest = z.output<typeof WriterRequest>;

export const ControlRequest = z.discriminatedUnion("command", [
  WriterRequest,
  /** The messages after number `after`; null begins now. */
  z.object({ command: z.literal("messages"), after: z.number().int().nullable() }),
  /** Sets a level, null: changes nothing; returns the levels. */
  z.object({
    command: z.literal("log"),
    area: z.enum(AREAS).nullable(),
    level: z.enum(LEVELS).nullable(),
  }),
  /** Facts that only the running instance knows, for a fault report. */
  z.object({ command: z.literal("report") }),
  /** Stops as on SIGTERM; the service manager starts it again. */
  z.object({ command: z.literal("restart") }),
]);
export type ControlRequest = z.output<typeof ControlRequest>;

/**
 * The user who typed the command, sent with each request. It is the command's own claim, as
 * reliable as the account: only the folder's owner and root can connect.
 */
export const ControlCaller = z.object({ by: CommandUser });

export const ControlAnswer = z.union([
  z.object({ result: z.unknown() }),
  /** `damaged`: the cause is damaged data. */
  z.object({ problem: z.string(), damaged: z.boolean() }),
]);

/** The result of `void` and `undo_void`. */
export const VoidAnswer = z.object({
  id: z.number(),
  readings: z.number().optional(),
  events: z.number().optional(),
});

/** The result of `disown`: the range of receipts that no longer count. */
export const DisownAnswer = z.object({ from: z.string(), to: z.string() });

/** The result of `replay`: one element for each of the next entries; empty at the end. */
export const ReplayAnswer = z.array(
  z.object({
    id: z.number(),
    topic: z.string(),
    stored: z.number(),
    left: z.string().nullable(),
    detail: z.string(),
  }),
);

/** The result of `messages`; `last` is the number of the newest message, included or not. */
export const MessagesAnswer = z.object({
  last: z.number().int(),
  messages: z.array(TappedMessage),
});

/** The result of `log`. */
export const LevelsAnswer = z.record(z.enum(AREAS), z.enum(LEVELS));

/** The result of `report`. */
export const ReportAnswer = z.object({
  version: z.string(),
  pid: z.number().int(),
  uptime_s: z.number(),
  readiness: z.unknown(),
  metrics: z.string(),
  log: z.array(z.string()),
  problems: z.array(z.string()),
});
export type ReportAnswer = z.output<typeof ReportAnswer>;

/** The result of `import`. */
export const ImportAnswer = z.object({
  stored: whole,
  same: whole,
  refused: z.array(z.object({ line: whole, problem: z.string() })),
});
