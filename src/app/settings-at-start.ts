// Settings that the service may not write, because its unit lets it change nothing in /etc. It
// leaves them in its state folder and ends; the unit's take-settings (systemd/) writes them as root
// before the next start. Root trusts neither the file nor its contents: keys and values are checked
// again.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { LeftSettings } from "../bwts/settings.ts";
import type { KeySetting } from "../config/change.ts";
import type { Config } from "../config/config.ts";
import type { RuleChanges } from "../config/edit-rules.ts";
import type { Environment } from "../config/read.ts";
import { readSmall, writeWhole } from "../ground/durable.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { asOwner } from "../ground/owner.ts";
import { PASSWORD_FILE, passwordFiles, settingOf } from "./settings-keys.ts";

/** Path of the file for such settings; null without a unit that takes it. */
export function settingsAtStart(env: Environment): string | null {
  const dir = env.STATE_DIRECTORY;
  return env.SETTINGS_AT_START === "1" && dir ? path.join(dir, "settings.json") : null;
}

/** Changed settings, and changed rules of the map. */
export interface SettingsChange {
  readonly settings: readonly KeySetting[];
  readonly rules: RuleChanges;
}

/** Writes the changes to the file for the unit. */
export function leaveSettings(file: string, { settings, rules }: SettingsChange): void {
  const changes = settings.map(({ key, value }) => ({ key: key.key, value: asText(value) }));
  writeWhole(file, `${JSON.stringify({ changes, rules }, null, 2)}\n`);
}

const asText = (value: KeySetting["value"]) => (Array.isArray(value) ? value.join(", ") : value);

/**
 * The changes in the file. Throws a Failure if it has settings that may not be changed over HTTP.
 */
export function settingsLeftIn(file: string, config: Config): SettingsChange {
  const text = textIn(file);
  const left = z.string().transform(parsed).pipe(LeftSettings).safeParse(text);
  if (!left.success) throw new Failure(EXIT.config, `${file}: isn't a list of settings`);
  const settings = left.data.changes.map((change) => {
    const setting =
      change.key === PASSWORD_FILE.key
        ? passwordSetting(change.value, [config.storage.dir, path.dirname(file)])
        : settingOf(change);
    if (setting instanceof Failure)
      throw new Failure(EXIT.config, `${file}: ${setting.message}`, ...setting.reasons);
    return setting;
  });
  return { settings, rules: left.data.rules };
}

function textIn(file: string): string {
  try {
    return asOwner(() => readSmall(file)).toString();
  } catch (error) {
    throw new Failure(EXIT.config, `${file}: ${messageOf(error)}`);
  }
}

/**
 * The setting of the MQTT password's file. Only the two files made by the service are accepted, so
 * that root writes no other name. Without a configured data folder they are in the state folder,
 * which root's environment doesn't name.
 */
function passwordSetting(value: unknown, dirs: readonly string[]): KeySetting | Failure {
  if (value === null) return { key: PASSWORD_FILE, value };
  const known = dirs.flatMap(passwordFiles).find((one) => one === value);
  return known === undefined
    ? new Failure(EXIT.config, `${PASSWORD_FILE.key}: is no file that ballastd has made`)
    : { key: PASSWORD_FILE, value: known };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Removes changes that weren't taken before this start, and returns the reason; null if there were
 * none. Only the unit knows the reason for certain; here the file is judged again, as far as the
 * service can.
 */
export function removeUntaken(env: Environment, config: Config): string | null {
  const file = settingsAtStart(env);
  if (file === null || !existsSync(file)) return null;
  const reason = untakenReason(file, config);
  rmSync(file, { force: true });
  return reason;
}

function untakenReason(file: string, config: Config): string {
  try {
    settingsLeftIn(file, config);
    return "the configuration's file couldn't be written; it or its disk may be read-only, or full";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message.replace(`${file}: `, "");
  }
}
