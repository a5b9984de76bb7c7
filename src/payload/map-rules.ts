// Prepares the rules of `[map]`: checked against the catalogue, XX expanded for every lamp, and
// found by topic in one look-up. Ambiguous rules are refused at the start with their lines.

import { LAMP_NUMBERS, TAGS, type Tag, tagIndex } from "../bwts/tags.ts";
import type { MapConfig, MapRule } from "../config/map.ts";
import { refused } from "../config/shown.ts";
import type { Failure } from "../ground/errors.ts";
import { bounded, quoted } from "../ground/quoted.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import { filterCovers, filterMatches, filtersOverlap } from "../ground/topic-filter.ts";
import { similarField } from "./similar-field.ts";

/** A map rule for one tag and one field. */
export interface TagRule extends MapRule {
  /** Index of the field in `TAGS`; null for the name of an unknown tag. */
  readonly index: number | null;
}

/** The rules for one topic. */
export interface TopicRules {
  readonly by_tag: ReadonlyMap<string, TagRule>;
  /** The rules whose field is `timestamp`. */
  readonly times: readonly TagRule[];
  /** Tags that rules name as the quality of their own tag. */
  readonly qualities: ReadonlySet<string>;
  readonly unmapped: MapConfig["unmapped"];
  /**
   * True if an array is one reading whose elements are named by index, not an array of readings.
   */
  readonly array_is_one: boolean;
}

/** The prepared map. */
export interface TagMap {
  readonly rules: readonly TagRule[];
  /** The filters to subscribe to, without overlap: the contract's and the rules'. */
  readonly filters: readonly string[];
  /** The rules for a topic, null if none; `isOurs`: the contract has readings on it. */
  rulesFor(topic: string, place: { readonly isOurs: boolean }): TopicRules | null;
}

/** Maximum number of topics whose rules are cached: anybody can publish on endless topics. */
const TOPICS_KEPT_MAX = 1000;

/**
 * Prepares the map; `ours` is the filter of the contract's topics, `<prefix>/<system id>/#`. Throws
 * a Failure (exit 78) for a bad rule.
 */
export function openMap(config: MapConfig, ours: string): TagMap {
  const rules = config.rule.flatMap(writtenOut);
  refuseAmbiguous(rules, ours);
  const kept = new Map<string, TopicRules | null>();
  return {
    rules,
    filters: uncovered([ours, ...config.rule.flatMap(filtersOf)]),
    rulesFor(topic, place) {
      const known = kept.get(topic);
      if (known !== undefined) return known;
      const found = rulesOf(rules, config.unmapped, (rule) =>
        rule.topic === null ? place.isOurs : filterMatches(rule.topic, topic),
      );
      if (kept.size >= TOPICS_KEPT_MAX) kept.clear();
      kept.set(topic, found);
      return found;
    },
  };
}

/** The filter of the contract's own topics, `<prefix>/<system id>/#`. */
export function oursFilter(mqtt: { readonly prefix: string }, system: { readonly id: string }) {
  return `${mqtt.prefix}/${system.id}/#`;
}

function uncovered(filters: readonly string[]): readonly string[] {
  const all = [...new Set(filters)];
  return all.filter((one) => !all.some((other) => other !== one && filterCovers(other, one)));
}

/** The filters of a rule; one for all lamps if their number is a level of its own. */
function filtersOf(rule: MapRule): readonly string[] {
  if (rule.topic === null) return [];
  const levels = rule.topic.split("/").map((level) => (level === "XX" ? "+" : level));
  const topic = levels.join("/");
  return topic.includes("XX") ? writtenOut(rule).flatMap((one) => one.topic ?? []) : [topic];
}

function rulesOf(
  rules: readonly TagRule[],
  unmapped: MapConfig["unmapped"],
  holds: (rule: TagRule) => boolean,
): TopicRules | null {
  const by_tag = new Map(rules.filter(holds).map((rule) => [rule.tag, rule]));
  if (by_tag.size === 0) return null;
  return {
    by_tag,
    times: [...by_tag.values()].filter(({ field }) => field === "timestamp"),
    qualities: new Set([...by_tag.values()].flatMap(({ quality }) => quality ?? [])),
    unmapped,
    array_is_one: [...by_tag.keys()].some((tag) => tag.startsWith("[")),
  };
}

