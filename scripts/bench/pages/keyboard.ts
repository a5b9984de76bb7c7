// Rows of the keyboard: stories played with Tab, Enter, arrows and bare keys alone, the focus
// visible at every stop; and on each page the bare keys that work are those that `?` lists.

import type { Page } from "playwright-core";
import { PAGES, settle, speak, turnTo } from "../../../test/rig/page-walk.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

const TOKEN = "token-of-the-chief-engineer";
/** More stops than any page has before what a story looks for. */
const STOPS_MAX = 120;

export const keyboard: Group = {
  name: "keyboard",
  about: "stories by keyboard alone, visible focus, and the list of keys",
  async measure(stage) {
    await using ship = await stage.empty({ BALLASTD_AUTH_TOKEN: TOKEN });
    await sail(ship, { now_ms: Date.now() });
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const unseen: string[] = [];
    const failed: string[] = [];
    for (const [name, play] of Object.entries(STORIES)) {
      await speak(page, ship.url, "en");
      await play(page, unseen).catch((error: Error) => failed.push(`${name}: ${error.message}`));
    }
    const keys: string[] = [];
    for (const name of PAGES) keys.push(...(await unlikeKeys(page, ship.url, name)));
    await context.close();
    const stories = Object.keys(STORIES).length;
    return [
      failures(`stories that the keyboard alone can't tell, of ${stories}`, "stories", failed),
      failures("stops of Tab without a visible focus", "stops", unseen),
      failures("bare keys that work unlisted, or are listed and don't", "keys", keys),
    ];
  },
};

const STORIES: Readonly<Record<string, (page: Page, unseen: string[]) => Promise<void>>> = {
  "acknowledge an alert": async (page, unseen) => {
    await page.keyboard.press("4");
    const unacknowledged = page.getByRole("button", { name: /^Acknowledge here/ });
    await unacknowledged.first().waitFor();
    const before = await unacknowledged.count();
    await tabTo(page, /^Acknowledge here/, unseen);
    await page.keyboard.press("Enter");
    await page.getByLabel("Token").waitFor();
    if (!(await isFocused(page, "input"))) await tabTo(page, /^$/, unseen);
    await page.keyboard.type(TOKEN);
    await page.keyboard.press("Enter");
    await unacknowledged.nth(before - 1).waitFor({ state: "detached" });
  },
  "the hours of lamp 13": async (page, unseen) => {
    await page.keyboard.press("3");
    await page.locator("#life").waitFor();
    await tabTo(page, /^Lamp 13/, unseen);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Lamp 13, row/ }).waitFor();
    await page
      .locator("#life ~ * dd")
      .getByText(/^268\d/)
      .waitFor();
  },
  "a field over the last month": async (page, unseen) => {
    await page.keyboard.press("2");
    await page.locator(".chart canvas").waitFor();
    await tabTo(page, /^30 d/, unseen);
    await page.keyboard.press("Enter");
    await page.keyboard.press(",");
    await page.waitForFunction(() =>
      /\d/.test(document.querySelector("[data-test=at-cursor]")?.textContent ?? ""),
    );
  },
  "a file of readings": async (page, unseen) => {
    await page.keyboard.press("7");
    await page.getByRole("button", { name: "Download" }).waitFor();
    await tabTo(page, /^Download/, unseen);
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    await (await download).cancel();
  },
};

/** Presses Tab until the focused control reads so, once the page has come to rest. */
async function tabTo(page: Page, words: RegExp, unseen: string[]): Promise<void> {
  await settle(page);
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press("Tab");
    const {
      text,
      isVisible,
      why = "",
    } = await page.evaluate(() => {
      const part = document.activeElement ?? document.body;
      // Past the last stop the browser's own controls have the focus.
      if (part === document.body) return { text: "", isVisible: true };
      const { outlineStyle, outlineWidth } = getComputedStyle(part);
      const { bottom, top } = part.getBoundingClientRect();
      const isInSight = bottom > 0 && top < window.innerHeight;
      const isRinged = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      const why = `${outlineStyle} ${outlineWidth}, at ${Math.round(top)} px`;
      return { text: part.textContent?.trim() ?? "", isVisible: isRinged && isInSight, why };
    });
    if (!isVisible) unseen.push(`${text.slice(0, 40)} ${why}`);
    if (words.test(text)) return;
  }
  throw new Error(`${STOPS_MAX} stops of Tab don't reach ${words}`);
}

const isFocused = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

/** The keys of a page that are bound and not listed, or listed and not bound. */
async function unlikeKeys(page: Page, url: string, name: string): Promise<readonly string[]> {
  await speak(page, url, "en");
  await turnTo(page, name);
  await page.keyboard.press("?");
  const shown = await page.locator(".keys kbd").allTextContents();
  const listed = new Set(shown.map((key) => (key.length === 1 ? key.toLowerCase() : key)));
  await page.keyboard.press("Escape");
  const candidates = [
    ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
    ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"],
    ...["Escape", "Delete", "Backspace", " "],
  ].filter((key) => key === key.toLowerCase() || key.length > 1);
  const working = await page.evaluate(
    ([keys, hash]) =>
      keys.filter((key) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        if (window.location.hash !== hash) window.location.hash = hash;
        return event.defaultPrevented;
      }),
    [candidates, `#/${name}`] as const,
  );
  return [
    ...working.filter((key) => !listed.has(key)).map((key) => `${name}: ${key} isn't listed`),
    ...[...listed].filter((key) => !working.includes(key)).map((key) => `${name}: ${key} idle`),
  ];
}
