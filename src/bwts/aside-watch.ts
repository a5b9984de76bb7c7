// Notices that live messages go to quarantine, for example because the PLC's clock is wrong, the
// system id or topic is wrong, or JSON is cut. A ship whose messages are all quarantined must not
// look well. An episode is timed by the steady clock, and reported once it has lasted some seconds.
// Pure, and without zod.

import { HOUR_MS, MINUTE_MS, printTime, SECOND_MS } from "../ground/clock.ts";
import type { PlcOffset, TwoClocks } from "./plc-clock.ts";
import { AHEAD_MAX_MS } from "./reading.ts";

/** Quarantined messages of one reason in a batch. */
export interface QuarantinedReason {
  readonly reason: string;
  readonly count: number;
  /** Time of receipt of the first message, by the box's clock. */
  readonly first_ms: number;
  /** The problem of the last message. */
  readonly detail: string;
  readonly topic: string;
  /** Time in the last message; null if it has none, or if the message may be late. */
  readonly sent_ms: number | null;
  /** `sent_ms` minus the time of receipt; null if `sent_ms` is. */
  readonly ahead_ms: number | null;
  /** Alarms of the treatment system among them, by code or text. */
  readonly alarms: readonly string[];
}

/** Maximum number of alarms named for a batch, and of alarms that wait to be raised. */
export const ASIDE_ALARMS_MAX = 50;

/** The live messages that are quarantined now. */
export interface AsideNow {
  /** Time of receipt of the first message. */
  readonly since_ms: number;
  readonly messages: number;
  /** Each reason with its messages, the most frequent first. */
  readonly reasons: readonly QuarantinedReason[];
  /** Time since the last message, by the steady clock. */
  readonly ago_ms: number;
  /** True if each message since the newest reading was one of them: the present isn't known. */
  readonly areAll: boolean;
}

export interface AsideWatch {
  /** Notes a commit: the messages quarantined, and if others brought readings, to `newest_ms`. */
  committed(
    aside: readonly QuarantinedReason[],
    isReading: boolean,
    newest_ms?: number | null,
  ): void;
  /** The present episode; null while no live messages are quarantined. */
  now(): AsideNow | null;
  /** Alarms of the treatment system that were quarantined since the last call. */
  takeAlarms(): readonly string[];
}

/**
 * Reasons that late data have too, or that have an alert of their own: they don't count beside
 * readings.
 */
const OF_LATE: ReadonlySet<string> = new Set(["expired", "retained", "conflict", "too_many_tags"]);

/**
 * Minimum number of messages in an episode, and their minimum span: one odd message is no episode.
 */
const TOLD_MIN = 3;
const TOLD_SPAN_MS = 5 * SECOND_MS;
/** Time after the last quarantined message at which an episode ends, if others bring readings. */
const OVER_MS = MINUTE_MS;
/**
 * Time after which an episode ends in any case: no messages arrive any more, which has its own
 * alert.
 */
const OVER_SILENT_MS = 15 * MINUTE_MS;

/**
 * Multiple of the longest recent distance between readings, after which readings count as absent.
 */
const GAPS = 3;
const GAPS_KEPT = 32;

