// The keys that a maintainer may change over HTTP, and the check of a value. The unit's step before
// a start checks with the same code, since it doesn't trust the service.

import path from "node:path";
import { imoCheckDigit, isImoNumber } from "../bwts/documents/imo-number.ts";
import type { SettingsBody } from "../bwts/settings.ts";
import type { KeySetting } from "../config/change.ts";
import { CONFIG_KEYS, type ConfigKey } from "../config/config.ts";
import { givenValue } from "../config/given.ts";
import { valueRefusal } from "../config/read.ts";
import { shownName } from "../config/shown.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { quoted } from "../ground/quoted.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";

/** Single keys that are settings; all keys of limits and lamps are, too. */
const SINGLE_KEYS = [
  ...["vessel", "imo", "utc_offset", "type", "serial", "certificate", "capacity"].map(
    (name) => `system.${name}`,
  ),
  ...["system.id", "http.listen", "mqtt.listen", "mqtt.username", "mqtt.prefix"],
  ...["mqtt.plc_utc_offset", "backup.dir"],
];

export const SETTINGS = CONFIG_KEYS.filter(
  ({ section, key }) => section === "limits" || section === "lamps" || SINGLE_KEYS.includes(key),
);

/**
 * A setting that is no key of the file: its value is written to a file in the data folder, which
 * the configuration then names.
 */
export const PASSWORD = "mqtt.password";

/** The key of the map's rules, whose tables are added and removed one by one. */
export const MAP_RULE = CONFIG_KEYS.filter(({ key }) => key === "map.rule")[0];

export const PASSWORD_FILE = CONFIG_KEYS.filter(({ key }) => key === "mqtt.password_file")[0];

const ALLOWED = `${[...SINGLE_KEYS, PASSWORD].join(", ")}, limits.* and lamps.*`;

type AskedChange = SettingsBody["changes"][number];

/** Matches a number with a group of three digits, whose point or comma may be a decimal one. */
const THOUSAND = /^\d{1,3}([.,]\d{3})+$/;

/** The setting of a change, or the problem with its key or its value. */
export function settingOf({ key: name, value }: AskedChange): KeySetting | Failure {
  const key = SETTINGS.find((one) => one.key === name);
  if (key === undefined) return new Failure(EXIT.config, notAllowed(name));
  if (typeof key.fallback === "number" && typeof value === "string" && THOUSAND.test(value))
    return new Failure(
      EXIT.config,
      `${key.key}: "${value}" may be a thousand, expected such as 1000, or 1.0`,
      reason("number_unclear", { setting: key.key, given: value }),
    );
  const written = writtenValue(key, value);
  return valueProblem(key, written) ?? { key, value: written };
}

/** Paths of the two password files: one is in use while the other is written. */
export function passwordFiles(dir: string): readonly string[] {
  return ["mqtt-password", "mqtt-password-2"].map((name) => path.join(dir, name));
}

function notAllowed(name: string): string {
  const known = CONFIG_KEYS.some(({ key }) => key === name);
  if (known)
    return `${name}: isn't changed over HTTP, expected ${ALLOWED}; type ballastd config set aboard`;
  const isName = name.split(".").every((part) => shownName(part) !== null);
  return `${isName ? name : "that key"}: is unknown, expected ${ALLOWED}`;
}

function valueProblem(key: ConfigKey, value: unknown): Failure | null {
  if (value === null) return null;
  const refusal = valueRefusal(key, value);
  if (refusal !== null)
    return new Failure(refusal.exitCode, plainProblem(refusal.message), ...refusal.reasons);
  return key.key === "system.imo" ? imoProblem(String(value)) : null;
}

/** The problem with an IMO number's form or check digit; null for a right or empty one. */
function imoProblem(given: string): Failure | null {
  if (given === "" || isImoNumber(given)) return null;
  const refused = (what: string, stated: RefusalReason) =>
    new Failure(EXIT.config, `system.imo: ${quoted(given)} was given, ${what}`, stated);
  if (!/^[1-9]\d{6}$/.test(given))
    return refused(
      "expected an IMO number of 7 digits, the first no 0, without letters",
      reason("imo_unfit", { given }),
    );
  const digit = imoCheckDigit(given);
  return refused(
    `its check digit is wrong: after ${given.slice(0, 6)} expected ${digit}`,
    reason("imo_digit", { given, digit }),
  );
}

/** The value for the file. A form sends a number or a list as text. */
function writtenValue(key: ConfigKey, value: AskedChange["value"]) {
  const isText = typeof value === "string" && typeof key.fallback !== "string";
  return isText ? givenValue(key, value) : value;
}

/** Removes the word with which all problems of the configuration begin. */
export const plainProblem = (message: string) => message.replace(/^configuration: /, "");
