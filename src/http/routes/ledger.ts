// The routes about the ledger: signed heads, and proofs of the newest one, made by a reader. Heads
// are signed by a command or with an export. A proof includes the content of its leaf, so the proof
// of an audit entry is only for those who may read the audit log.

import * as z from "zod";
import { LEAF_KINDS, LedgerConsistency, LedgerHead, LedgerHeads } from "../../bwts/ledger.ts";
import { LedgerProof } from "../../ledger/proof.ts";
import { digitsParameter, limitParameter, offsetParameter } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, type HttpContext, route } from "../route.ts";

const NUMBER_MAX = 999_999_999_999;

/** A parameter that is the number of a leaf, or a number of leaves. */
const numberParameter = (description: string, example = 1) =>
  digitsParameter({ min: 1, max: NUMBER_MAX, about: description, examples: [example] });

/** The kinds of leaves whose content anybody may read. */
const OPEN_KINDS = LEAF_KINDS.filter((kind) => kind !== "audit");

const since = numberParameter("also prove that the tree only grew since it had so many leaves")
  .optional()
  .meta({ description: "also prove that the tree only grew since it had so many leaves" });

/** Answers a proof; 404 if the newest head doesn't cover the leaf. */
function askProof(
  leaf: { readonly kind: (typeof LEAF_KINDS)[number]; readonly number: number },
  grown: number | null,
  context: HttpContext,
) {
  const beside = grown === null ? "" : `, or it has fewer than ${grown} leaves`;
  const absent = `${leaf.kind} ${leaf.number} isn't in the newest signed head${beside}`;
  return ask(context, { name: "ledger_proof", ...leaf, since: grown }, absent);
}

/** The rows of the ledger in the route table. */
export const LEDGER_ROUTES = [
  route({
    path: "/api/ledger/head",
    operation: "getLedgerHead",
    summary: "The newest signed head of the ledger",
    answer: LedgerHead,
    errors: [404, 503],
    handle: (_asked, context) =>
      ask(context, { name: "ledger_head" }, "no head of the ledger is signed yet"),
  }),
  route({
    path: "/api/ledger/heads",
    operation: "listLedgerHeads",
    summary: "All signed heads of the ledger, newest first",
    query: { offset: offsetParameter("heads"), limit: limitParameter(100) },
    answer: LedgerHeads,
    ask: (given) => ({ name: "ledger_heads", ...given }),
  }),
  route({
    path: "/api/ledger/proof",
    operation: "getLedgerProof",
    summary: "Proof that a link of a chain, or a statement, is in the newest signed head",
    query: {
      kind: z
        .enum(OPEN_KINDS, `expected ${OPEN_KINDS.join(", ")}`)
        .meta({ description: "of the leaf", examples: ["key"] }),
      number: numberParameter("its number in its kind, such as the id of an event"),
      since,
    },
    answer: LedgerProof,
    errors: [404, 503],
    handle: ({ query: { since = null, ...leaf } }, context) => askProof(leaf, since, context),
  }),
  route({
    path: "/admin/audit/proof",
    operation: "getAuditProof",
    group: "admin",
    access: "engineer",
    summary: "Proof that an entry of the audit log is in the newest signed head",
    query: { number: numberParameter("the id of the entry"), since },
    answer: LedgerProof,
    errors: [404, 503],
    handle: ({ query: { number, since = null } }, context) =>
      askProof({ kind: "audit", number }, since, context),
  }),
  route({
    path: "/api/ledger/consistency",
    operation: "getLedgerConsistency",
    summary: "Proof that the ledger only grew from one size to another",
    query: {
      from: numberParameter("leaves of the earlier tree"),
      to: numberParameter("leaves of the later tree, at most the newest signed head's", 2),
    },
    answer: LedgerConsistency,
    errors: [404, 503],
    handle({ query: { from, to } }, context) {
      if (from > to)
        throw new Refusal(400, `from: "${from}" was given, expected ${to} (to) or less`);
      const absent = `the newest signed head has fewer than ${to} leaves`;
      return ask(context, { name: "ledger_consistency", from, to }, absent);
    },
  }),
];
