// Documents of the ledger among what is sent: statements and signed heads, each series in the order
// of its numbers. They go although the day's budget is used up: a head that is ashore closes all
// that was before it. A shore whose schema doesn't know them gets none.

import type { LedgerDocument, LedgerSeries } from "../sqlite/shore/ledger-documents.ts";
import type { ShoreSource, SourceParts } from "./sources.ts";
import { documentStatement } from "./statement.ts";

/** A page, some 25 kB. */
const DOCUMENTS = 40;

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
        // Damaged ones are left out.
        sent = upto ?? Number.POSITIVE_INFINITY;
      }
      const document = page.shift();
      if (document === undefined) return null;
      const { kind, key, revision } = document;
      return {
        ...{ chain: null, number: 0 },
        statement: documentStatement(kind, document),
        what: `${kind} ${key}`,
        onAcknowledged() {
          const { has } = state;
          if (has === null || has.ledger === null) return;
          state.has = { ...has, ledger: { ...has.ledger, [series]: revision } };
        },
      };
    },
  };
}
