// Reads the estimate of an export file's size. Returns null for an unknown shape, which the panel
// of the size reports.

import type { ExportSize } from "../../bwts/export-size.ts";
import { flagOrNull, isLike, numberOrNull, type Read } from "../store/checks.ts";

export const readExportSize: Read<ExportSize> = (body) => {
  if (!isLike<ExportSize>(body)) return null;
  const [rows, bytes] = [numberOrNull(body.rows), numberOrNull(body.bytes)];
  const measured_rows = numberOrNull(body.measured_rows);
  const exact = flagOrNull(body.exact);
  if (rows === null || bytes === null || measured_rows === null || exact === null) return null;
  return { value: { rows, bytes, measured_rows, exact } };
};
