// Rules of the configuration beyond its keys, as a start refuses them: a check, a command and the
// settings over HTTP try a configuration by them first.

import type { Config } from "../config/config.ts";
import { openMap, oursFilter } from "../payload/map-rules.ts";
import { spansAboard } from "../payload/own-spans.ts";

/** Throws a Failure for rules of the map, or plausible spans, that a start would refuse. */
export function requireRules(config: Config): void {
  openMap(config.map, oursFilter(config.mqtt, config.system));
  spansAboard(config);
}
