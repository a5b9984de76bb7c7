// Rows of accessibility: axe-core on every page, in each language, palette and width. All rules run
// in one palette; in the others those that depend on colours, which is all that a palette changes.

import { loadAxe, violations } from "../../../test/rig/page-axe.ts";
import { LANGUAGES, PAGES, PALETTES, paint, speak, turnTo } from "../../../test/rig/page-walk.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

const WIDTHS = [360, 1280, 3840] as const;

export const axe: Group = {
  name: "axe",
  about: "axe-core, WCAG 2.2 AA, on pages x palettes x languages x widths",
  async measure(stage) {
    await using ship = await stage.empty();
    await sail(ship, { now_ms: Date.now() });
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const found: string[] = [];
    let pictures = 0;
    for (const language of [...LANGUAGES, "pseudo"]) {
      await speak(page, ship.url, language);
      await loadAxe(page);
      for (const name of [...PAGES, "overview?at=2000-01-01T00%3A00%3A00.000Z"]) {
        await turnTo(page, name);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          for (const [index, palette] of PALETTES.entries()) {
            await paint(page, palette);
            const broken = await violations(page, index === 0 ? undefined : "colours");
            found.push(
              ...broken.map((line) => `${name} ${language} ${width} px ${palette}: ${line}`),
            );
            pictures += 1;
          }
        }
      }
    }
    await context.close();
    return [failures(`violations of WCAG 2.2 AA, ${pictures} pictures`, "violations", found)];
  },
};
