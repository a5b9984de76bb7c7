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

/** An act: its actor, and its time. */
export interface Act extends By {
  readonly at_ms: number;
}

export interface AuditEntry extends Act {
  readonly kind: AuditKind;
  /** A JSON object of further facts; never a secret. */
  readonly detail: AuditDetail;
}

/** An action of a client, who may repeat it at will. */
export interface Happening extends Omit<AuditEntry, "at_ms"> {
  /**
   * Key of repetitions: those with the same key, kind, actor and address become one entry with a
   * count.
   */
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

/**
 * Kinds of entries that a watch hands over. The log itself asks for an engineer's token; these
 * changes are public, so of settings only the limits have their values.
 */
export const CHANGE_KINDS = [
  ...["start", "unclean_stop", "settings", "config_change", "lamp_spares", "void"],
] as const satisfies readonly AuditKind[];

type ChangeKind = (typeof CHANGE_KINDS)[number];

const Shown = z.union([z.string(), z.number(), z.boolean()]).nullable();
const count = z.number().int().nullable();
const time = z.iso.datetime();

const LimitChange = z.object({ key: z.string(), before: Shown, after: Shown });

const SparesChange = z.object({
  before: count.meta({ description: "null: not counted before" }),
  after: count,
  lamp: count.meta({ description: "the lamp that was fitted; null: counted by somebody" }),
});

const HiddenRange = z.object({
  id: z.number().int(),
  what: z.enum(["readings", "events"]).default("readings"),
  from: time,
  to: time,
  reason: z.string().nullable().meta({ description: "null: they are shown again" }),
});

export const ChangeAnswer = z
  .object({
    id: z.number().int().meta({ description: "the number of its entry in the audit log" }),
    at: time.meta({ description: "by ballastd's clock" }),
    kind: z.enum(CHANGE_KINDS).meta({
      description:
        "unclean_stop: the run before was cut off; settings: over HTTP, in a token's name; " +
        "config_change: found at a start",
    }),
    by: z.string().meta({ description: "as the audit log has it: actor" }),
    limits: z.array(LimitChange).meta({ description: "the limits that changed" }),
    others: z.number().int().meta({ description: "number of further settings that changed" }),
    spares: SparesChange.nullable(),
    hidden: HiddenRange.nullable(),
  })
  .meta({
    id: "Change",
    example: {
      ...{ id: 44, at: "2026-05-01T07:10:00.000Z", kind: "settings", by: "chief" },
      limits: [{ key: "limits.uv_imo", before: 252, after: 300 }],
      ...{ others: 0, spares: null, hidden: null },
    },
  });
export type ChangeAnswer = z.output<typeof ChangeAnswer>;

/** An entry of the log as far as it can be read; a part of another shape is left out. */
export interface LoggedChange {
  readonly id: number;
  readonly timestamp: string;
  readonly kind: ChangeKind;
  readonly actor: string;
  readonly detail: AuditDetail;
}

export function changeAnswer({ id, timestamp, kind, actor, detail }: LoggedChange): ChangeAnswer {
  const changes = changesIn(kind, detail);
  const limits = changes.filter(({ key }) => key.startsWith("limits."));
  return {
    ...{ id, at: timestamp, kind, by: actor, limits },
    others: changes.length - limits.length,
    spares: kind === "lamp_spares" ? (SparesChange.safeParse(detail).data ?? null) : null,
    hidden: kind === "void" ? hiddenIn(detail) : null,
  };
}

const Given = z.object({ key: z.string(), old: Shown.default(null), new: Shown });
const Found = z.object({ before: Shown, after: Shown });

function changesIn(kind: ChangeKind, detail: AuditDetail): z.output<typeof LimitChange>[] {
  if (kind === "settings") {
    const given = z.array(Given).safeParse(detail.changes).data ?? [];
    return given.map(({ key, old: before, new: after }) => ({ key, before, after }));
  }
  if (kind !== "config_change") return [];
  return Object.entries(detail).map(([key, change]) => ({
    ...(Found.safeParse(change).data ?? { before: null, after: null }),
    key,
  }));
}

function hiddenIn(detail: AuditDetail): z.output<typeof HiddenRange> | null {
  const reason = detail.undone === true ? null : detail.reason;
  return HiddenRange.safeParse({ ...detail, reason }).data ?? null;
}
