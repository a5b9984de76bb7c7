// A new ship is set up on ballastd's own computer without a terminal: its page gets the token of
// the first start until one was made, makes the chief's, and names the folder of backups. Nobody
// else gets it: from elsewhere, later, or through a proxy.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openShip, TOKEN } from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { reservePort } from "../rig/port.ts";
import { runProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const newFolder = foldersOfTests(afterAll);
/** As a first start: no token is configured. */
const FIRST = { BALLASTD_AUTH_TOKEN: undefined };

interface Asking {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

async function post(appliance: Appliance, route: string, body: object, asking: Asking = {}) {
  const { token, headers, url = appliance.url } = asking;
  const answer = await fetch(`${url}${route}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** As the page of `url` asks. */
const setUp = (appliance: Appliance, headers: Asking["headers"] = {}, url = appliance.url) =>
  post(appliance, "/admin/set-up", {}, { url, headers: { Origin: url, ...headers } });

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test("the first token is for the page on this computer, until one was made", async () => {
  await using ship = await openShip(newFolder, { env: FIRST });
  const { appliance, folder } = ship;
  const stored = readFileSync(path.join(folder, "data", "token"), "utf8").trim();
  const given = { name: "configured", role: "maintainer", token: stored };
  expect(await setUp(appliance)).toEqual({ status: 200, body: given });
  // A page that was closed in the middle begins again.
  expect((await setUp(appliance)).status).toBe(200);
  const headers = { Authorization: `Bearer ${stored}` };
  const logins = await fetch(`${appliance.url}/admin/audit?kind=login`, { headers });
  expect((await logins.json()).data).toContainEqual(
    expect.objectContaining({
      ...{ actor: "configured", address: "127.0.0.1" },
      detail: { role: "maintainer", set_up: true },
    }),
  );
  const made = await post(appliance, "/admin/tokens", { name: "chief", role: "engineer" }, given);
  expect(made).toMatchObject({ status: 200, body: { name: "chief", role: "engineer" } });
  const { token } = made.body;
  expect((await post(appliance, "/admin/alarms/0/acknowledge", {}, { token })).status).toBe(404);
  const more = await post(appliance, "/admin/tokens", { name: "x", role: "viewer" }, { token });
  expect(more.status).toBe(403);
  const again = await post(appliance, "/admin/tokens", { name: "chief", role: "viewer" }, given);
  expect(again).toMatchObject({
    status: 400,
    body: { message: "token chief: is there already, expected a new name" },
  });
  // An engineer's token alone leaves nobody who can go on with the set-up.
  expect((await setUp(appliance)).status).toBe(200);
  await post(appliance, "/admin/tokens", { name: "yard", role: "maintainer" }, given);
  const closed = { status: 409, body: { message: expect.stringContaining("was set up before") } };
  expect(await setUp(appliance)).toMatchObject(closed);
  // Not again once all were revoked.
  await runProgram({ args: ["token", "revoke", "yard", "--config", ship.file], folder });
  expect(await setUp(appliance)).toMatchObject(closed);
});

test.each([
  [{ name: "a b", role: "engineer" }, "expected 1 to 64 letters"],
  [{ name: "configured", role: "engineer" }, "expected a name other than configured"],
  [{ name: "chief", role: "admin" }, "expected viewer, engineer, maintainer"],
  [{ name: "chief" }, "role"],
  [{ name: "chief", role: "engineer", secret: "mine" }, "secret"],
])("a token that can't be is refused: %j", LONG, async (body, message) => {
  await using appliance = await startAppliance({
    env: { BALLASTD_AUTH_TOKEN: "token-of-a-maintainer" },
  });
  const refused = await post(appliance, "/admin/tokens", body, { token: "token-of-a-maintainer" });
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(message) },
  });
});

test("through a proxy, or by another page it isn't given", async () => {
  await using ship = await openShip(newFolder, { env: FIRST });
  const { appliance } = ship;
  for (const [name, value] of [
    ["Origin", "http://evil.example"],
    ["Origin", "null"],
    ["Origin", "http://127.0.0.1:1"],
    ["X-Forwarded-For", "192.168.1.9"],
    ["Forwarded", "for=192.168.1.9"],
    ["Via", "1.1 proxy"],
    ["X-Forwarded-Proto", "https"],
    ["CF-Connecting-IP", "192.168.1.9"],
  ])
    expect(await setUp(appliance, { [name]: value })).toMatchObject({ status: 403 });
  expect(await post(appliance, "/admin/set-up", {})).toMatchObject({ status: 403 });
  expect((await setUp(appliance)).status).toBe(200);
});

test("a page of this computer's own address on the ship's network has it, too", async () => {
  const address = lanAddress();
  // A machine without a network has no address that could be tried.
  if (address === undefined) return;
  const env = { ...FIRST, BALLASTD_HTTP_LISTEN: `${address}:0` };
  await using ship = await openShip(newFolder, { env });
  expect((await setUp(ship.appliance)).status).toBe(200);
  const other = await setUp(ship.appliance, { Origin: "http://127.0.0.1" });
  expect(other.status).toBe(403);
});

test("a test message arrives with the PLC's login, and nothing is stored of it", async () => {
  const folder = newFolder();
  const file = path.join(folder, "password");
  writeFileSync(file, "password of the PLC\n");
  const login = { BALLASTD_MQTT_USERNAME: "plc", BALLASTD_MQTT_PASSWORD_FILE: file };
  await using ship = await openShip(newFolder, { env: login });
  const { appliance } = ship;
  const address = `127.0.0.1:${appliance.mqtt_port}`;
  const tested = () => post(appliance, "/admin/test-message", {}, { token: TOKEN });
  expect(await tested()).toEqual({ status: 200, body: { sent: [{ address, problem: null }] } });
  const ready = await appliance.json("/readyz");
  expect(ready).toMatchObject({ last_reading: null, quarantining: null });
  expect(await appliance.quarantine()).toEqual([]);
  expect((await post(appliance, "/admin/test-message", {})).status).toBe(401);
  // The password is another one meanwhile: what the PLC meets, the test does.
  writeFileSync(file, "password of another PLC\n");
  const [{ problem }] = (await tested()).body.sent;
  expect(problem).toMatch(/not authorized|bad user/i);
});

test("a ship with data is never opened, whatever becomes of her tokens", LONG, async () => {
  await using configured = await openShip(newFolder);
  expect((await setUp(configured.appliance)).status).toBe(409);
  const { folder } = configured;
  await configured.appliance.program.stop("SIGTERM");
  // Her token is taken out of the configuration: another one is made.
  const later = await openShip(newFolder, { env: FIRST, folder });
  expect((await setUp(later.appliance)).status).toBe(409);
  await later.appliance.program.stop("SIGTERM");
  rmSync(path.join(folder, "data", "token"));
  await using last = await openShip(newFolder, { env: FIRST, folder });
  expect((await setUp(last.appliance)).status).toBe(409);
});

test("a maintainer's token of the command line closes it, and it stays closed", LONG, async () => {
  await using ship = await openShip(newFolder, { env: FIRST });
  const { appliance, folder, file } = ship;
  const command = (...args: readonly string[]) =>
    runProgram({ args: ["token", ...args, "--config", file], folder });
  const added = await command("add", "--name", "yard", "--role", "maintainer");
  expect(added.code, added.stderr).toBe(0);
  await command("revoke", "yard");
  expect((await setUp(appliance)).status).toBe(409);
});

test("a backup that can't be made says why to whoever asks for it", async () => {
  const file = path.join(newFolder(), "file");
  writeFileSync(file, "no folder");
  await using ship = await openShip(newFolder, { env: { BALLASTD_BACKUP_DIR: file } });
  const asked = await post(ship.appliance, "/admin/backup", {}, { token: TOKEN });
  expect(asked).toMatchObject({
    status: 503,
    body: { message: expect.stringMatching(/ENOTDIR|EEXIST|not a (folder|directory)/) },
  });
});

/** The name of the run that answers, as it begins the ids of its events. */
async function runOf({ url }: { readonly url: string }): Promise<string> {
  const { last_event_id } = await (await fetch(`${url}/api/overview`)).json();
  return String(last_event_id).replace(/-[^-]*$/, "");
}

/**
 * Delays the answer to a saving until two requests for the settings have failed. A restart may cut
 * those off first, and the form that waits for the answer must still be there.
 */
async function loseSettingsWhileSaving(page: Page): Promise<void> {
  let left = 0;
  const lost = Promise.withResolvers<void>();
  await page.route("**/admin/config", async (route) => {
    const body = route.request().postDataJSON();
    if (body?.restart === true) {
      const answer = await route.fetch();
      left = 2;
      await lost.promise;
      await route.fulfill({ response: answer });
    } else if (body === null && left > 0) {
      await route.abort();
      left -= 1;
      if (left === 0) lost.resolve();
    } else await route.continue();
  });
}

test("a chief without a terminal sets the ship up: token, backups, his own token", async () => {
  await using browser = await launchBrowser().then((one) => ({
    one,
    [Symbol.asyncDispose]: () => one.close(),
  }));
  const [web, mqtt] = await Promise.all([reservePort(), reservePort()]);
  await using ship = await openShip(newFolder, {
    env: {
      ...FIRST,
      BALLASTD_HTTP_LISTEN: `127.0.0.1:${web.port}`,
      BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt.port}`,
    },
  });
  const stick = newFolder();
  await using view = await openPage(browser.one, ship.appliance);
  const { page } = view;
  await page.goto(`${ship.appliance.url}/#/first-watch`);
  await page.getByRole("button", { name: "Begin the set-up" }).click();
  const backup = page.locator("[data-step=backup]");
  const folder = backup.locator("input[name='backup.dir']");
  await folder.waitFor(REFRESH);
  await folder.fill(path.join(stick, "none"));
  await backup.getByRole("button", { name: "Check the changes" }).click();
  await backup.getByText(/^There is no folder “.*none”/).waitFor(REFRESH);
  await folder.fill(stick);
  await backup.getByRole("button", { name: "Check the changes" }).click();
  await loseSettingsWhileSaving(page);
  await backup.getByRole("button", { name: "Save and restart ballastd" }).click();
  await page.locator('[data-test=restart][data-state="back"]').waitFor(REFRESH);
  await page.unrouteAll();
  expect(ship.read()).toContain(`dir = "${stick}"`);
  const chief = page.locator("[data-step=chief]");
  await chief.getByRole("button", { name: "Make a token" }).click();
  const made = chief.locator("[data-test=made-token]");
  await made.waitFor(REFRESH);
  const token = (await made.locator("code").textContent()) ?? "";
  const asked = await fetch(`${ship.appliance.url}/admin/audit`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(asked.status).toBe(200);
  await made.locator("svg.qr").waitFor(REFRESH);
  // It stays over a restart of ballastd, until somebody has kept it.
  const run = await runOf(ship.appliance);
  await folder.fill(path.join(ship.folder, "data"));
  await backup.getByRole("button", { name: "Check the changes" }).click();
  await backup.getByRole("button", { name: "Save and restart ballastd" }).click();
  // The page may have been told of the new run before anybody looks at it.
  await expect.poll(() => runOf(ship.appliance).catch(() => run), REFRESH).not.toBe(run);
  await page.locator('[data-test=restart][data-state="back"]').waitFor(REFRESH);
  await expect.poll(() => made.locator("code").textContent()).toBe(token);
  await made.getByRole("button", { name: "I have kept it" }).click();
  await chief.getByText("Valid tokens for work: chief").waitFor(REFRESH);
  // From now on the page asks for a token as everywhere.
  await page.reload();
  await page.getByRole("button", { name: "Begin the set-up" }).click();
  await expect
    .poll(() => page.getByRole("button", { name: "Begin the set-up" }).count(), REFRESH)
    .toBe(0);
  await page.locator("main input[name=token]").waitFor(REFRESH);
});
