// The form of some settings: typed values are kept over a reload for 15 minutes, tried in a dry run
// that shows the changes, and then written. A refusal names the field. If the file can't be written
// from here, the form shows a command that writes the same.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, type EngineerAct, useAct } from "../parts/act.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { RefusalWords } from "../parts/refused.tsx";
import { type DraftFields, useDraft, useLatest } from "../parts/use-draft.ts";
import { ChangeTable } from "./change-table.tsx";
import { PLC_PASSWORD, PLC_USER, type SettingField } from "./setting-fields.ts";
import { SettingInput, storedText } from "./setting-input.tsx";
import {
  CONFIG_PATH,
  DOUBT_WORDS,
  readChanges,
  type ShownChanges,
  type ShownSettingChange,
  type ShownSettings,
} from "./settings-answer.ts";
import { addressAfter, type Restart } from "./use-restart.ts";

interface SettingsFormProps {
  readonly name: string;
  readonly fields: readonly SettingField[];
  /** Further fields below, folded. */
  readonly further?: readonly SettingField[];
  readonly settings: ShownSettings;
  readonly restart: Restart;
}

interface TypedChange {
  readonly key: string;
  readonly value: string | null;
  /** The replaced value, as the dry run found it. */
  readonly old?: ShownSettingChange["old"];
}

export function SettingsForm(props: SettingsFormProps) {
  const { fields, further = [], settings } = props;
  const { trial, save, changes, preview, stored, ...form } = useSettingsForm(props);
  const [isUnfolded, setUnfolded] = useState(false);
  const all = [...fields, ...further];
  const input = (field: SettingField) => (
    <SettingInput
      {...{ key: field.key, field, settings }}
      value={form.typed[field.key] ?? storedText(field, settings)}
      isRefused={form.refusal.includes(field.key)}
      type={(value) => form.type(field, value)}
    />
  );
  return (
    <>
      <form onSubmit={form.check} autocomplete="off">
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
        <form onSubmit={form.write} key={JSON.stringify(preview.changes)}>
          <Doubts codes={preview.doubts} />
          <button type="submit" disabled={save.isBusy}>
            {t("save_restart")}
          </button>
        </form>
      )}
      <ActOutcomeLine act={named(save, all)} />
      {stored !== null && settings.problem === null && <SavedLine stored={stored} />}
      {settings.problem !== null && (
        <p class="problem">
          <RefusalWords message={settings.problem} reasons={settings.reasons} />
        </p>
      )}
      {!settings.writable && <ByCommand changes={changes} />}
    </>
  );
}

function useSettingsForm({ name, fields, further = [], settings, restart }: SettingsFormProps) {
  const draft = useDraft(`settings.${name}`);
  const trial = useAct(readChanges);
  const save = useAct(readChanges);
  // The browser doesn't keep the secret with the draft.
  const [secret, setSecret] = useState("");
  const typed: DraftFields = { ...draft.fields, [PLC_PASSWORD]: secret };
  const all = [...fields, ...further];
  const changes = withoutPassword(all.flatMap((field) => changeOf(field, typed, settings)));
  const latest = useLatest(changes);
  // Only the tried values are written, even if a field is changed while the token is asked for.
  const tried = useRef<readonly TypedChange[]>([]);
  const before = useRef(settings);
  const isTried = JSON.stringify(tried.current) === JSON.stringify(changes);
  const found = trial.outcome?.known?.value ?? null;
  // Another user may have saved since the dry run.
  const isCurrent = found?.changes.every(({ key, old }) => {
    const now = settings.values.get(key)?.value;
    return now === old || now === before.current.values.get(key)?.value;
  });
  const stored = save.outcome?.known?.value ?? null;
  const isRestarting = stored?.restarting === true;
  useEffect(() => {
    const listen = stored?.changes.find(({ key }) => key === "http.listen")?.new;
    if (isRestarting) restart.begin(listen === undefined ? null : addressAfter(String(listen)));
  }, [isRestarting]);
  const messages = [trial, save].map(({ outcome }) => outcome?.problem?.message ?? "");
  // The draft stays until the unit has written it, because the restart may refuse it.
  const isWritten = stored !== null && (stored.before !== null || !stored.stored);
  useEffect(() => {
    if (isWritten) draft.clear();
  }, [isWritten]);
  return {
    ...{ typed, changes, trial, save, stored },
    preview: isTried && isCurrent === true ? found : null,
    refusal: isTried ? messages.join(" ") : "",
    type: ({ key, kind }: SettingField, value: string) =>
      kind === "secret" ? setSecret(value) : draft.type({ [key]: value }),
    check(event: TargetedSubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      trial.run(CONFIG_PATH, () => {
        tried.current = latest();
        before.current = settings;
        return { changes: tried.current, check: true };
      });
    },
    write(event: TargetedSubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      const old = (key: string) => found?.changes.find((one) => one.key === key)?.old;
      const changes = tried.current.map((one) => ({ ...one, old: old(one.key) }));
      restart.prepare();
      save.run(
        CONFIG_PATH,
        () => ({ changes, restart: true }),
        () => setSecret(""),
      );
    },
  };
}

