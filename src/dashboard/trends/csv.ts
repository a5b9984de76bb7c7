// The values of a chart as a file: a line for each point of its range, with the wire name of the
// field, the time in UTC, and the unit. No value is an empty column, never 0.

import { saveBlob } from "../store/save.ts";
import { tagOf } from "./fields.ts";
import type { Slot } from "./use-slots.ts";

const HEAD = "field,time,value,minimum,maximum,unit";

export function saveCsv(slots: readonly Slot[]): void {
  const names = [...new Set(slots.map(({ field }) => field))].join("-");
  saveBlob(new Blob([csvOf(slots)], { type: "text/csv" }), `trends-${names}.csv`);
}

function csvOf(slots: readonly Slot[]): string {
  const lines = slots.flatMap(({ field, part, stretch }) => {
    const { unit } = tagOf(field);
    const points = part.known?.value.points ?? [];
    return points
      .filter(({ at_ms, end_ms }) => end_ms >= stretch.from_ms && at_ms <= stretch.to_ms)
      .map(({ at_ms, value, min, max }) =>
        [field, new Date(at_ms).toISOString(), value, min, max, unit].join(","),
      );
  });
  return `${[HEAD, ...lines].join("\r\n")}\r\n`;
}
