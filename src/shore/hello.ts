// The shore's answer to a hello: what it has of each chain, what it asks for, and who else speaks
// for this ship (sql/fleet/hello.sql).

import * as z from "zod";
import type { Heads } from "../sqlite/shore/links.ts";

const count = z.number().int().min(0);

/** A request of nothing: one that can't be read is closed, and keeps no ship from sending. */
const UNREADABLE = { from: "", to: "" };
const Wanted = z.object({ from: z.string(), to: z.string() }).catch(UNREADABLE);

const ChainAshore = z.object({
  /** The highest number of the locators whose link is there; 0 for none. */
  common: count,
  /** The highest number there, of any branch. */
  head: count,
});

export const Hello = z.object({
  now_ms: z.number().int(),
  chains: z.object({
    segment: ChainAshore.extend({ lacking: z.array(z.tuple([count, count])) }),
    event: ChainAshore,
    audit: ChainAshore,
  }),
  requests: z.array(z.object({ id: count, wanted: Wanted })),
  others: z.array(
    z.object({
      instance: z.string(),
      version: z.string(),
      address: z.string().nullable(),
      last_seen_ms: z.number(),
    }),
  ),
  /** Highest revision of this box's documents by kind. */
  revisions: z.record(z.string(), count),
  /** Highest revision of any box's. */
  revision: count,
});
export type Hello = z.output<typeof Hello>;

/** The newest links that both sides have. */
export function commonOf({ chains: { segment, event, audit } }: Hello): Heads {
  return { segment: segment.common, event: event.common, audit: audit.common };
}
