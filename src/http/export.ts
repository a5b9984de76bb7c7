// Raw readings as a file for the browser: the same bytes as `ballastd export` writes, streamed by a
// reader.

import * as z from "zod";
import { endOf, type ParsedTime, printTime } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { columnsNamed } from "../sqlite/export-columns.ts";
import type { TextFormat } from "../sqlite/query.ts";
import { dates, rangeOf } from "./parameters.ts";
import { type Asked, ask, type House, type Reply } from "./route.ts";

const columns = z
  .string()
  .transform((text, context) => {
    const names = text.split(",");
    try {
      columnsNamed(names);
      return names;
    } catch (error) {
      context.addIssue(messageOf(error));
      return z.NEVER;
    }
  })
  .meta({
    type: "string",
    description:
      "fields of /api/tags, received_at, clock_trusted, extra (unknown tags), by comma; all by " +
      "default; the timestamp is always there",
    examples: ["UVR_INTENSITY,SYS_FLOW_RATE"],
  });

export const ExportQuery = z.object({
  format: z
    .enum(["csv", "ndjson"], "expected csv or ndjson")
    .default("csv")
    .meta({ description: "CSV with a header line, or one JSON object a line" }),
  ...dates,
  columns: columns.optional(),
});

const TYPES: Readonly<Record<TextFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

export async function exportTelemetry(
  { request, query, by }: Asked<z.output<typeof ExportQuery>>,
  house: House,
): Promise<Reply> {
  const { format } = query;
  const range = rangeOf(query);
  const reply = await ask(house, { name: "export", format, range, columns: query.columns ?? null });
  if (request.method === "GET") {
    const { start_ms, end_ms } = range;
    const detail = {
      what: "telemetry",
      format,
      from: start_ms === null ? null : printTime(start_ms),
      to: end_ms === null ? null : printTime(end_ms),
      columns: query.columns ?? null,
    };
    house.note({ ...by, kind: "export", detail, fold: JSON.stringify(detail) });
  }
  const name = `${house.readiness().system.id}-telemetry${datesOf(query)}.${format}`;
  const headers = {
    "Content-Disposition": `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, "_")}"`,
  };
  return { ...reply, type: TYPES[format], headers };
}

/** The range as part of a file's name. */
function datesOf({ startDate, endDate }: { startDate?: ParsedTime; endDate?: ParsedTime }): string {
  const from = startDate === undefined ? "" : `-from-${dateOf(startDate.at_ms)}`;
  return from + (endDate === undefined ? "" : `-to-${dateOf(endOf(endDate))}`);
}

function dateOf(at_ms: number): string {
  return printTime(at_ms).slice(0, 10);
}