export function openAsideWatch(steady_ms: () => number): AsideWatch {
  // Episodes: live messages; all messages since the newest reading; those of them that repeat its
  // time or a later one with other values.
  const [live, unheard, contradicting] = [openEpisode(), openEpisode(), openEpisode()];
  let heard_ms = Number.NEGATIVE_INFINITY;
  let newest_ms: number | null = null;
  let gaps_ms: readonly number[] = [];
  /**
   * True for a message that contradicts the newest reading's time: a clock that stands still, or
   * has no seconds, sends that time again.
   */
  const isOfNewest = ({ reason, sent_ms }: QuarantinedReason) =>
    reason === "conflict" && sent_ms !== null && newest_ms !== null && sent_ms >= newest_ms;
  const isLive = (one: QuarantinedReason) => !OF_LATE.has(one.reason) || isOfNewest(one);
  const isOver = (episode: Episode) => {
    const quiet_ms = steady_ms() - episode.last_ms();
    return quiet_ms > OVER_SILENT_MS || (quiet_ms > OVER_MS && heard_ms > episode.last_ms());
  };
  const isOn = (episode: Episode) => episode.isLong() && !isOver(episode);
  const areAll = () => {
    if (isOn(live) && heard_ms < live.first_ms()) return true;
    if (isOn(contradicting)) return true;
    if (!isOn(unheard) || heard_ms === Number.NEGATIVE_INFINITY) return isOn(unheard);
    // A wrong topic beside good readings doesn't mean that all messages are quarantined: readings
    // may just be due later.
    const usual_ms = Math.max(TOLD_SPAN_MS, GAPS * Math.max(0, ...gaps_ms));
    return gaps_ms.length > 0 && unheard.last_ms() - heard_ms > usual_ms;
  };
  const alarms = new Set<string>();
  return {
    committed(aside, isReading, upTo_ms = null) {
      const now_ms = steady_ms();
      if (isReading) {
        const gap_ms = now_ms - heard_ms;
        if (Number.isFinite(gap_ms)) gaps_ms = [...gaps_ms.slice(1 - GAPS_KEPT), gap_ms];
        heard_ms = now_ms;
        newest_ms = upTo_ms ?? newest_ms;
        for (const episode of [unheard, contradicting]) episode.clear();
      }
      for (const name of aside.flatMap((one) => one.alarms))
        if (alarms.size < ASIDE_ALARMS_MAX) alarms.add(name);
      const ofNow = aside.filter(isLive);
      if (ofNow.length > 0 && isOver(live)) live.clear();
      live.note(now_ms, ofNow);
      if (isReading) return;
      unheard.note(now_ms, aside);
      contradicting.note(now_ms, aside.filter(isOfNewest));
    },
    takeAlarms() {
      const taken = [...alarms];
      alarms.clear();
      return taken;
    },
    now() {
      const [isTold, isAll] = [isOn(live), areAll()];
      if (!isTold && !isAll) return null;
      const told = [...(isAll ? [unheard] : []), ...(isTold ? [live] : [])];
      const reasons = new Map(told.flatMap((episode) => [...episode.reasons]));
      const all = [...reasons.values()].sort((one, other) => other.count - one.count);
      const messages = all.reduce((sum, { count }) => sum + count, 0);
      const since_ms = Math.min(...all.map(({ first_ms }) => first_ms));
      const ago_ms = steady_ms() - Math.max(...told.map((episode) => episode.last_ms()));
      return { since_ms, messages, reasons: all, ago_ms, areAll: isAll };
    },
  };
}

type Episode = ReturnType<typeof openEpisode>;

/** An episode of consecutive messages, timed by the steady clock. */
function openEpisode() {
  const reasons = new Map<string, QuarantinedReason>();
  let [first_ms, last_ms, messages] = [0, Number.NEGATIVE_INFINITY, 0];
  return {
    reasons,
    first_ms: () => first_ms,
    last_ms: () => last_ms,
    isLong: () => messages >= TOLD_MIN && last_ms - first_ms >= TOLD_SPAN_MS,
    note(at_ms: number, all: readonly QuarantinedReason[]) {
      if (all.length === 0) return;
      if (messages === 0) first_ms = at_ms;
      last_ms = at_ms;
      for (const one of all) {
        const { count, first_ms: began_ms } = reasons.get(one.reason) ?? { ...one, count: 0 };
        reasons.set(one.reason, { ...one, first_ms: began_ms, count: count + one.count });
        messages += one.count;
      }
    },
    clear() {
      reasons.clear();
      [last_ms, messages] = [Number.NEGATIVE_INFINITY, 0];
    },
  };
}

/** The remedy for each reason. */
const REMEDIES: Readonly<Record<string, string>> = {
  bad_json: "the JSON is cut or wrong: look at the PLC's program and its largest message",
  bad_time: "have the PLC send ISO 8601 or seconds since 1970, or give a map rule for timestamp",
  bad_value:
    "say on the page First watch what the fields that are named mean: a map rule, and in it the " +
    "unit or the meaning of each value",
  clock_repeat: "the PLC's clock was put back over times that are stored: set it",
  conflict:
    "the PLC's clock stands still, its times have no seconds, or two sources differ: mend the " +
    "PLC's program, or have it send no time",
  damaged: "type ballastd check",
  expired: "the PLC's clock is months behind: set it",
  fault: "report it to the maker of ballastd",
  retained: "have the PLC send its time, or not retain its messages",
  other_system: "set system.id in the configuration to the id that the PLC sends",
  too_large: "have the PLC send smaller messages",
  unknown_topic: "set the PLC's topic, mqtt.prefix or system.id, or add a map",
};

/**
 * The text of the alert, one or two sentences: number of messages, since when, why, and what to do.
 */
