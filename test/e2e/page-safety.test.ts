// Names, texts and tags of strangers are shown by the onboard page in Chromium as text and nothing
// else; and the policy sent with every page is kept without complaint.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";
import { readModules, readTexts, root } from "../rig/sources.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Markup that would tell on itself in the window's title, were it taken for markup. */
const markup = (where: string) =>
  `${where}"'><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;

async function isUntaken(page: Page): Promise<void> {
  expect(await page.title()).not.toBe("taken");
  await expect.poll(() => page.locator("body img, body script, body iframe").count()).toBe(0);
}

describe("the onboard page", () => {
  test("shows markup from every source as text", async () => {
    const names = {
      BALLASTD_SYSTEM_VESSEL: markup("vessel"),
      BALLASTD_SYSTEM_IMO: markup("number"),
      BALLASTD_LIMITS_SOURCE: markup("source"),
    };
    await using plant = await startPlant(names);
    const timestamp = new Date(Date.now() - 3000).toISOString();
    await plant.publish("telemetry", {
      timestamp,
      PROCESS_STATE: markup("state"),
      COMPLIANCE_MODE: markup("mode"),
      WATER_QUALITY: markup("quality"),
      LAMP_03_STATUS: markup("lamp"),
      OWN_TAG: markup("own"),
    });
    const description = markup("described");
    // Both fit into a line; a longer text is cut.
    const data = { operation_type: "<img src=x>", location: "<script>x</script>" };
    await plant.publish("events", [
      { timestamp, event_type: "ALARM_TRIGGERED", description, data },
      { timestamp, event_type: "PROCESS_START", data },
    ]);
    await using view = await openPage(browser, plant);
    const { page } = view;
    for (const where of ["vessel", "number", "source", "state"])
      await page.getByText(markup(where)).first().waitFor(REFRESH);
    await page.goto(`${plant.url}/#/alerts`);
    await page.locator("[data-test=open-alert] .title").first().click(REFRESH);
    await page.getByText(markup("described")).first().waitFor(REFRESH);
    await page.goto(`${plant.url}/#/alerts?list=past`);
    await page.getByText(markup("described")).first().waitFor(REFRESH);
    await page.getByText(`started at ${data.location}`).first().waitFor(REFRESH);
    expect(await page.title()).toBe(`Alerts · ${markup("vessel")} · BWTS-001 · ballastd`);
    await isUntaken(page);
    expect(view.complaints).toEqual([]);
  });

  test("shows what can't be printed, and what would turn text round, as a mark", LONG, async () => {
    // The ship's own name may be of letters from right to left; the configuration refuses the rest.
    const vessel = "Ardent \u05e9\u05dc\u05d5\u05dd";
    await using plant = await startPlant({ BALLASTD_SYSTEM_VESSEL: vessel });
    const timestamp = new Date(Date.now() - 3000).toISOString();
    const description = "lamp\u0000 7\r\nfailed \u202edeliaf\u202c \u200bhere";
    await plant.publish("events", { timestamp, event_type: "ALARM_TRIGGERED", description });
    await using view = await openPage(browser, plant);
    const event = view.page.getByText("lamp\ufffd 7 failed \ufffddeliaf\ufffd \ufffdhere");
    await event.first().waitFor(REFRESH);
    await expect.poll(() => view.page.locator("h1").textContent()).toBe(vessel);
    expect(await view.page.title()).toBe(`Overview · ${vessel} · BWTS-001 · ballastd`);
    expect(view.complaints).toEqual([]);
  });

  test("lets nothing in that isn't its own", async () => {
    await using plant = await startPlant();
    await using view = await openPage(browser, plant);
    const { page } = view;
    await page.getByText("No reading yet", { exact: true }).waitFor(REFRESH);
    await page.evaluate(async () => {
      const found: string[] = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        found.push(event.effectiveDirective),
      );
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken'";
      const style = document.createElement("style");
      style.textContent = "body { display: none }";
      const picture = document.createElement("img");
      picture.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
      const frame = document.createElement("iframe");
      frame.src = "/docs";
      document.body.append(script, style, picture, frame);
      await fetch("http://127.0.0.1:9/").catch(() => null);
      Reflect.set(window, "violations", found);
    });
    const violations = () => page.evaluate<string[]>(() => Reflect.get(window, "violations"));
    await expect
      .poll(async () => (await violations()).sort(), REFRESH)
      .toEqual(["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"]);
    expect(await page.title()).not.toBe("taken");
  });
});

