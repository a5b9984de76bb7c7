// THE COMMANDS TO THE WRITER that people give: the schemas of the input and answer of each. The
// control socket takes them from a command line, HTTP from a request; writer-calls.ts carries them
// out under the same names. Times, texts and numbers are limited here, once for both.

import * as z from "zod";
import { LampSparesBody, SparesRefusal } from "../../bwts/lamps/plan-answer.ts";
import { LampWordBody } from "../../bwts/lamps/word.ts";
import { HandoverBody, NoteBody, WrittenOutcome } from "../../bwts/note.ts";
import { AcknowledgeBody, AlarmActOutcome, ShelveBody } from "../../bwts/present/alarm-act.ts";
import { ROLES, TokenName } from "../../bwts/token.ts";
import { VOIDABLE } from "../sealed/voids.ts";

/** Maximum number of readings in a request: their problems must fit into the answer. */
export const RECORDS_MAX = 500;

/** Maximum length of a void's reason, in characters: some lines of text. */
export const REASON_MAX = 1000;

/** Maximum number of quarantine entries in a command. */
export const IDS_MAX = 10_000;

const whole = z.number().int();
const reason = z.string().min(1).max(REASON_MAX);

/**
 * The range that was hidden or shown again; `cut_to` is its end if the requested one was in the
 * future.
 */
const Voided = z.object({
  id: z.number(),
  readings: z.number().optional(),
  events: z.number().optional(),
  cut_to: z.string().optional(),
});

export const WRITER_COMMANDS = {
  import: {
    input: z.object({
      records: z.array(z.object({ line: whole, json: z.string() })).max(RECORDS_MAX),
    }),
    answer: z.object({
      stored: whole,
      same: whole,
      refused: z.array(z.object({ line: whole, problem: z.string() })).readonly(),
    }),
  },
  /** Records a command's action in the audit log. */
  audit: {
    input: z.object({
      kind: z.enum(["backup", "export", "import", "update"]),
      detail: z.record(z.string(), z.unknown()),
    }),
    answer: z.null(),
  },
  token_add: {
    input: z.object({
      name: TokenName,
      role: z.enum(ROLES),
      /** Hash of the secret; the secret itself stays with the command. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    answer: z.null(),
  },
  token_revoke: { input: z.object({ name: z.string() }), answer: z.null() },
  lamp_word: { input: z.object({ position: whole, word: LampWordBody }), answer: z.null() },
  /** The answer is the reason of a refusal; null if the number is stored. */
  lamp_spares: { input: LampSparesBody, answer: SparesRefusal },
  acknowledge_alarm: {
    input: z.object({ id: z.string(), said: AcknowledgeBody }),
    answer: AlarmActOutcome,
  },
  shelve_alarm: {
    input: z.object({ id: z.string(), said: ShelveBody }),
    answer: AlarmActOutcome,
  },
  /** Writes a note on a moment or a range; `hand_over` records that a watch was handed over. */
  write_note: { input: z.object({ said: NoteBody }), answer: WrittenOutcome },
  hand_over: { input: z.object({ said: HandoverBody }), answer: WrittenOutcome },
  void: {
    input: z.object({ start_ms: whole, end_ms: whole, what: z.enum(VOIDABLE), reason }),
    answer: Voided,
  },
  undo_void: { input: z.object({ id: whole }), answer: Voided },
  /** Marks all operations that touch the range as given out. */
  give_out: {
    input: z.object({ range: z.object({ start_ms: whole, end_ms: whole }) }),
    answer: z.null(),
  },
  /** Marks the newest verdicts of these operations as given out on the printed inspection sheet. */
  print_sheet: { input: z.object({ ids: z.array(whole).max(IDS_MAX) }), answer: z.null() },
  /** Records the inspector's pack; the answer is the number of the audit log's entry. */
  note_pack: {
    input: z.object({
      operations: z.array(whole).max(IDS_MAX),
      /** The hash of the list of its files. */
      files_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    answer: whole,
  },
  /** The answer is the range of receipts that no longer count. */
  disown: {
    input: z.object({ reason }),
    answer: z.object({ from: z.string(), to: z.string() }),
  },
  /** The answer has one element for each of the next entries, and none at the end. */
  replay: {
    input: z.object({
      ids: z.array(whole).max(IDS_MAX).nullable(),
      reason: z.string().nullable(),
      received: z.object({ start_ms: whole, end_ms: whole }),
      shift_ms: whole,
      after_id: whole,
      /** A corrected payload, for one entry. */
      payload_base64: z.base64().optional(),
      isTrial: z.boolean(),
    }),
    answer: z
      .array(
        z.object({
          id: z.number(),
          topic: z.string(),
          stored: z.number(),
          left: z.string().nullable(),
          detail: z.string(),
        }),
      )
      .readonly(),
  },
} as const;

type Commands = typeof WRITER_COMMANDS;
export type WriterCommand = keyof Commands;
export type CommandInput = { readonly [C in WriterCommand]: z.output<Commands[C]["input"]> };
export type CommandAnswer = { readonly [C in WriterCommand]: z.output<Commands[C]["answer"]> };
