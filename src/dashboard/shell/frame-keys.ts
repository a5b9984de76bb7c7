// The keys that work on every page: the pages by number, palette, dimmer, full screen, clock, menu.
// A page adds its own by `useKeys`.

import { useEffect } from "preact/hooks";
import { shellWords as t } from "../lang/words.ts";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import { chooseClock, hasShipTime, shownClock } from "../parts/moments.ts";
import { goTo } from "../parts/page.tsx";
import { PAGE_NAMES } from "./page-names.ts";
import {
  BRIGHTNESS_STEPS,
  chooseBrightness,
  choosePalette,
  chosenBrightness,
  chosenPalette,
  PALETTES,
} from "./palette.ts";

interface FrameActions {
  readonly redraw: () => void;
  readonly toggleMenu: () => void;
  readonly close: () => void;
}

export function useFrameKeys({ redraw, toggleMenu, close }: FrameActions): void {
  const then = (run: () => void) => () => {
    run();
    redraw();
  };
  useSearchChord();
  useKeys(
    [
      // A keyboard has ten digits; 0 is the last of them.
      ...PAGE_NAMES.slice(0, 10).map((name, index) => ({
        keys: [String((index + 1) % 10)],
        about: t(name),
        run: () => goTo(`#/${name}`),
      })),
      { keys: KEYS.frame.key_palette, about: t("key_palette"), run: then(nextPalette) },
      { keys: KEYS.frame.key_dimmer, about: t("key_dimmer"), run: then(nextBrightness) },
      { keys: KEYS.frame.key_full_screen, about: t("key_full_screen"), run: toggleFullScreen },
      ...(hasShipTime()
        ? [{ keys: KEYS.frame.key_clock, about: t("key_clock"), run: then(nextClock) }]
        : []),
      { keys: KEYS.frame.key_panel, about: t("key_panel"), run: () => goTo("#/panel") },
      { keys: KEYS.frame.key_search, about: t("key_search"), run: goToSearch },
      { keys: KEYS.frame.key_list, about: t("key_list"), run: toggleMenu },
      { keys: KEYS.frame.key_close, about: t("key_close"), run: close },
    ],
    "frame",
  );
}

/**
 * Opens the search on `Ctrl-K`. As a chord it also works while typing and with the bare keys off.
 */
function useSearchChord(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      goToSearch();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function goToSearch(): void {
  const field = document.querySelector<HTMLInputElement>(".search input");
  if (field === null) goTo("#/search");
  else field.focus();
}

export function nextPalette(): void {
  choosePalette(after(PALETTES, chosenPalette()));
}

export function nextBrightness(): void {
  chooseBrightness(after<number>(BRIGHTNESS_STEPS, chosenBrightness()));
}

function nextClock(): void {
  chooseClock(shownClock() === "utc" ? "ship" : "utc");
}

function after<T>(all: readonly T[], current: T): T {
  return all[(all.indexOf(current) + 1) % all.length];
}

/**
 * Switches full screen on or off. Safari of 2020 has only another name for it; there nothing
 * happens.
 */
export function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => undefined);
}
