// The palette and the dimmer as this browser remembers them. Without a choice the system's light or
// dark mode decides between day and dusk. The manual's pages use this module too, so nothing here
// needs Preact.

import { remember, remembered } from "../store/remembered.ts";

export const PALETTES = ["day", "dusk", "night", "bright"] as const;
export type Palette = (typeof PALETTES)[number];

/** Brightness of the screen in percent; at the lowest an unacknowledged alert is still visible. */
export const BRIGHTNESS_STEPS = [100, 75, 50, 35] as const;

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

export function chosenPalette(): Palette {
  const choice = remembered("palette");
  const start = systemDark.matches ? "dusk" : "day";
  return PALETTES.find((palette) => palette === choice) ?? start;
}

export function choosePalette(palette: Palette): void {
  remember("palette", palette);
  applyPalette();
}

export function chosenBrightness(): number {
  const choice = Number(remembered("brightness"));
  return BRIGHTNESS_STEPS.find((step) => step === choice) ?? 100;
}

export function chooseBrightness(percent: number): void {
  remember("brightness", String(percent));
  applyPalette();
}

/** Applies the choice, and follows the system's mode from now on. */
export function applyPalette(): void {
  const page = document.documentElement;
  page.dataset.palette = chosenPalette();
  page.style.setProperty("--dark", String(1 - chosenBrightness() / 100));
  systemDark.onchange = applyPalette;
}
