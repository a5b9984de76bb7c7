// A ship at the office: its last report and whether it is current, the curves of its hours, lamps,
// alerts, raw readings as files, and its chains.

import { useEffect } from "preact/hooks";
import { SYSTEM_VALUES } from "../../bwts/documents/system-values.ts";
import { TAGS } from "../../bwts/tags.ts";
import { printLabel } from "../../dashboard/lang/fields.ts";
import { shellWords, fleetWords as t } from "../../dashboard/lang/words.ts";
import { FactList } from "../../dashboard/parts/fact-list.tsx";
import { LongText } from "../../dashboard/parts/long-text.tsx";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING, printNumber, printValue } from "../../dashboard/parts/numbers.ts";
import { type PageProps, page } from "../../dashboard/parts/page.tsx";
import { Guarded } from "../../dashboard/parts/panel.tsx";
import type { ViewParameter } from "../../dashboard/parts/view.ts";
import type { ShownReport, ShownShip } from "./fleet-answers.ts";
import {
  BacklogFigures,
  ChainState,
  ContactSign,
  isOfMonth,
  isOfToday,
  lampDue,
  megabytes,
  offset,
} from "./fleet-row.tsx";
import { usePolled, useShoreNow } from "./polled.ts";
import { ServerState } from "./server-state.tsx";
import { readDetail, type ShownDetail } from "./ship-answer.ts";
import { ShipChains } from "./ship-chains.tsx";
import { ShipCurves } from "./ship-curves.tsx";
import { ShipFiles } from "./ship-files.tsx";
import { ShipHistory } from "./ship-history.tsx";
import { ShipLamps } from "./ship-lamps.tsx";
import { ShipOperations } from "./ship-operations.tsx";

const number: ViewParameter<string> = {
  start: "",
  read: (text) => (/^\d{7}$/.test(text) ? text : null),
  write: (text) => text,
};
const PARAMETERS = { imo: number };

export const shipPage = page(PARAMETERS, ShipPage);

function ShipPage({ view: { imo } }: PageProps<typeof PARAMETERS>) {
  const polled = usePolled(`/api/ship?ship=${imo}`, readDetail);
  const now_ms = useShoreNow(polled.known?.value.as_of_ms ?? null, polled.answered_ms);
  const name = polled.known?.value.ship.name ?? imo;
  useEffect(() => {
    document.title = `${name} · ${t("title")} · ballastd`;
  }, [name]);
  return (
    <>
      <p>
        <a class="alone" href="#/fleet">
          {t("all_ships")}
        </a>
      </p>
      <ServerState polled={polled} now_ms={now_ms}>
        {(detail) => <Ship detail={detail} now_ms={now_ms} />}
      </ServerState>
    </>
  );
}

interface ShipProps {
  readonly detail: ShownDetail;
  readonly now_ms: number;
}

function Ship({ detail, now_ms }: ShipProps) {
  const { ship, unreadable } = detail;
  return (
    <>
      <section aria-labelledby="ship">
        <h2 id="ship">
          <span dir="auto" class="whole-name">
            {ship.name}
          </span>{" "}
          <small>{shellWords("imo", { number: ship.ship })}</small>
        </h2>
        <ContactSign ship={ship} now_ms={now_ms} />
        {ship.troubles.length > 0 && (
          <p class="troubles">{ship.troubles.map((name) => t(`trouble_${name}`)).join(", ")}</p>
        )}
        {unreadable > 0 && (
          <p class="problem" data-test="unreadable">
            {t("unreadable", { n: unreadable })}
          </p>
        )}
        <ShipFacts ship={ship} now_ms={now_ms} />
      </section>
      <section aria-labelledby="report" class={ship.report?.isCurrent === true ? "" : "old"}>
        <h2 id="report">{t("report")}</h2>
        {ship.report === null ? (
          <p>{t("no_report")}</p>
        ) : (
          <Report report={ship.report} now_ms={now_ms} />
        )}
      </section>
      <Guarded>
        <ShipCurves ship={ship} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <ShipLamps detail={detail} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <ShipOperations operations={detail.operations} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <ShipHistory detail={detail} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <ShipFiles ship={ship} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <ShipChains branches={detail.branches} now_ms={now_ms} />
      </Guarded>
    </>
  );
}

interface FactsProps {
  readonly ship: ShownShip;
  readonly now_ms: number;
}

/** The facts that the office knows without a report. */
function ShipFacts({ ship, now_ms }: FactsProps) {
  const { contact_ms, raw_ms, version, boxes } = ship;
  const moment = (at_ms: number | null) => (at_ms === null ? null : printMoment(at_ms, now_ms));
  return (
    <FactList
      facts={[
        [t("contact"), moment(contact_ms)],
        [t("raw_until"), moment(raw_ms)],
        [t("chain"), <ChainState ship={ship} key="chain" />],
        [t("version"), version === null ? null : <LongText key="version" text={version} />],
        ...(boxes !== null && boxes > 1 ? [[t("boxes", { n: boxes }), null] as const] : []),
      ]}
    />
  );
}

interface ShipReportProps {
  readonly report: ShownReport;
  readonly now_ms: number;
}

function Report({ report, now_ms }: ShipReportProps) {
  const { isCurrent, received_ms, state, operation, port, values, alarms, health, hot } = report;
  const moment = received_ms === null ? MISSING : printMoment(received_ms, now_ms);
  const text = (words: string | null) => words && <LongText text={words} />;
  return (
    <>
      <p data-test="said">{t(isCurrent ? "said_now" : "said_then", { moment })}</p>
      <FactList
        facts={[
          [t("state"), text(state)],
          [t("operation"), text(operation)],
          [t("port"), text(port)],
          ...SYSTEM_VALUES.map((index) => {
            const tag = TAGS[index];
            return [printLabel(tag), printValue(tag, values[tag.name] ?? null)] as const;
          }),
          [t("alarms"), text(alarms?.length === 0 ? "0" : (alarms?.join(", ") ?? null))],
          [t("health"), printNumber(health)],
          [t("lamp_due"), lampDue(report)],
          [t("hot"), printNumber(hot)],
          [t("backlog"), <BacklogFigures key="backlog" report={report} now_ms={now_ms} />],
          [t("clock"), offset(report)],
          [t("today"), megabytes(report.today_bytes, isOfToday(report, now_ms))],
          [t("month"), megabytes(report.month_bytes, isOfMonth(report, now_ms))],
        ]}
      />
    </>
  );
}
