// THE CALLS TO A READER beside queries: name to function, carried out in a reader's thread. Types
// follow from this table: `readers.call("prove", place)` takes what the function takes and resolves
// with what it returns.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type KnownNews, newsSince } from "../answers/news.ts";
import {
  changedAlarms,
  changedHours,
  forecasts,
  newestHour,
  storedReport,
} from "../answers/told-ashore.ts";
import { type ProofPlace, proveAfter } from "../care/proving.ts";
import type { Ask, Due } from "../derived/derivation.ts";
import { derive } from "../derived/derivations.ts";
import { operationNow } from "../derived/gaps.ts";
import { limitsNow } from "../derived/limits-now.ts";
import { acknowledged, backlogOf, type ShoreHas, usageAt } from "../exchange/shore-backlog.ts";
import {
  type LedgerHole,
  type LedgerNumbers,
  type LedgerQuery,
  ledgerDocuments,
  ledgerEnds,
  ledgerHole,
  ledgerLocators,
  ledgerNumbers,
} from "../exchange/shore-ledger.ts";
import {
  type Heads,
  type LinksQuery,
  locators,
  locatorsAt,
  segmentsIn,
  shoreHeads,
  shoreLinks,
  shorePayload,
} from "../exchange/shore-links.ts";
import type { Connection } from "../file/open.ts";
import { dueHead } from "../records/ledger-heads.ts";
import { unreportedReplacements } from "../records/replaced-database.ts";
import type { CallArguments, CallOf } from "./calls.ts";

/** A reader's connection, and the limits with which it judges. */
export interface ReaderParts {
  readonly db: Connection;
  readonly config: LampConfig;
}

const READER_CALLS = {
  /** Proof of life: resolves if the thread still answers. */
  ping: (_: ReaderParts) => null,
  /** Computes due pieces of a derivation from the stored data. */
  derive: ({ db, config }: ReaderParts, due: Due, ask: Ask) => derive(db, due, ask, config),
  /** Proves the next part of the data after a place. */
  prove: ({ db }: ReaderParts, after: ProofPlace) => proveAfter(db, after),
  /** The present operation, as far as it is known. */
  operation_now: ({ db, config }: ReaderParts) => operationNow(db, config.limits),
  /** The values that have a limit, at the newest reading; null without one. */
  limits_now: ({ db, config }: ReaderParts) => limitsNow(db, config),
  /** The news since a state, for a client of the stream. */
  news: ({ db, config }: ReaderParts, known: KnownNews | null) => newsSince(db, known, config),
  /** The reason why a head of the ledger is due; null if none is. */
  ledger_due: ({ db }: ReaderParts, now_ms: number) => dueHead(db, now_ms),
  /** For the link to the office: numbers of links, locators, links, a payload, documents. */
  shore_heads: ({ db }: ReaderParts) => ({
    heads: shoreHeads(db),
    hours: newestHour(db),
    ledger: ledgerNumbers(db),
  }),
  shore_locators: ({ db }: ReaderParts, also: Partial<Heads>) => ({
    ...locators(db, also),
    ...ledgerLocators(db),
  }),
  shore_locators_of: ({ db }: ReaderParts, links: Heads) => ({
    ...locatorsAt(db, links),
    ...{ head: [], statement: [] },
  }),
  shore_ledger: ({ db }: ReaderParts, asked: LedgerQuery) => ledgerDocuments(db, asked),
  shore_links: ({ db }: ReaderParts, asked: LinksQuery) => shoreLinks(db, asked),
  shore_payload: ({ db }: ReaderParts, id: number) => shorePayload(db, id),
  shore_segments: ({ db }: ReaderParts, range: Parameters<typeof segmentsIn>[1]) =>
    segmentsIn(db, range),
  replaced_histories: ({ db }: ReaderParts) => unreportedReplacements(db),
  shore_ledger_ends: ({ db }: ReaderParts, has: LedgerNumbers, newest: Record<string, number>) =>
    ledgerEnds(db, has, newest),
  shore_ledger_hole: ({ db }: ReaderParts, hole: LedgerHole, limit: number) =>
    ledgerHole(db, hole, limit),
  shore_report: ({ db }: ReaderParts, has: LedgerNumbers | null) => storedReport(db, has),
  shore_hours: ({ db }: ReaderParts, asked: Parameters<typeof changedHours>[1]) =>
    changedHours(db, asked),
  shore_alarms: ({ db }: ReaderParts, since_ms: number, now_ms: number) =>
    changedAlarms(db, since_ms, now_ms),
  shore_forecasts: ({ db }: ReaderParts) => forecasts(db),
  shore_backlog: ({ db }: ReaderParts, has: ShoreHas, isRaw: boolean) => backlogOf(db, has, isRaw),
  /** The office's acknowledgements and the link's data use, as of a time. */
  shore_noted: ({ db }: ReaderParts, now_ms: number) => ({
    ...usageAt(db, now_ms),
    acknowledged: acknowledged(db),
  }),
};
export type ReaderCalls = typeof READER_CALLS;

const functions: {
  readonly [K in keyof ReaderCalls]: (
    parts: ReaderParts,
    ...given: CallArguments<ReaderCalls[K]>
  ) => ReturnType<ReaderCalls[K]>;
} = READER_CALLS;

/** Carries out a call and returns its result. */
export function readerResult<N extends keyof ReaderCalls>(
  { name, given }: CallOf<ReaderCalls, N>,
  parts: ReaderParts,
): ReturnType<ReaderCalls[N]> {
  return functions[name](parts, ...given);
}
