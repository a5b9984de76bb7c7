// The form of some settings: typed, kept over a reload for 15 minutes, tried as a dry run that
// says what will change, then written. A refusal names the field. Where the file can't be written
// from here the form gives the command that writes the same.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, type EngineerAct, useAct } from "../parts/act.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { useDraft, useLatest } from "../parts/use-draft.ts";
import type { SettingField } from "./setting-fields.ts";
import {
  CONFIG_PATH,
  readChanges,
  type ShownChanges,
  type ShownSettings,
} from "./settings-answer.ts";
import type { Restart } from "./use-restart.ts";

interface SettingsFormProps {
  readonly name: string;
  readonly fields: readonly SettingField[];
  /** Below them, folded. */
  readonly further?: readonly SettingField[];
  readonly settings: ShownSettings;
  readonly restart: Restart;
}

type TypedChange = { readonly key: string; readonly value: string | null };

export function SettingsForm({ name, fields, further = [], settings, restart }: SettingsFormProps) {
  const draft = useDraft(`settings.${name}`);
  const trial = useAct(readChanges);
  const save = useAct(readChanges);
  const all = [...fields, ...further];
  const changes = all.flatMap((field) => changeOf(field, draft.fields, settings));
  const latest = useLatest(changes);
  const tried = useRef("");
  const isTried = tried.current === JSON.stringify(changes);
  const preview = isTried ? (trial.outcome?.known?.value ?? null) : null;
  const stored = save.outcome?.known?.value ?? null;
  const refusal = [trial, save].map(({ outcome }) => outcome?.problem?.message ?? "").join(" ");
  const check = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    trial.run(CONFIG_PATH, () => {
      tried.current = JSON.stringify(latest());
      return { changes: latest(), check: true };
    });
  };
  const isRestarting = stored?.restarting === true;
  useEffect(() => {
    if (isRestarting) restart.begin();
  }, [isRestarting]);
  const write = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.run(CONFIG_PATH, () => ({ changes: latest(), restart: true }), draft.clear);
  };
  const input = (field: SettingField) => (
    <SettingInput
      {...{ key: field.key, field, settings }}
      value={draft.fields[field.key] ?? storedText(field, settings)}
      isRefused={isTried && refusal.includes(field.key)}
      type={(value) => draft.type({ [field.key]: value })}
    />
  );
  return (
    <>
      <form onSubmit={check} autocomplete="off">
        <div class="form">{fields.map(input)}</div>
        {further.length > 0 && (
          <details>
            <summary>{t("further")}</summary>
            <div class="form">{further.map(input)}</div>
          </details>
        )}
        {settings.writable && (
          <p>
            <button type="submit" disabled={changes.length === 0 || trial.isBusy}>
              {t("check")}
            </button>
          </p>
        )}
      </form>
      <ActOutcomeLine act={named(trial, all)} />
      {preview !== null && <ChangeTable fields={all} shown={preview} />}
      {preview !== null && preview.changes.length > 0 && (
        <form onSubmit={write}>
          <button type="submit" disabled={save.isBusy}>
            {t(settings.restarts ? "save_restart" : "save")}
          </button>
        </form>
      )}
      <ActOutcomeLine act={named(save, all)} />
      {stored !== null && <Stored stored={stored} />}
      {!settings.writable && <ByCommand changes={changes} problem={settings.problem} />}
    </>
  );
}

/** As the file has it; nothing for a default, which nobody has given. */
function storedText({ key }: SettingField, { values }: ShownSettings): string {
  const setting = values.get(key);
  return setting?.set === true ? String(setting.value) : "";
}

function changeOf(
  field: SettingField,
  typed: Readonly<Record<string, string>>,
  settings: ShownSettings,
): readonly TypedChange[] {
  const value = (typed[field.key] ?? storedText(field, settings)).trim();
  if (value === storedText(field, settings)) return [];
  return [{ key: field.key, value: value === "" ? null : value }];
}

/** The refusal with the field's name as the form has it, in place of the key. */
function named<T>(act: EngineerAct<T>, fields: readonly SettingField[]): EngineerAct<T> {
  const message = act.outcome?.problem?.message ?? null;
  if (act.outcome === null || act.outcome.problem === null || message === null) return act;
  const shown = fields.reduce((text, { key, label }) => text.split(key).join(label), message);
  return {
    ...act,
    outcome: { ...act.outcome, problem: { ...act.outcome.problem, message: shown } },
  };
}

interface SettingInputProps {
  readonly field: SettingField;
  readonly settings: ShownSettings;
  readonly value: string;
  readonly isRefused: boolean;
  readonly type: (value: string) => void;
}

const LENGTH_MAX = 256;

function SettingInput({ field, settings, value, isRefused, type }: SettingInputProps) {
  const { key, label, unit, example, isNumber } = field;
  const setting = settings.values.get(key);
  const isDefault = isNumber && setting !== undefined && !setting.set && setting.value !== 0;
  return (
    <label>
      <span>
        {label}
        {unit !== "" && (
          <>
            {" "}
            <small class="quiet">{unit}</small>
          </>
        )}
      </span>
      <input
        {...{ name: key, value, maxLength: LENGTH_MAX, spellcheck: false }}
        inputMode={isNumber ? "decimal" : undefined}
        aria-invalid={isRefused}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      {isDefault && <small class="quiet">{t("default", { value: String(setting.value) })}</small>}
      {example !== "" && <small class="quiet">{t("example", { example })}</small>}
    </label>
  );
}

interface ChangeTableProps {
  readonly fields: readonly SettingField[];
  readonly shown: ShownChanges;
}

function ChangeTable({ fields, shown: { changes } }: ChangeTableProps) {
  if (changes.length === 0) return <p role="status">{t("no_changes")}</p>;
  return (
    <div class="wide" role="status">
      <table data-test="changes">
        <caption>{t("changes")}</caption>
        <thead>
          <tr>
            {[t("setting"), t("old"), t("new")].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const field = fields.find(({ key }) => key === change.key);
            const unit = field === undefined || field.unit === "" ? "" : ` ${field.unit}`;
            const shown = (value: string | number | boolean) =>
              value === "" ? t("empty") : `${value}${unit}`;
            return (
              <tr key={change.key}>
                <th scope="row">{field?.label ?? change.key}</th>
                <td>{shown(change.old)}</td>
                <td>{shown(change.new)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Stored({ stored }: { stored: ShownChanges }) {
  const { before, restart, restarting } = stored;
  return (
    <>
      <p role="status">{before === null ? t("saved_before") : t("saved", { file: before })}</p>
      {restart && !restarting && (
        <>
          <p>{t("restart_by_hand")}</p>
          <CopyField label={t("command")} text="sudo systemctl restart ballastd" />
        </>
      )}
    </>
  );
}

interface ByCommandProps {
  readonly changes: readonly TypedChange[];
  readonly problem: string | null;
}

/** The same changes as a person types them on the computer itself. */
function ByCommand({ changes, problem }: ByCommandProps) {
  const given = changes.filter(({ value }) => value !== null);
  return (
    <>
      <p>{t("not_writable")}</p>
      {problem !== null && (
        <p class="quiet" lang="en">
          {problem}
        </p>
      )}
      {given.length > 0 && (
        <CopyField
          label={t("command")}
          text={`sudo ballastd config set ${given.map(inShell).join(" ")}`}
        />
      )}
    </>
  );
}

/** A value in the quotes of a shell, in which nothing is replaced. */
const inShell = ({ key, value }: TypedChange) => `${key} '${(value ?? "").replace(/'/g, "'\\''")}'`;
