// A version of an operation's judgement as sent ashore: columns for the office, and the compressed
// statement of the ledger, which has the rest and proves all of it. The columns only repeat the
// statement, and a reader of both compares them.

import * as z from "zod";
import { OPERATION_VERDICTS } from "../operations/operation-words.ts";

const time = z.iso.datetime();
const text = z.string().nullable();

/** Maximum number of rules in columns. */
const RULES_MAX = 8;

/** Columns of a judgement, with the values of its statement. */
export const VerdictColumns = z.object({
  id: z.number().int().min(1).meta({ description: "the operation's, by which her box knows it" }),
  version: z.number().int().min(1),
  made: time,
  because: z.string(),
  operation_type: text,
  location: text,
  start: time,
  end: time.nullable(),
  verdict: z.enum(OPERATION_VERDICTS).nullable(),
  volume_m3: z.number().nullable(),
  remarks: z.array(z.string()),
  rules: z.array(z.string()).meta({ description: `of the reasons, each once: ${RULES_MAX}` }),
});
export type VerdictColumns = z.output<typeof VerdictColumns>;

/** The document; the key is the text of the statement's leaf. It never changes. */
export const VerdictDocument = VerdictColumns.extend({
  statement: z.base64().meta({ description: "as `src/codec/packed-statement.ts` packs it" }),
});

const Stated = z.object({
  ...{ because: z.string(), made: time, version: z.number() },
  operation: VerdictColumns.omit({ because: true, made: true, version: true, rules: true }).extend({
    reasons: z.array(z.object({ rule: z.string() })),
  }),
});

/** The columns of a statement of the kind `verdict`; null if it isn't one. */
export function verdictColumns(statement: string): VerdictColumns | null {
  const { data } = Stated.safeParse(parsed(statement));
  if (data === undefined) return null;
  const { because, made, version, operation } = data;
  const rules = [...new Set(operation.reasons.map(({ rule }) => rule))].slice(0, RULES_MAX);
  return VerdictColumns.parse({ ...operation, rules, because, made, version });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
