// The routes that answer files: raw readings, and each kind of records. A reader streams the same
// bytes that `ballastd export` writes. A file's size is estimated beforehand.

import * as z from "zod";
import type { AuditDetail } from "../../bwts/audit.ts";
import { DataChannelListAnswer, dataChannelListText } from "../../bwts/data-channel-list.ts";
import type { ExportSource } from "../../bwts/data-channels.ts";
import {
  EXPORT_KINDS,
  formatsOf,
  READING_FORMATS,
  RECORD_KINDS,
  type ReadingFormat,
  type RecordKind,
  TEXT_FORMATS,
} from "../../bwts/export-kind.ts";
import { ExportSize } from "../../bwts/export-size.ts";
import { readBuild } from "../../ground/assets.ts";
import { endOf, type ParsedTime, printTime } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { RECORD_COLUMNS } from "../../sqlite/answers/export-records.ts";
import type { Query } from "../../sqlite/answers/queries.ts";
import type { FileQuery } from "../../sqlite/exchange/begin-file.ts";
import { columnsNamed } from "../../sqlite/exchange/export-columns.ts";
import { closed } from "../../sqlite/file/query.ts";
import { dates, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import {
  ask,
  BODILESS,
  type HttpContext,
  JSON_TYPE,
  type Reply,
  type RouteRequest,
  route,
} from "../route.ts";

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
      "fields of /api/tags, received_at, clock_trusted, extra (unknown tags), not_believed (the " +
      "fields whose value isn't believed), by comma; all by default, in NDJSON and Parquet all " +
      "but not_believed; the timestamp is always there",
    examples: ["UVR_INTENSITY,SYS_FLOW_RATE"],
  });

const text = {
  format: z
    .enum(TEXT_FORMATS, "expected csv or ndjson")
    .default("csv")
    .meta({ description: "CSV with a header line, or one JSON object a line" }),
  ...dates,
};

const readingFormat = z
  .enum(READING_FORMATS, "expected csv, ndjson, parquet or iso19848")
  .default("csv")
  .meta({
    description:
      "CSV with a header line, one JSON object a line, or (of readings) Apache Parquet, or a " +
      "time series data package of ISO 19848 in JSON",
  });

const TYPES: Readonly<Record<ReadingFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  iso19848: JSON_TYPE,
};

/** File name endings that differ from the name of the format. */
const ENDINGS: Readonly<Record<string, string>> = { iso19848: "iso19848.json" };

const { version } = readBuild();

function sourceOf(context: HttpContext): ExportSource {
  return { ...context.readiness().system, version };
}

/** The format; for a package of ISO 19848 also the source that it names. */
function fileAsked(format: ReadingFormat, context: HttpContext): FileQuery {
  return format === "iso19848" ? { format, source: sourceOf(context) } : { format };
}

const file = (example: string) => ({ type: "text/csv", answer: z.string().meta({ example }) });

const shown = (kind: RecordKind) => (kind === "health" ? "health records" : kind);

/**
 * Maximum number of lines measured for an estimate, in 64 places: that opens at most 128 segments.
 */
const MEASURED_MAX = 512;

