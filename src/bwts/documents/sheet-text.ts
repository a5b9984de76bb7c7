// The inspection sheet as text of at most 80 columns, for a terminal or a plain printer. A line of
// underscores is a box that the crew fills in.

import { fitted, wrapped } from "../../ground/columns.ts";
import { notRecordedText, printedUnit } from "../operations/operation-words.ts";
import { wholeMinimum } from "../operations/whole-minimum.ts";
import type { ExceptionLine, Inspection, OperationLine } from "./inspection.ts";
import {
  amountOf,
  BOX,
  cubicMetres,
  dayAndMonth,
  directionOf,
  minuteOf,
  NOT_KNOWN,
  shortPlace,
  spanOf,
  VERDICT_SHAPES,
  verdictInWords,
} from "./sheet-words.ts";

/** The sheet as text, with a line break at the end. */
export function inspectionText(sheet: Inspection): string {
  const { exceptions, exceptions_left_out, operations, trace, questions, notice } = sheet;
  const sections = [
    shipLines(sheet),
    [...sheet.summary, `Record book: ${BOX} entries compared, ${BOX} differ (the crew fills in).`],
    ["EXCEPTIONS", ...sheet.data_exceptions, ...exceptions.flatMap(exceptionLines)],
    [
      "THE LAST OPERATIONS (UTC; UV: least of the limit, W/m²)",
      ...operations.flatMap(operationRows),
    ],
    ["ONE TRACED EXAMPLE", ...traceLines(trace)],
    ["THE OFFICER'S QUESTIONS", ...questions.map(questionLine)],
    ["UPKEEP", sheet.upkeep.sentence],
    ["TRUST", ...sheet.trust.sentences, ...headLines(sheet.trust.head)],
    [notice],
  ];
  if (exceptions.length + sheet.data_exceptions.length === 0) sections[2].push("No exceptions.");
  if (exceptions_left_out > 0)
    sections[2].push(`and ${exceptions_left_out} more: ballastd operations lists them all`);
  if (operations.length === 0) sections[3].push("None.");
  const lines = sections.map((section) => section.flatMap(wrapped));
  return `${lines.map((section) => section.join("\n")).join("\n\n")}\n`;
}

function shipLines({ made, ship_time, ship, limits, limits_source, ...sheet }: Inspection) {
  const { vessel, imo, system_id, system_type, serial, certificate, capacity_m3_h } = ship;
  const capacity = capacity_m3_h === null ? BOX : `${amountOf(capacity_m3_h)} m³/h`;
  const limitWords = limits.map((one) => `${one.about} ${one.value} ${printedUnit(one.unit)}`);
  const shipTime = ship_time === null ? "" : ` (${ship_time})`;
  return [
    `BALLAST WATER TREATMENT: INSPECTION SHEET${sheet.simulated ? " - SIMULATED, no plant" : ""}`,
    `made ${minuteOf(made)} UTC${shipTime} by ballastd ${sheet.version}`,
    `Ship: ${vessel ?? BOX}   IMO: ${imo ?? BOX}`,
    `System: ${system_id}   Type: ${system_type ?? BOX}   Serial no.: ${serial ?? BOX}`,
    `Type approval certificate: ${certificate ?? BOX}   Rated capacity: ${capacity}`,
    `Limits: ${limitWords.join("; ")}`,
    `Source of the limits: ${limits_source ?? BOX}`,
  ];
}

function exceptionLines(line: ExceptionLine): string[] {
  const { operation_id, operation_type, location, verdict, what, start, end, volume_m3 } = line;
  const shape = verdict === null ? " " : VERDICT_SHAPES[verdict];
  const place = `${directionOf(operation_type)} ${shortPlace(location)}`;
  const facts = [spanOf(start, end), cubicMetres(volume_m3), line.evidence].join("; ");
  return [
    `${shape} no. ${operation_id} ${place}: ${what}`,
    `    ${facts}`,
    `    Record book: ${line.record_book}. Entered: ${BOX}`,
  ];
}

/** Widths of a row's columns; 80 with the spaces between them. */
const WIDTHS = { id: 5, port: 12, span: 25, volume: 7, uv: 8, verdict: 16 } as const;

function operationRows(line: OperationLine): readonly string[] {
  const missing = notRecordedText(line.not_recorded);
  return [
    operationRow(line),
    ...(missing === null ? [] : [`      ${missing}`]),
    ...(line.version > 1 ? [`      version ${line.version} of its verdict`] : []),
  ];
}

function operationRow(line: OperationLine): string {
  const { id, operation_type, location, start, end, volume_m3, verdict } = line;
  const volume = volume_m3 === null ? NOT_KNOWN : amountOf(volume_m3);
  return [
    String(id).padStart(WIDTHS.id),
    directionOf(operation_type).slice(0, 1),
    fitted(shortPlace(location), WIDTHS.port),
    fitted(shortSpan(start, end), WIDTHS.span),
    volume.padStart(WIDTHS.volume),
    uvWords(line).padStart(WIDTHS.uv),
    verdictInWords(verdict, end),
  ].join(" ");
}

function uvWords({ uv_min_w_m2, uv_limit_w_m2 }: OperationLine): string {
  const whole = (value: number | null) =>
    value === null ? NOT_KNOWN : String(wholeMinimum(value));
  return `${whole(uv_min_w_m2)}/${whole(uv_limit_w_m2)}`;
}

/** A span without years, which the period of the sheet shows. */
function shortSpan(start: string, end: string | null): string {
  const begin = `${dayAndMonth(start)} ${start.slice(11, 16)}`;
  if (end === null) return `${begin}, running`;
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return `${begin}\u2013${isOneDay ? "" : `${dayAndMonth(end)} `}${end.slice(11, 16)}`;
}

function traceLines(trace: Inspection["trace"]): string[] {
  if (trace === null) return ["No uptake and discharge whose volumes fit together."];
  const { uptake, discharge, difference_percent, alerts, basis } = trace;
  const alertWords = alerts.length === 0 ? "no alerts" : `alerts: ${alerts.join(", ")}`;
  return [
    ...operationRows(uptake),
    ...operationRows(discharge),
    `Volumes differ by ${difference_percent} %; ${alertWords}; ${basis}.`,
  ];
}

function questionLine({ question, answer }: Inspection["questions"][number], index: number) {
  return `${String(index + 1).padStart(2)}. ${question} ${answer ?? BOX}`;
}

function headLines(head: Inspection["trust"]["head"]): string[] {
  if (head === null) return [];
  const { root, fingerprint, origin } = head;
  return [`  root ${root}`, `  key  ${fingerprint}`, `  ${origin}`];
}
