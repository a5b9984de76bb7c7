// Rows of broken answers: on each page one of the answers that it asks for comes spoilt, 300 times.
// The page must stand, no error may be uncaught, and no panel may break that another answer feeds.
// The panels of an answer are those that say something when it comes as an error 500, or without
// any member.

import type { Page } from "playwright-core";
import { PAGES } from "../../../test/rig/page-walk.ts";
import { type Random, seededRandom } from "../../../test/rig/random.ts";
import {
  answersAtRest,
  load,
  type Spoilt,
  spoil,
  watchFetch,
} from "../../../test/rig/spoilt-answers.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

const ROUNDS = 300;
/** Pages that are tried at the same time. */
const TABS = 2;

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
  await watchFetch(page);
  await page.goto(`${url}/#/${name}`);
  const bodies = await answersAtRest(page);
  const paths = [...bodies.keys()];
  const fed = new Map<string, ReadonlySet<string>>();
  for (let round = 0; round < rounds; round += 1) {
    const path = paths[round % paths.length] ?? "";
    if (!fed.has(path)) {
      const empty = { about: "empty", contentType: "application/json", body: "{}" };
      const refused = await drawn(page, path, { ...empty, status: 500 });
      const odd = await drawn(page, path, { ...empty, status: 200 });
      fed.set(path, new Set([...refused.messages, ...odd.messages]));
    }
    const one = spoil(bodies.get(path) ?? "", random);
    about = `${path} ${one.about}`;
    const { isBlank, messages } = await drawn(page, path, one);
    if (isBlank) found.blank.push(`${name}, ${about}`);
    const others = messages.filter((panel) => fed.get(path)?.has(panel) === false);
    // An answer that can be read but not drawn breaks the one panel that draws it.
    if (others.length > 1) found.spread.push(`${name}, ${about}: ${others.join(", ")}`);
  }
}

/** Loads the page with one answer spoilt; which panels say that something is wrong. */
async function drawn(page: Page, path: string, one: Spoilt) {
  await load(page, path, one);
  return page.evaluate(() => {
    const panels = [...document.querySelectorAll("main .problem, main [role=alert]")].map(
      (part) => part.closest("section")?.querySelector("h2")?.id ?? "page",
    );
    const text = document.querySelector("main")?.textContent?.trim() ?? "";
    const hasFrame = document.querySelector("nav.pages a") !== null;
    return { isBlank: text === "" || !hasFrame, messages: [...new Set(panels)] };
  });
}
