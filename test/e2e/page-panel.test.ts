// The panel in Debian's Chromium against the built program, by a clock that the test moves on: the
// rail leaves and comes back, the picture shifts, night comes by two clock times, any page comes
// back to it; nothing scrolls; and the mimic draws flow only where flow is known and of now.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPlantFacts, waterWay } from "../../src/dashboard/overview/plant-facts.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";

const now_ms = Date.now();

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await plant.publish("telemetry", [
    {
      ...{ timestamp: now_ms, UVR_INTENSITY: 640, SYS_FLOW_RATE: 400, FLT_DIFF_PRESSURE: 0.3 },
      ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "IMO" },
    },
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Figures that the button of the panel's settings covers. */
const coveredValues = (page: Page) =>
  page.evaluate(() => {
    const over = document.querySelector(".wall-choices")?.getBoundingClientRect();
    const figures = [...document.querySelectorAll(".wall .figure, .wall .way, .wall .outlook")];
    return figures
      .filter((figure) => {
        const text = document.createRange();
        text.selectNodeContents(figure);
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return (
          over && left < over.right && right > over.left && top < over.bottom && bottom > over.top
        );
      })
      .map((figure) => figure.textContent);
  });

test("the panel fits the screen in both views and breaks no rule of WCAG", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await loadAxe(page);
  const found: string[] = [];
  for (const [width, height] of [
    [1024, 768],
    [1280, 800],
    [1920, 1080],
  ] as const)
    for (const name of ["lamps", "plant"]) {
      await page.setViewportSize({ width, height });
      await page.evaluate((hash) => window.location.replace(hash), `#/panel?view=${name}`);
      await page.locator(`.wall.${name} .figure.large`).waitFor(REFRESH);
      const size = await page.evaluate(() => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        return `${scrollWidth}x${scrollHeight}`;
      });
      if (size !== `${width}x${height}`) found.push(`${name} at ${width}x${height}: ${size}`);
      found.push(
        ...(await coveredValues(page)).map((one) => `${name} at ${width}: ${one} is covered`),
      );
      found.push(...(await violations(page)).map((line) => `${name}: ${line}`));
    }
  expect(found).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test("the mimic draws flow through the reactor only while it is known and of now", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/panel?view=plant`);
  const way = page.locator("[data-test=way]");
  const send = (given: object) =>
    plant.publish("telemetry", [
      { timestamp: Date.now(), operation_type: "BALLAST", UVR_INTENSITY: 640, ...given },
    ]);
  const drawn = async (wanted: string, pipes: number) => {
    await expect.poll(() => way.getAttribute("data-way"), REFRESH).toBe(wanted);
    await expect.poll(() => page.locator(".mimic .pipe.flows").count()).toBe(pipes);
  };
  await send({ PROCESS_STATE: "RUNNING", SYS_FLOW_RATE: 400 });
  await drawn("reactor", 3);
  await send({ PROCESS_STATE: "BYPASS", SYS_FLOW_RATE: 400 });
  await drawn("bypass", 3);
  await send({ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 });
  await drawn("none", 0);
  await send({ PROCESS_STATE: "RUNNING", SYS_FLOW_RATE: 32767 });
  await drawn("unknown", 0);
});

test("an old, doubted or missing flow has no way", () => {
  const reading = (values: object, beside: object = {}) => ({
    reading: { timestamp: "2026-05-01T06:30:00.000Z", values, times: {}, doubted: {}, ...beside },
  });
  const way = (body: object) => {
    const facts = readPlantFacts(body)?.value;
    return facts === undefined ? null : waterWay(facts, 1000);
  };
  const running = { PROCESS_STATE: "running", SYS_FLOW_RATE: 400 };
  expect(way(reading(running))).toBe("reactor");
  const earlier = { times: { SYS_FLOW_RATE: "2026-05-01T06:20:00.000Z" } };
  expect(way(reading(running, earlier))).toBe("unknown");
  expect(way(reading(running, { doubted: { SYS_FLOW_RATE: { value: 1 } } }))).toBe("unknown");
  expect(way(reading({ SYS_FLOW_RATE: 15 }))).toBe("none");
  expect(way(reading({ SYS_FLOW_RATE: 400 }))).toBe("somewhere");
  expect(way({ reading: null })).toBe("unknown");
  expect(way({ reading: 7 })).toBe(null);
});
