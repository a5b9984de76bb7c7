// The plant for Sparkplug hosts, as readers' threads have it: the newest readings, and those of a
// range. An answer is read whole, so it has at most 100 readings.

import { TAGS } from "../bwts/tags.ts";
import type { Query } from "../sqlite/answers/queries.ts";
import { EVER } from "../sqlite/file/query.ts";
import type { Readers } from "../sqlite/threads/readers.ts";
import type { DeviceReading, DeviceSource } from "./device-metrics.ts";

/** Readings of an answer: some 300 kB of JSON. */
const PAGE_READINGS = 100;

type LiveRow = Readonly<Record<string, number | string | boolean | null>>;
interface LivePage {
  readonly data: readonly LiveRow[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

/** The plant as `readers` have it; `isLive` is false while it is silent. */
export function deviceSource(readers: Readers, isLive: DeviceSource["isLive"]): DeviceSource {
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

function readingOf(row: LiveRow): DeviceReading {
  return {
    at_ms: Date.parse(String(row.timestamp)),
    values: TAGS.map(({ name }) => row[name] ?? null),
  };
}
