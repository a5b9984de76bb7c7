// One tag that the PLC sends, and the choice of its meaning: its field, its unit if that differs
// from the field's, and for a state sent as a number the meaning of each value.

import { TAGS, type Tag } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { firstWatchWords as t } from "../lang/words.ts";
import { printUnit } from "../parts/numbers.ts";
import { RULE_FIELDS } from "./message-fields.ts";
import type { OfferedTag } from "./offered-tags.ts";
import { choiceOf, OTHER_UNIT, type RuleChoice, unitsOf, wordsFor } from "./rule-choice.ts";

interface ChosenTagProps {
  readonly offered: OfferedTag;
  /** The choice; null before anything was chosen. */
  readonly choice: RuleChoice | null;
  readonly choose: (choice: RuleChoice) => void;
}

export function ChosenTag({ offered, choice, choose }: ChosenTagProps) {
  const { topic, tag, value, problem } = offered;
  // A tag whose value can't be used has a field already.
  const shown = choice ?? choiceOf(offered.field ?? "");
  const field = TAGS.find(({ name }) => name === shown.field) ?? null;
  const name = tag === "" ? (topic ?? "") : tag;
  const words = field === null ? null : wordsFor(field, value);
  return (
    <div class="chosen-tag" data-tag={tag}>
      <div class="form">
        <label>
          <span>
            {name} <small class="quiet">{String(value)}</small>
          </span>
          <select
            value={shown.field}
            onChange={({ currentTarget }) => choose(choiceOf(currentTarget.value))}
          >
            <option value="">{t("no_field")}</option>
            {RULE_FIELDS.map((one) => (
              <option key={one.name} value={one.name}>
                {printLabel(one)} · {one.name}
              </option>
            ))}
          </select>
          {problem !== null && (
            <small class="problem" lang="en">
              {problem}
            </small>
          )}
        </label>
        {field !== null && words === null && (
          <SentUnit {...{ name, field, choice: shown, choose }} />
        )}
      </div>
      {field !== null && words !== null && (
        <SentValues
          {...{ field, words, value: String(value), choice: shown, choose }}
          isNeeded={choice !== null}
        />
      )}
    </div>
  );
}

interface SentUnitProps {
  readonly name: string;
  readonly field: Tag;
  readonly choice: RuleChoice;
  readonly choose: (choice: RuleChoice) => void;
}

/** The choice of the unit sent; nothing for a field that isn't a number. */
function SentUnit({ name, field, choice, choose }: SentUnitProps) {
  const units = unitsOf(field);
  if (units === null) return null;
  const own = printUnit(field);
  return (
    <>
      <label>
        <span>{t("unit_sent", { tag: name })}</span>
        <select
          value={choice.unit}
          onChange={({ currentTarget }) => choose({ ...choice, unit: currentTarget.value })}
        >
          <option value="">{own === "" ? t("own_unit") : own}</option>
          {units.map((unit) => (
            <option key={unit} value={unit}>
              {unit}
            </option>
          ))}
          <option value={OTHER_UNIT}>{t("other_unit")}</option>
        </select>
      </label>
      {choice.unit === OTHER_UNIT && (
        <label>
          <span>{t("factor", { tag: name })}</span>
          <input
            required
            inputMode="decimal"
            value={choice.factor}
            onInput={({ currentTarget }) => choose({ ...choice, factor: currentTarget.value })}
          />
          <small>{t("factor_about")}</small>
        </label>
      )}
    </>
  );
}

interface SentValuesProps {
  readonly field: Tag;
  readonly words: readonly string[];
  readonly value: string;
  readonly choice: RuleChoice;
  readonly choose: (choice: RuleChoice) => void;
  /** True once the user has begun with this tag. */
  readonly isNeeded: boolean;
}

function SentValues({ field, words, value, choice, choose, isNeeded }: SentValuesProps) {
  const isEmpty = Object.values(choice.values).every((sent) => sent.trim() === "");
  return (
    <fieldset>
      <legend>{t("sent_values", { field: printLabel(field), value })}</legend>
      <div class="form">
        {words.map((word) => (
          <label key={word}>
            <span>{word}</span>
            <input
              required={isNeeded && isEmpty}
              value={choice.values[word] ?? ""}
              onInput={({ currentTarget }) =>
                choose({ ...choice, values: { ...choice.values, [word]: currentTarget.value } })
              }
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
