// The frame of the fleet page: its header with the office's clock, problems, the list or a ship,
// the settings, and the keys.

import { useEffect, useRef, useState } from "preact/hooks";
import { onLanguage } from "../../dashboard/lang/area.ts";
import { shellWords, fleetWords as t } from "../../dashboard/lang/words.ts";
import { AnswerLink } from "../../dashboard/parts/answer-link.tsx";
import { KEYS } from "../../dashboard/parts/key-table.ts";
import { useKeys } from "../../dashboard/parts/keys.ts";
import { goTo, type Page, usePlace } from "../../dashboard/parts/page.tsx";
import { Guarded } from "../../dashboard/parts/panel.tsx";
import { nextBrightness, nextPalette, toggleFullScreen } from "../../dashboard/shell/frame-keys.ts";
import { unreadableLanguage } from "../../dashboard/shell/languages.ts";
import { KeyList, Settings } from "../../dashboard/shell/menu.tsx";
import { FLEET_KEYS } from "./fleet-keys.ts";
import { fleetList } from "./fleet-list.tsx";
import { shipPage } from "./ship-page.tsx";

const LINKS = ["/api/fleet", "/openapi.json", "/metrics"] as const;

/** Pages by the name in the address; empty when the page is opened. Any other name is the list. */
const PAGES: ReadonlyMap<string, Page> = new Map([
  ["", fleetList],
  ["fleet", fleetList],
  ["ship", shipPage],
]);

export function FleetFrame() {
  const place = usePlace();
  const [isOpen, setOpen] = useState(false);
  const [, draw] = useState(0);
  const redraw = () => draw((count) => count + 1);
  useEffect(() => onLanguage(redraw), []);
  useFleetKeys({ redraw, toggle: () => setOpen(!isOpen), close: () => setOpen(false) });
  const page = PAGES.get(place.name) ?? fleetList;
  useArrival(`${place.name} ${place.name === "ship" ? place.query : ""}`);
  const unreadable = unreadableLanguage();
  return (
    <>
      <button
        type="button"
        class="skip"
        onClick={() => document.getElementById("content")?.focus()}
      >
        {shellWords("to_content")}
      </button>
      <header>
        <div class="ship">
          <h1>{t("title")}</h1>
        </div>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {shellWords("settings")}
        </button>
      </header>
      {isOpen && <SettingsMenu redraw={redraw} />}
      {unreadable !== null && (
        <p class="banner warn" lang="en">
          {shellWords("no_letters", { name: unreadable })}
        </p>
      )}
      <main id="content" tabIndex={-1} aria-label={t("title")}>
        {!PAGES.has(place.name) && (
          <p class="problem" role="status">
            {t("unknown_page", { name: place.name })}
          </p>
        )}
        <Guarded key={page === fleetList ? "fleet" : place.name}>
          <page.Body query={place.query} />
        </Guarded>
      </main>
      <footer>
        <p>{shellWords("advisory")}</p>
        <nav aria-label={t("further")}>
          {LINKS.map((path) => (
            <AnswerLink key={path} path={path} />
          ))}
        </nav>
      </footer>
    </>
  );
}

function SettingsMenu({ redraw }: { readonly redraw: () => void }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section class="menu" ref={place} tabIndex={-1} aria-label={shellWords("settings")}>
      <h2>{shellWords("settings")}</h2>
      <Settings redraw={redraw} />
      <h2>{shellWords("keys")}</h2>
      <KeyList redraw={redraw} />
    </section>
  );
}

/** Scrolls to the top when another ship is shown. */
function useArrival(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    window.scrollTo(0, 0);
    document.getElementById("content")?.focus();
  });
}

interface FleetActions {
  readonly redraw: () => void;
  readonly toggle: () => void;
  readonly close: () => void;
}

function useFleetKeys({ redraw, toggle, close }: FleetActions): void {
  const then = (run: () => void) => () => {
    run();
    redraw();
  };
  const { frame } = KEYS;
  useKeys(
    [
      { keys: FLEET_KEYS.key_all, about: t("key_all"), run: () => goTo("#/fleet") },
      { keys: frame.key_palette, about: shellWords("key_palette"), run: then(nextPalette) },
      { keys: frame.key_dimmer, about: shellWords("key_dimmer"), run: then(nextBrightness) },
      {
        keys: frame.key_full_screen,
        about: shellWords("key_full_screen"),
        run: toggleFullScreen,
      },
      { keys: frame.key_list, about: shellWords("key_list"), run: toggle },
      { keys: frame.key_close, about: shellWords("key_close"), run: close },
    ],
    "frame",
  );
}
