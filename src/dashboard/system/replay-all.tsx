// Takes in all waiting messages of a reason, with their times shifted, after a PLC's clock was
// wrong. The proposed shift is the difference between the newest message's time and its receipt.

import type { TargetedSubmitEvent } from "preact";
import { systemWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { asideWords } from "./aside-words.tsx";
import { readReplayedAll, type ShownItem } from "./quarantine-facts.ts";
import { ReplayFields, replayFormValues } from "./replay-fields.tsx";

/** Maximum time to take in all messages, ms: many take the writer some time. */
const REPLAY_MAX_MS = 600_000;
/**
 * The unit of a proposed shift, in seconds: time zones differ by multiples of a quarter of an hour.
 */
const QUARTER_S = 900;

export function ReplayAll({ reason, items }: { reason: string; items: readonly ShownItem[] }) {
  const act = useAct(readReplayedAll, REPLAY_MAX_MS);
  const outcome = act.outcome?.known?.value ?? null;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = replayFormValues(event);
    const body = () => {
      const { shift_seconds, dry_run } = read();
      return { reason, shift_seconds, dry_run };
    };
    act.run("/admin/quarantine/replay", body);
  };
  return (
    <>
      <form class="replay" onSubmit={submit} autocomplete="off">
        <ReplayFields
          shift={String(proposedShift(reason, items))}
          replay={t("replay_all", { reason: asideWords(reason) })}
          isBusy={act.isBusy}
        />
      </form>
      <ActOutcomeLine act={act} />
      {outcome !== null && (
        <p role="status" class={outcome.left === 0 ? "" : "problem"}>
          {t(outcome.isTrial ? "would_store" : "stored", { n: outcome.stored })}{" "}
          {outcome.left === 0 ? t("whole") : t("entries_left", { n: outcome.left })}
        </p>
      )}
    </>
  );
}

/** The proposed shift in seconds; 0 if none can be derived. */
function proposedShift(reason: string, items: readonly ShownItem[]): number {
  const [sent, received] = items[0]?.detail?.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  if (reason !== "future" || sent === undefined || received === undefined) return 0;
  const ahead_s = (Date.parse(sent) - Date.parse(received)) / 1000;
  return -QUARTER_S * Math.round(ahead_s / QUARTER_S) || 0;
}
