// A PLC that speaks oddly, on the page First watch in Debian's Chromium: its fields are given a
// meaning, the rules are written and count after the restart, and one is taken out again; and the
// topic and the PLC's time zone are set there too.

import { connectAsync } from "mqtt";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShip, TOKEN } from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { misfits } from "../rig/page-layout.ts";
import { LANGUAGES } from "../rig/page-walk.ts";
import { reservePort } from "../rig/port.ts";

const newFolder = foldersOfTests(afterAll);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A ship at ports that stay the same over a restart. */
async function openNewShip() {
  const [web, mqtt] = await Promise.all([reservePort(), reservePort()]);
  return openShip(newFolder, {
    env: {
      BALLASTD_HTTP_LISTEN: `127.0.0.1:${web.port}`,
      BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt.port}`,
    },
  });
}

async function openWatch(page: Page, url: string, language = "en"): Promise<void> {
  await page.goto(`${url}/?lang=${language}#/first-watch`);
  await page.locator("main input[name=token]").fill(TOKEN);
  await page.locator("main form.token button").click();
  await page.locator("[data-step=backup]").waitFor(REFRESH);
}

const isBack = (page: Page) => page.locator('[data-test=restart][data-state="back"]');

test("an unknown field gets its meaning on the page, and loses it again", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  const reading = () => ({ timestamp: Date.now(), UVR_INTENSITY: 640, PT101: 2.5 });
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(reading()) }]);
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = page.locator("[data-step=message]");
  await step.getByRole("button", { name: "Open" }).click();
  await step.getByLabel(/^PT101/).selectOption("SYS_PRESSURE");
  await step.getByRole("button", { name: "Save and restart ballastd" }).click();
  await isBack(page).waitFor(REFRESH);
  expect(read()).toContain('[[map.rule]]\ntag = "PT101"\nfield = "SYS_PRESSURE"\n');
  // The rig's own connection ended with the run before.
  const client = await connectAsync(`mqtt://127.0.0.1:${appliance.mqtt_port}`);
  await client.publishAsync("bwts/BWTS-001/telemetry", JSON.stringify(reading()), { qos: 1 });
  await client.endAsync();
  await step.locator('[data-field="SYS_PRESSURE"].within_limits').waitFor(REFRESH);
  const rules = step.locator("[data-test=stored-rules]");
  expect(await rules.locator("code").allTextContents()).toEqual(["PT101 = SYS_PRESSURE"]);
  await rules.getByRole("button", { name: "Take out and restart ballastd" }).click();
  await expect.poll(() => rules.count(), REFRESH).toBe(0);
  expect(read()).not.toContain('field = "SYS_PRESSURE"');
  expect(view.complaints.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);
});

test("topic and time zone of the PLC are set there, in every language", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  for (const language of LANGUAGES) {
    await using view = await openPage(browser, appliance);
    const { page } = view;
    await page.setViewportSize({ width: 390, height: 844 });
    await openWatch(page, appliance.url, language);
    expect(await misfits(page), language).toEqual([]);
  }
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const plc = page.locator("[data-step=plc]");
  await plc.locator("input[name='mqtt.prefix']").fill("ship");
  await plc.locator("input[name='system.id']").fill("UV-2");
  await plc.locator("input[name='mqtt.plc_utc_offset']").fill("+09:00");
  await plc.getByRole("button", { name: "Check the changes" }).click();
  await plc.locator("[data-test=changes]").waitFor(REFRESH);
  await plc.getByRole("button", { name: "Save and restart ballastd" }).click();
  await isBack(page).waitFor(REFRESH);
  await expect
    .poll(() => plc.locator('[data-copy="Topic of the readings"]').textContent(), REFRESH)
    .toBe("ship/UV-2/telemetry");
  expect(read()).toMatch(/^plc_utc_offset = "\+09:00"/m);
});
