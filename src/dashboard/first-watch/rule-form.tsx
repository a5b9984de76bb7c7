// The choices of a meaning for the tags of the PLC's last messages, and the resulting rules of the
// map. A choice is kept by topic and tag, whatever message arrives meanwhile.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { useAnswer } from "../store/use-store.ts";
import { ChosenTag } from "./chosen-tag.tsx";
import { NotWritable, type RulesAccess, RulesOutcome, useRules } from "./map-rules.tsx";
import {
  type OfferedTag,
  type OfferedTopic,
  offeredTopics,
  readSeen,
  SEEN_PATH,
} from "./offered-tags.ts";
import { chosenRule, hasTwice, type RuleChoice, ruleText } from "./rule-choice.ts";
import type { ShownRule } from "./settings-answer.ts";

const EVERY_MS = 5_000;

const keyOf = ({ topic, tag }: OfferedTag) => JSON.stringify([topic, tag]);

interface Chosen {
  readonly offered: OfferedTag;
  readonly choice: RuleChoice;
}

interface RuleFormProps extends RulesAccess {
  /** Called with true while a choice isn't stored yet. */
  readonly onBegun: (isBegun: boolean) => void;
}

/** The form; it is shown only with a token, because messages are shown to nobody else. */
export function RuleForm({ onBegun, ...access }: RuleFormProps) {
  const rules = access.settings?.rules ?? [];
  const seen = useAnswer(SEEN_PATH, readSeen, ["alert"], EVERY_MS).known?.value ?? [];
  const [all, setAll] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const topics = offeredTopics(seen, rules);
  // After the restart the file has the rule, so its choice is done.
  const chosen = new Map([...all].filter(([, one]) => !isStored(one, rules)));
  const isBegun = chosen.size > 0;
  useEffect(() => onBegun(isBegun), [isBegun]);
  const isDone = chosen.size < all.size;
  useEffect(() => {
    if (isDone) setAll(chosen);
  }, [isDone]);
  const choose = (offered: OfferedTag, choice: RuleChoice) => {
    const next = new Map(chosen);
    if (choice.field === "") next.delete(keyOf(offered));
    else next.set(keyOf(offered), { offered, choice });
    setAll(next);
  };
  if (topics.length === 0 && chosen.size === 0) return null;
  return (
    <Rules access={access} topics={topics} chosen={[...chosen.values()]}>
      {topics.map((topic) => (
        <TopicTags key={topic.topic} topic={topic} choose={choose} choiceFor={choiceFor(chosen)} />
      ))}
    </Rules>
  );
}

const choiceFor = (chosen: ReadonlyMap<string, Chosen>) => (offered: OfferedTag) =>
  chosen.get(keyOf(offered))?.choice ?? null;

function isStored({ offered, choice }: Chosen, rules: readonly ShownRule[]): boolean {
  const made = chosenRule(offered, choice);
  return made !== null && rules.some((rule) => sameRule(rule) === sameRule(made));
}

/** A rule as a text to compare, with its members in one order. */
const sameRule = (rule: ShownRule) => JSON.stringify(Object.entries(rule).sort());

interface RulesProps {
  readonly access: RulesAccess;
  readonly topics: readonly OfferedTopic[];
  readonly chosen: readonly Chosen[];
  readonly children: preact.ComponentChildren;
}

function Rules({ access, topics, chosen, children }: RulesProps) {
  const rules = useRules(access);
  const made = chosen.map(({ offered, choice }) => chosenRule(offered, choice));
  const add = [
    ...made.filter((rule) => rule !== null),
    ...topics.flatMap((topic) => wholeTopic(topic, chosen)),
  ];
  const remove = chosen.flatMap(({ offered: { stored } }) => stored ?? []);
  const write = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    rules.write({ add, remove });
  };
  return (
    <form data-test="unknown-fields" autocomplete="off" onSubmit={write}>
      {children}
      {chosen.some(({ choice }) => hasTwice(choice.values)) && (
        <p class="problem">{t("value_twice")}</p>
      )}
      {add.length > 0 && (
        <>
          <CopyField label={t("rules")} text={ruleText(add)} />
          <NotWritable {...access} />
          {access.settings?.writable === true && (
            <button type="submit" disabled={rules.isBusy || made.includes(null)}>
              {t("save_restart")}
            </button>
          )}
        </>
      )}
      <RulesOutcome rules={rules} />
      <p class="quiet">
        {t("by_hand")}{" "}
        <a href="manual/connecting-a-plc#a-plc-that-speaks-otherwise">{t("rules_manual")}</a>
      </p>
    </form>
  );
}

/**
 * The rule that makes ballastd read a topic whose names are the catalogue's; none if another rule
 * does.
 */
function wholeTopic({ named }: OfferedTopic, chosen: readonly Chosen[]): readonly ShownRule[] {
  const first = named.find(({ field }) => field !== "timestamp");
  if (first === undefined || first.field === null) return [];
  const { topic, tag, field } = first;
  return chosen.some(({ offered }) => offered.topic === topic) ? [] : [{ topic, tag, field }];
}

interface TopicTagsProps {
  readonly topic: OfferedTopic;
  readonly choiceFor: (offered: OfferedTag) => RuleChoice | null;
  readonly choose: (offered: OfferedTag, choice: RuleChoice) => void;
}

function TopicTags({ topic: { topic, tags, named }, choiceFor, choose }: TopicTagsProps) {
  return (
    <div>
      <h4>{t("on_topic", { topic })}</h4>
      {named.length > 0 && (
        <p>
          {t("named_fields", { n: named.length })} {named.map(({ tag }) => tag).join(", ")}
        </p>
      )}
      {tags.length > 0 && <p>{t("unknown_fields", { n: tags.length })}</p>}
      {tags.map((offered) => (
        <ChosenTag
          key={keyOf(offered)}
          offered={offered}
          choice={choiceFor(offered)}
          choose={(choice) => choose(offered, choice)}
        />
      ))}
    </div>
  );
}
