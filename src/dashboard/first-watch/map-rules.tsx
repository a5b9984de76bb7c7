// Rules of the map on the page: for each unknown field of a message the choice of what it is, those
// that the file has, and both written there by the maintainer's token. Where the file can't be
// written from here the rules are shown, to be copied.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { printLabel } from "../parts/numbers.ts";
import { type MessageField, RULE_FIELDS, ruleText } from "./message-fields.ts";
import { CONFIG_PATH, readChanges, type ShownRule, type ShownSettings } from "./settings-answer.ts";
import { SavedLine } from "./settings-form.tsx";
import type { Restart } from "./use-restart.ts";

export interface RulesAccess {
  /** Null without a maintainer's token. */
  readonly settings: ShownSettings | null;
  readonly restart: Restart;
}

interface UnknownFieldsProps {
  /** Null: the topics on which ballastd expects readings. */
  readonly topic: string | null;
  readonly fields: readonly MessageField[];
  readonly access: RulesAccess;
}

/** Each with the choice of the field that it is, and the rules for those that were chosen. */
export function UnknownFields({ topic, fields, access }: UnknownFieldsProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  if (fields.length === 0) return null;
  const choose = (name: string, field: string) => {
    const next = new Map(chosen);
    if (field === "") next.delete(name);
    else next.set(name, field);
    setChosen(next);
  };
  const add = [...chosen].map(([tag, field]) => ({ topic, tag, field }));
  return (
    <div data-test="unknown-fields">
      <p>{t("unknown_fields", { n: fields.length })}</p>
      <div class="form">
        {fields.map(({ name, value }) => (
          <label key={name}>
            <span>
              {name} <small class="quiet">{String(value)}</small>
            </span>
            <select
              value={chosen.get(name) ?? ""}
              onChange={({ currentTarget }) => choose(name, currentTarget.value)}
            >
              <option value="">{t("no_field")}</option>
              {RULE_FIELDS.map((tag) => (
                <option key={tag.name} value={tag.name}>
                  {printLabel(tag)} · {tag.name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {chosen.size > 0 && (
        <WrittenRules rules={{ add }} access={access} words={t("save_restart")} isMain>
          <CopyField label={t("rules")} text={ruleText(topic, chosen)} />
        </WrittenRules>
      )}
    </div>
  );
}

/** The rules that the file has, each with a way to take it out. */
export function StoredRules({ settings, restart }: RulesAccess) {
  if (settings === null || settings.rules.length === 0) return null;
  return (
    <div data-test="stored-rules">
      <p>{t("rules_stored")}</p>
      <ul class="stored-rules">
        {settings.rules.map((rule) => (
          <li key={JSON.stringify(rule)}>
            <WrittenRules
              rules={{ remove: [rule] }}
              access={{ settings, restart }}
              words={t("rule_remove")}
            >
              <code>{[rule.topic, `${rule.tag} = ${rule.field}`].filter(Boolean).join(": ")}</code>
            </WrittenRules>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface WrittenRulesProps {
  readonly rules:
    | { readonly add: readonly ShownRule[] }
    | { readonly remove: readonly ShownRule[] };
  readonly access: RulesAccess;
  /** The button's text. */
  readonly words: string;
  /** True for the step's main button. */
  readonly isMain?: boolean;
  readonly children: JSX.Element;
}

/** Rules, and below them the button that writes or removes them. */
function WrittenRules({ rules, access, words, isMain = false, children }: WrittenRulesProps) {
  const { settings, restart } = access;
  const save = useAct(readChanges);
  const stored = save.outcome?.known?.value ?? null;
  const isRestarting = stored?.restarting === true;
  useEffect(() => {
    if (isRestarting) restart.begin(null);
  }, [isRestarting]);
  const write = () => {
    restart.prepare();
    save.run(CONFIG_PATH, { rules, restart: true });
  };
  return (
    <>
      {children}{" "}
      {settings?.writable === true && (
        <button
          type={isMain ? "submit" : "button"}
          class={isMain ? undefined : "plain"}
          disabled={save.isBusy || isRestarting}
          onClick={write}
        >
          {words}
        </button>
      )}
      <ActOutcomeLine act={save} />
      {stored !== null && <SavedLine stored={stored} />}
    </>
  );
}
