// A PLC that speaks oddly, on the page First watch in Debian's Chromium: its fields are given a
// meaning, the rules are written and count after the restart, and one is taken out again; and the
// topic and the PLC's time zone are set there too.

import { connectAsync } from "mqtt";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Appliance } from "../oracle/appliance.ts";
import { openShip, post, startsOf, TOKEN } from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits } from "../rig/page-layout.ts";
import { LANGUAGES, paint } from "../rig/page-walk.ts";
import { reservePort } from "../rig/port.ts";

const newFolder = foldersOfTests(afterAll);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A ship at ports that stay the same over a restart. */
async function openNewShip(more: Parameters<typeof openShip>[1] = {}) {
  const [web, mqtt] = await Promise.all([reservePort(), reservePort()]);
  return openShip(newFolder, {
    ...more,
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

/** Sends as a PLC does, over a connection for each message: it may come after a restart. */
async function send(appliance: Appliance, topic: string, content: unknown): Promise<void> {
  const client = await connectAsync(`mqtt://127.0.0.1:${appliance.mqtt_port}`);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await client.publishAsync(topic, text, { qos: 1 });
  await client.endAsync();
}

/** The step First message, unfolded. */
async function messageStep(page: Page) {
  const step = page.locator("[data-step=message]");
  const open = step.locator(".step-head button");
  // A step that nobody opened folds when it is done.
  await open.click();
  if ((await open.getAttribute("aria-expanded")) === "false") await open.click();
  return step;
}

/** HTTP answers before MQTT does. */
async function waitForRestart(page: Page, appliance: Appliance, starts = 2): Promise<void> {
  await isBack(page).waitFor(REFRESH);
  await startsOf(appliance, starts);
}

const saveIn = (step: Locator) =>
  step.getByRole("button", { name: "Save and restart ballastd" }).click();

async function newestOf({ url }: Appliance) {
  return (await fetch(`${url}/api/telemetry/latest`)).json();
}

test("an unknown field gets its meaning on the page, and loses it again after a look", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  const reading = () => ({ timestamp: Date.now(), UVR_INTENSITY: 640, PT101: 2500 });
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(reading()) }]);
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = await messageStep(page);
  await step.getByLabel(/^PT101/).selectOption("SYS_PRESSURE");
  await step.getByLabel("Unit of PT101").selectOption("mbar");
  await saveIn(step);
  await waitForRestart(page, appliance);
  expect(read()).toContain('[[map.rule]]\ntag = "PT101"\nfield = "SYS_PRESSURE"\nfactor = 0.001\n');
  // The rig's own connection ended with the run before.
  await send(appliance, "bwts/BWTS-001/telemetry", reading());
  await step.locator('[data-field="SYS_PRESSURE"].within_limits').waitFor(REFRESH);
  const rules = step.locator("[data-test=stored-rules]");
  const line = "PT101 = SYS_PRESSURE, factor = 0.001";
  await expect.poll(() => rules.locator("code").allTextContents()).toEqual([line]);
  await rules.getByRole("button", { name: "Take out" }).click();
  const going = rules.locator("[data-test=changes] td").first();
  await expect.poll(() => going.textContent(), REFRESH).toBe(line);
  expect(read()).toContain('field = "SYS_PRESSURE"');
  await rules.getByRole("button", { name: "Keep it" }).click();
  await expect.poll(() => going.count(), REFRESH).toBe(0);
  await rules.getByRole("button", { name: "Take out" }).click();
  await rules.getByRole("button", { name: "Take out and restart ballastd" }).click();
  await expect.poll(() => rules.count(), REFRESH).toBe(0);
  expect(read()).not.toContain('field = "SYS_PRESSURE"');
  expect(view.complaints.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);
});

