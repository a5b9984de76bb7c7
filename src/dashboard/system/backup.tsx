// The newest backup and the folder of all backups; with a maintainer's token also a button that
// makes one. The file itself stays aboard.

import type { BackupResult } from "../../bwts/backup.ts";
import type { SystemAnswer } from "../../bwts/system.ts";
import { systemWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { printMoment } from "../parts/moments.ts";
import { printBytes } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { instant, isLike, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { panelPart, type SystemPanelProps, type UncheckedSystem } from "./facts.ts";
import { useIsOpen } from "./token-panel.tsx";

/** Maximum time for a backup, ms: one of 24 months on an old disk takes some minutes. */
const BACKUP_MAX_MS = 15 * 60_000;

type ShownBackup = SystemAnswer["backup"];

export function backupIn({ backup }: UncheckedSystem) {
  if (!isLike<ShownBackup>(backup)) return null;
  const { last } = backup;
  const known = isLike<NonNullable<ShownBackup["last"]>>(last) ? last : null;
  return {
    folder: textOrNull(backup.folder),
    keep_daily: numberOrNull(backup.keep_daily),
    made_ms: instant(known?.made),
    file: textOrNull(known?.file),
    bytes: numberOrNull(known?.bytes),
  };
}

interface ShownMade {
  readonly file: string;
  readonly sha256: string | null;
  readonly damage: string | null;
}

const readMade: Read<ShownMade> = (body) => {
  const file = isLike<BackupResult>(body) ? textOrNull(body.file) : null;
  if (file === null || !isLike<BackupResult>(body)) return null;
  const damage = textOrNull(body.damage);
  return { value: { file, damage, sha256: textOrNull(body.sha256) } };
};

export function BackupPanel({ system, now_ms }: SystemPanelProps) {
  const isOpen = useIsOpen();
  return (
    <Panel name="backup" title={t("backup")} part={panelPart(system, backupIn)}>
      {({ folder, keep_daily, made_ms, file, bytes }) => (
        <>
          <FactList
            facts={[
              [t("last_backup"), made_ms === null ? t("never") : printMoment(made_ms, now_ms)],
              [t("file"), file],
              [t("size"), bytes === null ? null : printBytes(bytes)],
              [t("folder"), folder],
              [t("keep_daily"), keep_daily],
            ]}
          />
          {isOpen && <BackupButton />}
        </>
      )}
    </Panel>
  );
}

function BackupButton() {
  const act = useAct(readMade, BACKUP_MAX_MS);
  const made = act.outcome?.known?.value ?? null;
  return (
    <>
      <button type="button" disabled={act.isBusy} onClick={() => act.run("/admin/backup", {})}>
        {t(act.isBusy ? "backing_up" : "back_up")}
      </button>
      <ActOutcomeLine act={act} />
      {made !== null && made.damage !== null && (
        <p class="problem" role="alert" lang="en">
          {made.file}: {made.damage}
        </p>
      )}
      {made !== null && made.damage === null && (
        <p role="status">
          {t("backed_up", { file: made.file })} <code class="payload">{made.sha256}</code>
        </p>
      )}
    </>
  );
}
