// Voids by the audit log. Their tables have no hash and no checksum, and a void altered by hand
// would hide other readings: so verify compares the two, and a salvage restores them from the log.

import * as z from "zod";
import { type Connection, prepare } from "../file/open.ts";
import { listVoids, type StoredVoid, VOIDABLE } from "../sealed/voids.ts";

/** Schema of the audit log's entry about a void, as void-writes.ts writes it. */
const VoidTold = z.object({
  id: z.number().int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  what: z.enum(VOIDABLE).default("readings"),
  reason: z.string().default(""),
  undone: z.boolean().default(false),
});

/** Every void ever made, by the audit log. */
export function toldVoids(db: Connection): readonly StoredVoid[] {
  const voids = new Map<number, StoredVoid>();
  for (const { at_ms, detail } of prepare(db, "audit.voids").all({})) {
    const said = toldIn(detail);
    if (said === null) continue;
    const { id, from, to, what, reason, undone } = said;
    const made = voids.get(id);
    const span = { start_ms: Date.parse(from), end_ms: Date.parse(to) };
    if (!undone) voids.set(id, { id, ...span, what, reason, made_ms: at_ms, undone_ms: null });
    else if (made !== undefined) voids.set(id, { ...made, undone_ms: at_ms });
  }
  return [...voids.values()];
}

/** The void of readings that was made or undone last, by the audit log; null if it tells none. */
export function newestToldVoid(db: Connection): number | null {
  const told = prepare(db, "audit.voids").all({});
  const newest = told.findLast(({ detail }) => toldIn(detail)?.what === "readings");
  return newest === undefined ? null : (toldIn(newest.detail)?.id ?? null);
}

/** Null for an entry that was damaged. */
function toldIn(detail: string) {
  try {
    return VoidTold.safeParse(JSON.parse(detail)).data ?? null;
  } catch {
    return null;
  }
}

/** The first void that differs from the audit log; null if there is none. */
export function voidsFault(db: Connection): string | null {
  // With entries missing, the log can't be compared.
  if (prepare(db, "audit.lost").get({}) !== undefined) return null;
  const stored = new Map(listVoids(db).map((one) => [one.id, one]));
  for (const told of toldVoids(db)) {
    const found = stored.get(told.id);
    if (found === undefined) return `void ${told.id}: is missing, the audit log tells of it`;
    if (!isSame(told, found)) return `void ${told.id}: isn't as the audit log tells it`;
    stored.delete(told.id);
  }
  for (const { id } of stored.values()) return `void ${id}: the audit log doesn't tell of it`;
  return null;
}

function isSame(told: StoredVoid, found: StoredVoid): boolean {
  const facts = new Map(Object.entries(found));
  return Object.entries(told).every(([name, value]) => facts.get(name) === value);
}
