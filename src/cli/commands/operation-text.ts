// Operations as text for a terminal of 80 columns: a line each, or all of one. Texts of the
// treatment system are shortened in the list and wrapped in the rest.

import type { Operation } from "../../bwts/operations/operation.ts";
import { notRecordedText, REMARKS } from "../../bwts/operations/operation-words.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { fitted, wrapped } from "../../ground/columns.ts";

/** A head and a line for each; empty for none. */
export function operationRows(operations: readonly Operation[]): readonly string[] {
  if (operations.length === 0) return [];
  const head = line("ID", "TYPE", "PLACE", "START (UTC)", "END", "M3", "VERDICT");
  return [head, ...operations.flatMap((one) => [rowOf(one), ...missingOf(one)])];
}

/** The line below an operation's row that tells how much of it isn't recorded. */
function missingOf({ not_recorded }: Operation): readonly string[] {
  const missing = notRecordedText(not_recorded);
  return missing === null ? [] : [`      ${missing}`];
}

function rowOf(one: Operation): string {
  const { id, operation_type, location, start, end, volume_m3 } = one;
  return line(
    String(id),
    operation_type ?? "-",
    location ?? "-",
    `${start.slice(0, 10)} ${start.slice(11, 16)}`,
    end === null ? "-" : clockAfter(start, end),
    volume_m3 === null ? "-" : volume_m3.toFixed(0),
    isRunning(one) ? "running" : verdictWords(one.verdict, one.remarks),
  );
}

/** A damaged one may lack its version and its end as well. */
function isRunning({ version, end, remarks }: Operation): boolean {
  return version === 0 && end === null && !remarks.includes("damaged");
}

/** `04:30+1` of an end on the next day (UTC). */
function clockAfter(start: string, end: string): string {
  const [first, last] = [start, end].map((time) => Date.parse(time.slice(0, 10)));
  return end.slice(11, 16) + (first === last ? "" : `+${(last - first) / DAY_MS}`);
}

const WIDTHS = [5, 10, 13, 16, 7, 8, 15] as const;

function line(...cells: readonly string[]): string {
  return cells
    .map((cell, at) => {
      const [width, isNumber] = [WIDTHS[at], at === 0 || at === 5];
      return fitted(isNumber ? cell.padStart(width) : cell, width, "~");
    })
    .join(" ")
    .trimEnd();
}

function verdictWords(verdict: Operation["verdict"], remarks: Operation["remarks"]): string {
  if (remarks.includes("withdrawn")) return "withdrawn";
  if (remarks.includes("damaged")) return "damaged on disk";
  return verdict === null ? "no verdict" : verdict.replaceAll("_", " ");
}

/** All that is known of one, with its remarks in words, in lines of 80 columns. */
export function operationText(one: Operation): string {
  const { id, operation_type, location, start, end, verdict_with_hidden: beside } = one;
  const hidden = beside === null ? "" : ` (with hidden readings: ${verdictWords(beside, [])})`;
  return [
    `Operation ${id}: ${operation_type ?? "type unknown"}, ${location ?? "place unknown"}`,
    `${start} to ${end ?? "now"}, known by ${one.known_by}`,
    `Verdict: ${isRunning(one) ? "it runs" : verdictWords(one.verdict, one.remarks)}${hidden}`,
    ...missingOf(one).map((missing) => missing.trim()),
    ...one.remarks.map((remark) => `Note: ${REMARKS[remark]}`),
    ...section("Reasons", one.reasons.map(reasonText)),
    ...section("Indications (no findings)", one.indications.map(indicationText)),
    `Volume: ${volumeText(one)}`,
    ...section("Parts", one.parts.map(partText)),
    `Mode ${one.mode ?? "unknown"}, readings ${one.readings}, hidden ${one.readings_hidden}, ` +
      `bypassed ${one.bypass_seconds} s`,
    `Hours since CIP: ${one.hours_since_cip ?? "unknown"}, backflushes: ` +
      `${one.backflushes ?? "unknown"}, gaps: ${one.gaps.length}, alerts: ${one.alerts.length}`,
    ...section("Values (min, mean, max)", valueTexts(one)),
    ...section("Limits in force", one.limits.map(limitText)),
    `Source of the limits: ${one.limits_source ?? "unknown"}`,
    ...section("Voids", one.voids.map(voidText)),
    ...section("Versions", one.versions.map(versionText)),
  ]
    .flatMap(wrapped)
    .join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((text) => `  ${text}`)];
}

function reasonText(reason: Operation["reasons"][number]): string {
  const { rule, start, end, seconds, limit, limit_key, unit, worst, volume_m3 } = reason;
  const against = limit === null ? "" : `, ${limit_key} ${limit} ${unit ?? ""}`;
  const most = worst === null ? "" : `, worst ${worst} at ${reason.worst_at}`;
  const water = volume_m3 === null ? "" : `, ${volume_m3} m3`;
  const hidden = reason.is_hidden ? ", hidden by a void" : "";
  return `${rule}: ${start} to ${end}, ${seconds} s${against}${most}${water}${hidden}`;
}

function indicationText({ indication, start, end, evidence }: Operation["indications"][number]) {
  const told = Object.entries(evidence).map(([name, value]) => `${name} ${value}`);
  return `${indication}: ${start} to ${end}: ${told.join(", ")}`;
}

function volumeText(one: Operation): string {
  const { volume_m3, volume_source, volume_totaliser_m3, volume_flow_m3 } = one;
  const differs = one.volume_difference_percent;
  return (
    `${volume_m3 ?? "unknown"} m3 by ${volume_source ?? "nothing"} (totaliser ` +
    `${volume_totaliser_m3 ?? "-"} m3, flow ${volume_flow_m3 ?? "-"} m3` +
    `${differs === null ? "" : `, ${differs} %`})`
  );
}

function partText({ part, start, end, seconds, volume_m3 }: Operation["parts"][number]): string {
  const water = volume_m3 === null ? "" : `, ${volume_m3} m3`;
  return `${part.replaceAll("_", " ")}: ${start} to ${end}, ${seconds} s${water}`;
}

function valueTexts({ values }: Operation): readonly string[] {
  return Object.entries(values).flatMap(([name, { unit, readings, min, mean, max }]) =>
    readings === 0 ? [] : [`${name}: ${min}, ${mean}, ${max} ${unit ?? ""}`],
  );
}

function limitText({
  key,
  value,
  unit,
  from,
  seconds_beyond,
}: Operation["limits"][number]): string {
  const since = from === null ? "" : ` from ${from}`;
  const beyond = seconds_beyond === null ? "" : `, ${seconds_beyond} s beyond`;
  return `${key} ${value} ${unit ?? ""}${since}${beyond}`;
}

function voidText({ id, start, end, readings, reason }: Operation["voids"][number]): string {
  return `void ${id}: ${start} to ${end} hides ${readings}: ${reason}`;
}

function versionText(version: Operation["versions"][number]): string {
  const { given_out, given_out_number: number } = version;
  const proof = number === null ? "noted aboard only" : `given ${number} of the ledger`;
  const out = given_out === null ? "" : `, given out ${given_out} (${proof})`;
  return (
    `${version.version} of ${version.made}, ${verdictWords(version.verdict, [])}, ` +
    `verdict ${version.ledger_number} of the ledger${out}: ${version.because}`
  );
}
