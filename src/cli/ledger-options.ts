// The options of `ballastd ledger`, shared by all its actions; ledger.ts lists which of them an
// action takes.

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
