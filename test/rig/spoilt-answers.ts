// Answers that went wrong on their way from ballastd to the page: members gone or of another type,
// huge numbers, other bodies, none at all. Put between page and program by the browser's routes.

import type { Page, Route } from "playwright-core";
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

/** From now on answers whose address `is` true for come as `spoilt`; the route's end undoes it. */
export async function spoilRoute(
  page: Page,
  is: (url: URL) => boolean,
  spoilt: Spoilt,
): Promise<() => Promise<void>> {
  const handler = async (route: Route) => {
    const { status, contentType, body } = spoilt;
    if (body !== null) await route.fulfill({ status, contentType, body }).catch(() => undefined);
  };
  await page.route(is, handler);
  return () => page.unroute(is, handler);
}
