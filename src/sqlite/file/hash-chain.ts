// Hash chains: each link covers its content and the link before, and a head row holds the number of
// links and the last hash. Walking the chain finds any link altered, removed, inserted or cut off.
// It can't detect a whole database forged by somebody who may write the file: therefore heads are
// printed, to be kept elsewhere.

import { createHash } from "node:crypto";
import { appendLink, type LeafRows } from "./ledger.ts";
import { type Connection, prepare } from "./open.ts";

/** The chains of a database, by name. */
export const CHAINS = ["segment", "event", "audit"] as const;
export type ChainName = (typeof CHAINS)[number];

/** All rows of the table of heads: the chains, the leaves of the ledger, and its signed heads. */
export type CountedName = ChainName | "ledger" | "head";

/** A chain's length and its last hash; 32 zero bytes before the first link. */
export interface ChainHead {
  readonly count: number;
  readonly hash: Uint8Array;
}

export const EMPTY_CHAIN: ChainHead = { count: 0, hash: new Uint8Array(32) };

/** The head of a chain; of the ledger the number of its leaves and the hash of the last. */
export function chainHead(db: Connection, chain: CountedName): ChainHead {
  return prepare(db, "chain.head").get({ chain }) ?? EMPTY_CHAIN;
}

/**
 * Advances the head by a link with `hash`, in the transaction that stores the link's content, and
 * makes the link a leaf of the ledger; `rows` are given for a segment.
 */
export function moveHead(
  db: Connection,
  chain: ChainName,
  { count, hash }: ChainHead,
  rows: LeafRows | null = null,
): void {
  prepare(db, "chain.move").run({ chain, count, hash });
  appendLink(db, { kind: chain, number: count, hash }, rows);
}

/** SHA-256 over the parts, one after the other. */
export function hashOf(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The hash of a segment: over its header, its payload's hash, and the segment before. */
export function segmentHash(link: {
  readonly header: Uint8Array;
  readonly payload_hash: Uint8Array;
  readonly previous: Uint8Array;
}): Buffer {
  return hashOf(link.header, link.payload_hash, link.previous);
}

/** The members of an event that its hash covers. */
export interface EventLink {
  readonly identity: Uint8Array;
  readonly source: string;
  readonly received_ms: number;
  readonly clock_trusted: number;
}

/** The hash of an event: over its identity, source and receipt, and the event before. */
export function eventHash(event: EventLink, previous: Uint8Array): Buffer {
  return hashOf(event.identity, eventFacts(event), previous);
}

/** The text between an event's identity and the hash of the event before. */
export function eventFacts(event: Omit<EventLink, "identity">): string {
  return `${event.source}\n${event.received_ms}\n${event.clock_trusted}\n`;
}

/** The members of an audit entry that its hash covers: all of them. */
export interface AuditLink {
  readonly at_ms: number;
  readonly clock_trusted: number;
  readonly kind: string;
  readonly actor: string;
  readonly address: string | null;
  /** JSON text as stored. */
  readonly detail: string;
}

/** The hash of an audit entry: over its content and the entry before. */
export function auditHash(link: AuditLink, previous: Uint8Array): Buffer {
  return hashOf(auditContent(link), previous);
}

/** The JSON text of an audit entry. */
export function auditContent(link: AuditLink): string {
  const { at_ms, clock_trusted, kind, actor, address, detail } = link;
  return JSON.stringify([at_ms, clock_trusted, kind, actor, address, detail]);
}
