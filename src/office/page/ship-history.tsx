// A ship's alerts and operations as it reported them, newest first, in the lines of the page
// aboard. They alert nobody: they are at least some minutes old.

import { useState } from "preact/hooks";
import { TablePages } from "../../dashboard/chart/curve-table.tsx";
import { fleetWords as t } from "../../dashboard/lang/words.ts";
import type { HistoryLine } from "../../dashboard/watch/history.ts";
import { HistoryTable } from "../../dashboard/watch/history-table.tsx";
import type { ShownDetail } from "./ship-answer.ts";

interface ShipHistoryProps {
  readonly detail: ShownDetail;
  readonly now_ms: number;
}

const PAGE_LINES = 20;

export function ShipHistory({ detail, now_ms }: ShipHistoryProps) {
  const [page, setPage] = useState(0);
  const { alarms, events } = detail;
  const lines: readonly HistoryLine[] = [
    ...alarms.map((alert) => ({ at_ms: alert.last_ms ?? alert.since_ms ?? 0, alert })),
    ...events.map((event) => ({ at_ms: event.at_ms, event })),
  ].sort((one, other) => other.at_ms - one.at_ms);
  const pages = Math.max(1, Math.ceil(lines.length / PAGE_LINES));
  const shown = Math.min(page, pages - 1);
  return (
    <section aria-labelledby="history" class="resting">
      <h2 id="history">{t("history")}</h2>
      <p class="quiet">{t(lines.length === 0 ? "no_history" : "history_about")}</p>
      <HistoryTable
        lines={lines.slice(shown * PAGE_LINES, (shown + 1) * PAGE_LINES)}
        now_ms={now_ms}
      />
      <TablePages page={shown} pages={pages} setPage={setPage} />
    </section>
  );
}
