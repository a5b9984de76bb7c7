// The texts of the fleet page in the language that is spoken. They are chunks of this page alone,
// so that the page aboard doesn't grow by them.

import { currentLanguage, speak, speakEverywhere, type Texts } from "../language/area.ts";
import { fleetWords } from "../language/en/fleet.ts";

const LOADS: Readonly<Record<string, () => Promise<Texts>>> = {
  ja: async () => (await import("../language/ja/fleet.ts")).jaFleet,
  ko: async () => (await import("../language/ko/fleet.ts")).koFleet,
  es: async () => (await import("../language/es/fleet.ts")).esFleet,
  pt: async () => (await import("../language/pt/fleet.ts")).ptFleet,
};

/** Has all texts of this page; what can't be loaded stays English. */
export async function speakFleet(): Promise<void> {
  try {
    await speakEverywhere();
    const spoken = currentLanguage();
    const { area } = fleetWords;
    const load = LOADS[spoken.code];
    if (load === undefined || spoken.areas[area] !== undefined) return;
    const texts = await load();
    if (currentLanguage() === spoken)
      speak({ ...spoken, areas: { ...spoken.areas, [area]: texts } });
  } catch {
    // The server is away; the page says so by itself.
  }
}
