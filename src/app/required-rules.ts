// The checks of a start beyond the configuration's keys: rules of the map, and named files that
// can't be read. A check, a command and the settings over HTTP run them first.

import { existsSync } from "node:fs";
import { readCertificate } from "../config/certificate.ts";
import type { Config } from "../config/config.ts";
import { openMap, oursFilter } from "../payload/map-rules.ts";
import { spansAboard } from "../payload/own-spans.ts";
import { certificateFiles } from "./certificates.ts";
import { readPassword, tokenIn } from "./secret-files.ts";

/** Throws a Failure for rules of the map, or plausible spans, that a start would refuse. */
export function requireRules(config: Config): void {
  openMap(config.map, oursFilter(config.mqtt, config.system));
  spansAboard(config);
}

/**
 * As `requireRules`; throws a Failure also for a named file that a start couldn't use. `unwritten`
 * is a file that will be written before the start.
 */
export function requireStart(config: Config, unwritten: string | null): void {
  requireRules(config);
  const { auth, mqtt, sparkplug } = config;
  for (const files of certificateFiles(config)) readCertificate(files);
  if (mqtt.password_file !== unwritten) readPassword(mqtt.password_file);
  if (sparkplug.url !== "") readPassword(sparkplug.password_file, "sparkplug");
  if (auth.token === "" && existsSync(auth.token_file)) tokenIn(auth.token_file);
}
