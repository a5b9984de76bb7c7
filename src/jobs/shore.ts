// Alerts about the link to the office: no answer for hours, the office refuses data, or it has data
// that this box hasn't. None of them stops the storage of readings.

import type { ShoreAnswer } from "../bwts/documents/shore-answer.ts";
import { HOUR_MS } from "../ground/clock.ts";
import { ownAlarmOf, type ReportedAlarm } from "./alarm.ts";
import type { Job } from "./job.ts";

/** An alarm with the text of its problem; null while there is none. */
type ShoreFinding = readonly [alarm: ReturnType<typeof ownAlarmOf>, text: string | null];

export function shoreWatch(): Job["run"] {
  const [behind, refused, fork] = [
    ownAlarmOf("SHORE_BEHIND"),
    ownAlarmOf("SHORE_REFUSED"),
    ownAlarmOf("SHORE_FORK"),
  ];
  // Time since which there is no connection, by the steady clock; null while there is one.
  let silent_ms: number | null = null;
  return async (tools) => {
    const told = await tools.shore();
    if (told === null) return null;
    silent_ms = told.state === "connected" ? null : (silent_ms ?? performance.now());
    const hours = tools.alarm_hours();
    const isBehind =
      ["waiting", "connecting", "refused"].includes(told.state) &&
      hours > 0 &&
      silentFor(told, silent_ms, tools.clock.now_ms()) > hours * HOUR_MS;
    const found: readonly ShoreFinding[] = [
      [behind, isBehind ? `no answer of the shore for ${hours} h: ${told.problem}` : null],
      [refused, refusalOf(told)],
      [fork, forkOf(told)],
    ];
    const done: string[] = [];
    for (const [alarm, text] of found) {
      const alert: ReportedAlarm = { text: text ?? "", parameter: "shore", more: {} };
      const isNew = text === null ? await alarm.clear(tools) : await alarm.raise(tools, alert);
      if (isNew) done.push(text ?? "an alert about the shore is over");
    }
    return done.length === 0 ? null : done.join("; ");
  };
}

/** Time without an answer: since the last one noted, also in an earlier run, or in this run. */
function silentFor(told: ShoreAnswer, since_ms: number | null, now_ms: number): number {
  const here_ms = since_ms === null ? 0 : performance.now() - since_ms;
  const noted_ms = told.last_answer === null ? 0 : now_ms - Date.parse(told.last_answer);
  return Math.max(here_ms, noted_ms);
}

function refusalOf({ state, problem, refused }: ShoreAnswer): string | null {
  if (state === "refused") return `the shore refuses the ship's key: ${problem}`;
  const [first, ...more] = refused;
  if (first === undefined) return null;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  return `the shore refuses ${first.what}: ${first.reason}${others}`;
}

function forkOf({ parted, others, instance }: ShoreAnswer): string | null {
  const [chain] = parted;
  if (chain !== undefined)
    return (
      `the shore has ${chain.chain} ${chain.head}, this box the same only up to ${chain.common}: ` +
      "it was put back from a backup, or another box uses the ship's key"
    );
  const [other] = others;
  if (other !== undefined && other.instance === instance)
    return (
      "the shore has what this box never said, by this box's own number: somebody else has the " +
      "ship's key; the office ends it by ballastd fleet revoke"
    );
  return other === undefined ? null : `another box spoke for this ship: ${other.instance}`;
}
