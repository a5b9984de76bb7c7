// Changes of settings by a maintainer over HTTP, with the code of `ballastd config set`: tried as a
// whole, written whole or not at all, and the file before is kept. Each change is an entry of the
// audit log with its keys. If the service may not write the file, its unit writes it at the
// restart.

import { existsSync } from "node:fs";
import path from "node:path";
import type { AuditEntry, By } from "../bwts/audit.ts";
import type { SettingsAnswer, SettingsBody, SettingsOutcome } from "../bwts/settings.ts";
import { type ChangedKey, changeKeys, type KeySetting } from "../config/change.ts";
import { type Config, type ConfigKey, configValues } from "../config/config.ts";
import { beforeOf } from "../config/config-file.ts";
import { foundRules, ruleChanges } from "../config/edit-rules.ts";
import { limitDoubts } from "../config/limit-doubts.ts";
import { loadConfig } from "../config/load.ts";
import { writeWhole } from "../ground/durable.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { oneAfterAnother } from "../ground/in-turn.ts";
import type { Log } from "../ground/log.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import type { StartConfig } from "./asked-support.ts";
import { folderProblem, listenProblem } from "./machine-fit.ts";
import { requireStart } from "./required-rules.ts";
import { leaveSettings, settingsAtStart } from "./settings-at-start.ts";
import {
  MAP_RULE,
  PASSWORD,
  PASSWORD_FILE,
  passwordFiles,
  plainProblem,
  settingOf,
} from "./settings-keys.ts";
import { shownInFile, shownLine } from "./shown-config.ts";
import { refusedText, writingProblem } from "./writing-problem.ts";

/** Changes settings for `by`. */
export type ChangeSettings = (asked: SettingsBody, by: By) => Promise<SettingsOutcome>;

/** The two ways of restarting. */
export interface Restarts {
  /** Has this process read its configuration and open everything again. */
  readonly again: () => void;
  /** Ends this process, so that the service manager starts it again. */
  readonly end: () => void;
}

interface SettingsTools {
  readonly given: StartConfig;
  /** The configuration of this run. */
  readonly config: Config;
  /** The ports on which this process listens. */
  readonly ports: () => ReadonlySet<number>;
  readonly restarts: Restarts;
  readonly log: Log;
  readonly write: (entry: Omit<AuditEntry, "at_ms">) => void;
}

type NotDone = Exclude<SettingsOutcome, { readonly outcome: "done" }>;

export function openAskedConfig(tools: SettingsTools): ChangeSettings {
  const { given, config, write, restarts } = tools;
  const inTurn = oneAfterAnother();
  return (asked, by) => inTurn(() => changeFor(asked, by));

  async function changeFor(asked: SettingsBody, by: By): Promise<SettingsOutcome> {
    const place = placeOf(given, asked);
    if ("outcome" in place) return place;
    const { file, left } = place;
    const found = await settingsFor(asked, tools);
    if ("outcome" in found) return found;
    if (left !== null && !asked.check && !asked.restart) return onlyAtStart();
    try {
      const rules = foundRules(asked.rules, loadConfig({ file, env: given.env }).config.map.rule);
      const after: Config[] = [];
      const refuse = (one: Config) => {
        requireStart(one, found.password?.file ?? null);
        after.push(one);
      };
      const trial = { env: given.env, refuse, rules };
      const tried = await changeKeys(file, found.settings, { ...trial, isDry: true });
      // The password file may stay the same and get another password.
      const changed = tried.filter(
        ({ isNew, key }) => isNew || (found.password !== null && key === PASSWORD_FILE),
      );
      const conflict = conflictIn(asked, changed);
      if (conflict !== null) return conflict;
      const ofRules = ruleChanges(rules);
      const changes = [...changed.map(shownChange), ...ofRules];
      const isStored = !asked.check && changes.length > 0;
      const isLaterStart = ofRules.length > 0 || tried.some((one) => isLater(one, config));
      const answer: SettingsAnswer = {
        changes,
        doubts: after.slice(0, 1).flatMap((one) => doubtsAmong(changed, one)),
        stored: isStored,
        before: isStored && left === null ? path.basename(beforeOf(file)) : null,
        restart: isLaterStart,
        restarting: !asked.check && asked.restart && isLaterStart,
      };
      if (isStored) {
        if (found.password !== null) writeWhole(found.password.file, `${found.password.text}\n`);
        if (left === null) await changeKeys(file, found.settings, trial);
        else leaveSettings(left, { settings: found.settings, rules });
        write({ ...by, kind: "settings", detail: { changes: answer.changes } });
      }
      // After the answer was sent. Settings that were left for the unit need a start by the service
      // manager.
      if (answer.restarting) setImmediate(left === null ? restarts.again : restarts.end);
      return { outcome: "done", answer };
    } catch (error) {
      if (error instanceof Failure) return refusalOf(error);
      throw error;
    }
  }
}

const doubtsAmong = (changed: readonly ChangedKey[], after: Config) =>
  limitDoubts(
    after,
    changed.map(({ key }) => key.key),
  );

