// The keys of a page with charts: pan, zoom, and moving the cursor from value to value, which is
// shown beside the curve's name.

import { chartWords as t } from "../lang/words.ts";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import type { ChartAxis } from "./axis.ts";
import { panned, type SharedView, zoomed } from "./shared-view.ts";

/** Share of the stretch by which a key pans. */
const PAN = 0.25;
const ZOOM = 2;

export function useChartKeys(shared: SharedView, axis: ChartAxis): void {
  const pan = (share: number) => () => shared.show(panned(shared.view(), share));
  const zoom = (factor: number) => () => {
    const { from, to } = shared.view();
    const fixed = shared.cursor() ?? (from + to) / 2;
    shared.show(zoomed(shared.view(), { factor, fixed, shortest: axis.shortest }));
  };
  const step = (direction: 1 | -1) => () => shared.step(direction);
  useKeys([
    { keys: KEYS.chart.key_back, about: t("key_back"), run: pan(-PAN) },
    { keys: KEYS.chart.key_on, about: t("key_on"), run: pan(PAN) },
    { keys: KEYS.chart.key_in, about: t("key_in"), run: zoom(1 / ZOOM) },
    { keys: KEYS.chart.key_out, about: t("key_out"), run: zoom(ZOOM) },
    { keys: KEYS.chart.key_cursor_back, about: t("key_cursor_back"), run: step(-1) },
    { keys: KEYS.chart.key_cursor_on, about: t("key_cursor_on"), run: step(1) },
  ]);
}
