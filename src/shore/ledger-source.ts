// The ledger's documents in the order of sending: statements and signed heads, each series by
// number, first those that the office had and now lacks. They are sent even if the day's budget is
// used up, since a signed head at the office seals everything before it. An office whose schema
// doesn't know them gets none.

import type { LedgerDocument, LedgerHole, LedgerSeries } from "../sqlite/exchange/shore-ledger.ts";
import type { Item, ShoreSource, SourceParts } from "./parts.ts";
import { documentStatement } from "./statement.ts";

/** Number of documents in a page: some 25 kB. */
const DOCUMENTS = 40;

/**
 * Documents missing at the office below the newest sent: removed there, or damaged aboard before.
 */
export function ledgerHoleSource({ readers, hello }: SourceParts): ShoreSource {
  const { documents: known, newest, holes } = hello;
  const left: LedgerHole[] = [...holes];
  let areEndsKnown = known === null || newest === null;
  let page: LedgerDocument[] = [];
  return {
    what: "documents of the ledger that lack ashore",
    isUrgent: true,
    async next() {
      if (!areEndsKnown && known !== null && newest !== null)
        left.push(...(await readers.call("shore_ledger_ends", known, newest)));
      areEndsKnown = true;
      while (page.length === 0) {
        const hole = left.shift();
        if (hole === undefined) return null;
        const [kind, , last] = hole;
        const { upto, documents } = await readers.call("shore_ledger_hole", hole, DOCUMENTS);
        page = documents;
        if (documents.length > 0 && upto < last) left.unshift([kind, upto + 1, last]);
      }
      const document = page.shift();
      return document === undefined ? null : documentItem(document);
    },
  };
}

const WHAT = { head: "heads of the ledger", statement: "statements of the ledger" } as const;

export function ledgerSource(
  { readers, state, hello, aboard }: SourceParts,
  series: LedgerSeries,
): ShoreSource {
  let sent = hello.documents?.[series] ?? Number.POSITIVE_INFINITY;
  let page: LedgerDocument[] = [];
  return {
    what: WHAT[series],
    isUrgent: true,
    async next() {
      while (page.length === 0 && aboard().ledger[series] > sent) {
        const asked = { series, after: sent, limit: DOCUMENTS };
        const { upto, documents } = await readers.call("shore_ledger", asked);
        page = [...documents];
        // Damaged documents are left out.
        sent = upto ?? Number.POSITIVE_INFINITY;
      }
      const document = page.shift();
      if (document === undefined) return null;
      const { revision } = document;
      return {
        ...documentItem(document),
        onAcknowledged() {
          const { has } = state;
          if (has === null || has.ledger === null) return;
          state.has = { ...has, ledger: { ...has.ledger, [series]: revision } };
        },
      };
    },
  };
}

function documentItem(document: LedgerDocument): Item {
  const { kind, key } = document;
  return {
    ...{ chain: null, number: 0 },
    statement: documentStatement(kind, document),
    what: `${kind} ${key}`,
    onAcknowledged() {},
  };
}
