// The order list: one sheet of paper with the part number, the quantity, and the lamps that it is
// for with their reasons; and the same as CSV.

import "./order-list.css";
import { useEffect } from "preact/hooks";
import { shellWords, lampsWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { clockName, printDay } from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { addressOf } from "../parts/view.ts";
import type { PagePart } from "../store/ask.ts";
import { saveBlob } from "../store/save.ts";
import { useNow, useSnapshot } from "../store/use-store.ts";
import {
  changeBy,
  lampDigits,
  lampName,
  placeWords,
  planReason,
  printHours,
} from "./lamp-words.ts";
import { orderCsv } from "./order-csv.ts";
import type { ShownPlan, ShownPlanLamp } from "./plan-answer.ts";
import { dueLamps, needWords, planAge, ruleWords, soonLamps, unknownLamps } from "./plan-panel.tsx";
import { ReactorPicture } from "./reactor-picture.tsx";
import { LAMPS_VIEW, type LampsView } from "./view.ts";

interface OrderListProps {
  readonly part: PagePart<ShownPlan>;
  readonly view: LampsView;
}

export function OrderList({ part, view }: OrderListProps) {
  const day = printDay(useNow());
  const { vessel, imo, system_id, simulated } = useSnapshot().readiness.known?.value ?? {};
  const ship = [vessel, imo && shellWords("imo", { number: imo }), system_id].filter((one) => one);
  const plan = part.known?.value ?? null;
  // Hides the head of the live page on paper.
  useEffect(() => {
    document.body.classList.add("order-alone");
    return () => document.body.classList.remove("order-alone");
  }, []);
  const saveCsv = (known: ShownPlan) =>
    saveBlob(
      new Blob([orderCsv(known, { ship: ship.join(", "), day })], { type: "text/csv" }),
      `lamp-order-${day}.csv`,
    );
  return (
    <>
      <p class="before-order">
        <a class="alone" href={addressOf("lamps", LAMPS_VIEW, { ...view, show: "lamps" })}>
          {t("title")}
        </a>{" "}
        <button type="button" onClick={() => window.print()}>
          {t("print")}
        </button>{" "}
        {plan !== null && (
          <button type="button" onClick={() => saveCsv(plan)}>
            {t("order_csv")}
          </button>
        )}
      </p>
      <Panel name="order" title={t("order_title")} part={part}>
        {(known) => (
          <Sheet
            {...{ plan: known, ship: ship.join(", "), day, isSimulated: simulated === true }}
          />
        )}
      </Panel>
    </>
  );
}

interface SheetProps {
  readonly plan: ShownPlan;
  readonly ship: string;
  readonly day: string;
  readonly isSimulated: boolean;
}

function Sheet({ plan, ship, day, isSimulated }: SheetProps) {
  const due = dueLamps(plan).sort(byDate);
  const soon = soonLamps(plan).sort(byDate);
  const lamps = [...due, ...soon];
  const unknown = unknownLamps(plan);
  const age = planAge(plan.last_ms, useNow());
  return (
    <>
      <p>
        <b>{ship === "" ? MISSING : ship}</b> · {day} {clockName()}
        {isSimulated && <strong class="tag">{shellWords("simulated_about")}</strong>}
      </p>
      <div class="order-head">
        <FactList
          class="order-facts"
          facts={[
            [t("part_number"), plan.part_number ?? t("not_known")],
            [t("quantity"), plan.order === null ? MISSING : printNumber(plan.order)],
            [t("spares_aboard"), plan.spares === null ? t("not_known") : String(plan.spares)],
            [t("needed"), needWords(plan)],
            [t("next_call"), plan.next_call ?? t("not_known")],
          ]}
        />
        <ReactorPicture lamps={lamps.map(({ lamp }) => lamp)} />
      </div>
      <table>
        <caption>{t("order_lamps")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("which")}</th>
            <th scope="col">{t("order_place")}</th>
            <th scope="col" class="number">
              {t("output_percent")}
            </th>
            <th scope="col" class="number">
              {t("run")}
            </th>
            <th scope="col">{t("change_by")}</th>
            <th scope="col">{t("reason")}</th>
          </tr>
        </thead>
        <Group lamps={due} title={t("group_next_call")} />
        <Group lamps={soon} title={t("group_three_months")} />
      </table>
      {unknown.length > 0 && (
        <p>
          {t("by_nothing")} {unknown.map(({ lamp }) => lampDigits(lamp)).join(", ")}
        </p>
      )}
      {age !== null && <p>{age}</p>}
      {lamps.length === 0 && unknown.length === 0 && <p>{t("order_none")}</p>}
      <p class="quiet small">{ruleWords(plan)}</p>
    </>
  );
}

/** Compares lamps by their date, sooner ones first; those due now have no date and come before. */
const byDate = (one: ShownPlanLamp, other: ShownPlanLamp) =>
  Number(other.planned === "now") - Number(one.planned === "now") ||
  (one.by ?? "").localeCompare(other.by ?? "") ||
  one.lamp - other.lamp;

function Group({ lamps, title }: { lamps: readonly ShownPlanLamp[]; title: string }) {
  if (lamps.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={6}>
          {title}
        </th>
      </tr>
      {lamps.map((one) => (
        <tr key={one.lamp}>
          <th scope="row">{lampName(one.lamp)}</th>
          <td>{placeWords(one.lamp)}</td>
          <td class="number">{printNumber(one.output)}</td>
          <td class="number">{printHours(one.hours)}</td>
          <td class="date">{changeBy(one)}</td>
          <td>{planReason(one) ?? MISSING}</td>
        </tr>
      ))}
    </tbody>
  );
}
