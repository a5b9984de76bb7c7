// Hour counters of lamps in minutes, in Debian's Chromium against the built program: the pages that
// show them, or hours that are divided, say by how much, and stop when the counters are mended.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFleet, type PlcReading } from "../rig/fleet.ts";
import { launchBrowser, openPage, type Plant, startPlant } from "../rig/onboard-page.ts";
import { printedRandom } from "../rig/random.ts";

const NOTE = "The PLC's lamp hour counters run 60 times too fast.";

let browser: Browser;
let plant: Plant;
const fleet = openFleet(printedRandom("page-lamp-counters"), () => 1000);
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = Math.round(Number(reading[name]) * 60);
  };
  await publish(fleet.operate({ alter }));
  await until(60);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("Trends and Lamps say that the counters run too fast, while they do", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const note = page.locator("[data-test=counters]");
  const open = (hash: string) => page.goto(`${plant.url}/?lang=en${hash}`);
  await open("#/trends?fields=LAMP_07_RUNTIME,UVR_INTENSITY");
  await note.getByText(NOTE).waitFor();
  await expect.poll(() => note.textContent()).toContain("all other lamp hours are divided by 60");
  await open("#/trends?fields=UVR_INTENSITY");
  await note.waitFor({ state: "detached" });
  await open("#/lamps");
  await note.getByText(NOTE).waitFor();
  await publish(fleet.operate());
  await until(null);
  await note.waitFor({ state: "detached" });
  expect(view.complaints).toEqual([]);
});

test("counters at no plain pace leave no forecast on pages, and no hours in /metrics", async () => {
  await using odd = await startPlant();
  const ship = openFleet(printedRandom("page-lamp-counters: odd"), () => 1000);
  await publish(ship.operate(), odd);
  await odd.program.waitUntil("forecasts", async () => {
    const made = await (await fetch(`${odd.url}/api/predictions?newest=each_lamp`)).json();
    return made.length === 16;
  });
  await using view = await openPage(browser, odd);
  const { page } = view;
  const answered = (path: string) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname === path);
  // A page that follows asks once more, and then no longer at intervals.
  const following = answered("/stream").then(() => answered("/api/lamps"));
  await page.goto(`${odd.url}/?lang=en#/lamps`);
  // Output, hours, and hours left of each.
  const left = page.locator(".lamp-list tbody tr").getByRole("button", { name: /^\d+$/ });
  await left.first().waitFor();
  await following;
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = 1024 + 7 * (Number(reading[name]) - 1024);
  };
  // So few hours that no forecast would be due.
  await publish(ship.operate({ hours: 3, alter }), odd);
  const note = page.locator("[data-test=counters]");
  await note.getByText("Forecasts of lamp life are suspended.").waitFor();
  await expect.poll(() => left.count()).toBe(0);
  await expect.poll(() => page.locator("#content tbody tr").count()).toBeGreaterThanOrEqual(16);
  const metrics = await (await fetch(`${odd.url}/metrics`)).text();
  expect(metrics).toContain("ballastd_lamp_efficiency_ratio");
  expect(metrics).not.toContain("ballastd_lamp_runtime_seconds{");
  expect(view.complaints).toEqual([]);
});

async function publish(readings: readonly PlcReading[], to = plant): Promise<void> {
  for (let at = 0; at < readings.length; at += 100)
    await to.publish("telemetry", readings.slice(at, at + 100));
}

/** Waits until `/api/lamps` has this divisor. */
async function until(divisor: number | null): Promise<void> {
  await plant.program.waitUntil(`counters / ${divisor}`, async () => {
    const { counters } = await (await fetch(`${plant.url}/api/lamps`)).json();
    return (counters?.divided_by ?? null) === divisor;
  });
}
