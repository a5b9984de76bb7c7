// Rows of broken answers: on each page one of the answers that it asks for comes spoilt, 300 times.
// The page must stand, no error may be uncaught, and no panel may break that another answer feeds.
// The panels of an answer are those that say something when it comes as an error 500.

import type { Page, Request } from "playwright-core";
import { PAGES } from "../../../test/rig/page-walk.ts";
import { type Random, seededRandom } from "../../../test/rig/random.ts";
import { type Spoilt, spoil, spoilRoute } from "../../../test/rig/spoilt-answers.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

const ROUNDS = 300;
/** Pages that are tried at the same time. */
const TABS = 2;
/** A page that has waited for no answer for so long has asked for all and drawn it. */
const CALM_MS = 350;
/** A page that doesn't come to rest is judged as it is. */
const CALM_MAX_MS = 60_000;

export const spoilt: Group = {
  name: "spoilt",
  about: `${ROUNDS} spoilt answers on each page`,
  async measure(stage) {
    await using ship = await stage.empty();
    await sail(ship, { now_ms: Date.now() });
    const found: Faults = { blank: [], uncaught: [], spread: [] };
    const left = [...PAGES];
    const work = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
        const random = seededRandom(PAGES.indexOf(name) + 1);
        await tryPage(
          await context.newPage(),
          { url: ship.url, name, random, rounds: ROUNDS },
          found,
        );
        await context.close();
        stage.say(`spoilt: ${name} done`);
      }
    };
    await Promise.all(Array.from({ length: TABS }, work));
    const tried = `${ROUNDS} x ${PAGES.length} spoilt answers`;
    return [
      failures(`blank pages, ${tried}`, "pages", found.blank),
      failures(`errors that nothing caught, ${tried}`, "errors", found.uncaught),
      failures(`panels broken that the answer doesn't feed, ${tried}`, "panels", found.spread),
    ];
  },
};

export interface Faults {
  readonly blank: string[];
  readonly uncaught: string[];
  readonly spread: string[];
}

interface Trial {
  readonly url: string;
  readonly name: string;
  readonly random: Random;
  readonly rounds: number;
}

/** Tries `rounds` spoilt answers on a page, and adds what went wrong to `found`. */
export async function tryPage(page: Page, trial: Trial, found: Faults): Promise<void> {
  const { url, name, random, rounds } = trial;
  let about = "as it is";
  page.on("pageerror", (error) => found.uncaught.push(`${name}, ${about}: ${error.message}`));
  const bodies = await answersOf(page, url, name);
  const paths = [...bodies.keys()];
  const fed = new Map<string, ReadonlySet<string>>();
  for (let round = 0; round < rounds; round += 1) {
    const path = paths[round % paths.length] ?? "";
    if (!fed.has(path)) {
      const error = { about: "500", status: 500, contentType: "application/json", body: "{}" };
      fed.set(path, new Set((await drawn(page, trial, path, error)).messages));
    }
    const one = spoil(bodies.get(path) ?? "", random);
    about = `${path} ${one.about}`;
    const { isBlank, messages } = await drawn(page, trial, path, one);
    if (isBlank) found.blank.push(`${name}, ${about}`);
    const others = messages.filter((panel) => fed.get(path)?.has(panel) === false);
    // An answer that can be read but not drawn breaks the one panel that draws it.
    if (others.length > 1) found.spread.push(`${name}, ${about}: ${others.join(", ")}`);
  }
}

/** The answers in JSON that the page asks for, by path and query. */
async function answersOf(page: Page, url: string, name: string) {
  const bodies = new Map<string, string>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!/json/.test(response.headers()["content-type"] ?? "")) return;
    const body = await response.text().catch(() => "");
    if (body !== "" && !bodies.has(pathname)) bodies.set(pathname, body);
  });
  const calm = watchAnswers(page);
  await page.goto(`${url}/#/${name}`);
  await page.waitForSelector("main section");
  await calm();
  page.removeAllListeners("response");
  return bodies;
}

/** Until no answer has been awaited for a moment, but for those of `path` and for the stream. */
function watchAnswers(page: Page, path = ""): () => Promise<void> {
  const awaited = new Set<Request>();
  let changed_ms = performance.now();
  const note = (how: "add" | "delete") => (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname === path || pathname === "/stream") return;
    awaited[how](request);
    changed_ms = performance.now();
  };
  const [asked, answered] = [note("add"), note("delete")];
  page.on("request", asked).on("requestfinished", answered).on("requestfailed", answered);
  return async () => {
    const isCalm = () => awaited.size === 0 && performance.now() - changed_ms > CALM_MS;
    const began_ms = performance.now();
    while (!isCalm() && performance.now() - began_ms < CALM_MAX_MS) await page.waitForTimeout(20);
    page.off("request", asked).off("requestfinished", answered).off("requestfailed", answered);
  };
}

/** Loads the page with one answer spoilt; which panels say that something is wrong. */
async function drawn(page: Page, { url, name }: Trial, path: string, one: Spoilt) {
  const undo = await spoilRoute(page, ({ pathname }) => pathname === path, one);
  await page.goto("about:blank");
  const calm = watchAnswers(page, path);
  // An answer that never comes holds up the event of loading.
  await page.goto(`${url}/#/${name}`, { waitUntil: "domcontentloaded" });
  await page
    .waitForSelector("main section, main .problem, main form", { timeout: CALM_MAX_MS })
    .catch(() => undefined);
  await calm();
  const seen = await page.evaluate(() => {
    const panels = [...document.querySelectorAll("main .problem, main [role=alert]")].map(
      (part) => part.closest("section")?.querySelector("h2")?.id ?? "page",
    );
    const text = document.querySelector("main")?.textContent?.trim() ?? "";
    const hasFrame = document.querySelector("nav.pages a") !== null;
    return { isBlank: text === "" || !hasFrame, messages: [...new Set(panels)] };
  });
  await undo();
  return seen;
}
