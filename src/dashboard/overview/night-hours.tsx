// The night palette of the panel, between two times of the clock that the page shows. The times are
// chosen on the panel and remembered by the browser. Outside them the panel has the palette chosen
// for all pages.

import { useEffect, useRef, useState } from "preact/hooks";
import { panelWords as t } from "../lang/words.ts";
import { clockName, printMinute } from "../parts/moments.ts";
import { MinuteInput } from "../parts/time-fields.tsx";
import { remember, remembered } from "../store/remembered.ts";

const CHOICE = "panel.night";

interface ClockSpan {
  readonly from: string;
  readonly to: string;
}

/** The chosen times, remembered as `19:30-06:00`; null without a choice. */
function nightHours(): ClockSpan | null {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(remembered(CHOICE) ?? "") ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** True between both times, also across midnight; never if they are equal. */
export function isNight(clock: string, { from, to }: ClockSpan): boolean {
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to;
}

/** Sets the palette `night` during the chosen hours, and restores the earlier one afterwards. */
export function useNightHours(now_ms: number): void {
  const hours = nightHours();
  const isDark = hours !== null && isNight(printMinute(now_ms), hours);
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isDark) return;
    const { dataset } = document.documentElement;
    before.current = dataset.palette;
    dataset.palette = "night";
    return () => {
      // Unless another palette was chosen meanwhile.
      if (dataset.palette === "night") dataset.palette = remembered("palette") ?? before.current;
    };
  }, [isDark]);
}

const START: ClockSpan = { from: "19:00", to: "06:00" };

export function NightHours() {
  const [hours, setHours] = useState(nightHours);
  const choose = (chosen: ClockSpan | null) => {
    remember(CHOICE, chosen === null ? "" : `${chosen.from}-${chosen.to}`);
    setHours(chosen);
  };
  const field = (name: keyof ClockSpan) => (
    <MinuteInput
      label={t(`night_${name}`)}
      minute={(hours ?? START)[name]}
      choose={(minute) => minute !== null && choose({ ...(hours ?? START), [name]: minute })}
    />
  );
  return (
    <fieldset>
      <label class="tick">
        <input
          type="checkbox"
          checked={hours !== null}
          onChange={({ currentTarget: { checked } }) => choose(checked ? START : null)}
        />{" "}
        {t("night")}
      </label>
      {hours !== null && (
        <>
          {" "}
          {field("from")} {field("to")} <small class="quiet">{clockName()}</small>
        </>
      )}
    </fieldset>
  );
}
