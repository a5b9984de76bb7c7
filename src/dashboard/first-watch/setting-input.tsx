// The field of one setting: its name and unit, its example, and the default while no value was
// given.

import { firstWatchWords as t } from "../lang/words.ts";
import type { SettingField } from "./setting-fields.ts";
import type { ShownSettings } from "./settings-answer.ts";

interface SettingInputProps {
  readonly field: SettingField;
  readonly settings: ShownSettings;
  readonly value: string;
  readonly isRefused: boolean;
  readonly type: (value: string) => void;
}

const LENGTH_MAX = 256;

const SECRET = { type: "password", autocomplete: "new-password" } as const;
const PLAIN = { type: "text", autocomplete: "off" } as const;

export function SettingInput({ field, settings, value, isRefused, type }: SettingInputProps) {
  const { key, label, unit, example, kind } = field;
  const setting = settings.values.get(key);
  const hasDefault = (kind === "number" && setting?.value !== 0) || kind === "address";
  const isDefault = hasDefault && setting !== undefined && !setting.set;
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
        {...(kind === "secret" ? SECRET : PLAIN)}
        inputMode={kind === "number" ? "decimal" : undefined}
        aria-invalid={isRefused}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      {isDefault && <small class="quiet">{t("default", { value: String(setting.value) })}</small>}
      {example !== "" && <small class="quiet">{t("example", { example })}</small>}
    </label>
  );
}

/** The value in the file as text; empty for a default, since nobody gave it. */
export function storedText({ key }: SettingField, { values }: ShownSettings): string {
  const setting = values.get(key);
  return setting?.set === true ? String(setting.value) : "";
}
