// The line of alerts, on every page: the worst first and in words, how many of each priority are
// open, and since when the oldest waits to be acknowledged. It leads to the list of alerts.

import { isAwaited, PRIORITIES } from "../../bwts/alerts/priority.ts";
import { partsWords, shellWords as t } from "../lang/words.ts";
import { AlertIcon } from "../parts/alert-icon.tsx";
import { beginningOf } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { OpenAlert } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

interface AlertBarProps {
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly now_ms: number;
  /** False while the link to ballastd is lost: these are the last that are known. */
  readonly reached: boolean;
}

/** The list has the whole text; the line stays in sight, and must leave room for the page. */
const NAME_MAX = 60;

export function AlertBar({ alarms, now_ms, reached }: AlertBarProps) {
  const all = alarms.known?.value ?? [];
  const open = all.filter(({ isShelved }) => !isShelved);
  const worst = open.length === 0 ? null : open[0];
  const headline = headlineOf(alarms.known === null ? null : open);
  return (
    <div class={worst === null ? "alert-bar" : "alert-bar open"} role="status">
      <a href="#/alerts" class={worst === null ? "alert-link" : `alert-link ${worst.priority}`}>
        <span>
          {worst !== null && <AlertIcon alert={worst} />}
          <b>{reached ? headline : partsWords("last_known", { headline })}</b>
          {worst !== null && <Worst worst={worst} open={open} />}
          <Rest all={all} open={open} now_ms={now_ms} />
        </span>
        {worst !== null && <span class="go spare">{t("what_to_do")} ›</span>}
      </a>
      <ProblemBanner problem={alarms.problem} />
    </div>
  );
}

/** `2 warnings`: those of the worst priority; null is not known. */
function headlineOf(open: readonly OpenAlert[] | null): string {
  if (open === null) return t("alerts_unknown");
  if (open.length === 0) return t("no_alerts");
  const { priority } = open[0];
  return t(`count_${priority}`, { n: countOf(open, priority) });
}

const countOf = (open: readonly OpenAlert[], priority: OpenAlert["priority"]) =>
  open.filter((one) => one.priority === priority).length;

/** The crew's alerts in words; any other as ballastd or the plant said it. */
const LINES = {
  UV_BELOW_LIMIT: "line_uv_below",
  FLOW_ABOVE_CERTIFIED: "line_flow_above",
  WATER_UNTREATED: "line_untreated",
  FILTER_DP_HIGH: "line_filter",
  FILTER_DP_ALARM: "line_filter",
  CABINET_HOT: "line_cabinet",
  CABINET_TRIP: "line_cabinet",
  CIP_DUE: "line_cip",
  NO_DATA: "line_no_data",
  PLC_LINK_LOST: "line_plc_lost",
  BROKER_LOST: "line_plc_lost",
  CLOCK_NOT_TRUSTED: "line_clock",
  PLC_CLOCK_WRONG: "line_plc_clock",
  MESSAGES_QUARANTINED: "line_quarantined",
  DATA_DAMAGED: "line_damaged",
  DISK_LOW: "line_disk",
} as const;

const isInWords = (code: string | null): code is keyof typeof LINES =>
  code !== null && Object.keys(LINES).includes(code);

function Worst({ worst, open }: { worst: OpenAlert; open: readonly OpenAlert[] }) {
  const { code, priority, description } = worst;
  if (code === "LAMP_NEAR_END" || code === "LAMP_FAILED") {
    const lamps = open.filter((one) => one.code === code && one.priority === priority);
    const failed = code === "LAMP_FAILED";
    const given = { n: lamps.length, lamp: firstOf(lamps) };
    return <span> · {t(failed ? "line_lamps_failed" : "line_lamps_near_end", given)}</span>;
  }
  if (isInWords(code)) return <span> · {t(LINES[code])}</span>;
  const said = code === null ? description : description.replace(`${code}: `, "");
  return (
    <span>
      {" · "}
      <span lang="en">{beginningOf(said, NAME_MAX)}</span>
    </span>
  );
}

/** The lamp with the least value, which is its hours left; of several the first. */
function firstOf(lamps: readonly OpenAlert[]): string {
  const [first] = [...lamps].sort(
    (one, other) => (one.value ?? 0) - (other.value ?? 0) || (one.lamp ?? 99) - (other.lamp ?? 99),
  );
  return first?.lamp == null ? "—" : String(first.lamp).padStart(2, "0");
}

interface RestProps {
  readonly all: readonly OpenAlert[];
  readonly open: readonly OpenAlert[];
  readonly now_ms: number;
}

/** Numbers of the lower priorities and of those shelved; since when the oldest waits. */
function Rest({ all, open, now_ms }: RestProps) {
  const lower = PRIORITIES.filter((one) => one !== open[0]?.priority && countOf(open, one) > 0);
  const waiting_ms = oldestWaiting(open);
  const shelved = all.length - open.length;
  const facts = [
    ...lower.map((priority) => t(`count_${priority}`, { n: countOf(open, priority) })),
    ...(shelved === 0 ? [] : [t("shelved", { n: shelved })]),
  ];
  return (
    <span class="quiet">
      {facts.length > 0 && ` · ${facts.join(" · ")}`}
      {waiting_ms !== null && (
        <span class="spare">
          {" · "}
          {t("oldest", { moment: printMoment(waiting_ms, now_ms) })}
        </span>
      )}
    </span>
  );
}

function oldestWaiting(alerts: readonly OpenAlert[]): number | null {
  const times = alerts
    .filter(isAwaited)
    .flatMap(({ since_ms }) => (since_ms === null ? [] : [since_ms]));
  return times.length === 0 ? null : Math.min(...times);
}
