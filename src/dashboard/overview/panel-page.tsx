// The panel: the overview's facts on a whole screen, for a wall or the console. The rail and the
// foot disappear after 20 s without a touch; the picture is shifted by some pixels now and then;
// the screen stays awake if the browser allows it. The second view is a mimic of the plant.

import "./panel.css";
import { panelWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { wordParameter } from "../parts/view-parameters.ts";
import { useNow, useSnapshot } from "../store/use-store.ts";
import { useCurves } from "./curves.ts";
import { Mimic } from "./mimic.tsx";
import { NightHours, useNightHours } from "./night-hours.tsx";
import { LightPieces, PlantPieces } from "./overview-page.tsx";
import { ReturnChoice } from "./return-choice.tsx";
import { usePixelShift, useTouched, useWakeLock } from "./screen.ts";

const VIEWS = ["lamps", "plant"] as const;
const VIEW = { view: wordParameter(VIEWS, "lamps") };

export const panelPage = page(VIEW, Wall);

function Wall({ view, change }: PageProps<typeof VIEW>) {
  const snapshot = useSnapshot();
  const now_ms = useNow();
  const { overview: part } = snapshot;
  const curves = useCurves(part.known?.value ?? null, null);
  const given = { part, snapshot, at_ms: null, now_ms, curves };
  const isTouched = useTouched();
  usePixelShift();
  useWakeLock();
  useNightHours(now_ms);
  return (
    <div class={`overview wall ${view.view}`}>
      <LightPieces {...given} />
      {view.view === "lamps" ? (
        <PlantPieces {...given} />
      ) : (
        <Guarded>
          <Mimic snapshot={snapshot} now_ms={now_ms} />
        </Guarded>
      )}
      <details class="wall-choices" hidden={!isTouched}>
        <summary>{t("choices")}</summary>
        <ChoiceInput
          label={t("view")}
          chosen={view.view}
          choices={VIEWS.map((one) => [one, t(`view_${one}`)] as const)}
          choose={(chosen) => change({ view: chosen }, "none")}
        />
        <ReturnChoice />
        <NightHours />
      </details>
    </div>
  );
}
