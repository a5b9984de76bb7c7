// The options of `ballastd ledger`, which all its actions share; which of them an action takes is
// said in ledger.ts.

import type { readLine } from "./options.ts";

export const LEDGER_LINE = {
  since: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  lines: { type: "string" },
  key: { type: "string", multiple: true },
  claim: { type: "string", multiple: true },
  ship: { type: "string" },
  output: { type: "string" },
  force: { type: "boolean", default: false },
} as const;

export type LedgerOptions = ReturnType<typeof readLine<typeof LEDGER_LINE>>["values"];
