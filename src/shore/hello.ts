// The office's answer to a hello: its state of each chain, its requests, and other boxes that send
// for this ship (sql/office/hello.sql). Some of it was written by others: a request by the office,
// an entry of another box perhaps by a thief. Such an entry is skipped if it is malformed, so that
// it doesn't block the ship.

import * as z from "zod";
import type { Heads } from "../sqlite/exchange/shore-links.ts";

const count = z.number().int().min(0);
/** Maximum revision: above it, a double has no room for further ones. */
const REVISION_MAX = 2 ** 52;
const revision = z
  .number()
  .min(0)
  .transform((given) => Math.min(Math.floor(given), REVISION_MAX));

/** Maximum number of runs of missing segments, and of requests, in an answer. */
export const RUNS_MAX = 64;
export const REQUESTS_MAX = 256;
const OTHERS_MAX = 16;

const Other = z.object({
  instance: z.string().max(64),
  version: z.string().max(64),
  address: z.string().max(64).nullable(),
  last_seen_ms: z.number().min(0).max(8.64e15),
});

/**
 * An empty range in place of a malformed request, which is answered and closed, so that it doesn't
 * block the ship.
 */
const UNREADABLE = { from: "", to: "" };
const Wanted = z.object({ from: z.string(), to: z.string() }).catch(UNREADABLE);

const ChainAshore = z.object({
  /** The highest number among the locators whose link is there; 0 for none. */
  common: count,
  /** The highest number there on any branch. */
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
  /**
   * The highest numbers among the ledger's locators whose document is there; null from an older
   * schema.
   */
  documents: z.object({ head: count, statement: count }).nullable().default(null),
  /**
   * Missing numbers of the ledger's documents below the newest there; malformed ones are left out.
   */
  holes: z
    .array(
      z
        .tuple([z.string().max(20), count, count])
        .nullable()
        .catch(null),
    )
    .default([])
    .transform((all) => known(all).slice(0, RUNS_MAX)),
  /** Highest number there of each series of the ledger's documents; null from an older schema. */
  newest: z.record(z.string().max(20), count).nullable().catch(null).default(null),
  /** Highest revision of this box's documents, by kind. */
  revisions: z.record(z.string(), revision),
  /** Highest revision of any box's documents. */
  revision,
});
export type Hello = z.output<typeof Hello>;

/** The answer, checked. Throws an error that names the first fault. */
export function readHello(given: unknown): Hello {
  const { data, error } = Hello.safeParse(given);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0];
  throw new Error(`the shore's hello can't be read: ${path.join(".")}: ${message}`);
}

const known = <Value>(all: readonly (Value | null)[]) => all.filter((one) => one !== null);

/** Numbers of the newest links that both sides have. */
export function commonOf({ chains: { segment, event, audit } }: Hello): Heads {
  return { segment: segment.common, event: event.common, audit: audit.common };
}
