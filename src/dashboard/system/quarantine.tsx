// Quarantined messages: their number for each reason, and with a token the entries themselves. An
// entry can be viewed, corrected and taken in again.

import { useState } from "preact/hooks";
import { systemWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { AsideReason, asideWords } from "./aside-words.tsx";
import { EntryPanel } from "./entry.tsx";
import { panelPart, type SystemPanelProps } from "./facts.ts";
import { readItems, reasonsIn, type ShownItem } from "./quarantine-facts.ts";
import { EVERY_MS } from "./refresh.ts";
import { ReplayAll } from "./replay-all.tsx";
import { useIsOpen } from "./token-panel.tsx";

export function QuarantinePanel({ system }: SystemPanelProps) {
  const isOpen = useIsOpen();
  return (
    <Panel name="quarantine" title={t("quarantine")} part={panelPart(system, reasonsIn)}>
      {(reasons) => (
        <>
          {reasons.length === 0 && <p class="quiet">{t("none_aside")}</p>}
          <FactList
            facts={reasons.map(({ reason, ...counts }) => [
              asideWords(reason),
              t("reason_counts", counts),
            ])}
          />
          {reasons.length > 0 && !isOpen && <p class="quiet">{t("needs_token")}</p>}
        </>
      )}
    </Panel>
  );
}

/** The entries, for users with a token. */
export function EntriesPanel({ system, now_ms }: SystemPanelProps) {
  const [before, setBefore] = useState<number | null>(null);
  const [looked, setLooked] = useState<number | null>(null);
  const [reason, setReason] = useState("");
  const only = reason === "" ? "" : `&reason=${encodeURIComponent(reason)}`;
  const page = before === null ? "" : `&before=${before}`;
  const part = useAnswer(`/admin/quarantine?limit=10${only}${page}`, readItems, [], EVERY_MS);
  const reasons = panelPart(system, reasonsIn).known?.value ?? [];
  return (
    <>
      <Panel name="entries" title={t("entries")} part={part}>
        {({ items, next }) => (
          <>
            <label>
              {t("only_reason")}{" "}
              <select
                value={reason}
                onChange={({ currentTarget: { value } }) => {
                  setReason(value);
                  setBefore(null);
                }}
              >
                <option value="">{t("any_reason")}</option>
                {reasons.map((one) => (
                  <option key={one.reason} value={one.reason}>
                    {asideWords(one.reason)}
                  </option>
                ))}
              </select>
            </label>
            {reason !== "" && items.length > 0 && (
              <ReplayAll key={reason} reason={reason} items={items} />
            )}
            <ul class="rows">
              {items.map((item) => (
                <li key={item.id}>
                  <EntryLines item={item} now_ms={now_ms} />
                  <button type="button" onClick={() => setLooked(item.id)}>
                    {t("look", { id: String(item.id) })}
                  </button>
                </li>
              ))}
            </ul>
            {next !== null && (
              <button type="button" onClick={() => setBefore(next)}>
                {t("older")}
              </button>
            )}
            {before !== null && (
              <button type="button" onClick={() => setBefore(null)}>
                {t("newest_entries")}
              </button>
            )}
          </>
        )}
      </Panel>
      {looked !== null && <EntryPanel key={looked} id={looked} />}
    </>
  );
}

function EntryLines({ item, now_ms }: { item: ShownItem; now_ms: number }) {
  const { reason, topic, detail, count, received_ms, replayed_ms, stored, left } = item;
  return (
    <>
      <strong>
        <AsideReason code={reason} />
      </strong>{" "}
      {printMoment(received_ms, now_ms)} ×{count} {topic}
      <p lang="en">{detail}</p>
      {replayed_ms !== null && (
        <p class="quiet">
          {t("replayed", { moment: printMoment(replayed_ms, now_ms), n: stored })}{" "}
          {left !== null && (
            <>
              {t("left")} {left}
            </>
          )}
        </p>
      )}
    </>
  );
}
