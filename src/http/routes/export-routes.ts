// The part of the route table that answers files: raw readings, and each kind of records. They are
// the files that `ballastd export` writes.

import * as z from "zod";
import { RECORD_KINDS, type RecordKind } from "../../bwts/record-kind.ts";
import { RECORD_COLUMNS } from "../../sqlite/answers/export-records.ts";
import type { Route } from "../route.ts";
import { ExportQuery, exportRecords, exportTelemetry, RecordExportQuery } from "./export.ts";
import { read } from "./route-kinds.ts";

const file = (example: string) => ({ type: "text/csv", schema: z.string(), example });

const shown = (kind: RecordKind) => (kind === "health" ? "health records" : kind);

/** Spread into the table. */
export const EXPORT_ROUTES: readonly Route[] = [
  read({
    path: "/export/telemetry",
    operation: "exportTelemetry",
    summary: "All raw readings of a range as a file, ascending, as ballastd export writes it",
    query: ExportQuery,
    answer: file("timestamp,UVR_INTENSITY\r\n2026-05-01T06:30:00.000Z,652.4\r\n"),
    handle: exportTelemetry,
  }),
  ...RECORD_KINDS.map((kind) =>
    read({
      path: `/export/${kind}`,
      operation: `export${kind.replace(/^./, (letter) => letter.toUpperCase())}`,
      summary: `All ${shown(kind)} of a range as a file, ascending, as /api/${kind} has each`,
      query: RecordExportQuery,
      answer: file(`${RECORD_COLUMNS[kind].join(",")}\r\n`),
      handle: exportRecords(kind),
    }),
  ),
];
