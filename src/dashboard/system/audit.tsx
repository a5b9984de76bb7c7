// The newest entries of the audit log. ballastd shows them for an engineer's token only, so the
// panel is drawn after a token was given.

import { systemWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { readAudit } from "./facts.ts";
import { EVERY_MS } from "./refresh.ts";

export function AuditPanel({ now_ms }: { now_ms: number }) {
  const part = useAnswer("/admin/audit?limit=20", readAudit, [], EVERY_MS);
  return (
    <Panel name="audit" title={t("audit")} part={part}>
      {(entries) => (
        <ul class="rows">
          {entries.map(({ id, at_ms, kind, actor, address, detail }) => (
            <li key={id}>
              <strong>{kind}</strong> {printMoment(at_ms, now_ms)}, {actor}
              {address === null ? "" : `, ${address}`}
              <code>{detail}</code>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
