// The shore's answer to a hello: what it has of each chain, what it asks for, and who else speaks
// for this ship (sql/office/hello.sql). Other hands than ours write some of it: a request is the
// office's, another box may be a thief's. So an odd one of these is passed over, and keeps no ship
// out.

import * as z from "zod";
import type { Heads } from "../sqlite/exchange/shore-links.ts";

const count = z.number().int().min(0);
/** Above it a double holds no room for more. */
const REVISION_MAX = 2 ** 52;
const revision = z
  .number()
  .min(0)
  .transform((given) => Math.min(Math.floor(given), REVISION_MAX));

/** The shore names no more runs, and no more requests, at a time. */
export const RUNS_MAX = 64;
export const REQUESTS_MAX = 256;
const OTHERS_MAX = 16;

const Other = z.object({
  instance: z.string().max(64),
  version: z.string().max(64),
  address: z.string().max(64).nullable(),
  last_seen_ms: z.number().min(0).max(8.64e15),
});

/** A request of nothing: one that can't be read is closed, and keeps no ship from sending. */
const UNREADABLE = { from: "", to: "" };
const Wanted = z.object({ from: z.string(), to: z.string() }).catch(UNREADABLE);

const ChainAshore = z.object({
  /** The highest number of the locators whose link is there; 0 for none. */
  common: count,
  /** The highest number there, of any branch. */
  head: count,
});

const Hello = z.object({
  now_ms: z.number().int(),
  chains: z.object({
    segment: ChainAshore.extend({ lacking: z.array(z.tuple([count, count])).max(RUNS_MAX) }),
    event: ChainAshore,
    audit: ChainAshore,
  }),
  requests: z
    .array(z.object({ id: count, wanted: Wanted }))
    .transform((all) => all.slice(0, REQUESTS_MAX)),
  others: z.array(Other.nullable().catch(null)).transform((all) => known(all).slice(0, OTHERS_MAX)),
  /** The highest numbers of the ledger's locators whose document is there; an older schema none. */
  documents: z.object({ head: count, statement: count }).nullable().default(null),
  /** Numbers of the ledger's documents that lack there below the newest; odd ones are left out. */
  holes: z
    .array(
      z
        .tuple([z.string().max(20), count, count])
        .nullable()
        .catch(null),
    )
    .default([])
    .transform((all) => known(all).slice(0, RUNS_MAX)),
  /** Highest number there of each series of the ledger's documents; an older schema says none. */
  newest: z.record(z.string().max(20), count).nullable().catch(null).default(null),
  /** Highest revision of this box's documents by kind. */
  revisions: z.record(z.string(), revision),
  /** Highest revision of any box's. */
  revision,
});
export type Hello = z.output<typeof Hello>;

/** The answer as it was read. Throws an error that names the first fault. */
export function readHello(given: unknown): Hello {
  const { data, error } = Hello.safeParse(given);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0];
  throw new Error(`the shore's hello can't be read: ${path.join(".")}: ${message}`);
}

const known = <Value>(all: readonly (Value | null)[]) => all.filter((one) => one !== null);

/** The newest links that both sides have. */
export function commonOf({ chains: { segment, event, audit } }: Hello): Heads {
  return { segment: segment.common, event: event.common, audit: audit.common };
}
