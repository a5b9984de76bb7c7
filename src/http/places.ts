// What a stranger isn't told in the words of a problem: where files lie, and where the ship's broker
// is. The kind of problem stays, so that a page still says what is wrong.

import type { Readiness } from "./readiness.ts";

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi;
const QUOTED_PATHS = /(['"])(?:~|\.{1,2})?\/(?:(?!\1).)*\1/g;
// Also over blanks, as in /mnt/My Disk/key.pem.
const PATHS = /(?<![\w.)])(?:~|\.{1,2})?\/[^\s'",;:)]+(?: [^\s'",;:)/]+(?:\/[^\s'",;:)]+)+)*/g;
/** As node names the other end: `connect ECONNREFUSED 10.0.0.5:1883`. */
const OTHER_END = /\b(E[A-Z]{4,}|EAI_[A-Z]+) [^\s,;]*[.:][^\s,;]*/g;

/** `readiness` as whoever shows no token is told it. */
export function withoutPlaces(readiness: Readiness): Readiness {
  const { mqtt } = readiness;
  const isOurs = mqtt.mode === "embedded";
  const broker = isOurs || mqtt.where === "" ? [] : [mqtt.where, hostOf(mqtt.where)];
  const clean = (text: string) => cleaned(text, broker);
  const readable: Readiness = JSON.parse(JSON.stringify(readiness), (key, value) =>
    typeof value === "string" && (key === "problem" || key === "where") ? clean(value) : value,
  );
  return {
    ...readable,
    reasons: readiness.reasons.map(clean),
    mqtt: { ...readable.mqtt, where: isOurs ? mqtt.where : "" },
  };
}

function cleaned(text: string, broker: readonly string[]): string {
  return broker
    .filter((place) => place !== "")
    .reduce((rest, place) => rest.replaceAll(place, "(broker)"), text)
    .replace(URLS, "(address)")
    .replace(QUOTED_PATHS, "(file)")
    .replace(PATHS, "(file)")
    .replace(OTHER_END, "$1");
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
