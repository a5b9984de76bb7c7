// The form of some settings: typed, kept over a reload for 15 minutes, tried as a dry run that
// says what will change, then written. A refusal names the field. Where the file can't be written
// from here the form gives the command that writes the same.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, type EngineerAct, useAct } from "../parts/act.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { type DraftFields, useDraft, useLatest } from "../parts/use-draft.ts";
import { ChangeTable } from "./change-table.tsx";
import { PASSWORD, type SettingField, USER } from "./setting-fields.ts";
import { SettingInput, storedText } from "./setting-input.tsx";
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
  const [isUnfolded, setUnfolded] = useState(false);
  // No secret is kept by the browser.
  const [secret, setSecret] = useState("");
  const all = [...fields, ...further];
  const typed: DraftFields = { ...draft.fields, [PASSWORD]: secret };
  const changes = withoutPassword(all.flatMap((field) => changeOf(field, typed, settings)));
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
    save.run(
      CONFIG_PATH,
      () => ({ changes: latest(), restart: true }),
      () => {
        draft.clear();
        setSecret("");
      },
    );
  };
  const input = (field: SettingField) => (
    <SettingInput
      {...{ key: field.key, field, settings }}
      value={typed[field.key] ?? storedText(field, settings)}
      isRefused={isTried && refusal.includes(field.key)}
      type={(value) =>
        field.kind === "secret" ? setSecret(value) : draft.type({ [field.key]: value })
      }
    />
  );
  return (
    <>
      <form onSubmit={check} autocomplete="off">
        <div class="form">{fields.map(input)}</div>
        {further.length > 0 && (
          <details
            open={isUnfolded}
            onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
          >
            <summary>{t("further")}</summary>
            {isUnfolded && <div class="form">{further.map(input)}</div>}
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
            {t("save_restart")}
          </button>
        </form>
      )}
      <ActOutcomeLine act={named(save, all)} />
      {stored !== null && <Stored stored={stored} />}
      {settings.problem !== null && (
        <p class="problem" lang="en">
          {settings.problem}
        </p>
      )}
      {!settings.writable && <ByCommand changes={changes} />}
    </>
  );
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

/** A login without its user is none: its password goes as well. */
function withoutPassword(changes: readonly TypedChange[]): readonly TypedChange[] {
  const isWithout = changes.some(({ key, value }) => key === USER && value === null);
  if (!isWithout) return changes;
  return [...changes.filter(({ key }) => key !== PASSWORD), { key: PASSWORD, value: null }];
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

/** The same changes as a person types them on the computer itself. */
function ByCommand({ changes }: { changes: readonly TypedChange[] }) {
  const given = changes.filter(({ key, value }) => value !== null && key !== PASSWORD);
  return (
    <>
      <p>{t("not_writable")}</p>
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
