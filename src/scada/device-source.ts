// The plant's readings for Sparkplug hosts, from readers' threads: the newest ones, and those of a
// range. An answer is held in memory, so it has at most 100 readings.

import { derivedBits } from "../bwts/merge.ts";
import { believed, type Spans } from "../bwts/plausible.ts";
import { TAGS, tagIndex } from "../bwts/tags.ts";
import type { Query } from "../sqlite/answers/queries.ts";
import { EVER } from "../sqlite/file/query.ts";
import type { Readers } from "../sqlite/threads/readers.ts";
import type { DeviceReading, DeviceSource } from "./device-metrics.ts";

/** Maximum number of readings of an answer: some 300 kB of JSON. */
const PAGE_READINGS = 100;

type LiveRow = Readonly<Record<string, number | string | boolean | null>>;
interface LivePage {
  readonly data: readonly LiveRow[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

/**
 * The plant's readings from `readers`; `isLive` is false while it sends none. Values that aren't
 * believed under `spans` are null: Sparkplug has no mark for them.
 */
export function deviceSource(
  readers: Readers,
  spans: Spans,
  isLive: DeviceSource["isLive"],
): DeviceSource {
  const readingOf = (row: LiveRow) => believedRow(row, spans);
  const page = (start_ms: number, end_ms: number, offset: number) => {
    const limits = { start_ms, end_ms, offset, limit: PAGE_READINGS };
    return ask<LivePage>(readers, { name: "chunked", ...limits });
  };
  return {
    isLive,
    async newest(start_ms) {
      if (start_ms === null) {
        const row = await ask<LiveRow>(readers, { name: "latest" });
        return row === null ? [] : [readingOf(row)];
      }
      const { end_ms } = EVER;
      const first = await page(start_ms, end_ms, 0);
      if (first === null) return [];
      const { total, hasMore } = first.pagination;
      const last = hasMore ? await page(start_ms, end_ms, total - PAGE_READINGS) : first;
      return (last ?? first).data.map(readingOf);
    },
    async first({ start_ms, end_ms }) {
      const answer = await page(start_ms, end_ms, 0);
      return {
        readings: answer?.data.map(readingOf) ?? [],
        isMore: answer?.pagination.hasMore ?? false,
      };
    },
  };
}

async function ask<Answer>(readers: Readers, query: Query): Promise<Answer | null> {
  const { chunks } = await readers.ask(query);
  if (chunks === null) return null;
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}

function believedRow(row: LiveRow, spans: Spans): DeviceReading {
  const at_ms = Date.parse(String(row.timestamp));
  const values = TAGS.map(({ name }, index) => (index === 0 ? null : (row[name] ?? null)));
  const extra = new Map(
    Object.entries(row).flatMap(([name, value]) =>
      value === null || tagIndex(name) !== null ? [] : [[name, value] as const],
    ),
  );
  return { at_ms, values: believed({ values, extra, derived: derivedBits(values) }, spans).values };
}
