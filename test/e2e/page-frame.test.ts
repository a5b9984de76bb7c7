// The frame around the pages, in Chromium against the built program: addresses, keys, palettes,
// languages, the live connection with its losses, and an update of ballastd under an open page.

import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test as single } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { type LightMeter, openLightMeter } from "../rig/picture-light.ts";
import { BLACK_HOLE, CLEAR, type NetworkProxy, openProxy } from "../rig/proxy.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for time to pass, so they wait together.
const test = single.concurrent;

let browser: Browser;
let plant: Plant;
let meter: LightMeter;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  meter = await openLightMeter(browser);
  await plant.publish("telemetry", reading(649.5));
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("an address holds the page and its view; what it can't mean is told", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  const isLoaded = () => scripts.some((file) => file.includes("/chart-"));
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  expect(isLoaded()).toBe(false);
  await page.goto(`${plant.url}/#/trends`);
  await page.getByRole("main", { name: "Trends" }).waitFor();
  await page.getByRole("heading", { name: "Trends" }).waitFor();
  expect(isLoaded()).toBe(true);
  await page.goto(`${plant.url}/#/trends?%3Cimg%3E=1&no=2`);
  await page.getByText("something that the page doesn't know: <img>, no").waitFor();
  await page.goto(`${plant.url}/#/cargo`);
  await page.getByText("This address names no page: cargo. This is the overview.").waitFor();
  await page.goBack();
  await page.getByRole("main", { name: "Trends" }).waitFor();
  expect(view.complaints).toEqual([]);
});

test("bare keys open pages and change palette and light, not while one types", async ({
  expect,
}) => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const palette = () => page.evaluate(() => document.documentElement.dataset.palette);
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  // The tenth page; the eleventh has no digit.
  await page.keyboard.press("0");
  await page.getByRole("heading", { name: "Export" }).waitFor();
  await page.keyboard.press("1");
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  expect(await palette()).toBe("day");
  const seen = [];
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press("n");
    seen.push(await palette());
  }
  expect(seen).toEqual(["dusk", "night", "bright", "day"]);
  await page.keyboard.press("d");
  const dark = () => page.evaluate(() => getComputedStyle(document.body, "::after").opacity);
  expect(Number(await dark())).toBeGreaterThan(0);
  await page.keyboard.press("?");
  await expect
    .poll(() => page.locator(".keys kbd").allTextContents(), REFRESH)
    .toEqual([..."1234567890NDFP/?", "Escape", "[", "]"]);
  await page.getByLabel("Palette").focus();
  await page.keyboard.press("3");
  expect(new URL(page.url()).hash).toBe("#/overview");
  await page.getByLabel("Single keys are on").uncheck();
  await page.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("3");
  expect(new URL(page.url()).hash).toBe("#/overview");
  expect(view.complaints).toEqual([]);
});

test("by Tab alone one comes to the content and to every page, with a visible focus", async ({
  expect,
}) => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), REFRESH).toBe("content");
  await page.reload();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  const reached: string[] = [];
  for (let press = 0; press < 15; press += 1) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(() => {
        const focused = document.activeElement;
        const { outlineStyle } = getComputedStyle(focused ?? document.body);
        return `${focused?.textContent} ${outlineStyle === "none" ? "unseen" : ""}`.trim();
      }),
    );
  }
  const pages = [
    ...["Overview", "Trends", "Lamps", "Alerts", "Operations", "Health", "Handover", "Export"],
    "System",
  ];
  expect(reached).toEqual(expect.arrayContaining([...pages, "More"]));
});

test("night is dark from the first frame on, on every page", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.evaluate(() => localStorage.setItem("ballastd.palette", "night"));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  // The page of before is there until the new one asks for its script.
  const asked = page.waitForRequest(/\/assets\/index-.*\.js$/);
  void page.reload().catch(() => undefined);
  await asked;
  await page.locator("#page").waitFor({ state: "attached" });
  expect(await luminanceOf(page)).toBeLessThan(0.005);
  release();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  for (const name of ["overview", "trends", "system"]) {
    await page.goto(`${plant.url}/#/${name}`);
    await page.locator(`a[aria-current="page"][href="#/${name}"]`).first().waitFor();
    expect(await luminanceOf(page), name).toBeLessThan(0.02);
  }
});

