// The tags of the PLC's last messages for which a rule of the map is useful, by topic: unknown
// tags, and tags whose value can't be used as it is.

import type { SeenTag, SeenTopic } from "../../bwts/settings.ts";
import { flagOrNull, isLike, listOf, type Read, textOrNull } from "../store/checks.ts";
import type { ShownRule } from "./settings-answer.ts";

export const SEEN_PATH = "/admin/messages";

export type ShownTopic = Pick<SeenTopic, "topic" | "is_own" | "has_rules" | "tags">;

export const readSeen: Read<readonly ShownTopic[]> = (body) => listOf(body, topicIn);

function topicIn(given: unknown): ShownTopic | null {
  if (!isLike<SeenTopic>(given)) return null;
  const [topic, tags] = [textOrNull(given.topic), listOf(given.tags, tagIn)];
  const [is_own, has_rules] = [flagOrNull(given.is_own), flagOrNull(given.has_rules)];
  if (topic === null || tags === null || is_own === null || has_rules === null) return null;
  return { topic, is_own, has_rules, tags: tags.value };
}

function tagIn(given: unknown): SeenTag | null {
  if (!isLike<SeenTag>(given)) return null;
  const { value } = given;
  const tag = textOrNull(given.tag);
  const isShown = typeof value === "string" || typeof value === "boolean";
  if (tag === null || !(isShown || typeof value === "number")) return null;
  return { tag, value, field: textOrNull(given.field), problem: textOrNull(given.problem) };
}

export interface OfferedTag extends SeenTag {
  /** Topic for the rule; null: the topics on which ballastd expects readings. */
  readonly topic: string | null;
  /** The rule in the file for this tag; null if there is none. */
  readonly stored: ShownRule | null;
}

export interface OfferedTopic {
  readonly topic: string;
  readonly tags: readonly OfferedTag[];
  /** Tags with names of the catalogue, on a topic that isn't read without a rule. */
  readonly named: readonly OfferedTag[];
}

/** Order of rows, which is independent of arriving messages. */
const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/** Topics with tags that need a rule. */
export function offeredTopics(
  seen: readonly ShownTopic[],
  rules: readonly ShownRule[],
): readonly OfferedTopic[] {
  return seen
    .map(({ topic, is_own, has_rules, tags }) => {
      const all = tags.map((tag) => {
        const stored = rules.find(
          (rule) => rule.tag === tag.tag && (rule.topic === topic || (is_own && !rule.topic)),
        );
        return { ...tag, topic: is_own ? null : topic, stored: stored ?? null };
      });
      const isTaken = ({ field, problem }: SeenTag) => field !== null && problem === null;
      return {
        topic,
        tags: all.filter((tag) => !isTaken(tag)).sort((one, other) => inOrder(one.tag, other.tag)),
        named: is_own || has_rules ? [] : all.filter(isTaken),
      };
    })
    .filter(({ tags, named }) => tags.length + named.length > 0)
    .sort((one, other) => inOrder(one.topic, other.topic));
}