/**
 * The refusal if the file's value of a key isn't the one that the client wants to replace; null if
 * there is none.
 */
function conflictIn({ changes }: SettingsBody, changed: readonly ChangedKey[]): NotDone | null {
  for (const one of changed.map(shownChange)) {
    const { old } = changes.find(({ key }) => key === one.key) ?? {};
    if (old !== undefined && old !== one.old)
      return notDone(
        "file",
        `${one.key}: the file has ${JSON.stringify(one.old)} meanwhile: nothing was changed, ` +
          "try it again",
        reason("setting_changed", { setting: one.key, now: String(one.old) }),
      );
  }
  return null;
}

/**
 * The file, and the place for settings that the unit will write; the place is null if this process
 * can write the file.
 */
function placeOf(
  given: StartConfig,
  { rules }: SettingsBody,
): NotDone | { file: string; left: string | null } {
  const { file, env } = given;
  const problem = writingProblem(given);
  if (file === null || problem !== null) {
    const left = settingsAtStart(env);
    if (file === null || left === null || problem?.isInside)
      return problem === null
        ? notDone("file", "")
        : notDone("file", refusedText(problem, rules), problem.reason);
    if (existsSync(left))
      return notDone(
        "busy",
        "the change before is about to be written at a restart",
        reason("change_waiting", {}),
      );
    return { file, left };
  }
  return { file, left: null };
}

const notDone = (
  outcome: NotDone["outcome"],
  problem: string,
  ...reasons: readonly RefusalReason[]
): NotDone => ({ outcome, problem, reasons });

interface FoundSettings {
  readonly settings: readonly KeySetting[];
  readonly password: { readonly file: string; readonly text: string } | null;
}

async function settingsFor(
  { changes, rules }: SettingsBody,
  tools: SettingsTools,
): Promise<NotDone | FoundSettings> {
  const { given, config } = tools;
  if (ruleChanges(rules).length > 0 && given.env[MAP_RULE.variable] !== undefined)
    return fromEnvironment(MAP_RULE);
  const settings: KeySetting[] = [];
  const refused: Failure[] = [];
  let password: FoundSettings["password"] = null;
  for (const change of changes) {
    const isPassword = change.key === PASSWORD;
    const setting = isPassword ? passwordSetting(change.value, config) : settingOf(change);
    if (setting instanceof Failure) {
      refused.push(setting);
      continue;
    }
    const { key, value } = setting;
    if (isPassword && value !== null)
      password = { file: String(value), text: String(change.value) };
    if (settings.some((one) => one.key === key))
      return notDone("value", `${change.key}: is given twice, expected it once`);
    if (given.env[key.variable] !== undefined) return fromEnvironment(key);
    const problem = folderProblem(setting) ?? (await listenProblem(setting, tools));
    if (problem !== null) refused.push(problem);
    settings.push(setting);
  }
  if (refused.length > 0)
    return notDone(
      "value",
      refused.map(({ message }) => message).join("; "),
      ...refused.flatMap(({ reasons }) => reasons),
    );
  return { settings, password };
}

/**
 * The setting for a new password. It goes to the file that isn't in use, so that the old one stays
 * whole.
 */
function passwordSetting(value: unknown, config: Config): KeySetting | Failure {
  if (value === null) return { key: PASSWORD_FILE, value };
  if (typeof value !== "string" || !/^[\x21-\x7e]([\x20-\x7e]{6,126})[\x21-\x7e]$/.test(value))
    return new Failure(
      EXIT.config,
      `${PASSWORD}: expected 8 to 128 letters, digits and signs of ASCII, no blank at an end`,
      reason("password_unfit", { min: 8, max: 128 }),
    );
  const free = passwordFiles(config.storage.dir).find((one) => one !== config.mqtt.password_file);
  return { key: PASSWORD_FILE, value: free ?? "" };
}

function onlyAtStart(): NotDone {
  const problem =
    "here the settings are written at a restart alone: ask for it with restart: true, or try " +
    "them with check: true";
  return notDone("file", problem);
}

function fromEnvironment({ key, variable }: ConfigKey): NotDone {
  return notDone(
    "file",
    `${key}: comes from the environment variable ${variable}, which wins over the file: change ` +
      "it where the service is started, or take it out there",
    reason("setting_fixed", { setting: key, variable }),
  );
}

function refusalOf({ exitCode, message, reasons }: Failure): NotDone {
  if (exitCode === EXIT.temporary) return notDone("busy", message, ...reasons);
  const outcome = exitCode === EXIT.config ? "value" : "file";
  return notDone(outcome, plainProblem(message), ...reasons);
}

function shownChange({ key, old, value }: ChangedKey) {
  const shown = (one: unknown) => shownLine(shownInFile(key, one ?? key.fallback));
  return { key: key.key, old: shown(old), new: shown(value) };
}

/**
 * True if the running value of the key differs from the value in the file, which a restart will
 * use.
 */
function isLater({ key, value }: ChangedKey, config: Config): boolean {
  const running = configValues(config).find((one) => one.key === key.key)?.value;
  return JSON.stringify(key.type.parse(value ?? key.fallback)) !== JSON.stringify(running);
}
