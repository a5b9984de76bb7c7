// The page System: ballastd itself, its messages, broker, clocks, disk, database, jobs, audit log
// and versions. Its script is loaded when it is opened first.

import "./system.css";
import { systemWords as t } from "../lang/words.ts";
import { page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { useAnswer, useNow } from "../store/use-store.ts";
import { AuditPanel } from "./audit.tsx";
import { BackupPanel } from "./backup.tsx";
import { readSystem, SYSTEM_PATH } from "./facts.ts";
import { JobsPanel } from "./jobs.tsx";
import { ChainPanel, ClockPanel, DatabasePanel, DiskPanel, VersionPanel } from "./machine.tsx";
import { EntriesPanel, QuarantinePanel } from "./quarantine.tsx";
import { BrokerPanel, ReceivingPanel } from "./receiving.tsx";
import { EVERY_MS } from "./refresh.ts";
import { ShorePanel } from "./shore.tsx";
import { SupportPanel } from "./support.tsx";
import { TokenPanel, useIsOpen } from "./token-panel.tsx";

export const systemPage = page({}, System);

function System() {
  const now_ms = useNow();
  const isOpen = useIsOpen();
  const system = useAnswer(SYSTEM_PATH, readSystem, [], EVERY_MS);
  return (
    <>
      <h2>{t("title")}</h2>
      <div class="system-panels">
        <ReceivingPanel system={system} now_ms={now_ms} />
        <BrokerPanel system={system} now_ms={now_ms} />
        <ClockPanel now_ms={now_ms} />
        <DiskPanel system={system} now_ms={now_ms} />
        <DatabasePanel system={system} now_ms={now_ms} />
        <ChainPanel system={system} now_ms={now_ms} />
        <BackupPanel system={system} now_ms={now_ms} />
        <ShorePanel now_ms={now_ms} />
        <VersionPanel system={system} now_ms={now_ms} />
      </div>
      <QuarantinePanel system={system} now_ms={now_ms} />
      <JobsPanel system={system} now_ms={now_ms} />
      <Guarded>
        <TokenPanel />
      </Guarded>
      {isOpen && (
        <Guarded>
          <SupportPanel now_ms={now_ms} />
        </Guarded>
      )}
      {isOpen && <EntriesPanel system={system} now_ms={now_ms} />}
      {isOpen && <AuditPanel now_ms={now_ms} />}
    </>
  );
}