describe("the policy of every page", () => {
  test("is strict, and goes with all that a browser may open", async () => {
    await using plant = await startPlant();
    const html = await (await fetch(plant.url)).text();
    const files = [...html.matchAll(/(?:href|src)="\.\/([^"]+)"/g)].map(([, file]) => `/${file}`);
    expect(files.length).toBeGreaterThan(2);
    // A browser shows no answer of the API as a page.
    for (const path of ["/", "/docs", ...files.filter((file) => !file.startsWith("/api/"))]) {
      const { headers } = await fetch(plant.url + path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy, path).toMatch(/^default-src 'none'; /);
      expect(policy, path).toMatch(/frame-ancestors 'none'/);
      expect(policy, path).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
      // Only files that are named by their content may be kept: an update must be seen at once.
      const isHashed = /^\/assets\/.*-[\w-]{8}\.(js|css|svg)$/.test(path);
      expect(headers.get("cache-control"), path).toMatch(isHashed ? /immutable/ : /^no-store$/);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
      expect(headers.get("referrer-policy"), path).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    }
    const answer = await fetch(`${plant.url}/api/stats`);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("the API's page keeps to it without complaint, its style in force", async () => {
    await using plant = await startPlant();
    await using view = await openPage(browser, plant);
    await view.page.goto(`${plant.url}/docs`);
    await view.page.getByRole("heading", { name: /API/ }).first().waitFor();
    const width = await view.page.evaluate(() => getComputedStyle(document.body).maxWidth);
    expect(width).toBe("960px");
    expect(view.complaints).toEqual([]);
  });
});

/** Calls, and looks behind in regular expressions, that Chrome 80 or Safari 13.1 lacks. */
const LATER_CALLS =
  "at|replaceAll|findLast|findLastIndex|toSorted|toReversed|toSpliced|with|hasOwn";
const LATER = new RegExp(`\\.(${LATER_CALLS}|groupBy|any)\\(|structuredClone\\(|\\(\\?<[=!]`, "g");

describe("the page's program", () => {
  test("calls nothing that browsers of 2020 lack, from wherever it takes it", LONG, async () => {
    await using plant = await startPlant();
    const start = await (await fetch(plant.url)).text();
    const folder = path.join(root, "dist", "dashboard", "assets");
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(scripts.filter((name) => start.includes(name))).toHaveLength(1);
    const found = scripts.flatMap((name) =>
      [...readFileSync(path.join(folder, name), "utf8").matchAll(LATER)].map(
        ({ index, input }) => `${name}: ${input.slice(index - 40, index + 20)}`,
      ),
    );
    expect(found).toEqual([]);
  });

  test("has no zod in it: where schemas are, it takes types only", () => {
    const sources = readModules(readTexts().filter(({ path }) => path.startsWith("src/")));
    const reached = new Set(
      sources.filter(({ path }) => /^src\/(dashboard|office\/page)\//.test(path)),
    );
    for (const { imports } of reached)
      for (const { from, typeOnly } of imports)
        for (const file of typeOnly ? [] : sources.filter(({ path }) => path === from))
          reached.add(file);
    const heavy = [...reached].filter(({ imports }) =>
      imports.some(({ from, typeOnly }) => from === "zod" && !typeOnly),
    );
    expect(reached.size).toBeGreaterThan(20);
    expect(heavy.map(({ path }) => path)).toEqual([]);
  });
});