export function asideText(aside: AsideNow, plc: PlcOffset | null): string {
  const { messages, since_ms, reasons } = aside;
  const [{ reason, topic, detail, ahead_ms }] = reasons;
  const all =
    reasons.length === 1 ? reason : reasons.map((one) => `${one.count} ${one.reason}`).join(", ");
  const many = messages === 1 ? "1 message is" : `${messages} messages are`;
  const counts = `${many} quarantined since ${printTime(since_ms)} (${all}), nothing is lost`;
  const off_ms = aheadOf(plc, ahead_ms);
  if (reason === "future" && off_ms !== null) {
    const shift = `ballastd quarantine replay --reason future --shift -${shiftText(off_ms)}`;
    const isRight = plcClockOff_ms({ aside, plc, isTrusted: true }) === null;
    if (isRight)
      return `${counts}: their times are ${offText(off_ms)} ahead. Take them in: ${shift}`;
    return (
      `${plcClockText(off_ms)}. ${counts}. Set the clock that is wrong or, if the PLC sends ` +
      `ship's time, mqtt.plc_utc_offset; then take them in: ${shift}`
    );
  }
  const where = topic === "" ? "" : ` on ${JSON.stringify(topic.slice(0, 100))}`;
  const remedy = REMEDIES[reason] ?? "look at them: ballastd quarantine list";
  const why = detail === "" ? "" : `: ${detail.slice(0, 200)}`;
  // Messages with the same times would be rejected again.
  const isVain = reason === "conflict" || reason === "expired";
  const take = `; then take them in: ballastd quarantine replay --reason ${reason}`;
  return `${counts}; the last${where}${why}. Remedy: ${remedy}${isVain ? "" : take}`;
}

/**
 * Time by which the PLC's clock is ahead: measured by readings or, without them, by quarantined
 * messages.
 */
const aheadOf = (plc: PlcOffset | null, ahead_ms: number | null) =>
  plc !== null && plc.offset_ms > AHEAD_MAX_MS ? plc.offset_ms : ahead_ms;

interface PlcClockInput {
  readonly aside: AsideNow | null;
  readonly plc: PlcOffset | null;
  /** False while ballastd's own clock is implausible: then it can't judge the PLC's. */
  readonly isTrusted: boolean;
}

/**
 * Difference between the PLC's clock and ballastd's, if it is more than minutes; null if the clock
 * is right.
 */
export function plcClockOff_ms({ aside, plc, isTrusted }: PlcClockInput): number | null {
  if (!isTrusted) return null;
  const future = aside?.reasons.find(({ reason }) => reason === "future");
  // Once readings are stored again they measure the clock, which may have been corrected.
  const ofAside = future !== undefined && aside?.areAll === true ? future.ahead_ms : null;
  const off_ms = aheadOf(plc, ofAside) ?? plc?.offset_ms ?? 0;
  return Math.abs(off_ms) <= AHEAD_MAX_MS ? null : off_ms;
}

/** The fault of the PLC's clock, and by how much it is off; null if it is right. */
export function plcClockFault({
  two,
  ...asked
}: PlcClockInput & { readonly two: TwoClocks | null }): {
  readonly off_ms: number;
  readonly problem: string;
} | null {
  if (two !== null) return { off_ms: two[1], problem: twoClocksProblem(two) };
  const off_ms = plcClockOff_ms(asked);
  return off_ms === null ? null : { off_ms, problem: plcClockProblem(off_ms) };
}

function twoClocksProblem([near_ms, far_ms]: TwoClocks): string {
  const apart = offText(Math.abs(near_ms - far_ms));
  const remedy = "find the second sender and set its clock, or give it topics of its own";
  const problem = `readings come by two clocks, ${apart} apart`;
  return `${problem}, and only the later ones count now: ${remedy}`;
}

/** The difference of the two clocks, and the remedy: it isn't known which of them is wrong. */
function plcClockProblem(off_ms: number): string {
  const remedy = "set the wrong one or, if the PLC sends ship's time, mqtt.plc_utc_offset";
  return `${plcClockText(off_ms)}, and either can be wrong: ${remedy}`;
}

/** The difference in words: `the PLC's clock is 3 h ahead of this computer's`. */
function plcClockText(offset_ms: number): string {
  const side = offset_ms > 0 ? "ahead of" : "behind";
  return `the PLC's clock is ${offText(Math.abs(offset_ms))} ${side} this computer's`;
}

/** A difference of clocks for people, in whole hours if that is exact to a minute. */
function offText(off_ms: number): string {
  const minutes = Math.round(off_ms / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.round(off_ms / HOUR_MS / 24)} days`;
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(" ");
}

/**
 * The difference as an argument of `--shift`: in whole minutes if it is nearly that, since receipts
 * are some seconds late.
 */
function shiftText(off_ms: number): string {
  const minutes = Math.round(off_ms / MINUTE_MS);
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
