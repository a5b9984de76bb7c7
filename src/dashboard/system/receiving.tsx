// Messages and their broker: the rate of messages, what was stored of them, and the connected
// clients. Faults have the names of /metrics.

import { partsWords, systemWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printAge, printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import { brokerIn, ingestIn, panelPart, type SystemPanelProps } from "./facts.ts";

export function ReceivingPanel({ system }: SystemPanelProps) {
  return (
    <Panel name="receiving" title={t("receiving")} part={panelPart(system, ingestIn)}>
      {({ messages_per_minute, readings_per_minute, over_s, ...ingest }) => (
        <FactList
          facts={[
            [t("messages_rate"), messages_per_minute],
            [t("readings_rate"), readings_per_minute],
            [t("rate_over"), over_s === null ? null : printAge(over_s * 1000)],
            [t("messages"), ingest.messages],
            [t("set_aside"), ingest.quarantined],
            [t("repeated"), ingest.repeated],
            [t("withheld"), ingest.withheld],
          ]}
        />
      )}
    </Panel>
  );
}

export function BrokerPanel({ system, now_ms }: SystemPanelProps) {
  return (
    <Panel name="broker" title={t("broker")} part={panelPart(system, brokerIn)}>
      {({ isOurs, connected, clients, where, problem, since_ms, session_lost_ms, faults }) => (
        <>
          {problem !== null && (
            <p class="problem" lang="en">
              {problem}
            </p>
          )}
          <FactList
            facts={[
              [t("broker_kind"), t(isOurs ? "embedded" : "client")],
              [t("connected"), partsWords(connected ? "yes" : "no")],
              [t("since"), since_ms === null ? null : printMoment(since_ms, now_ms)],
              [t("publishers"), isOurs ? clients : null],
              [t("address"), where],
              [
                t("session_lost"),
                session_lost_ms === null ? t("never") : printMoment(session_lost_ms, now_ms),
              ],
            ]}
          />
          {faults.length > 0 && (
            <>
              <h3>{t("faults")}</h3>
              <FactList facts={faults} />
            </>
          )}
        </>
      )}
    </Panel>
  );
}
