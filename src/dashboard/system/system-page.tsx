// The page System: six lines that say whether ballastd itself is well, the quarantine, work that
// needs a token, and, folded, everything for a technician: messages, broker, clocks, disk,
// database, jobs and versions. Its script is loaded when it is first opened.

import "./system.css";
import { systemWords as t } from "../lang/words.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { wordParameter } from "../parts/view-parameters.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { AuditPanel } from "./audit.tsx";
import { BackupPanel } from "./backup.tsx";
import { CLOCK_PATH, readClock, readSystem, SYSTEM_PATH } from "./facts.ts";
import { IsItWell } from "./is-it-well.tsx";
import { JobsPanel } from "./jobs.tsx";
import { ChainPanel, ClockPanel, DatabasePanel, DiskPanel, VersionPanel } from "./machine.tsx";
import { EntriesPanel, QuarantinePanel } from "./quarantine.tsx";
import { BrokerPanel, ReceivingPanel } from "./receiving.tsx";
import { EVERY_MS } from "./refresh.ts";
import { ShorePanel } from "./shore.tsx";
import { SupportPanel } from "./support.tsx";
import { TokenPanel, useIsOpen } from "./token-panel.tsx";

const VIEW = { technician: wordParameter(["closed", "open"], "closed") };

export const systemPage = page(VIEW, System);

function System({ view, change }: PageProps<typeof VIEW>) {
  const now_ms = useNow();
  const isOpen = useIsOpen();
  const isUnfolded = view.technician === "open";
  const system = useAnswer(SYSTEM_PATH, readSystem, [], EVERY_MS);
  const clock = useAnswer(CLOCK_PATH, readClock, [], EVERY_MS);
  return (
    <>
      <h2>{t("title")}</h2>
      <a class="alone" href="#/first-watch">
        {t("first_watch")}
      </a>
      <Guarded>
        <IsItWell system={system} clock={clock} now_ms={now_ms} />
      </Guarded>
      <QuarantinePanel system={system} now_ms={now_ms} />
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
      <details
        class="technician"
        open={isUnfolded}
        onToggle={({ currentTarget }) =>
          change({ technician: currentTarget.open ? "open" : "closed" })
        }
      >
        <summary>{t("technician")}</summary>
        {isUnfolded && (
          <>
            <div class="system-panels">
              <ReceivingPanel system={system} now_ms={now_ms} />
              <BrokerPanel system={system} now_ms={now_ms} />
              <ClockPanel part={clock} now_ms={now_ms} />
              <DiskPanel system={system} now_ms={now_ms} />
              <DatabasePanel system={system} now_ms={now_ms} />
              <ChainPanel system={system} now_ms={now_ms} />
              <BackupPanel system={system} now_ms={now_ms} />
              <ShorePanel now_ms={now_ms} />
              <VersionPanel system={system} now_ms={now_ms} />
            </div>
            <JobsPanel system={system} now_ms={now_ms} />
          </>
        )}
      </details>
    </>
  );
}
