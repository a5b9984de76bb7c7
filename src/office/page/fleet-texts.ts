// The texts of the fleet page in the chosen language. They are chunks of this page only, so that
// the page aboard doesn't grow.

import { type Areas, currentLanguage, speak, speakEverywhere } from "../../dashboard/lang/area.ts";
import { fleetWords } from "../../dashboard/lang/words.ts";

const LOADS: Readonly<Record<string, () => Promise<Areas>>> = {
  ja: async () => (await import("../../dashboard/lang/ja.json?fleet")).default,
  ko: async () => (await import("../../dashboard/lang/ko.json?fleet")).default,
  es: async () => (await import("../../dashboard/lang/es.json?fleet")).default,
  pt: async () => (await import("../../dashboard/lang/pt.json?fleet")).default,
};

/** Loads all texts of this page; those that can't be loaded stay English. */
export async function speakFleet(): Promise<void> {
  try {
    await speakEverywhere();
    const spoken = currentLanguage();
    const { area } = fleetWords;
    const load = LOADS[spoken.code];
    if (load === undefined || spoken.areas[area] !== undefined) return;
    const areas = await load();
    if (currentLanguage() === spoken) speak({ ...spoken, areas: { ...spoken.areas, ...areas } });
  } catch {
    // The server can't be reached, which the page shows anyway.
  }
}
