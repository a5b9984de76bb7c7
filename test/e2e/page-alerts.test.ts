// The page Alerts in Debian's Chromium against the built program: what an alert tells, how it is
// acknowledged and shelved with a token that the page forgets, and the list of the past.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";

const TOKEN = "token-of-the-chief-engineer";
const MINUTE_MS = 60_000;
const now_ms = Date.now();

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  await plant.publish("telemetry", { timestamp: now_ms, LAMP_07_STATUS: "FAILED" });
  const uv = { code: "UV_LOW", parameter: "UVR_INTENSITY", limit: 252, unit: "W/m2" };
  await plant.publish("events", [
    alarm(now_ms - 9 * MINUTE_MS, { ...uv, value: 231 }),
    alarm(now_ms - 8 * MINUTE_MS, { ...uv, value: 240 }),
    alarm(now_ms - 7 * MINUTE_MS, { code: "FAN_STOPPED" }),
    // More than one page of the list, of days long ago.
    ...Array.from({ length: 60 }, (_, index) => ({
      timestamp: Date.parse("2026-05-01T00:00Z") + index * 60 * MINUTE_MS,
      event_type: index % 2 === 0 ? "PROCESS_START" : "PROCESS_STOP",
      data: { operation_type: "BALLAST", location: "Singapore" },
    })),
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

function alarm(at_ms: number, data: { code: string } & Record<string, unknown>): object {
  const description = `${data.code}: the panel's text`;
  return { timestamp: at_ms, event_type: "ALARM_TRIGGERED", description, data };
}

test("open alerts tell what, where, since when and what to do, the worst first", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "");
  const rows = page.locator("[data-test=open-alert]");
  await rows.nth(2).waitFor(REFRESH);
  await expect.poll(() => codesOf(page)).toEqual(["FAN_STOPPED", "UV_LOW", "LAMP_FAILED"]);
  const [, uv, lamp] = await rows.allTextContents();
  expect(uv).toMatch(
    /^alarmthe panel's text UV_LOW 2 times(Raw )?UV (sensor|intensity).* · \d+ min/,
  );
  expect(uv).toContain("231\u00a0W/m²Limit 252waitingAcknowledge");
  expect(lamp).toMatch(/^warningLamp 07 failed LAMP_FAILED Lamp 7/);
  await rows.nth(1).getByRole("button", { expanded: false }).first().click();
  const detail = await rows.nth(1).locator(".alert-detail").textContent();
  expect(detail).toContain("2 times, last");
  expect(detail).toContain("231\u00a0W/m², limit 252\u00a0W/m²");
  expect(detail).toContain("What to do: Look at the treatment system's panel");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.goto(`${plant.url}/?lang=ja#/alerts`);
  await rows.nth(2).getByRole("button", { expanded: false }).first().click(REFRESH);
  await page.getByText("ランプを交換するか、その電源を点検してください。").waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("an engineer acknowledges and shelves; the token is asked for and forgotten", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.clock.install();
  await page.reload();
  await open(page, "");
  const uv = page.locator("[data-test=open-alert]", { hasText: "UV_LOW" });
  const lamp = page.locator("[data-test=open-alert]", { hasText: "LAMP_FAILED" });
  const acknowledge = { name: "Acknowledge here - the panel's alarm stays" };
  await uv.getByRole("button", { name: "The panel's text" }).click(REFRESH);
  await uv.getByLabel("Remark, if any").fill("sleeves wiped at the next port", REFRESH);
  await uv.getByRole("button", acknowledge).click(REFRESH);
  await give(page, "a-token-of-nobody-at-all");
  await uv.getByRole("alert").waitFor(REFRESH);
  await give(page, TOKEN);
  await uv.waitFor({ state: "detached", ...REFRESH });
  // Its row is gone, and the focus isn't on the whole document.
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await open(page, "list=past");
  await page.getByText(/acknowledged .* by .*: sleeves wiped at the next port$/).waitFor(REFRESH);
  await open(page, "");
  await lamp.getByRole("button", { name: "Lamp 07 failed" }).click(REFRESH);

  await lamp.getByRole("button", { name: "Shelve" }).click();
  await lamp.getByLabel("Reason").fill("spare lamp comes tomorrow");
  await lamp.getByLabel("For how long").selectOption({ label: "4 hours" });
  await lamp.getByRole("button", { name: "Shelve here - the panel's alarm stays" }).click();
  await lamp.getByText(/until .*: spare lamp comes tomorrow/).waitFor(REFRESH);
  await lamp.getByRole("button", { name: "End the shelving" }).click();
  await lamp.getByText("waiting").waitFor(REFRESH);

  await page.clock.fastForward(16 * MINUTE_MS);
  await lamp.getByRole("button", acknowledge).click();
  await page.getByLabel("Token").waitFor(REFRESH);
  await expect.poll(() => lamp.getByText("waiting").count()).toBe(1);
  // The refusal of the wrong token is the browser's one complaint.
  expect(view.complaints.filter((line) => !line.includes("401"))).toEqual([]);
});

test("fifty of one code are one row, acknowledged with one remark and one token", async () => {
  const code = "VALVE_STUCK";
  const many = Array.from({ length: 50 }, (_, index) =>
    alarm(now_ms - 6 * MINUTE_MS + index * 1_000, { code, parameter: `valve ${index}` }),
  );
  await plant.publish("events", many);
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "priority=alarm");
  const group = page.locator("[data-test=alert-group]", { hasText: code });
  await group.getByText("50 of this kind").waitFor(REFRESH);
  await group.getByRole("button", { expanded: false }).click();
  const members = page.locator(`[data-test=open-alert][data-code=${code}]`);
  await expect.poll(() => members.count(), REFRESH).toBe(50);
  await page.getByRole("button", { name: /^Acknowledge the \d+ shown/ }).click();
  const form = page.locator("[data-test=acknowledge-all]");
  await form.getByLabel("Remark, if any").fill("air to the valves was off");
  await form.getByRole("button", { name: /^Acknowledge \d+ here$/ }).click();
  await give(page, TOKEN);
  await group.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => members.count(), REFRESH).toBe(0);
  const all: { code: string; acknowledged_note: string | null }[] = await (
    await fetch(`${plant.url}/api/alarms?limit=1000`)
  ).json();
  const notes = all.filter((one) => one.code === code).map((one) => one.acknowledged_note);
  expect(notes).toEqual(Array.from({ length: 50 }, () => "air to the valves was off"));
  expect(view.complaints).toEqual([]);
});

