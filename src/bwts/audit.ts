// Entries of the audit log: who did what, when, and from where. Entries are never changed and never
// expire. Actions that a client can repeat at will are folded beforehand, so that nobody can fill
// the disk with them.

import * as z from "zod";
import { Pagination } from "./telemetry.ts";

export const AUDIT_KINDS = [
  "start",
  "stop",
  "unclean_stop",
  "config_change",
  "login",
  "refusal",
  "clock_step",
  "disowned",
  "export",
  "printed",
  "import",
  "replay",
  "void",
  "update",
  "salvage",
  "shore_fork",
  "backup",
  "restore",
  "token_added",
  "token_revoked",
  "plant_added",
  "lamp_replacement",
  "lamp_spares",
  "alarm_acknowledged",
  "alarm_shelved",
  "note",
  "handover",
  "settings",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export type AuditDetail = Readonly<Record<string, unknown>>;

/** The actor and its address. */
export interface By {
  /** A token's name, one of ACTORS, or `local:` and the user who typed a command. */
  readonly actor: string;
  /** The client's address; null without a client. */
  readonly address: string | null;
}

/** Actors without a token: a command aboard, ballastd itself, an unknown client. */
export const ACTORS = { command: "local", self: "ballastd", stranger: "unknown" } as const;

/** A command's user, as the command reports it: `local:chief(1000)`. */
export const CommandUser = z.string().regex(/^local:[ -~]{1,150}$/);

export function byCommand(user: string): By {
  return { actor: user, address: null };
}

export const BY_SELF: By = { actor: ACTORS.self, address: null };

/** The actor, and the time of the act. */
export interface Act extends By {
  readonly at_ms: number;
}

export interface AuditEntry extends Act {
  readonly kind: AuditKind;
  /** A JSON object of further facts; never a secret. */
  readonly detail: AuditDetail;
}

/** An action of a client, which may repeat it again and again. */
export interface Happening extends Omit<AuditEntry, "at_ms"> {
  /** Equal for repetitions with the same kind, actor and address, which become a count. */
  readonly fold: string;
}

/** An entry on the wire. */
export const AuditAnswer = z
  .object({
    id: z.number().int().meta({ description: "its place in the chain, from 1" }),
    timestamp: z.iso.datetime().meta({ description: "UTC with milliseconds and Z" }),
    clock_trusted: z.boolean().meta({ description: "whether the box's clock could be right" }),
    kind: z.enum([...AUDIT_KINDS, "damaged"]).meta({
      description: "damaged: the entry isn't what was written, and its kind can't be read",
    }),
    actor: z.string().meta({
      description:
        "a token's name; local:<user>(<uid>): a command aboard, and who typed it; ballastd: by " +
        "itself; unknown: nobody's token",
    }),
    address: z.string().nullable().meta({ description: "of the client, null where there is none" }),
    detail: z
      .object({})
      .catchall(z.unknown())
      .meta({
        description:
          "what else is known; repeated: how often more it was within the minute; damaged: the " +
          "entry isn't what was written",
      }),
    hash: z.string().meta({ description: "SHA-256 over the entry and the hash before, in hex" }),
  })
  .meta({
    id: "AuditEntry",
    example: {
      id: 12,
      timestamp: "2026-05-01T06:30:00.000Z",
      clock_trusted: true,
      kind: "plant_added",
      actor: "chief",
      address: "192.168.4.20",
      detail: { id: "7", name: "BWTS-001", tag: "uv" },
      hash: "5b2c1e7f0d94a36881c0f7e9b3d26a4f5b2c1e7f0d94a36881c0f7e9b3d26a4f",
    },
  });

export const AuditPage = z
  .object({ data: z.array(AuditAnswer), pagination: Pagination })
  .meta({ id: "AuditPage" });
