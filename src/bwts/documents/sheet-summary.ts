// The inspection sheet in a few sentences, read in three seconds: number of operations within
// limits, the system's state, bypasses. Without zod: the page and the terminal print them.

import type { Inspection } from "./inspection.ts";
import { amountOf, counted, dayOf, lengthOf, minuteOf } from "./sheet-words.ts";

type Summed = Pick<Inspection, "counts" | "period" | "system">;

export function summaryOf({ counts, period, system }: Summed): string[] {
  return [countSentence(counts, period), systemSentence(system), bypassSentence(counts)];
}

function countSentence(counts: Inspection["counts"], period: Inspection["period"]): string {
  const { operations, within_limits, outside_limits, cannot_tell, running, waiting } = counts;
  const { unreadable } = counts;
  const isNone = operations + running + waiting + unreadable === 0;
  const time = timeWords(period);
  if (time === null) return "No readings in 12 months: nothing can be told.";
  const running_now = running === 0 ? "" : ` ${running} running.`;
  const lost = unreadable === 0 ? "" : ` ${unreadable} CAN'T BE READ: damaged on disk.`;
  const now = `${lost}${running_now}${waiting === 0 ? "" : ` ${waiting} not judged yet.`}`;
  if (operations === 0) return `${isNone ? "No operation" : "No judged operation"} ${time}.${now}`;
  const parts = [`${within_limits} within limits`, `${outside_limits} outside`];
  const verdicts = [...parts, `${cannot_tell} cannot tell`].join(", ");
  return `${counted(operations, "operation")} ${time}: ${verdicts}.${now}`;
}

const DAY_MS = 86_400_000;

/** The period as text; null without readings. A record shorter than the period is named. */
function timeWords({ start, data_from }: Inspection["period"]): string | null {
  if (data_from === null) return null;
  const isWhole = Date.parse(data_from) - Date.parse(start) < DAY_MS;
  return isWhole ? "in 12 months" : `since ${dayOf(data_from)}, the first reading`;
}

/** Maximum number of malfunctions that are named; others are counted. */
const NAMED_MAX = 3;

function systemSentence(system: Inspection["system"]): string {
  const { state, reading, present, malfunctions, end_not_reported } = system;
  const at = reading === null ? "" : `, ${minuteOf(reading)} UTC`;
  const known = present ? "System now" : "System, last known";
  const now =
    reading === null ? "System: no reading" : `${known}: ${state ?? "state not told"}${at}`;
  const open =
    malfunctions.length > 0
      ? namedMalfunctions(malfunctions)
      : reading === null
        ? "not known"
        : "none";
  const ends =
    end_not_reported.length === 0
      ? ""
      : ` End not reported: ${namedMalfunctions(end_not_reported)}.`;
  return `${now}. Open malfunctions: ${open}.${ends}`;
}

/** The number of malfunctions, and the first three by code and day. */
function namedMalfunctions(all: Inspection["system"]["malfunctions"]): string {
  const named = all
    .slice(0, NAMED_MAX)
    .map(({ code, since }) => `${code} since ${dayOf(since)}`)
    .join(", ");
  const more = all.length - NAMED_MAX;
  return `${all.length} (${named}${more > 0 ? ` and ${more} more` : ""})`;
}

function bypassSentence(counts: Inspection["counts"]): string {
  const { operations, running, waiting, bypassed, bypass_seconds, bypass_m3 } = counts;
  if (operations + running + waiting === 0) return "Bypass: no operation is known.";
  if (bypassed === 0) return "Bypass: none.";
  const volume = bypass_m3 === null ? "volume not known" : `${amountOf(bypass_m3)} m³`;
  return `Bypass: in ${counted(bypassed, "operation")}, ${lengthOf(bypass_seconds)}, ${volume}.`;
}
