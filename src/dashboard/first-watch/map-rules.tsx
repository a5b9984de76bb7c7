// The rules of the map in the file, each with a button that removes it after a preview, and the
// writing of rules with the maintainer's token. If the file can't be written from here, its place
// is shown.

import { useEffect } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, type EngineerAct, useAct } from "../parts/act.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { ChangeTable } from "./change-table.tsx";
import { ruleLineOf } from "./rule-choice.ts";
import {
  CONFIG_PATH,
  readChanges,
  type ShownChanges,
  type ShownRule,
  type ShownSettings,
} from "./settings-answer.ts";
import { SavedLine } from "./settings-form.tsx";
import type { Restart } from "./use-restart.ts";

export interface RulesAccess {
  /** The settings; null without a maintainer's token. */
  readonly settings: ShownSettings | null;
  readonly restart: Restart;
}

interface RuleChange {
  readonly add?: readonly ShownRule[];
  readonly remove?: readonly ShownRule[];
}

interface RulesWriting {
  readonly act: EngineerAct<ShownChanges>;
  readonly isBusy: boolean;
  readonly stored: ShownChanges | null;
  /** Writes the rules, and restarts ballastd. */
  write(rules: RuleChange): void;
}

export function useRules({ restart }: RulesAccess): RulesWriting {
  const act = useAct(readChanges);
  const stored = act.outcome?.known?.value ?? null;
  const isRestarting = stored?.restarting === true;
  useEffect(() => {
    if (isRestarting) restart.begin(null);
  }, [isRestarting]);
  const isWaiting = isRestarting && restart.state !== "back";
  return {
    ...{ act, stored, isBusy: act.isBusy || isWaiting },
    write(rules) {
      restart.prepare();
      act.run(CONFIG_PATH, { rules, restart: true });
    },
  };
}

/** The result of writing rules. */
export function RulesOutcome({ rules: { act, stored } }: { rules: RulesWriting }) {
  return (
    <>
      <ActOutcomeLine act={act} />
      {stored !== null && <SavedLine stored={stored} />}
    </>
  );
}

/** The place of the file, if the service may not write it. */
export function NotWritable({ settings }: RulesAccess) {
  if (settings === null || settings.writable || settings.file === null) return null;
  return (
    <>
      <p>{t("rules_place", { file: settings.file })}</p>
      <CopyField label={t("command")} text="sudo systemctl restart ballastd" />
    </>
  );
}

/** The rules in the file, each with a button that removes it. */
export function StoredRules(access: RulesAccess) {
  const { settings } = access;
  if (settings === null || settings.rules.length === 0) return null;
  return (
    <div data-test="stored-rules">
      <p>{t("rules_stored")}</p>
      <ul class="stored-rules">
        {settings.rules.map((rule) => (
          <StoredRule key={JSON.stringify(rule)} rule={rule} access={access} />
        ))}
      </ul>
    </div>
  );
}

function StoredRule({ rule, access }: { rule: ShownRule; access: RulesAccess }) {
  const trial = useAct(readChanges);
  const rules = useRules(access);
  const preview = trial.outcome?.known?.value ?? null;
  const remove = [rule];
  return (
    <li>
      <code>{ruleLineOf(rule)}</code>{" "}
      {access.settings?.writable === true && preview === null && (
        <button
          type="button"
          class="plain"
          disabled={trial.isBusy}
          onClick={() => trial.run(CONFIG_PATH, { rules: { remove }, check: true })}
        >
          {t("rule_take_out")} <span class="unseen">{ruleLineOf(rule)}</span>
        </button>
      )}
      <ActOutcomeLine act={trial} />
      {preview !== null && (
        <>
          <ChangeTable fields={[]} shown={preview} />
          <p class="choices">
            <button type="button" disabled={rules.isBusy} onClick={() => rules.write({ remove })}>
              {t("rule_remove")}
            </button>{" "}
            <button type="button" class="plain" onClick={trial.forget}>
              {t("rule_keep")}
            </button>
          </p>
        </>
      )}
      <RulesOutcome rules={rules} />
    </li>
  );
}
