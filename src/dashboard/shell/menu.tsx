// The menu under "More": the pages, the settings that this browser remembers, and all keys that
// work on this page.

import { useEffect, useRef } from "preact/hooks";
import { currentLanguage } from "../lang/area.ts";
import { laterWords, shellWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { areKeysOn, boundKeys, turnKeys } from "../parts/keys.ts";
import { chooseClock, clockName, hasShipTime, shownClock } from "../parts/moments.ts";
import { chooseLanguage, LANGUAGES } from "./languages.ts";
import { PageLink } from "./navigation.tsx";
import { PAGE_NAMES, type RailName } from "./page-names.ts";
import {
  BRIGHTNESS_STEPS,
  chooseBrightness,
  choosePalette,
  chosenBrightness,
  chosenPalette,
  PALETTES,
} from "./palette.ts";

interface MenuProps {
  readonly current: RailName;
  readonly redraw: () => void;
  readonly close: () => void;
}

export function Menu({ current, redraw, close }: MenuProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <section class="menu" ref={place} tabIndex={-1} aria-label={t("more")}>
      <div class="menu-pages">
        {PAGE_NAMES.map((name) => (
          <PageLink key={name} name={name} current={current} />
        ))}
      </div>
      <h2>{t("settings")}</h2>
      <Settings redraw={redraw} />
      <h2>{t("keys")}</h2>
      <KeyList redraw={redraw} />
      <a href="#/panel">{t("panel")}</a> {/* Each page has a chapter of its name. */}
      <a href={`manual/dashboard#${current}`}>{t("manual")}</a>{" "}
      <a href="manual/sheet-engineer">{laterWords("sheet_engineer")}</a>{" "}
      <a href="manual/sheet-electrician">{laterWords("sheet_electrician")}</a>{" "}
      <button type="button" onClick={close}>
        {laterWords("close")}
      </button>
    </section>
  );
}

export function Settings({ redraw }: { redraw: () => void }) {
  return (
    <div class="settings">
      <ChoiceInput
        label={laterWords("palette")}
        chosen={chosenPalette()}
        choices={PALETTES.map((palette) => [palette, t(palette)] as const)}
        choose={(palette) => {
          choosePalette(palette);
          redraw();
        }}
      />
      <ChoiceInput
        label={laterWords("brightness")}
        chosen={String(chosenBrightness())}
        choices={BRIGHTNESS_STEPS.map((step) => [String(step), `${step} %`] as const)}
        choose={(step) => {
          chooseBrightness(Number(step));
          redraw();
        }}
      />
      <ChoiceInput
        label={laterWords("language")}
        chosen={currentLanguage().code}
        choices={LANGUAGES.map(({ code, name }) => [code, name] as const)}
        choose={(code) => void chooseLanguage(code)}
      />
      {hasShipTime() && (
        <ChoiceInput
          label={t("time")}
          chosen={shownClock()}
          choices={[
            ["utc", clockName("utc")],
            ["ship", clockName("ship")],
          ]}
          choose={(clock) => {
            chooseClock(clock);
            redraw();
          }}
        />
      )}
    </div>
  );
}

/** All keys that work on this page, and the switch that turns them off. */
export function KeyList({ redraw }: { redraw: () => void }) {
  const toggle = () => {
    turnKeys(!areKeysOn());
    redraw();
  };
  return (
    <>
      <dl class="keys">
        {boundKeys().map(({ keys, about }) => (
          <div key={keys.join(" ")}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <label class="tick">
        <input type="checkbox" checked={areKeysOn()} onChange={toggle} /> {laterWords("keys_on")}
      </label>
    </>
  );
}
