// axe-core in the page: the rules of WCAG 2.2 AA, each violation as a line.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Puts axe into the page that is open; once a load. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(source);
}

/** The violations of the page as it is drawn; of the rules that depend on colours alone if so. */
export async function violations(page: Page, rules?: "colours"): Promise<readonly string[]> {
  const only = rules === undefined ? AA : ["color-contrast", "link-in-text-block"];
  const found: AxeResults["violations"] = await page.evaluate(
    async (run) => (await Reflect.get(window, "axe").run(document, run)).violations,
    { runOnly: only, resultTypes: ["violations"] },
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.length}, ${nodes[0]?.html.slice(0, 120)}`);
}
