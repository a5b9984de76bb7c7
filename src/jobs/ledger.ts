// Signs a head of the ledger at the start of a run, after each operation's end and each export, and
// once a day if there is anything new. An export without a running service is signed at the next
// start. If the database isn't the one that was signed here before, an alert reports it, which
// stays until it is acknowledged.

import type { OwnCode } from "../bwts/present/alert.ts";
import type { ReplacedHistory } from "../sqlite/records/replaced-database.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

export function ledgerWatch(): Job["run"] {
  let isBegun = false;
  return async (tools) => {
    const { readers, clock, signHead } = tools;
    const due = await readers.call("ledger_due", clock.now_ms());
    const reason = due ?? (isBegun ? null : "start");
    if (reason === null) return null;
    const { size } = await signHead(reason);
    if (!isBegun)
      for (const one of await readers.call("replaced_histories")) await tellReplaced(one, tools);
    isBegun = true;
    return `a head of ${size} leaves is signed (${reason})`;
  };
}

const REPLACED = "HISTORY_REPLACED" satisfies OwnCode;

/** Raises and clears the alert at once, so that it stays only until it is acknowledged. */
async function tellReplaced({ number, at, reason, lost_size }: ReplacedHistory, tools: JobTools) {
  const lost = lost_size === null ? "" : `; a signed head of ${lost_size} leaves is lost`;
  const text = `stored data was replaced: ${reason}${lost} (${at})`;
  const alarm = ownAlarmOf(REPLACED, `key ${number}`);
  await alarm.raise(tools, { text, parameter: "ledger", more: { key: number } });
  await alarm.clear(tools);
}
