// The table behind a curve: its points as numbers, a page at a time, over the stretch that is
// shown. It serves screen readers, paper, and users who need the exact figure.

import { useState } from "preact/hooks";
import { chartWords as t } from "../lang/words.ts";
import { clockName, printClock, printDay } from "../parts/moments.ts";
import type { Curve } from "./curve.ts";
import { PointValue } from "./point-value.tsx";
import type { SharedView } from "./shared-view.ts";
import { useSharedView } from "./use-shared-view.ts";

const PAGE_ROWS = 25;

interface CurveTableProps {
  readonly curve: Curve;
  readonly shared: SharedView;
}

export function CurveTable({ curve, shared }: CurveTableProps) {
  useSharedView(shared);
  const [wanted, setPage] = useState(0);
  const { from, to } = shared.view();
  const shown = curve.points.filter(({ at_ms }) => {
    const place = curve.place(at_ms);
    return place !== null && place >= from && place <= to;
  });
  const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
  const page = Math.min(wanted, pages - 1);
  const hasBand = shown.some(({ min }) => min !== null);
  return (
    <div class="curve-table">
      <table>
        <caption>
          {curve.label} · {t("rows", { n: shown.length })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("time", { clock: clockName() })}</th>
            <th scope="col">{hasBand ? t("mean") : t("value")}</th>
            {hasBand && <th scope="col">{t("least")}</th>}
            {hasBand && <th scope="col">{t("greatest")}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((point) => (
            <tr key={point.at_ms}>
              <th scope="row">
                {printDay(point.at_ms)} {printClock(point.at_ms)}
              </th>
              <td>
                <PointValue curve={curve} point={point}>
                  {curve.print(point.value)}
                </PointValue>
              </td>
              {hasBand && <td>{curve.print(point.min)}</td>}
              {hasBand && <td>{curve.print(point.max)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <TablePages page={page} pages={pages} setPage={setPage} />
    </div>
  );
}

interface TablePagesProps {
  /** Number of the page, from 0. */
  readonly page: number;
  readonly pages: number;
  readonly setPage: (page: number) => void;
}

/** Buttons that turn the pages; none if there is only one. */
export function TablePages({ page, pages, setPage }: TablePagesProps) {
  if (pages < 2) return null;
  return (
    <p>
      <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
        {t("earlier")}
      </button>{" "}
      {t("page", { page: page + 1, pages })}{" "}
      <button type="button" disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
        {t("later")}
      </button>
    </p>
  );
}
