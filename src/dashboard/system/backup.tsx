// The newest backup and the folder of all of them, and for who has a maintainer's token a button
// that makes one. The backup itself stays aboard.

import { useState } from "preact/hooks";
import type { BackupMade } from "../../bwts/system/backup.ts";
import type { SystemAnswer } from "../../bwts/system/system.ts";
import { systemWords as t } from "../language/en/system.ts";
import { printMoment } from "../parts/moments.ts";
import { printBytes } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { type PagePart, renewed, replyTo, UNKNOWN } from "../store/ask.ts";
import { instant, isLike, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { hasToken } from "../store/token.ts";
import { FactList } from "./fact-list.tsx";
import { panelPart, type SystemPanelProps, type UncheckedSystem } from "./facts.ts";

/** A backup of 24 months on an old disk takes some minutes. */
const BACKUP_MAX_MS = 15 * 60_000;

type ShownBackup = SystemAnswer["backup"];

function backupIn({ backup }: UncheckedSystem) {
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
  const file = isLike<BackupMade>(body) ? textOrNull(body.file) : null;
  if (file === null || !isLike<BackupMade>(body)) return null;
  const damage = textOrNull(body.damage);
  return { value: { file, damage, sha256: textOrNull(body.sha256) } };
};

export function BackupPanel({ system, now_ms }: SystemPanelProps) {
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
          {hasToken() && <BackupButton />}
        </>
      )}
    </Panel>
  );
}

function BackupButton() {
  const [part, setPart] = useState<PagePart<ShownMade>>(UNKNOWN);
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    setPart(UNKNOWN);
    const asking = new AbortController();
    const limit = window.setTimeout(() => asking.abort(), BACKUP_MAX_MS);
    const reply = await replyTo("/admin/backup", asking.signal, {});
    window.clearTimeout(limit);
    setPart(renewed(UNKNOWN, reply, readMade));
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void make()}>
        {t(isBusy ? "backing_up" : "back_up")}
      </button>
      <ProblemBanner problem={part.problem} />
      {part.known !== null && part.known.value.damage !== null && (
        <p class="problem" role="alert" lang="en">
          {part.known.value.file}: {part.known.value.damage}
        </p>
      )}
      {part.known !== null && part.known.value.damage === null && (
        <p role="status">
          {t("backed_up", { file: part.known.value.file })}{" "}
          <code class="payload">{part.known.value.sha256}</code>
        </p>
      )}
    </>
  );
}
