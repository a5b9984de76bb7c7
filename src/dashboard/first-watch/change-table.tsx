// The differences that a dry run found: each setting with its old and its new value. A password is
// never among them.

import { firstWatchWords as t } from "../lang/words.ts";
import { PLC_PASSWORD, PLC_PASSWORD_FILE, type SettingField } from "./setting-fields.ts";
import type { ShownChanges } from "./settings-answer.ts";

/** The key of a rule of the map. */
const MAP_RULE = "map.rule";

interface ChangeTableProps {
  readonly fields: readonly SettingField[];
  readonly shown: ShownChanges;
}

export function ChangeTable({ fields, shown: { changes } }: ChangeTableProps) {
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
            const isPassword = change.key === PLC_PASSWORD_FILE;
            const key = isPassword ? PLC_PASSWORD : change.key;
            const field = fields.find((one) => one.key === key);
            const unit = field === undefined || field.unit === "" ? "" : ` ${field.unit}`;
            const shown = (value: string | number | boolean) =>
              value === "" ? t("empty") : isPassword ? t("not_shown") : `${value}${unit}`;
            return (
              <tr key={change.key}>
                <th scope="row">
                  {change.key === MAP_RULE ? t("rules") : (field?.label ?? change.key)}
                </th>
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
