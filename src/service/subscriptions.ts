// The filters that were ever subscribed to at the ship's broker. A persistent session keeps them
// until they are taken back, and can't be asked for them; without this, what a corrected map no
// longer wants would go on arriving for ever.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";

const Filters = z.array(z.string());

/** Of so many maps nobody has the session any more. */
const FORMER_MAX = 2000;

/** Remembers `topics` in the data folder; returns those of earlier starts that aren't among them. */
export function formerTopics(dir: string, topics: readonly string[], log: Log): readonly string[] {
  const file = path.join(dir, "subscriptions.json");
  const former = readFilters(file)
    .filter((topic) => !topics.includes(topic))
    .slice(0, FORMER_MAX);
  try {
    writeFileSync(file, `${JSON.stringify([...topics, ...former])}\n`);
  } catch (error) {
    log.warn("the subscriptions can't be remembered", { file, problem: messageOf(error) });
  }
  return former;
}

// Not there before the first start, and perhaps cut off by a power cut: then nothing is known.
function readFilters(file: string): readonly string[] {
  try {
    return Filters.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return [];
  }
}