/** The rows of exports in the route table. */
export const EXPORT_ROUTES = [
  route({
    path: "/export/telemetry",
    operation: "exportTelemetry",
    summary: "All raw readings of a range as a file, ascending, as ballastd export writes it",
    query: { ...text, format: readingFormat, columns: columns.optional() },
    ...file("timestamp,UVR_INTENSITY\r\n2026-05-01T06:30:00.000Z,652.4\r\n"),
    otherTypes: [TYPES.ndjson, TYPES.parquet, TYPES.iso19848],
    typeOf: ({ format }) => TYPES[format],
    errors: [503],
    handle(asked, context) {
      const { format, columns = null } = asked.query;
      const range = rangeOf(asked.query);
      const query = { name: "export", ...fileAsked(format, context), range, columns } as const;
      return fileOf({ what: "telemetry", more: { columns }, query }, asked, context);
    },
  }),
  ...RECORD_KINDS.map((kind) =>
    route({
      path: `/export/${kind}`,
      operation: `export${kind.replace(/^./, (letter) => letter.toUpperCase())}`,
      summary: `All ${shown(kind)} of a range as a file, ascending, as /api/${kind} has each`,
      query: text,
      ...file(`${RECORD_COLUMNS[kind].join(",")}\r\n`),
      otherTypes: [TYPES.ndjson],
      typeOf: ({ format }) => TYPES[format],
      errors: [503],
      handle(asked, context) {
        const range = rangeOf(asked.query);
        const query = { name: "export_records", kind, format: asked.query.format, range } as const;
        return fileOf({ what: kind, more: {}, query }, asked, context);
      },
    }),
  ),
  route({
    path: "/export/estimate",
    operation: "estimateExport",
    summary: "How many lines and bytes a file of /export has, the bytes from some of its lines",
    query: {
      kind: z
        .enum(EXPORT_KINDS, `expected ${RECORD_KINDS.join(", ")} or telemetry`)
        .default("telemetry")
        .meta({ description: "what is in the file" }),
      ...text,
      format: readingFormat,
      columns: columns.optional(),
    },
    answer: ExportSize,
    handle({ query: { kind, format, columns = null, ...given } }, context) {
      if (!formatsOf(kind).includes(format))
        throw new Refusal(400, `format: "${format}" was given, expected csv or ndjson of ${kind}`);
      const asked = { ...fileAsked(format, context), kind, range: rangeOf(given), columns };
      return ask(context, { name: "export_size", ...asked, limit: MEASURED_MAX });
    },
  }),
  route({
    path: "/export/channels",
    operation: "exportDataChannels",
    summary: "The data channel list of ISO 19848 that packages of format=iso19848 refer to",
    answer: DataChannelListAnswer,
    handle(_asked, context) {
      const name = `${context.readiness().system.id}-channels.iso19848.json`;
      const bytes = Buffer.from(dataChannelListText(sourceOf(context)));
      return { kind: "bytes", status: 200, type: JSON_TYPE, bytes, headers: savedAs(name) };
    },
  }),
];

interface File {
  readonly what: string;
  /** Further members of the entry in the audit log. */
  readonly more: AuditDetail;
  readonly query: Extract<Query, { name: "export" | "export_records" }>;
}

/** Asks a reader for the file, and records the export in the audit log. */
async function fileOf(
  { what, more, query }: File,
  { request, by, query: given }: RouteRequest<{ startDate?: ParsedTime; endDate?: ParsedTime }>,
  context: HttpContext,
): Promise<Reply> {
  const { format, range } = query;
  const isHead = request.method === "HEAD";
  // Recorded first, so that the file itself shows that its verdicts were given out.
  if (!isHead && what === "operations")
    await context.write("give_out", { range: closed(range) }, by);
  // For a HEAD request, Parquet would compute a whole row group in vain.
  const reply = isHead && format === "parquet" ? BODILESS : await ask(context, query);
  if (!isHead) {
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
  const ending = ENDINGS[format] ?? format;
  const name = `${context.readiness().system.id}-${what}${datesOf(given)}.${ending}`;
  return { ...reply, type: TYPES[format], headers: savedAs(name) };
}

function savedAs(name: string) {
  const shown = name.replace(/[^A-Za-z0-9._-]/g, "_");
  return { "Content-Disposition": `attachment; filename="${shown}"` };
}

/** The range as part of a file's name. */
function datesOf({ startDate, endDate }: { startDate?: ParsedTime; endDate?: ParsedTime }): string {
  const from = startDate === undefined ? "" : `-from-${dateOf(startDate.at_ms)}`;
  return from + (endDate === undefined ? "" : `-to-${dateOf(endOf(endDate))}`);
}

function dateOf(at_ms: number): string {
  return printTime(at_ms).slice(0, 10);
}
