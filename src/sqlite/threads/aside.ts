// Counts the messages of a batch that go to quarantine, by reason. From these counts the watch of
// live messages, in the main thread, detects that all of a ship's messages are quarantined.

import { ASIDE_ALARMS_MAX, type QuarantinedReason } from "../../bwts/aside-watch.ts";
import type { Message, Reject } from "../../bwts/message.ts";
import { alarmsIn } from "../../payload/alarms-in.ts";
import type { DecodedMessage } from "../../payload/decoded.ts";

/** Adds a message to the count of its reason. */
export function countAside(aside: Map<string, QuarantinedReason>, one: QuarantinedReason): void {
  const { count = 0, first_ms = one.first_ms, alarms = [] } = aside.get(one.reason) ?? {};
  const named = [...new Set([...alarms, ...one.alarms])].slice(0, ASIDE_ALARMS_MAX);
  aside.set(one.reason, { ...one, first_ms, count: count + one.count, alarms: named });
}

/**
 * Number of the treatment system's alarms in a message that are stored, even if not with all of
 * their text.
 */
export const alarmsOf = ({ events }: Pick<DecodedMessage, "events">): number =>
  events.filter(({ event_type }) => event_type === "ALARM_TRIGGERED").length;

/**
 * Further facts about a quarantined message; `taken` is the number of its alarms that were stored.
 */
interface AsideFacts {
  readonly sent_ms: number | null;
  readonly taken: number;
}

/** A quarantined message as it is counted. If one of its alarms wasn't stored, all are named. */
export function asideOf(
  message: Message,
  rejects: readonly Reject[],
  { sent_ms, taken }: AsideFacts,
): QuarantinedReason {
  const { topic, received_ms } = message;
  const [{ reason, detail }] = rejects;
  // The ship's broker sends retained messages at each connection: they can be of any age.
  const isOld = message.retain && message.client === "";
  const sent = isOld ? [] : alarmsIn(message);
  const alarms = sent.length > taken ? sent : [];
  const ahead_ms = sent_ms === null ? null : sent_ms - received_ms;
  return { reason, count: 1, first_ms: received_ms, detail, topic, sent_ms, ahead_ms, alarms };
}
