// The page First watch in Debian's Chromium against the built program, whose configuration it
// writes and which restarts: from the new installation's overview to each tick, and what stands
// there while a value is refused, the token is too small or the file can't be written.

import { writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { AS_ACCOUNT, openShip, TEXT, TOKEN } from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits } from "../rig/page-layout.ts";
import { LANGUAGES, paint } from "../rig/page-walk.ts";
import { reservePort } from "../rig/port.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests(afterAll);
/** The values of a certificate, by the names of the form. */
const CERTIFICATE = {
  "Number of the certificate": "TA-0815",
  "Where the limits come from": "certificate TA-0815",
  "Rated capacity": "1000",
  "Lowest UV intensity, IMO": "300,5",
  "Lowest UV intensity, USCG": "530",
  "Highest flow, IMO": "900",
  "Highest flow, USCG": "900",
  "Time that may be beyond the limits": "60",
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A ship at ports that stay the same over a restart. */
async function openNewShip(more: Parameters<typeof openShip>[1] = {}) {
  const [web, mqtt] = await Promise.all([reservePort(), reservePort()]);
  const env = {
    BALLASTD_HTTP_LISTEN: `127.0.0.1:${web.port}`,
    BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt.port}`,
  };
  return openShip(newFolder, { ...more, env: { ...env, ...more.env } });
}

async function openWatch(page: Page, url: string, language = "en"): Promise<void> {
  await page.goto(`${url}/?lang=${language}#/first-watch`);
  await page.locator("[data-step=backup]").waitFor(REFRESH);
}

async function giveToken(page: Page, token = TOKEN): Promise<void> {
  await page.locator("main input[name=token]").fill(token);
  await page.locator("main form.token button").click();
}

const stateOf = (page: Page, step: string) =>
  page.locator(`[data-step=${step}]`).getAttribute("data-state");

async function fillIn(page: Page, step: string, values: Record<string, string>): Promise<void> {
  const form = page.locator(`[data-step=${step}]`);
  for (const [label, value] of Object.entries(values))
    await form.locator("label").filter({ hasText: label }).locator("input").fill(value);
}

async function save(page: Page, step: string): Promise<void> {
  const form = page.locator(`[data-step=${step}]`);
  await form.getByRole("button", { name: "Check the changes" }).click();
  await form.locator("[data-test=changes]").waitFor(REFRESH);
  await form.getByRole("button", { name: "Save and restart ballastd" }).click();
  await page.locator('[data-test=restart][data-state="back"]').waitFor(REFRESH);
}

test("a new ship is set up from the overview's link, and each tick turns by itself", async () => {
  await using ship = await openNewShip();
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await page.getByRole("link", { name: /begin with the first watch/ }).click();
  await page.locator("[data-step=backup]").waitFor(REFRESH);
  await expect.poll(() => stateOf(page, "ship"), REFRESH).toBe("open");
  await expect.poll(() => stateOf(page, "limits")).toBe("unknown");
  await giveToken(page);
  await expect.poll(() => stateOf(page, "limits"), REFRESH).toBe("caution");
  // It listens on this computer alone.
  await expect.poll(() => stateOf(page, "plc")).toBe("caution");
  await fillIn(page, "ship", { "Ship’s name": "MV Exämple", "IMO number": "9074729" });
  // The typed text survives a reload, the token doesn't.
  await page.reload();
  await giveToken(page);
  const ship_name = page.locator("input[name='system.vessel']");
  await expect.poll(() => ship_name.inputValue(), REFRESH).toBe("MV Exämple");
  await fillIn(page, "ship", { "Ship’s time minus UTC": "+09:00" });
  expect(ship.read()).toBe(TEXT);
  await page.locator("[data-step=ship]").getByRole("button", { name: "Check" }).click();
  const rows = page.locator("[data-step=ship] [data-test=changes] tbody tr");
  await expect
    .poll(() => rows.allTextContents(), REFRESH)
    .toEqual([
      "Ship’s namenoneMV Exämple",
      "IMO numbernone9074729",
      "Ship’s time minus UTCnone+09:00",
    ]);
  expect(ship.read()).toBe(TEXT);
  await save(page, "ship");
  await expect.poll(() => stateOf(page, "ship"), REFRESH).toBe("done");
  expect(ship.read()).toContain('vessel = "MV Exämple"');
  await fillIn(page, "limits", CERTIFICATE);
  await save(page, "limits");
  await expect.poll(() => stateOf(page, "limits"), REFRESH).toBe("done");
  await page.goto(`${ship.appliance.url}/#/overview`);
  await page.getByText("MV Exämple").first().waitFor(REFRESH);
  const link = page.getByRole("link", { name: /first watch/ });
  await expect.poll(() => link.count(), REFRESH).toBe(0);
});

test("a default that equals the certificate's value gets no tick until it is given", async () => {
  await using ship = await openNewShip();
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await openWatch(page, ship.appliance.url);
  await giveToken(page);
  const { "Time that may be beyond the limits": last, ...others } = CERTIFICATE;
  await page.locator("input[name='system.certificate']").waitFor(REFRESH);
  await fillIn(page, "limits", others);
  await save(page, "limits");
  const aside = page.locator("[data-step=limits] .step-aside");
  await expect
    .poll(() => aside.textContent(), REFRESH)
    .toBe("Not given yet: Time that may be beyond the limits.");
  await expect.poll(() => stateOf(page, "limits")).toBe("caution");
  await fillIn(page, "limits", { "Time that may be beyond the limits": last });
  await save(page, "limits");
  await expect.poll(() => stateOf(page, "limits"), REFRESH).toBe("done");
});

test("limits that hardly any certificate has are asked about before they are saved", async () => {
  await using ship = await openNewShip();
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await openWatch(page, ship.appliance.url);
  await giveToken(page);
  await page.locator("input[name='system.certificate']").waitFor(REFRESH);
  const form = page.locator("[data-step=limits]");
  await fillIn(page, "limits", { ...CERTIFICATE, "Lowest UV intensity, IMO": "0" });
  await form.getByRole("button", { name: "Check the changes" }).click();
  await form.locator(".problem").waitFor(REFRESH);
  await fillIn(page, "limits", {
    "Lowest UV intensity, IMO": "530",
    "Lowest UV intensity, USCG": "252",
  });
  await form.getByRole("button", { name: "Check the changes" }).click();
  await form
    .locator("[data-test=doubts]")
    .getByText(/are the two swapped/)
    .waitFor(REFRESH);
  await form.getByRole("button", { name: "Save and restart ballastd" }).click();
  await page.waitForTimeout(1000);
  expect(ship.read()).toBe(TEXT);
  await form.getByLabel("I have compared them with the certificate").check();
  await form.getByRole("button", { name: "Save and restart ballastd" }).click();
  await page.locator('[data-test=restart][data-state="back"]').waitFor(REFRESH);
  expect(ship.read()).toContain("uv_imo = 530");
});

test("settings that the unit can't write are kept in the form, with the reason", async () => {
  const folder = newFolder();
  const env = { SETTINGS_AT_START: "1", STATE_DIRECTORY: folder };
  await using ship = await openNewShip({ folder, isForeign: true, env });
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await openWatch(page, ship.appliance.url);
  await giveToken(page);
  await page.locator("input[name='system.vessel']").fill("MV Third");
  const form = page.locator("[data-step=ship]");
  await form.getByRole("button", { name: "Check the changes" }).click();
  await form.getByRole("button", { name: "Save and restart ballastd" }).click();
  await form.getByText("Left for the restart").waitFor(REFRESH);
  await ship.appliance.program.ended;
  // No unit writes the file; it starts again as it was.
  const { url } = ship.appliance;
  const more = {
    BALLASTD_HTTP_LISTEN: url.replace("http://", ""),
    ...{ BALLASTD_MQTT_LISTEN: "127.0.0.1:0", BALLASTD_AUTH_TOKEN: TOKEN },
    ...{ BALLASTD_CONFIG: ship.file, BALLASTD_STORAGE_DIR: `${folder}/data`, ...env },
  };
  await using _again = await startAppliance({ folder, env: more, through: AS_ACCOUNT });
  await form.getByText(/nothing was changed: .* couldn't be written/).waitFor(REFRESH);
  await expect.poll(() => form.getByText(/Saved|saved/).count()).toBe(0);
  await expect
    .poll(() => page.locator("input[name='system.vessel']").inputValue())
    .toBe("MV Third");
});

test("a refusal names the field and leaves the file, in each of five languages", async () => {
  await using ship = await openNewShip();
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of LANGUAGES) {
    await openWatch(page, ship.appliance.url, language);
    await giveToken(page);
    const imo = page.locator("input[name='system.imo']");
    await imo.fill("9074728");
    await page.locator("[data-step=ship] form button[type=submit]").click();
    const problem = page.locator("[data-step=ship] .problem");
    await problem.waitFor(REFRESH);
    // The value and the digit that it should have, in a sentence of the language alone.
    await expect.poll(() => problem.textContent()).toMatch(/[“«「]9074728[”»」].*\b9\b/);
    await expect.poll(() => problem.locator("[lang=en]").count()).toBe(0);
    await expect.poll(() => imo.getAttribute("aria-invalid")).toBe("true");
    expect(await misfits(page), language).toEqual([]);
    await loadAxe(page);
    expect(await violations(page), language).toEqual([]);
    await paint(page, "night");
    expect(await violations(page, "colours"), language).toEqual([]);
  }
  expect(ship.read()).toBe(TEXT);
});

test("an engineer's token shows no settings, and a password never comes back", async () => {
  await using ship = await openNewShip();
  const { appliance, folder, file } = ship;
  const env = { BALLASTD_CONFIG: file, BALLASTD_STORAGE_DIR: `${folder}/data` };
  const args = ["token", "add", "--name", "chief", "--role", "engineer"];
  const engineer = (await runProgram({ args, folder, env })).stdout.trim();
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  // Its data lies elsewhere than in the folder of an installation.
  await page.getByText("the file “token” in ballastd’s data folder").waitFor(REFRESH);
  await giveToken(page, engineer);
  await page.locator("main form.token .problem").waitFor(REFRESH);
  await expect.poll(() => page.locator("input[name='system.vessel']").count()).toBe(0);
  await expect.poll(() => stateOf(page, "plc")).toBe("unknown");
  await giveToken(page);
  await page
    .locator("[data-step=chief]")
    .getByText("Valid tokens for work: chief.")
    .waitFor(REFRESH);
  // A token alone is no tick: no telephone can open an address of this computer alone.
  await expect.poll(() => stateOf(page, "chief")).toBe("open");
  await fillIn(page, "plc", { User: "plc", Password: "engine room 7" });
  await save(page, "plc");
  const facts = page.locator("[data-step=plc] .facts");
  await facts.getByText("is asked", { exact: true }).waitFor(REFRESH);
  await expect.poll(() => page.locator("input[name='mqtt.password']").inputValue()).toBe("");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(`${kept}${await page.content()}`).not.toContain("engine room 7");
});

test("a PLC with a wrong password is named where its messages are awaited", async () => {
  const folder = newFolder();
  writeFileSync(`${folder}/password`, "engine room 7\n", { mode: 0o600 });
  await using ship = await openNewShip({
    folder,
    env: {
      BALLASTD_MQTT_USERNAME: "plc",
      BALLASTD_MQTT_PASSWORD_FILE: `${folder}/password`,
    },
  });
  const { appliance } = ship;
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  const login = (password: string) => appliance.connect({ username: "plc", password });
  await expect(login("engine room 8")).rejects.toThrow(/refused|authorized|password/i);
  const said = /refused .* wrong user name or password/;
  for (const step of ["plc", "message"])
    await page.locator(`[data-step=${step}] .problem`).getByText(said).waitFor(REFRESH);
  await expect.poll(() => stateOf(page, "plc")).toBe("caution");
  await page.locator("header").getByText(said).first().waitFor(REFRESH);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await misfits(page)).toEqual([]);
  await giveToken(page);
  await page
    .getByText(/A client at 127\.0\.0\.1 was refused/)
    .first()
    .waitFor(REFRESH);
  await login("engine room 7");
  await expect.poll(() => page.getByText(said).count(), REFRESH).toBe(0);
});

