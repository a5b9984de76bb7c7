// The page Lamps: the life of each lamp, with its forecast and its past, why the light is low, and
// how good the forecasts were. Its script is loaded when it is opened first.

import "./lamps.css";
import { useEffect, useRef } from "preact/hooks";
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
import { byEnd, LampList } from "./lamp-list.tsx";
import { LifePanel } from "./life-panel.tsx";
import { RecordPanel } from "./record-panel.tsx";
import { LampReplaced } from "./replacement.tsx";
import { LAMPS_VIEW } from "./view.ts";

export const lampsPage = page(LAMPS_VIEW, Lamps);

const UNKNOWN: ShownLamps = { lamps: [], isSuspended: false };

function Lamps({ view, change }: PageProps<typeof LAMPS_VIEW>) {
  const part = useAnswer("/api/predictions?newest=each_lamp", readOutlooks, ["forecast"]);
  const { lamps: now, isSuspended } = useSnapshot().overview.known?.value.lamps?.value ?? UNKNOWN;
  // Forecasts of before the counters went wrong aren't of now.
  const outlooks = isSuspended ? [] : (part.known?.value ?? []);
  const lamp = view.lamp ?? byEnd(outlooks)[0]?.lamp ?? 1;
  const step = (by: number) => () =>
    change({ lamp: ((lamp - 1 + by + LAMP_COUNT) % LAMP_COUNT) + 1 }, "none");
  useKeys([
    { keys: KEYS.lamps.key_before, about: t("key_before"), run: step(-1) },
    { keys: KEYS.lamps.key_after, about: t("key_after"), run: step(1) },
  ]);
  useScrollTo(view.lamp);
  const outlook = outlooks.find((one) => one.lamp === lamp) ?? null;
  const other = outlooks.find((one) => one.lamp === view.with) ?? null;
  return (
    <>
      <Panel name="lamps" title={t("title")} part={part}>
        {(known) => (
          <>
            <CountersNote />
            {known.length === 0 ? (
              <p>{t("no_forecast")}</p>
            ) : (
              <LampList outlooks={outlooks} view={view} chosen={lamp} />
            )}
          </>
        )}
      </Panel>
      <LifePanel
        key={`life ${lamp}`}
        {...{ lamp, outlook, other, past: now[lamp - 1]?.past ?? null }}
        compared={view.with === lamp ? null : view.with}
        compare={(chosen) => change({ lamp, with: chosen }, "none")}
      />
      <Guarded>
        <LampReplaced
          key={`replacement ${lamp}`}
          {...{ lamp, outlook }}
          now={now[lamp - 1] ?? null}
        />
      </Guarded>
      <p>
        <a class="alone" href="#/why">
          {t("why_low")}
        </a>
      </p>
      <RecordPanel />
    </>
  );
}

/** On a telephone the life is far below the list: whoever chose a lamp there is brought to it. */
function useScrollTo(lamp: number | null): void {
  const shown = useRef(lamp);
  useEffect(() => {
    if (shown.current !== lamp) document.getElementById("life")?.scrollIntoView();
    shown.current = lamp;
  }, [lamp]);
}
