// Changes of ballastd and its data that a watch hands over, from the audit log: starts, limits and
// other settings, spare lamps, hidden readings. The log itself asks for an engineer's token; these
// are public, so of settings only the limits have their values.

import * as z from "zod";
import type { AuditDetail, AuditKind } from "./audit.ts";

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
        "unclean_stop: the run before was cut off; settings: over HTTP, by the token that did it; " +
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
