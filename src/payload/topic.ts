// Reads a topic: the kind of its messages, the lamp, and the map's rules for it. The contract's own
// topics come first: a map never makes another system's messages ours, nor a reading of an event.

import type { Reason } from "../bwts/message.ts";
import type { DecodeContext } from "./decoded.ts";
import type { TopicRules } from "./map-rules.ts";
import { lampNumber } from "./reading.ts";

const RECORD_KINDS = ["events", "health", "predictions"] as const;
const READING_KINDS = ["telemetry", "lamps"] as const;
export const TOPIC_KINDS = [...READING_KINDS, ...RECORD_KINDS] as const;

/** A topic of the contract (`isOurs`) or of the map, or the reason why it is neither. */
export type Topic =
  | {
      readonly kind: (typeof TOPIC_KINDS)[number];
      readonly isOurs: boolean;
      readonly rules: TopicRules | null;
    }
  | {
      readonly kind: "lamp";
      readonly lamp: number;
      readonly isOurs: true;
      readonly rules: TopicRules | null;
    }
  | {
      readonly kind: null;
      readonly rules: null;
      readonly reason: Extract<Reason, "other_system" | "unknown_topic">;
      readonly detail: string;
    };

/** Reads `topic`. */
export function topicOf(topic: string, { prefix, system_id, map }: DecodeContext): Topic {
  const levels = topic.startsWith(`${prefix}/`) ? topic.slice(prefix.length + 1).split("/") : [];
  const [system, name, number] = levels;
  const kind = levels.length === 2 ? TOPIC_KINDS.find((known) => known === name) : undefined;
  const lamp = levels.length === 3 && name === "lamps" ? lampNumber(number) : null;
  const isKnown = kind !== undefined || lamp !== null;
  if (isKnown && system !== system_id) {
    const detail = `topic: got ${system}, expected ${system_id}`;
    return { kind: null, rules: null, reason: "other_system", detail };
  }
  const isRecord = RECORD_KINDS.some((record) => record === kind);
  const rules = isRecord ? null : (map?.rulesFor(topic, { isOurs: isKnown }) ?? null);
  if (kind !== undefined) return { kind, isOurs: true, rules };
  if (lamp !== null) return { kind: "lamp", lamp, isOurs: true, rules };
  if (rules !== null) return { kind: "telemetry", isOurs: false, rules };
  const detail = `expected ${prefix}/${system_id}/{${TOPIC_KINDS.join(",")},lamps/<1-16>}`;
  const more = map === undefined || map.rules.length === 0 ? "" : ", or a topic of [map]";
  return { kind: null, rules, reason: "unknown_topic", detail: detail + more };
}
