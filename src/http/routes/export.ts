// Readings and records as files for the browser: the same bytes as `ballastd export` writes,
// streamed by a reader.

import * as z from "zod";
import type { AuditDetail } from "../../bwts/audit.ts";
import type { RecordKind } from "../../bwts/record-kind.ts";
import { endOf, type ParsedTime, printTime } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { columnsNamed } from "../../sqlite/exchange/export-columns.ts";
import type { Query, TextFormat } from "../../sqlite/file/query.ts";
import { dates, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

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

const text = {
  format: z
    .enum(["csv", "ndjson"], "expected csv or ndjson")
    .default("csv")
    .meta({ description: "CSV with a header line, or one JSON object a line" }),
  ...dates,
};

export const ExportQuery = z.object({ ...text, columns: columns.optional() });

export const RecordExportQuery = z.object(text);

const TYPES: Readonly<Record<TextFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

export function exportTelemetry(
  asked: Asked<z.output<typeof ExportQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { format, columns = null } = asked.query;
  const query = { name: "export", format, range: rangeOf(asked.query), columns } as const;
  return fileOf({ what: "telemetry", more: { columns }, query }, asked, context);
}

/** The handler of the route that exports this kind of records. */
export function exportRecords(kind: RecordKind) {
  return (
    asked: Asked<z.output<typeof RecordExportQuery>>,
    context: HttpContext,
  ): Promise<Reply> => {
    const { format } = asked.query;
    const query = { name: "export_records", kind, format, range: rangeOf(asked.query) } as const;
    return fileOf({ what: kind, more: {}, query }, asked, context);
  };
}

interface File {
  readonly what: string;
  /** Further members of the entry in the audit log. */
  readonly more: AuditDetail;
  readonly query: Extract<Query, { name: "export" | "export_records" }>;
}

/** Asks for the file; what was asked for goes to the audit log. */
async function fileOf(
  { what, more, query }: File,
  { request, by, query: given }: Asked<z.output<typeof RecordExportQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { format, range } = query;
  const reply = await ask(context, query);
  if (request.method === "GET") {
    const { start_ms, end_ms } = range;
    const detail = {
      what,
      format,
      from: start_ms === null ? null : printTime(start_ms),
      to: end_ms === null ? null : printTime(end_ms),
      ...more,
    };
    context.note({ ...by, kind: "export", detail, fold: JSON.stringify(detail) });
  }
  const name = `${context.readiness().system.id}-${what}${datesOf(given)}.${format}`;
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
