// Layout as a person sees it, asked of the drawn page: texts that leave their box, are cut off or
// lie over each other; targets too small or too close for a finger. Each fault is a line.

import type { Page } from "playwright-core";

/** Everything that doesn't fit on the page at its present width. */
export async function misfits(page: Page): Promise<readonly string[]> {
  const found = [await page.evaluate(escapes), await page.evaluate(overlaps)];
  return [...new Set(found.flat())];
}

/** From now on the page is on a touch screen: `pointer: coarse`. */
export async function useFingers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
}

/** Targets smaller than `least_px` in a direction, or closer than 8 px to the next. */
export function smallTargets(
  page: Page,
  least_px: number,
  within = "body",
): Promise<readonly string[]> {
  return page.evaluate(targets, [least_px, within] as const);
}

/** Words of letters that are broken inside, for want of room. */
export function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(broken);
}

/** Keys of the configuration that stand for words; a command to be copied has them. */
export function shownKeys(page: Page, keys: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((all) => {
    const body = document.body.cloneNode(true);
    if (body instanceof Element)
      for (const command of body.querySelectorAll("[data-copy]")) command.remove();
    const text = body.textContent ?? "";
    return all.filter((key) => text.includes(key));
  }, keys);
}

// These run in the page, each by itself, so they can't share code.

function escapes(): string[] {
  const name = (part: Element) => `${part.localName} "${part.textContent?.trim().slice(0, 40)}"`;
  const faults: string[] = [];
  const beyond_px = document.documentElement.scrollWidth - window.innerWidth;
  if (beyond_px > 0) faults.push(`the page is ${beyond_px} px wider than the screen`);
  const BOXES = "button, a, td, th, dd, dt, li, label, p, h1, h2, h3, summary, section, header";
  const isScrolled = (part: Element | null): boolean =>
    part !== null &&
    (/auto|scroll/.test(getComputedStyle(part).overflowX) || isScrolled(part.parentElement));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const box = node.parentElement?.closest(BOXES) ?? null;
    if (box === null || node.textContent?.trim() === "" || isScrolled(box)) continue;
    if (box.closest(".skip, noscript, script") !== null) continue;
    // A text for screen readers isn't drawn.
    const { clipPath, visibility } = getComputedStyle(node.parentElement ?? box);
    if (clipPath !== "none" || visibility === "hidden") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const around = box.getBoundingClientRect();
    const isInline = getComputedStyle(box).display === "inline";
    for (const { left, right, bottom, width } of range.getClientRects()) {
      if (width < 2) continue;
      if (right > window.innerWidth + 1 || left < -1) faults.push(`off the screen: ${name(box)}`);
      if (!isInline && (right > around.right + 1.5 || left < around.left - 1.5))
        faults.push(`leaves its box: ${name(box)}`);
      if (box.localName === "button" && bottom > around.bottom + 3)
        faults.push(`leaves its button below: ${name(box)}`);
    }
  }
  for (const part of document.querySelectorAll("body *")) {
    const { overflowX, clipPath, visibility } = getComputedStyle(part);
    const isDrawn = clipPath === "none" && visibility !== "hidden";
    const isCut = /hidden|clip/.test(overflowX) && isDrawn;
    if (isCut && part.closest("svg, .chart") === null && part.clientWidth > 1)
      if (part.scrollWidth > part.clientWidth + 1) faults.push(`cut off: ${name(part)}`);
    if (part instanceof HTMLInputElement && part.scrollWidth > part.clientWidth + 1)
      faults.push(`cut off: input ${part.value}`);
  }
  return faults;
}

function overlaps(): string[] {
  const name = (part: Element) => `${part.localName} "${part.textContent?.trim().slice(0, 40)}"`;
  const faults: string[] = [];
  const texts: { rect: DOMRect; part: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const part = node.parentElement;
    if (part === null || node.textContent?.trim() === "") continue;
    if (part.closest(".skip, noscript, script, option, svg") !== null) continue;
    const { clipPath, visibility } = getComputedStyle(part);
    if (clipPath !== "none" || visibility === "hidden") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) if (rect.width > 1) texts.push({ rect, part });
  }
  texts.sort((one, other) => one.rect.top - other.rect.top);
  // Parts that lie over the page on purpose.
  const layer = (part: Element) => part.closest("nav.pages, .alert-bar, .evidence, .menu");
  for (const [at, one] of texts.entries())
    for (const other of texts.slice(at + 1)) {
      if (other.rect.top > one.rect.bottom - 4) break;
      const [a, b] = [one.rect, other.rect];
      const across_px = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down_px = Math.min(a.bottom, b.bottom) - b.top;
      if (across_px < 2 || down_px < 0.35 * Math.min(a.height, b.height)) continue;
      if (layer(one.part) === layer(other.part))
        faults.push(`${name(one.part)} overlaps ${name(other.part)}`);
    }
  return faults;
}

function broken(): string[] {
  const faults: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const part = node.parentElement;
    if (part === null || part.closest("svg, .skip, noscript, script, option") !== null) continue;
    // A text for screen readers isn't drawn.
    if (getComputedStyle(part).clipPath !== "none") continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(
      /(?<![\w+/=à-ÿ])[a-zà-ÿ]{3,15}(?![\w+/=à-ÿ])/gi,
    )) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push(`${word} in ${part.textContent?.slice(0, 40)}`);
    }
  }
  return [...new Set(faults)];
}

function targets([least_px, within]: readonly [number, string]): string[] {
  const APART_PX = 8;
  const name = (part: Element) => `${part.localName} "${part.textContent?.trim().slice(0, 30)}"`;
  const found: { rect: DOMRect; part: Element }[] = [];
  const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  for (const part of document.querySelectorAll(all)) {
    if (part.closest(within) === null) continue;
    // The words beside a field reach it too, and all of a tile its number.
    const around = part.matches(".evident.whole") ? ".tape, section" : ".time-entry";
    const isWider = part.localName === "input" || part.matches(".evident.whole");
    const target = isWider ? (part.closest(around) ?? part.closest("label") ?? part) : part;
    const rect = target.getBoundingClientRect();
    if (rect.width > 0 && rect.height > 0 && rect.right > 0) found.push({ rect, part: target });
  }
  const size = ({ width, height }: DOMRect) => `${Math.round(width)} x ${Math.round(height)} px`;
  const faults = found
    .filter(({ rect }) => Math.min(rect.width, rect.height) < least_px - 0.5)
    .map(({ rect, part }) => `${size(rect)}: ${name(part)}`);
  const layer = (part: Element) => part.closest("nav.pages, .alert-bar, .evidence");
  for (const [at, one] of found.entries())
    for (const other of found.slice(at + 1)) {
      if (one.part.contains(other.part) || other.part.contains(one.part)) continue;
      if (layer(one.part) !== layer(other.part)) continue;
      const [a, b] = [one.rect, other.rect];
      const across_px = Math.max(a.left, b.left) - Math.min(a.right, b.right);
      const down_px = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
      const apart_px = Math.max(across_px, down_px);
      if (apart_px < APART_PX - 0.5)
        faults.push(`${Math.round(apart_px)} px apart: ${name(one.part)} and ${name(other.part)}`);
    }
  return [...new Set(faults)];
}