/** The rule itself or, if XX is in it, one rule for each lamp and each form of its number. */
function writtenOut(rule: MapRule): readonly TagRule[] {
  const names = `${rule.topic ?? ""} ${rule.tag}`;
  if (!rule.field.includes("XX") && !names.includes("XX")) return [checked(rule)];
  if (!rule.field.includes("XX") || !names.includes("XX"))
    throw refusal(
      rule,
      "expected XX, a lamp's number, in the field and in tag or topic, or in none",
      reason("rule_lamps", { field: rule.field }),
    );
  return LAMP_NUMBERS.flatMap((padded, index) => {
    const field = rule.field.replaceAll("XX", padded);
    const [one, other] = [padded, String(index + 1)].map((number) =>
      checked({ ...rule, ...lampsNames(rule, { number, place: index }), field }),
    );
    return one.topic === other.topic && one.tag === other.tag ? [one] : [one, other];
  });
}

/** Tag, topic and quality of a lamp; an index in brackets counts from 0. */
function lampsNames({ topic, tag, quality }: MapRule, lamp: { number: string; place: number }) {
  const named = (name: string) =>
    name.replaceAll("[XX]", `[${lamp.place}]`).replaceAll("XX", lamp.number);
  return {
    topic: topic?.replaceAll("XX", lamp.number) ?? null,
    tag: named(tag),
    quality: quality === null ? null : named(quality),
  };
}

function checked(rule: MapRule): TagRule {
  const index = tagIndex(rule.field);
  if (rule.field === "system_id")
    throw refusal(
      rule,
      "expected another field: system.id identifies this system",
      reason("rule_own_field", { field: rule.field }),
    );
  const similar = index === null ? similarField(rule.field) : null;
  if (similar !== null)
    throw refusal(
      rule,
      `expected ${similar}, or a name that isn't so similar`,
      reason("rule_similar", { field: rule.field, similar }),
    );
  if (index !== null) refuseUnfit(rule, TAGS[index]);
  return { ...rule, index };
}

function refuseUnfit(rule: MapRule, { name, type }: Tag): void {
  const noNumber = reason("rule_no_number", { field: rule.field });
  const isNumber = type === "number" || type === "integer" || name === "timestamp";
  const has = rule.factor === null ? "an offset" : "a factor";
  if (!isNumber && (rule.factor !== null || rule.offset !== null))
    throw refusal(rule, `which is a ${type} and has ${has}, expected none: use values`, noNumber);
  if (rule.comma !== null && (!isNumber || name === "timestamp"))
    throw refusal(rule, "which isn't a number and has a comma, expected none", noNumber);
  if (name === "timestamp" && rule.values !== null)
    throw refusal(rule, "which has values, expected none");
  const expected = type === "integer" ? "number" : type;
  for (const value of Object.values(rule.values ?? {}))
    if (typeof value !== expected || (type === "integer" && !Number.isSafeInteger(value)))
      throw refusal(
        rule,
        `which is a ${type}, and values make a ${typeof value} of something: expected ${type}s`,
        reason("rule_values", { field: rule.field, type }),
      );
}

/** Throws a Failure if two rules have one tag on one topic. */
function refuseAmbiguous(rules: readonly TagRule[], ours: string): void {
  const by_tag = Map.groupBy(rules, ({ tag }) => tag);
  for (const same of by_tag.values())
    for (const [index, rule] of same.entries()) {
      const before = same
        .slice(0, index)
        .find((other) => filtersOverlap(rule.topic ?? ours, other.topic ?? ours));
      if (before !== undefined)
        throw refusal(
          rule,
          `for the tag ${quoted(rule.tag)} on ${topicOf(rule)}, expected one rule: ` +
            `so is ${before.where} on ${topicOf(before)}`,
          reason("rule_twice", { field: rule.field, tag: rule.tag }),
        );
    }
}

const topicOf = ({ topic }: TagRule) => (topic === null ? "ballastd's own topics" : bounded(topic));

function refusal(rule: MapRule, problem: string, ...reasons: readonly RefusalReason[]): Failure {
  return refused(rule.where, `is ${quoted(rule.field)}, ${problem}`, ...reasons);
}
