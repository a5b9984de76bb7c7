// The folder of backups and the age of the newest one. The tick needs a backup of the last night: a
// folder alone is no backup.

import { firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { printMoment } from "../parts/moments.ts";
import { backupIn } from "../system/backup.tsx";
import type { UncheckedSystem } from "../system/facts.ts";
import { backupOf } from "../system/well.ts";
import { backupFields, type StepState } from "./setting-fields.ts";
import type { ShownSettings } from "./settings-answer.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { Restart } from "./use-restart.ts";
import { WatchStep } from "./watch-step.tsx";

interface BackupStepProps {
  /** Null while they aren't known. */
  readonly facts: UncheckedSystem | null;
  readonly now_ms: number;
  readonly settings: ShownSettings | null;
  readonly restart: Restart;
}

export function BackupStep({ facts, now_ms, settings, restart }: BackupStepProps) {
  const backup = facts === null ? null : backupIn(facts);
  return (
    <WatchStep name="backup" title={t("backup_title")} state={backupState(facts, now_ms)}>
      {backup === null ? (
        <p class="quiet">{t("not_known")}</p>
      ) : (
        <FactList
          facts={[
            [
              t("last_backup"),
              backup.made_ms === null ? t("never") : printMoment(backup.made_ms, now_ms),
            ],
            [t("folder"), backup.folder ?? t("folder_hidden")],
            [t("keep_daily"), backup.keep_daily],
          ]}
        />
      )}
      <p>{t("backup_about")}</p>
      {settings === null ? (
        <CopyField label={t("command")} text="sudo ballastd config set backup.dir /mnt/backup" />
      ) : (
        <SettingsForm name="backup" fields={backupFields()} {...{ settings, restart }} />
      )}
      <p>
        <a class="alone" href="#/system?technician=open">
          {t("backup_now")}
        </a>
      </p>
    </WatchStep>
  );
}

function backupState(facts: UncheckedSystem | null, now_ms: number): StepState {
  const backup = facts === null ? null : backupIn(facts);
  if (facts === null || backup === null || backup.keep_daily === null) return "unknown";
  const [wellness] = backupOf(facts, now_ms);
  if (wellness === "unknown") return "unknown";
  return wellness === "well" && backup.keep_daily > 0 ? "done" : "open";
}
