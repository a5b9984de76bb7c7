// Rows of states that colour alone must not tell: each is photographed under the DevTools
// protocol's filters of colour blindness, one of which is greyscale, by day and by night, and
// compared with every other of its kind.

import type { CDPSession, Locator, Page } from "playwright-core";
import { paint, settle } from "../../../test/rig/page-walk.ts";
import { openPictureScale, type PictureScale } from "../../../test/rig/picture-difference.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

const FILTERS = ["achromatopsia", "protanopia", "deuteranopia", "tritanopia"] as const;
const PALETTES = ["day", "night"] as const;
/** Share of a picture's points that must be lighter or darker by a visible step. */
const DIFFERENCE_MIN = 0.02;

export const states: Group = {
  name: "states",
  about: "states told apart in greyscale and with three kinds of colour blindness",
  async measure(stage) {
    await using ship = await stage.empty();
    await sail(ship, { now_ms: Date.now() });
    await using scale = await openPictureScale(stage.browser);
    const context = await stage.browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const look = { page, session, scale };
    const rows = [
      failures("lamps that look alike", "pairs", await alike(look, await lamps(ship.url))),
      failures("alerts that look alike", "pairs", await alike(look, alerts(ship.url))),
      failures("signs that look alike", "pairs", await alike(look, await signs(ship.url))),
    ];
    await context.close();
    return rows;
  },
};

interface Look {
  readonly page: Page;
  readonly session: CDPSession;
  readonly scale: PictureScale;
}

/** A state: the answers that bring it about, and the part of the page that shows it. */
interface State {
  readonly name: string;
  readonly url: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly part: (page: Page) => Locator;
}

/** The pairs of states that look the same through some filter. */
async function alike(look: Look, all: readonly State[]): Promise<readonly string[]> {
  const seen = new Map<string, Map<string, string>>();
  for (const { name, url, answers, part } of all) {
    const { page } = look;
    await page.route(
      ({ pathname }) => pathname in answers || pathname === "/stream",
      (route) => {
        const answer = answers[new URL(route.request().url()).pathname];
        return answer === undefined ? route.abort() : route.fulfill({ json: answer });
      },
    );
    await page.goto("about:blank");
    await page.goto(url);
    await part(page).waitFor({ timeout: 60_000 });
    await settle(page);
    seen.set(name, await pictures(look, part(page)));
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  const same: string[] = [];
  for (const [at, [one, views]] of [...seen].entries())
    for (const [other, others] of [...seen].slice(at + 1))
      for (const [view, picture] of views) {
        const differs = await look.scale.differing(picture, others.get(view) ?? "");
        if (differs < DIFFERENCE_MIN)
          same.push(`${one} and ${other}, ${view}: ${(100 * differs).toFixed(1)} %`);
      }
  return same;
}

async function pictures({ page, session }: Look, part: Locator) {
  const found = new Map<string, string>();
  for (const palette of PALETTES) {
    await paint(page, palette);
    for (const type of FILTERS) {
      await session.send("Emulation.setEmulatedVisionDeficiency", { type });
      found.set(`${palette} ${type}`, (await part.screenshot()).toString("base64"));
    }
  }
  await session.send("Emulation.setEmulatedVisionDeficiency", { type: "none" });
  return found;
}

type Json = Record<string, unknown>;

const fetched = async (url: string): Promise<Json> => (await fetch(url)).json();

async function lamps(url: string): Promise<readonly State[]> {
  const overview = await fetched(`${url}/api/overview`);
  const given = Array.isArray(overview.lamps) ? overview.lamps : [];
  const as = (name: string, change: Json, status: string) => ({
    ...{ name, url },
    answers: {
      "/api/overview": {
        ...overview,
        lamps: given.map((one, index) => (index === 0 ? { ...one, status, ...change } : one)),
      },
    },
    part: (page: Page) => page.locator("[data-test=lamp-01] .shape"),
  });
  return [
    as("active", { state: "active" }, "ACTIVE"),
    as("standby", { state: "standby" }, "STANDBY"),
    as("failed", { state: "failed" }, "FAILED"),
    as("not measured", { state: "unknown" }, ""),
  ];
}

function alerts(url: string): readonly State[] {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const kinds = ["alarm", "warning", "caution"].flatMap((priority) =>
    ["unacknowledged", "acknowledged", "rectified"].map((state) => ({ priority, state })),
  );
  return kinds.map(({ priority, state }) => {
    const told = {
      id: "1",
      code: "LAMP_FAILED",
      description: "A lamp has failed",
      source: "ballastd",
    };
    const alert = { ...told, priority, alert_state: state, since, count: 1 };
    return {
      ...{ name: `${priority} ${state}`, url: `${url}/#/alerts` },
      answers: { "/api/alarms": [alert] },
      part: (page: Page) => page.locator(".open-alert h3 svg").first(),
    };
  });
}

async function signs(url: string): Promise<readonly State[]> {
  const ready = await fetched(`${url}/readyz`);
  const cut = { ...ready, mqtt: { mode: "embedded", connected: false, clients: 0 } };
  const part = (page: Page) => page.locator(".signs svg").nth(1);
  const overview = await fetched(`${url}/api/overview`);
  const none = { ...overview, received_seconds_ago: null };
  return [
    { name: "good", url, answers: { "/readyz": ready }, part },
    { name: "cut", url, answers: { "/readyz": cut }, part },
    { name: "nothing yet", url, answers: { "/api/overview": none, "/readyz": ready }, part },
  ];
}
