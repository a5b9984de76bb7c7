// Rows of the layout: nothing overflows, is cut off or overlaps in any language and at any width,
// with port names that no page was made for; and every target is as large as a finger.

import { misfits, smallTargets } from "../../../test/rig/page-layout.ts";
import { LANGUAGES, PAGES, settle, speak, turnTo } from "../../../test/rig/page-walk.ts";
import { PORTS, sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";
import type { Stage } from "./stage.ts";

const WIDTHS = { 360: 740, 768: 1024, 1280: 900, 3840: 2160 } as const;

/** Gloves are worn where the overview is read. */
const LEAST_PX = { overview: 56, others: 44 };

export const layout: Group = {
  name: "layout",
  about: "texts that fit at 360 to 3840 px in each language; the size of targets",
  async measure(stage) {
    const plain = await measureShip(stage, PORTS.plain, [...LANGUAGES, "pseudo"]);
    const names: string[] = [];
    for (const port of [PORTS.long, PORTS.rightToLeft, PORTS.emoji])
      names.push(...(await measureShip(stage, port, ["en"])).misfits);
    const pictures = PAGES.length * Object.keys(WIDTHS).length;
    return [
      failures(`texts that don't fit, ${6 * pictures} pictures`, "texts", plain.misfits),
      failures(`the same with odd port names, ${3 * pictures} pictures`, "texts", names),
      failures("targets below 44 px (56 on Overview) or nearer than 8 px", "targets", plain.small),
    ];
  },
};

async function measureShip(stage: Stage, port: string, languages: readonly string[]) {
  await using ship = await stage.empty();
  await sail(ship, { now_ms: Date.now(), port });
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  const found: { misfits: string[]; small: string[] } = { misfits: [], small: [] };
  for (const language of languages) {
    await speak(page, ship.url, language);
    for (const name of PAGES) {
      await turnTo(page, name);
      for (const [width, height] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width: Number(width), height });
        await settle(page);
        const where = `${name} ${language} ${width} px`;
        found.misfits.push(...(await misfits(page)).map((fault) => `${where}: ${fault}`));
        if (language !== "en" || Number(width) > 1280) continue;
        const least_px = name === "overview" ? LEAST_PX.overview : LEAST_PX.others;
        const small = await smallTargets(page, least_px);
        found.small.push(...small.map((fault) => `${where}: ${fault}`));
      }
    }
  }
  await context.close();
  return found;
}