test("the list of the past is filtered, paged, and in the address", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const lines = page.locator(".history-line");
  await open(page, "list=past&kind=operations");
  await page.getByText("60 lines").waitFor(REFRESH);
  await expect.poll(() => lines.count(), REFRESH).toBe(50);
  await expect
    .poll(() => lines.first().textContent())
    .toMatch(/^2026-05-03 11:00:00.UTCStop BALLAST/);
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByText("page 2 of 2").waitFor(REFRESH);
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toContain("page=2");
  await expect.poll(() => lines.count(), REFRESH).toBe(10);
  await page.getByLabel("From day, UTC").fill("2026-05-02");
  await page.getByLabel("To day, UTC").fill("2026-05-02");
  await page.getByText("24 lines").waitFor(REFRESH);
  await expect
    .poll(() => new URL(page.url()).hash, REFRESH)
    .toContain("to=2026-05-02T23%3A59%3A59.999Z");
  await open(page, "list=past&priority=warning");
  await page.getByText("1 line", { exact: true }).waitFor(REFRESH);
  await lines.first().getByText("not ended yet").waitFor(REFRESH);
  await open(page, "list=past&kind=cleared");
  await page.getByText("0 lines", { exact: true }).waitFor(REFRESH);
  await open(page, "list=past&kind=sent");
  await page.getByText("4 lines").waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("an odd answer breaks its list alone", async () => {
  await using view = await openPage(browser, plant, { "/api/alarms": '[{"code":5}]' });
  const { page } = view;
  await open(page, "");
  // The bar, which has the same answer, says so too.
  const list = page.getByRole("main");
  await list.getByText(/unexpected answer from .api.alarms.state=open.limit/).waitFor(REFRESH);
  await open(page, "list=past&kind=operations");
  await page.getByText("60 lines").waitFor(REFRESH);
});

test("names and texts of any length and script leave a telephone usable", LONG, async () => {
  const names = [
    "A".repeat(3_000),
    "إنذار".repeat(600),
    "🔥🏴‍☠️".repeat(450),
    "W i d e ".repeat(370),
  ];
  const long = names.map((code, index) => {
    const data = { code, parameter: code, unit: code, value: 1, limit: 2 };
    return { ...alarm(now_ms - 2 * MINUTE_MS - index * 1_000, data), description: code };
  });
  await plant.publish("events", long);
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  const heights = (parts: string) =>
    page
      .locator(parts)
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  const expectUsable = async (parts: string, height_max: number) => {
    const found = await heights(parts);
    expect(found.length).toBeGreaterThan(names.length);
    expect(Math.max(...found), parts).toBeLessThan(height_max);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(Math.max(...(await heights(".alert-bar")))).toBeLessThan(200);
  };
  await open(page, "");
  const rows = page.locator("[data-test=open-alert]");
  await rows.nth(names.length).waitFor(REFRESH);
  await expectUsable("[data-test=open-alert]", 700);
  await rows.filter({ hasText: "AAA" }).locator(".title").click();
  await expectUsable("[data-test=open-alert]", 2_500);
  const place = rows.filter({ hasText: "AAA" }).locator(".place");
  expect((await place.textContent())?.length).toBeLessThan(150);
  await place.getByRole("button", { name: "Whole text" }).click();
  await expect.poll(() => place.textContent()).toContain(names[0]);
  await open(page, "list=past");
  await page.locator(".history-line").nth(names.length).waitFor(REFRESH);
  await expectUsable(".history-line", 900);
  await page.evaluate(() => window.location.assign("#/handover?since=4"));
  await page.locator("[data-test=changed] li", { hasText: "AAA" }).waitFor(REFRESH);
  await expectUsable(".handover li", 700);
  const at = new Date(now_ms - 2 * MINUTE_MS).toISOString();
  await page.evaluate((to) => window.location.assign(to), `#/overview?at=${at}`);
  await page.locator(".alerts-then li").nth(names.length).waitFor(REFRESH);
  await expectUsable(".alerts-then li", 300);
  const span = [-4, 0].map((minutes) => new Date(now_ms + minutes * MINUTE_MS).toISOString());
  await page.evaluate((to) => window.location.assign(to), `#/trends?from=${span[0]}&to=${span[1]}`);
  const area = page.locator(".chart .u-over");
  const said = async () => {
    await area.hover({ position: { x: 10, y: 20 } });
    await area.hover();
    return page.locator(".readout p").textContent();
  };
  await expect.poll(said, REFRESH).toMatch(/Alert: .*…/);
  expect(Math.max(...(await heights(".readout")))).toBeLessThan(700);
  // An alert of ballastd's own is marked as well, though no event of the plant tells of it.
  const all: { code: string; since: string }[] = await (
    await fetch(`${plant.url}/api/alarms`)
  ).json();
  const own_ms = Date.parse(all.find(({ code }) => code === "LAMP_FAILED")?.since ?? "");
  const around = [-1, 1].map((minutes) => new Date(own_ms + minutes * MINUTE_MS).toISOString());
  await page.evaluate(
    (to) => window.location.assign(to),
    `#/trends?from=${around[0]}&to=${around[1]}`,
  );
  await expect.poll(said, REFRESH).toMatch(/Alert: LAMP_FAILED/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("a long text keeps its lines, so that a rule can be copied from it", async () => {
  const rule = '[[map.rule]]\ntag = "LAMP_XX_RUNTIME"\nfactor = "1/60"';
  const told = alarm(now_ms - MINUTE_MS, { code: "COPY_ME" });
  await plant.publish("events", [
    { ...told, description: `${"The counters run fast. ".repeat(6)}\n\n${rule}` },
  ]);
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "");
  const card = page.locator("[data-test=open-alert]", { hasText: "COPY_ME" });
  await card.locator(".title").click(REFRESH);
  await card.getByRole("button", { name: "Whole text" }).click(REFRESH);
  const copied = await card.evaluate((one) => {
    window.getSelection()?.selectAllChildren(one);
    return window.getSelection()?.toString();
  });
  expect(copied).toContain(rule);
  expect(view.complaints).toEqual([]);
});

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/alerts?${query}`);
  const name = query.startsWith("list=past") ? "Alerts and operations" : "Alerts";
  await page.getByRole("heading", { name, exact: true }).waitFor(REFRESH);
}

const codesOf = (page: Page) =>
  page
    .locator("[data-test=open-alert]")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-code")));

async function give(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token, REFRESH);
  await page.getByRole("button", { name: "Continue" }).click();
}