test("choices stay while messages are quarantined, and set up a PLC of other names", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  const topic = "ship/uv1/process";
  const message = () => ({
    ts: Date.now(),
    PT101: 2.5,
    FT1: 500,
    "a/b [x]": 1,
    temps: [20, 21],
    st: 3,
  });
  await send(appliance, topic, message());
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = await messageStep(page);
  const choices = {
    PT101: "SYS_PRESSURE",
    "temps[1]": "UVR_WATER_TEMP",
    "a/b [x]": "UVR_INTENSITY",
  };
  const tag = (name: string) => step.locator(`[data-tag="${name}"]`);
  for (const [name, field] of Object.entries(choices)) {
    await tag(name).locator("select").first().selectOption(field);
    await send(appliance, topic, message());
  }
  await tag("st").locator("select").selectOption("PROCESS_STATE");
  await tag("st").getByLabel("RUNNING").fill("3, 4");
  await tag("st").getByLabel("IDLE").fill("0");
  // Two looks of the page at what comes.
  for (let times = 0; times < 4; times += 1) {
    await send(appliance, topic, message());
    await page.waitForTimeout(3000);
  }
  for (const [name, field] of Object.entries(choices))
    await expect.poll(() => tag(name).locator("select").first().inputValue()).toBe(field);
  await saveIn(step);
  await waitForRestart(page, appliance);
  expect(read()).toContain('values = { "0" = "IDLE", "3" = "RUNNING", "4" = "RUNNING" }');
  await send(appliance, topic, message());
  await expect
    .poll(() => newestOf(appliance), REFRESH)
    .toMatchObject({
      SYS_PRESSURE: 2.5,
      UVR_WATER_TEMP: 21,
      UVR_INTENSITY: 1,
      PROCESS_STATE: "RUNNING",
    });
  // The other tags are offered for the topic on which they came.
  await tag("FT1").locator("select").first().selectOption("SYS_FLOW_RATE");
  await expect
    .poll(() => step.locator('[data-copy="Map rules"]').textContent())
    .toBe(`[[map.rule]]\ntopic = "${topic}"\ntag = "FT1"\nfield = "SYS_FLOW_RATE"`);
});

test("a rule whose values were forgotten is put right in one step", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  const rule = { topic: "plc/1", tag: "st", field: "PROCESS_STATE" };
  await post(appliance, { rules: { add: [rule] }, restart: true });
  await startsOf(appliance, 2);
  await send(appliance, "plc/1", { st: 3 });
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = await messageStep(page);
  const state = step.locator('[data-tag="st"]');
  await state.getByText("got 3, expected a text").waitFor(REFRESH);
  await state.getByLabel("RUNNING").fill("3");
  await saveIn(step);
  await waitForRestart(page, appliance, 3);
  expect(read().match(/^\[\[map\.rule\]\]$/gm)).toHaveLength(1);
  await send(appliance, "plc/1", { st: 3 });
  await expect.poll(() => newestOf(appliance), REFRESH).toMatchObject({ PROCESS_STATE: "RUNNING" });
});

test("the catalogue's names on a topic of the PLC's own are taken in by one rule", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  const message = { UVR_INTENSITY: 640, SYS_FLOW_RATE: 500 };
  await send(appliance, "plc/known", message);
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = await messageStep(page);
  await step.getByText("2 fields have names of the catalogue").waitFor(REFRESH);
  await saveIn(step);
  await waitForRestart(page, appliance);
  expect(read().match(/^\[\[map\.rule\]\]$/gm)).toHaveLength(1);
  await send(appliance, "plc/known", message);
  await expect.poll(() => newestOf(appliance), REFRESH).toMatchObject(message);
});

test("where the file can't be written the page says where the rules stand", async () => {
  await using ship = await openNewShip({ isForeign: true });
  const { appliance, file } = ship;
  await send(appliance, "plc/1", { PT101: 2 });
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const step = await messageStep(page);
  await step.getByLabel(/^PT101/).selectOption("SYS_PRESSURE");
  await step.getByText(`The service may not write ${file}.`).waitFor(REFRESH);
  await expect
    .poll(() => step.locator("[data-copy=Command]").textContent())
    .toContain("restart ballastd");
  await expect.poll(() => step.getByRole("button", { name: "Save and restart" }).count()).toBe(0);
});

test("topic and time zone of the PLC are set there, in every language", async () => {
  await using ship = await openNewShip();
  const { appliance, read } = ship;
  await send(appliance, "plc/1", { st: 3, UVR_INTENSITY: 640 });
  for (const language of LANGUAGES) {
    await using view = await openPage(browser, appliance);
    const { page } = view;
    await page.setViewportSize({ width: 390, height: 844 });
    await openWatch(page, appliance.url, language);
    const step = await messageStep(page);
    await step.locator("[data-tag=st] select").selectOption("PROCESS_STATE");
    await step.getByLabel("RUNNING").fill("3");
    expect(await misfits(page), language).toEqual([]);
    await loadAxe(page);
    expect(await violations(page), language).toEqual([]);
    await paint(page, "night");
    expect(await violations(page, "colours"), language).toEqual([]);
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
