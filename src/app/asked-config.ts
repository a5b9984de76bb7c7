// The settings that a maintainer changes over HTTP, by the code of `ballastd config set`: tried as
// a whole, written whole or not at all, with the file before kept. Each is an entry of the audit
// log, with its keys.

import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import type { AuditEntry, By } from "../bwts/audit.ts";
import type { SettingsAnswer, SettingsBody, SettingsOutcome } from "../bwts/settings.ts";
import { imoCheckDigit, isImoNumber } from "../bwts/shore/imo-number.ts";
import { changeKeys, type KeyChanged, type KeySetting } from "../config/change.ts";
import { CONFIG_KEYS, type Config, type ConfigKey, configValues } from "../config/config.ts";
import { beforeOf } from "../config/config-file.ts";
import { givenValue } from "../config/given.ts";
import { loadConfig } from "../config/load.ts";
import { valueRefusal } from "../config/read.ts";
import { shownName } from "../config/shown.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { GivenConfig } from "./asked-support.ts";
import { requireRules } from "./required-rules.ts";
import { shownInFile } from "./shown-config.ts";

/** Changes settings for `by`. */
export type AskedConfig = (asked: SettingsBody, by: By) => Promise<SettingsOutcome>;

/** Keys of the ship; of limits and lamps all are settings. */
const SHIP_KEYS = ["vessel", "imo", "utc_offset", "type", "serial", "certificate", "capacity"];

const SETTINGS = CONFIG_KEYS.filter(
  ({ section, name }) =>
    section === "limits" ||
    section === "lamps" ||
    (section === "system" && SHIP_KEYS.includes(name)),
);

const ALLOWED = `system.${SHIP_KEYS.join(", system.")}, limits.* and lamps.*`;

interface SettingsTools {
  readonly given: GivenConfig;
  /** The configuration of this run. */
  readonly config: Config;
  readonly write: (entry: Omit<AuditEntry, "at_ms">) => void;
}

export function openAskedConfig({ given, config, write }: SettingsTools): AskedConfig {
  return async ({ changes, check: isDry }, by) => {
    const { file, env } = given;
    if (file === null)
      return {
        outcome: "file",
        problem:
          "this instance runs without a configuration file: make /etc/ballastd/ballastd.toml " +
          "aboard, or start it with --config FILE",
      };
    const settings: KeySetting[] = [];
    for (const { key: name, value } of changes) {
      const key = SETTINGS.find((one) => one.key === name);
      if (key === undefined) return { outcome: "value", problem: notAllowed(name) };
      const written = writtenValue(key, value);
      const problem = valueProblem(key, written);
      if (problem !== null) return { outcome: "value", problem };
      if (settings.some((one) => one.key === key))
        return { outcome: "value", problem: `${name}: is given twice, expected it once` };
      if (env[key.variable] !== undefined)
        return { outcome: "file", problem: fromEnvironment(key) };
      settings.push({ key, value: written });
    }
    const unusable = fileProblem(given, file);
    if (unusable !== null) return { outcome: "file", problem: unusable };
    try {
      const trial = { env, refuse: requireRules, isDry };
      const all = await changeKeys(file, settings, trial);
      const changed = all.filter(({ isNew }) => isNew);
      const isStored = !isDry && changed.length > 0;
      const shown = changed.map(shownChange);
      if (isStored) write({ ...by, kind: "settings", detail: { changes: shown } });
      const answer: SettingsAnswer = {
        changes: shown,
        stored: isStored,
        before: isStored ? path.basename(beforeOf(file)) : null,
        restart: all.some((one) => isLater(one, config)),
      };
      return { outcome: "done", answer };
    } catch (error) {
      if (error instanceof Failure) return refusalOf(error);
      throw error;
    }
  };
}

function notAllowed(name: string): string {
  const known = CONFIG_KEYS.some(({ key }) => key === name);
  if (known)
    return `${name}: isn't changed over HTTP, expected ${ALLOWED}; type ballastd config set aboard`;
  const isName = name.split(".").every((part) => shownName(part) !== null);
  return `${isName ? name : "that key"}: is unknown, expected ${ALLOWED}`;
}

type GivenValue = SettingsBody["changes"][number]["value"];

function valueProblem(key: ConfigKey, value: unknown): string | null {
  if (value === null) return null;
  const refusal = valueRefusal(key, value);
  if (refusal !== null) return plain(refusal.message);
  const imo = key.key === "system.imo" ? imoProblem(String(value)) : null;
  return imo === null ? null : `${key.key}: "${value}" was given, ${imo}`;
}

/** The problem of an IMO number by its form and check digit; null for a right one, or none. */
function imoProblem(given: string): string | null {
  if (given === "" || isImoNumber(given)) return null;
  return /^\d{7}$/.test(given)
    ? `its check digit is wrong: after ${given.slice(0, 6)} expected ${imoCheckDigit(given)}`
    : "expected an IMO number of 7 digits, without letters";
}

/** The value in the file: a number may come as a text, as a form has it. */
function writtenValue(key: ConfigKey, value: GivenValue) {
  const isText = typeof value === "string" && typeof key.fallback !== "string";
  return isText ? givenValue(key, value) : value;
}

function fromEnvironment({ key, variable }: ConfigKey): string {
  return (
    `${key}: comes from the environment variable ${variable}, which wins over the file: change ` +
    "it where the service is started, or take it out there"
  );
}

/** The reason why nothing can be changed in the file; null if it is sound and can be replaced. */
function fileProblem({ env }: GivenConfig, file: string): string | null {
  try {
    loadConfig({ file, env });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `the file can't be used as it is, mend it aboard by hand: ${plain(error.message)}`;
  }
  try {
    accessSync(path.dirname(realpathSync(file)), constants.W_OK);
    return null;
  } catch {
    return (
      `${file}: the service may not replace it, so nothing was changed; type aboard: ` +
      "sudo ballastd config set KEY VALUE"
    );
  }
}

function refusalOf({ exitCode, message }: Failure): SettingsOutcome {
  if (exitCode === EXIT.temporary) return { outcome: "busy", problem: message };
  return { outcome: exitCode === EXIT.config ? "value" : "file", problem: plain(message) };
}

const plain = (message: string) => message.replace(/^configuration: /, "");

function shownChange({ key, old, value }: KeyChanged) {
  const shown = (one: unknown) => {
    const text = shownInFile(key, one ?? key.fallback);
    return typeof text === "number" || typeof text === "boolean" ? text : String(text);
  };
  return { key: key.key, old: shown(old), new: shown(value) };
}

/** True if this run has another value of the key than the file then has. */
function isLater({ key, value }: KeyChanged, config: Config): boolean {
  const running = configValues(config).find((one) => one.key === key.key)?.value;
  return JSON.stringify(key.type.parse(value ?? key.fallback)) !== JSON.stringify(running);
}