test("the first message has its tick while it is fresh, an unknown field its rule", async () => {
  await using ship = await openNewShip();
  const { appliance } = ship;
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await openWatch(page, appliance.url);
  await expect.poll(() => stateOf(page, "message"), REFRESH).toBe("open");
  const impossible = { timestamp: Date.now() - 1000, UVR_INTENSITY: -5e9 };
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(impossible) }]);
  await expect.poll(() => stateOf(page, "message"), REFRESH).toBe("caution");
  const reading = { timestamp: Date.now(), UVR_INTENSITY: 640, SYS_FLOW_RATE: 9e6, PT101: 350 };
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(reading) }]);
  await expect.poll(() => stateOf(page, "message"), REFRESH).toBe("done");
  const step = page.locator("[data-step=message]");
  await step.getByRole("button", { name: "Open" }).click();
  await step.locator('[data-field="UVR_INTENSITY"].within_limits').waitFor(REFRESH);
  // A flow that no plant has gets no tick.
  await step.locator('[data-field="SYS_FLOW_RATE"].cannot_tell').waitFor(REFRESH);
  await giveToken(page);
  await step.getByLabel(/^PT101/).selectOption("FLT_DIFF_PRESSURE");
  const rule = '[[map.rule]]\ntag = "PT101"\nfield = "FLT_DIFF_PRESSURE"';
  await expect.poll(() => step.locator('[data-copy="Map rules"]').textContent()).toBe(rule);
  await appliance.publish([{ kind: "telemetry", payload: '{"timestamp": "never", "TT7": 21}' }]);
  await expect.poll(() => stateOf(page, "message"), REFRESH).toBe("caution");
  await step.locator("[data-test=refused]").waitFor(REFRESH);
  const raw = step.locator('[data-copy="Message as it came"]');
  await expect.poll(() => raw.textContent(), REFRESH).toBe('{"timestamp": "never", "TT7": 21}');
});

test("where the file can't be written the page gives the command that does the same", async () => {
  await using ship = await openNewShip({ isForeign: true });
  await using view = await openPage(browser, ship.appliance);
  const { page } = view;
  await openWatch(page, ship.appliance.url);
  await giveToken(page);
  await page.locator("input[name='system.vessel']").fill("Queen's Own");
  const step = page.locator("[data-step=ship]");
  const command = "sudo ballastd config set system.vessel 'Queen'\\''s Own'";
  await expect.poll(() => step.locator("[data-copy=Command]").textContent()).toBe(command);
  await expect.poll(() => step.getByRole("button", { name: "Check the changes" }).count()).toBe(0);
});
