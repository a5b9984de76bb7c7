// Signs a head of the ledger at the start of a run, after each operation's end and each export, and
// once a day if there is anything new. An export without a running service is signed for at the
// next start.

import type { Job } from "./job.ts";

export function ledgerWatch(): Job["run"] {
  let isBegun = false;
  return async ({ readers, clock, signHead }) => {
    const due = await readers.call("ledger_due", clock.now_ms());
    const reason = due ?? (isBegun ? null : "start");
    if (reason === null) return null;
    const { size } = await signHead(reason);
    isBegun = true;
    return `a head of ${size} leaves is signed (${reason})`;
  };
}
