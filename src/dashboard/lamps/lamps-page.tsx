// The page Lamps: all lamps by urgency, the life of the chosen one, and the plan, on one screen.
// Its script is loaded when it is opened first.

import "./lamps.css";
import "./life.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { CountersNote } from "../parts/counters-note.tsx";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded, Panel } from "../parts/panel.tsx";
import type { ShownLamps } from "../store/overview-shapes.ts";
import { useAnswer, useSnapshot } from "../store/use-store.ts";
import { readOutlooks } from "./lamp-answers.ts";
import { LampList } from "./lamp-list.tsx";
import { byUrgency } from "./lamp-state.tsx";
import { LifePanel } from "./life-panel.tsx";
import { LampNotReplaced } from "./not-replaced.tsx";
import { OrderList } from "./order-list.tsx";
import { readLampPlan } from "./plan-answer.ts";
import { PlanPanel } from "./plan-panel.tsx";
import { RecordPanel } from "./record-panel.tsx";
import { LampReplaced } from "./replacement.tsx";
import { ShowLink } from "./show-link.tsx";
import { LAMPS_VIEW, type LampsView } from "./view.ts";

export const lampsPage = page(LAMPS_VIEW, Lamps);

/** The statement being made; its form replaces the life of its lamp. */
interface Stating {
  readonly lamp: number;
  /** Time of the replacement that is being taken back; null: one is being stated. */
  readonly takenBack_ms: number | null;
}

const UNKNOWN: ShownLamps = { lamps: [], isSuspended: false };

function Lamps({ view, change }: PageProps<typeof LAMPS_VIEW>) {
  const part = useAnswer("/api/predictions?newest=each_lamp", readOutlooks, ["forecast"]);
  const plan = useAnswer("/api/lamps/plan", readLampPlan, ["forecast", "alert", "note"]);
  const { lamps: now, isSuspended } = useSnapshot().overview.known?.value.lamps?.value ?? UNKNOWN;
  // Forecasts from before the counters' fault don't hold now.
  const outlooks = isSuspended ? [] : (part.known?.value ?? []);
  const listed = byUrgency({ outlooks, now, plan: plan.known?.value ?? null });
  const lamp = view.lamp ?? listed[0].lamp;
  useLampKeys((by) => change({ lamp: ((lamp - 1 + by + LAMP_COUNT) % LAMP_COUNT) + 1 }, "none"));
  useScrollTo(view.lamp);
  const [stating, setStating] = useState<Stating | null>(null);
  if (view.show === "order") return <OrderList part={plan} view={view} />;
  const chosen = listed.find((one) => one.lamp === lamp) ?? listed[0];
  const choose = (one: number) => change({ lamp: one });
  const takeBack = (takenBack_ms: number) => setStating({ lamp, takenBack_ms });
  const close = () => setStating(null);
  return (
    <div class="lamps-page">
      <div class="lamps-listed">
        <Panel name="lamps" title={t("title")} part={part} aside={<Ways view={view} />}>
          {(known) => (
            <>
              <CountersNote />
              {known.length === 0 && <p>{t("no_forecast")}</p>}
              <LampList {...{ listed, view, choose }} chosen={lamp} />
            </>
          )}
        </Panel>
      </div>
      <div class="lamps-beside">
        {stating?.lamp === lamp ? (
          <Guarded>
            {stating.takenBack_ms === null ? (
              <LampReplaced
                key={`replacement ${lamp}`}
                {...{ lamp, outlook: chosen.outlook, now: chosen.now, takeBack }}
                close={close}
              />
            ) : (
              <LampNotReplaced
                key={`no replacement ${lamp}`}
                {...{ lamp, outlook: chosen.outlook, stated_ms: stating.takenBack_ms }}
                close={close}
              />
            )}
          </Guarded>
        ) : (
          <LifePanel
            key={`life ${lamp}`}
            {...{ chosen, view }}
            other={outlooks.find((one) => one.lamp === view.with) ?? null}
            compared={view.with === lamp ? null : view.with}
            compare={(one) => change({ lamp, with: one }, "none")}
            replace={() => setStating({ lamp, takenBack_ms: null })}
            takeBack={takeBack}
          />
        )}
        <PlanPanel part={plan} />
      </div>
      {view.show === "record" && <RecordPanel />}
    </div>
  );
}

function Ways({ view }: { view: LampsView }) {
  return (
    <>
      <a class="show-link" href="#/why">
        {t("why_low")}
      </a>
      <ShowLink view={view} what="record" text={t("record")} />
      <ShowLink view={view} what="order" text={t("order_list")} />
    </>
  );
}

function useLampKeys(step: (by: 1 | -1) => void): void {
  useKeys([
    { keys: KEYS.lamps.key_before, about: t("key_before"), run: () => step(-1) },
    { keys: KEYS.lamps.key_after, about: t("key_after"), run: () => step(1) },
  ]);
}

/** Scrolls to the life of a newly chosen lamp: on a telephone it is far below the list. */
function useScrollTo(lamp: number | null): void {
  const shown = useRef<number | null>(null);
  useEffect(() => {
    const isBelow = window.matchMedia("(max-width: 899px)").matches;
    if (shown.current !== lamp && isBelow) document.getElementById("life")?.scrollIntoView();
    shown.current = lamp;
  }, [lamp]);
}
