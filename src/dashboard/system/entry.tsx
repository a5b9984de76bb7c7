// One quarantined message: its text, which can be corrected, and the result of taking it in again.
// A dry run stores nothing; the entry always keeps the original.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { systemWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { AsideReason } from "./aside-words.tsx";
import { readContent, readReplayed } from "./quarantine-facts.ts";
import { ReplayFields, replayFormValues } from "./replay-fields.tsx";

/**
 * Maximum time to take a message in again, ms: the writer may have much other data to store first.
 */
const REPLAY_MAX_MS = 120_000;

export function EntryPanel({ id }: { id: number }) {
  const place = useRef<HTMLDivElement>(null);
  const part = useAnswer(`/admin/quarantine/${id}`, readContent);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1}>
      <Panel name="entry" title={t("entry", { id: String(id) })} part={part}>
        {({ text, base64, reason, detail }) => (
          <>
            <p>
              <strong>
                <AsideReason code={reason} />
              </strong>{" "}
              <span lang="en">{detail}</span>
            </p>
            {text === null && base64 !== null && (
              <>
                <p>{t("no_text")}</p>
                <code class="payload">{base64}</code>
              </>
            )}
            {base64 === null ? <p>{t("not_kept")}</p> : <ReplayForm id={id} text={text} />}
          </>
        )}
      </Panel>
    </div>
  );
}

type Outcome = NonNullable<ReturnType<typeof readReplayed>>["value"];

function ReplayForm({ id, text }: { id: number; text: string | null }) {
  const act = useAct(readReplayed, REPLAY_MAX_MS);
  const outcome = act.outcome?.known?.value ?? null;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = replayFormValues(event);
    const body = () => {
      const { given, ...shifted } = read();
      const payload = corrected(given.get("payload"), text);
      return { ...(payload === null ? {} : { payload }), ...shifted };
    };
    act.run(`/admin/quarantine/${id}/replay`, body);
  };
  return (
    <>
      <form class="replay" onSubmit={submit} autocomplete="off">
        {text !== null && (
          <label>
            {t("text")}
            <textarea name="payload" rows={8} spellcheck={false} defaultValue={text} required />
          </label>
        )}
        <ReplayFields shift="0" replay={t("replay")} isBusy={act.isBusy} />
      </form>
      <ActOutcomeLine act={act} />
      {outcome !== null && <OutcomeLine outcome={outcome} />}
    </>
  );
}

/**
 * The corrected text; null if nothing was changed. A form's line breaks are changed back to those
 * of the text.
 */
function corrected(given: FormDataEntryValue | null, text: string | null): string | null {
  if (typeof given !== "string" || text === null) return null;
  const written = given.replace(/\r\n/g, "\n");
  return written === text.replace(/\r\n/g, "\n") ? null : written;
}

function OutcomeLine({ outcome: { stored, left, isTrial } }: { outcome: Outcome }) {
  return (
    <p role="status" class={left === null ? "" : "problem"}>
      {t(isTrial ? "would_store" : "stored", { n: stored })}{" "}
      {left === null ? t("whole") : t("left")} <span lang="en">{left}</span>
    </p>
  );
}
