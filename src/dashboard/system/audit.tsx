// The newest entries of the audit log. ballastd shows them only with an engineer's token, so the
// panel is drawn after a token was given. Each is a line in words that opens to the stored entry.

import { useState } from "preact/hooks";
import { systemWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import type { Valid } from "../store/checks.ts";
import { useAnswer } from "../store/use-store.ts";
import { auditAct, auditActor, auditFacts } from "./audit-words.ts";
import { readAudit } from "./facts.ts";
import { EVERY_MS } from "./refresh.ts";

export function AuditPanel({ now_ms }: { now_ms: number }) {
  const part = useAnswer("/admin/audit?limit=20", readAudit, [], EVERY_MS);
  return (
    <Panel name="audit" title={t("audit")} part={part}>
      {(entries) => (
        <ul class="rows audit">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} now_ms={now_ms} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type ReadEntries = ReturnType<typeof readAudit> extends Valid<infer Entries> | null ? Entries : [];

function Entry({ entry, now_ms }: { entry: ReadEntries[number]; now_ms: number }) {
  const [isOpen, setOpen] = useState(false);
  const { at_ms, kind, actor, address, detail } = entry;
  const by = [printMoment(at_ms, now_ms), auditActor(actor), address ?? ""];
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <b>{auditAct(kind)}</b> <span>{auditFacts(kind, detail, now_ms).join(" · ")}</span>{" "}
          <span class="quiet">{by.filter((one) => one !== "").join(" · ")}</span>
        </summary>
        {isOpen && <code>{JSON.stringify(entry, null, 1)}</code>}
      </details>
    </li>
  );
}