test("each language is chosen in the menu, remembered, and fits a narrow telephone", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const [name, more] of [
    ["日本語", "その他"],
    ["한국어", "더 보기"],
    ["Español", "Más"],
    ["Português", "Mais"],
    ["English", "More"],
  ] as const) {
    await page.locator("nav.pages button").click();
    await page.locator(".settings select").nth(2).selectOption(name);
    await page.getByRole("button", { name: more, exact: true }).waitFor();
    expect(await width(), name).toBe(360);
    await page.reload();
    await page.getByRole("button", { name: more, exact: true }).waitFor();
  }
  await page.goto(`${plant.url}/?lang=pseudo`);
  await page.locator("nav.pages button").click();
  await page.locator("nav.pages", { hasText: "[Óvérvíéw" }).waitFor(REFRESH);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("header *, nav *, .menu *, footer *")]
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
      .filter((part) => getComputedStyle(part).display !== "inline")
      .map((part) => `${part.tagName} ${part.textContent}`),
  );
  expect(cut).toEqual([]);
  expect(await width()).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("news are shown at once; a frozen link is told, and its return", async ({ expect }) => {
  const network = await openProxy({ port: Number(new URL(plant.url).port) });
  await using view = await openPage(browser, throughNetwork(network));
  const { page } = view;
  let rounds = 0;
  let streams = 0;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/predictions") rounds += 1;
    if (pathname === "/stream") streams += 1;
  });
  // The first load may have opened its stream before anybody counted.
  await page.reload();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await expect.poll(() => streams).toBeGreaterThan(0);
  // A round of all requests would show it too, so it is repeated until none came in between.
  for (let intensity = 611; ; intensity += 1) {
    const before = rounds;
    await plant.publish("telemetry", reading(intensity));
    await page.getByText(`${intensity}`).first().waitFor(REFRESH);
    if (rounds === before) break;
  }
  const opened = streams;
  network.set({ up: BLACK_HOLE, down: BLACK_HOLE });
  const lost = page.getByText(/No connection to ballastd since/);
  await lost.waitFor(REFRESH);
  const link = page.locator('[data-test="link"]');
  await expect.poll(() => link.textContent(), REFRESH).toMatch(/^lost for \d+ (s|min)$/);
  // The reading is some seconds old, but nobody knows whether newer ones have come.
  await page.locator(".sign.quiet", { hasText: "Data" }).waitFor(REFRESH);
  await page.locator(".alert-link", { hasText: /^Last known: / }).waitFor(REFRESH);
  network.set({ up: CLEAR, down: CLEAR });
  await lost.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => streams).toBeGreaterThan(opened);
  network.close();
});

test("a ballastd that needs long for its answers is waited for", LONG, async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await page.route("**/api/overview", async (route) => {
    await pause(12_000);
    // The page may have given this one up.
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("an update loads the page again, but not under somebody typing", LONG, async ({ expect }) => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await page.evaluate(() => {
    const field = document.createElement("input");
    field.id = "typed";
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.type("half a sen");
  await page.route("**/version", (route) => route.fulfill({ json: { version: "9.9.9" } }));
  await page.getByText("This page loads again when you have finished typing").waitFor(REFRESH);
  await page.waitForTimeout(2_500);
  await expect.poll(() => page.locator("#typed").inputValue()).toBe("half a sen");
  await page.locator("#typed").fill("");
  await page.locator("#typed").blur();
  await page.locator("#typed").waitFor({ state: "detached", ...REFRESH });
  await page.getByText("ballastd 9.9.9").waitFor(REFRESH);
});

test("eight tabs of a browser with six connections all stay current", LONG, async ({ expect }) => {
  await using own = await startPlant();
  await own.publish("telemetry", reading(649.5));
  const context = await browser.newContext();
  const pages = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
  await Promise.all(pages.map((page) => page.goto(own.url)));
  const all = (text: string) =>
    Promise.all(pages.map((page) => page.getByText(text).first().waitFor(REFRESH)));
  await all("650");
  const open = async () => {
    const metrics = await (await fetch(`${own.url}/metrics`)).text();
    return Number(/streams_open (\d+)/.exec(metrics)?.[1]);
  };
  await expect.poll(open, REFRESH).toBe(3);
  await own.publish("telemetry", reading(611));
  await all("611");
  await pages[0]?.close();
  await expect.poll(open, REFRESH).toBe(3);
  await context.close();
});

function throughNetwork({ port }: NetworkProxy): Plant {
  return { ...plant, url: `http://127.0.0.1:${port}` };
}

/** Mean luminance of what is on the screen, white being 1. */
async function luminanceOf(page: Page): Promise<number> {
  return (await meter.read((await page.screenshot()).toString("base64"))).mean;
}

function reading(UVR_INTENSITY: number): object {
  const timestamp = new Date(Date.now() - 1_000).toISOString();
  return { timestamp, PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", UVR_INTENSITY };
}