function changeOf(
  field: SettingField,
  typed: Readonly<Record<string, string>>,
  settings: ShownSettings,
): readonly TypedChange[] {
  const given = (typed[field.key] ?? storedText(field, settings)).trim();
  const value = field.kind === "number" ? withPoint(given) : given;
  if (value === storedText(field, settings)) return [];
  return [{ key: field.key, value: value === "" ? null : value }];
}

/**
 * A number with a decimal comma, 300,5, as 300.5. A possible thousand (1,000) stays, and is
 * refused.
 */
function withPoint(text: string): string {
  return /^\d+,(\d{1,2}|\d{4,})$/.test(text) ? text.replace(",", ".") : text;
}

/** Removes the password with its user: a login without a user is invalid. */
function withoutPassword(changes: readonly TypedChange[]): readonly TypedChange[] {
  const isWithout = changes.some(({ key, value }) => key === PLC_USER && value === null);
  if (!isWithout) return changes;
  return [...changes.filter(({ key }) => key !== PLC_PASSWORD), { key: PLC_PASSWORD, value: null }];
}

/** The act with the field's name in its refusal, in place of the key. */
function named<T>(act: EngineerAct<T>, fields: readonly SettingField[]): EngineerAct<T> {
  const message = act.outcome?.problem?.message ?? null;
  if (act.outcome === null || act.outcome.problem === null || message === null) return act;
  const shown = fields.reduce((text, { key, label }) => text.split(key).join(label), message);
  return {
    ...act,
    outcome: { ...act.outcome, problem: { ...act.outcome.problem, message: shown } },
  };
}

/** Warnings about unusual limits; the browser allows saving only after the box is ticked. */
function Doubts({ codes }: { codes: ShownChanges["doubts"] }) {
  if (codes.length === 0) return null;
  return (
    <div data-test="doubts">
      <p>{t("doubts")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>{t(DOUBT_WORDS[code])}</li>
        ))}
      </ul>
      <label>
        <input type="checkbox" required /> {t("doubts_compared")}
      </label>
    </div>
  );
}

export function SavedLine({ stored }: { stored: ShownChanges }) {
  const { restart, restarting } = stored;
  return (
    <>
      <p role="status">{savedWords(stored)}</p>
      {restart && !restarting && (
        <>
          <p>{t("restart_by_hand")}</p>
          <CopyField label={t("command")} text="sudo systemctl restart ballastd" />
        </>
      )}
    </>
  );
}

function savedWords({ before, stored }: ShownChanges): string {
  if (before !== null) return t("saved", { file: before });
  return t(stored ? "saved_at_restart" : "saved_before");
}

/** The command that makes the same changes on the computer itself. */
function ByCommand({ changes }: { changes: readonly TypedChange[] }) {
  const given = changes.filter(({ key, value }) => value !== null && key !== PLC_PASSWORD);
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

/** A value in shell quotes, in which nothing is replaced. */
const inShell = ({ key, value }: TypedChange) => `${key} '${(value ?? "").replace(/'/g, "'\\''")}'`;
