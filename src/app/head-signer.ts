// The signer of the ledger's heads, in the running instance or with a command's own writer. A new
// origin is logged, besides the statement in the ledger.

import type { Config } from "../config/config.ts";
import { systemClock } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import type { Writer } from "../sqlite/threads/writer.ts";
import { type LedgerSigner, openSigner } from "./control/signer.ts";

export function openHeadSigner(
  { storage, system }: Pick<Config, "storage" | "system">,
  { writer, log }: { readonly writer: Pick<Writer, "call">; readonly log: Log },
): LedgerSigner {
  return openSigner({
    ...{
      dir: storage.dir,
      ship: { imo: system.imo, vessel: system.vessel, system: system.id },
      now_ms: systemClock.now_ms,
    },
    ledger: {
      now: (before) => writer.call("ledger_now", before),
      storeKey: (statement) => writer.call("ledger_key", statement),
      storeHead: (head) => writer.call("ledger_signed", head),
    },
    onOrigin: (origin, reason) =>
      log.info("heads of the ledger have a new origin", { origin, reason }),
  });
}
