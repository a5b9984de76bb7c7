// A PLC whose clock is ahead, on the onboard page: every page says what is wrong since when and
// what to do, none sends anybody to a cable, and the page System takes in what was quarantined.

import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGE_NAMES } from "../../src/dashboard/shell/page-names.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const TOKEN = "token-of-the-test";
const HOUR_MS = 3_600_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const reading = (at_ms: number) => ({
  ...{ timestamp: new Date(at_ms).toISOString(), PROCESS_STATE: "RUNNING" },
  ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 500, UVR_INTENSITY: 600 },
});

/** Publishes four readings a second, 3 h ahead, until it is told to stop; the number of them. */
async function sendAhead(plant: Plant, stopped: AbortSignal): Promise<number> {
  let sent = 0;
  while (!stopped.aborted) {
    await plant.publish("telemetry", reading(Date.now() + 3 * HOUR_MS));
    sent += 1;
    await pause(250);
  }
  return sent;
}

const jsonOf = async (plant: Plant, path: string) => (await fetch(plant.url + path)).json();

/** The states that the page, readiness, metrics and the overview say at one time. */
async function saidOf(plant: Plant) {
  const { ready, quarantining, plc_clock } = await jsonOf(plant, "/readyz");
  const { verdict, treating, tick, time_to_limit } = await jsonOf(plant, "/api/overview");
  const metrics = await (await fetch(`${plant.url}/metrics`)).text();
  const measured = /^ballastd_(treating|uv_intensity_watts_per_square_meter) /m.test(metrics);
  const { all } = quarantining;
  const off_h = Math.round(plc_clock.off_seconds / 3600);
  return { ready, all, off_h, verdict, treating, tick, hours: time_to_limit.hours, measured };
}

test("a clock ahead is named on each page, and a button takes in the messages", async () => {
  await using plant = await startPlant({ BALLASTD_AUTH_TOKEN: TOKEN });
  await plant.publish("telemetry", reading(Date.now()));
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  const banner = page.locator('[data-test="quarantining"]');
  const stopping = new AbortController();
  // A minute without a message would be said as well.
  const sending = sendAhead(plant, stopping.signal);
  await banner.getByText("quarantined").waitFor(REFRESH);
  await expect
    .poll(() => saidOf(plant))
    .toEqual({
      ...{ ready: false, all: true, off_h: 3, verdict: "quarantined", treating: null, tick: false },
      ...{ hours: null, measured: false },
    });
  await page.getByText("Not known: messages arrive, but are quarantined").waitFor(REFRESH);
  for (const place of [page.locator('[data-test="messages"]'), page.locator("main .ages")])
    await place.filter({ hasText: /quarantined since \d\d:\d\d\sUTC/ }).waitFor(REFRESH);
  for (const name of PAGE_NAMES) {
    await goTo(page, name);
    await page.locator("main[aria-label]").waitFor(REFRESH);
    const said = (await banner.textContent())?.trim().replace(/\s/g, " ");
    expect(said?.replace(/\d+ messages since \d\d:\d\d/, "N messages since T")).toBe(
      "The PLC's clock is 3 h ahead. N messages since T UTC are quarantined, nothing is lost. " +
        "Set its clock. Then take them in",
    );
    await expect.poll(() => page.locator(".banners").textContent()).not.toContain("not ready");
    await expect.poll(() => page.locator("body").textContent()).not.toContain("cable");
  }
  stopping.abort();
  const sent = await sending;
  await goTo(page, "overview");
  await banner.getByRole("link", { name: "Then take them in" }).click();
  await useToken(page);
  await page.getByLabel("Only of the reason").selectOption("future", REFRESH);
  const shift = page.getByLabel("Seconds to add to its times");
  await shift.waitFor(REFRESH);
  await expect.poll(() => shift.inputValue()).toBe("-10800");
  const all = page.getByRole("button", { name: "Take in all that wait: Dated later than now" });
  await all.click();
  await page.getByText(`Readings and records stored: ${sent}.`).waitFor(REFRESH);
  await page.getByText("Nothing remains of it.").waitFor(REFRESH);
  const { quarantine, database } = await jsonOf(plant, "/api/system");
  expect(quarantine.reasons).toMatchObject([{ reason: "future", waiting: 0 }]);
  expect(database.readings).toBe(sent + 1);
  expect(Date.parse(database.newest)).toBeLessThan(Date.now());
  // The browser names each /readyz that isn't ready.
  expect(view.complaints.filter((line) => !line.includes("status of 503"))).toEqual([]);
});

test("a full disk is said to be full, and no PLC to be missing", async () => {
  await using plant = await startPlant({
    ...{ BALLASTD_STORAGE_FREE_STOP: "8000000 GiB", BALLASTD_STORAGE_FREE_WARN: "8000000 GiB" },
  });
  await using view = await openPage(browser, plant);
  const messages = view.page.locator('[data-test="messages"]');
  await messages.filter({ hasText: "disk full: messages are not stored" }).waitFor(REFRESH);
  await expect.poll(() => messages.textContent()).not.toContain("PLC");
  expect(await jsonOf(plant, "/readyz")).toMatchObject({ ready: false, not_stored: "disk_full" });
});

async function goTo(page: Page, name: string): Promise<void> {
  await page.evaluate((hash) => window.location.replace(`#/${hash}`), name);
}

async function useToken(page: Page): Promise<void> {
  await page.getByLabel("Token", { exact: true }).fill(TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
}
