// Answers that went wrong on their way from ballastd to the page: members gone or of another type,
// huge numbers, other bodies, none at all. Given to the page by its own `fetch`.

import type { Page } from "playwright-core";
import type { Random } from "./random.ts";

/** One way to spoil an answer; `never` leaves the page waiting. */
export interface Spoilt {
  readonly about: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string | null;
}

const JSON_TYPE = "application/json";
const LONG = 10_000;

/** Values that may stand where a member stood. */
const ODD: readonly unknown[] = [
  ...[null, true, "", "NaN", "Infinity", -1, 1e308, -1e308, 0.1, [], {}, [[]], "x".repeat(200)],
  ...["\u0645\u064a\u0646\u0627\u0621", "\ud83d\udea2", "2026-13-45T99:99:99Z", "<b>x</b>"],
  Array.from({ length: LONG }, (_, index) => index),
];

/** A spoilt form of `body`, an answer as it came. */
export function spoil(body: string, random: Random): Spoilt {
  const whole = { status: 200, contentType: JSON_TYPE };
  switch (random.between(0, 11)) {
    case 0:
      return { ...whole, about: "cut", body: body.slice(0, random.between(0, body.length - 1)) };
    case 1:
      return { ...whole, about: "empty", body: "" };
    case 2:
      return { ...whole, contentType: "text/html", about: "HTML", body: "<html>Log in</html>" };
    case 3:
      return { ...whole, status: 500, about: "500", body: '{"error":"no"}' };
    case 4:
      return { ...whole, about: "never", body: null };
    case 5:
      return { ...whole, about: "other JSON", body: JSON.stringify(random.pick(ODD)) };
    default: {
      const parsed: unknown = JSON.parse(body);
      const about = spoilMember(parsed, random, "");
      return { ...whole, about, body: JSON.stringify(parsed) };
    }
  }
}

/** Spoils one member, at any depth, in place; its path and what it became. */
function spoilMember(value: unknown, random: Random, path: string): string {
  if (typeof value !== "object" || value === null) return `${path} left`;
  const keys = Object.keys(value);
  const key = keys.length === 0 ? "new" : random.pick(keys);
  const member: unknown = Reflect.get(value, key);
  const here = `${path}.${key}`;
  const isDeep = typeof member === "object" && member !== null && Object.keys(member).length > 0;
  if (isDeep && random.chance(0.7)) return spoilMember(member, random, here);
  if (random.chance(0.25)) {
    Reflect.deleteProperty(value, key);
    return `${here} gone`;
  }
  const odd = random.pick(ODD);
  Reflect.set(value, key, odd);
  return `${here} = ${JSON.stringify(odd).slice(0, 30)}`;
}

/** A spoilt answer, and the path that it comes for. */
interface SpoiltPath extends Spoilt {
  readonly path: string;
}

const KEY = "test.spoilt";
/** A page that doesn't come to rest is judged as it is. */
const REST_MAX_MS = 60_000;

/** From the next navigation on, `fetch` of the page is watched, and gives what `load` names. */
export async function watchFetch(page: Page): Promise<void> {
  await page.addInitScript(fetchInPage, KEY);
}

/** Loads the page again, its answer of `path` spoilt; until all others are drawn. */
export async function load(page: Page, path: string, spoilt: Spoilt): Promise<void> {
  const given: SpoiltPath = { ...spoilt, path };
  const store = ([key, text]: readonly [string, string]) => sessionStorage.setItem(key, text);
  await page.evaluate(store, [KEY, JSON.stringify(given)] as const);
  await page.reload({ waitUntil: "commit" });
  await answersAtRest(page);
}

/** The answers by path, once the page has asked for all that it wants and has drawn it. */
export async function answersAtRest(page: Page): Promise<ReadonlyMap<string, string>> {
  return new Map(await page.evaluate<[string, string][]>(`answersAtRest(${REST_MAX_MS})`));
}

/**
 * Runs in the page before its own scripts. In the page, because a route of the browser takes every
 * request of it through the test's process, three times as long as the whole page takes.
 */
function fetchInPage(key: string): void {
  const spoilt: SpoiltPath | null = JSON.parse(window.sessionStorage.getItem(key) ?? "null");
  const ask = window.fetch.bind(window);
  const answers = new Map<string, string>();
  let asked = 0;
  let awaited = 0;
  const spoiltAnswer = ({ status, contentType, body }: SpoiltPath, signal?: AbortSignal | null) =>
    body === null
      ? new Promise<Response>((_, reject) => {
          signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        })
      : new Response(body, { status, headers: { "Content-Type": contentType } });
  const askAndRead = async (path: string, address: RequestInfo | URL, given?: RequestInit) => {
    asked += 1;
    awaited += 1;
    try {
      const response = await ask(address, given);
      const text = await response.text();
      const { status, headers } = response;
      if (!answers.has(path)) answers.set(path, text);
      return new Response(text, { status, headers });
    } finally {
      awaited -= 1;
    }
  };
  window.fetch = async (address, given) => {
    const { pathname } = new URL(String(address), document.baseURI);
    if (spoilt?.path === pathname) return spoiltAnswer(spoilt, given?.signal);
    return askAndRead(pathname, address, given);
  };
  const frame = () =>
    new Promise<void>((done) => requestAnimationFrame(() => setTimeout(() => done())));
  const isDrawn = () => document.querySelector("main section, main .problem, main form") !== null;
  const answersAtRest = async (most_ms: number) => {
    // A frame may draw a part that asks in the next one.
    for (let quiet = 0; quiet < 3 && performance.now() < most_ms; ) {
      const before = asked;
      await frame();
      quiet = awaited === 0 && asked === before && isDrawn() ? quiet + 1 : 0;
    }
    return [...answers];
  };
  Object.assign(window, { answersAtRest });
}
