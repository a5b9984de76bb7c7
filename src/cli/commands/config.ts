// `ballastd config`: shows the effective configuration with the origin of each key, and changes
// keys of its file. A change is tried as a whole before it is written, so that the next start
// accepts the file.

import { rmSync } from "node:fs";
import path from "node:path";
import { runningInstance } from "../../app/recovery/check-instance.ts";
import {
  checkCertificates,
  checkLimits,
  checkLogins,
  checkShared,
} from "../../app/recovery/check-machine.ts";
import { checkRecovery } from "../../app/recovery/check-recovery.ts";
import { serviceUnit } from "../../app/recovery/recovery-page.ts";
import { requireRules } from "../../app/required-rules.ts";
import { type SettingsChange, settingsLeftIn } from "../../app/settings-at-start.ts";
import { shownConfig, shownInFile } from "../../app/shown-config.ts";
import { type ChangedKey, changeKeys, type KeySetting } from "../../config/change.ts";
import { CONFIG_KEYS, type Config, type ConfigKey } from "../../config/config.ts";
import { beforeOf, configTextAt } from "../../config/config-file.ts";
import { NO_RULES, ruleChanges, ruleLine } from "../../config/edit-rules.ts";
import { givenValue } from "../../config/given.ts";
import { DEFAULT_FILE, loadConfig, readableConfig } from "../../config/load.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { actAsOwnerOf, asCaller, asOwner } from "../../ground/owner.ts";
import { escapedJson } from "../../ground/quoted.ts";
import { differencesBetween } from "../../payload/similar-field.ts";
import { escapedLines, printListDocument, printResult } from "../document.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "show the effective configuration, or change keys of its file";

export const help = `usage: ballastd config show [--origin] [--json] [--config FILE]
       ballastd config set KEY VALUE [KEY VALUE]... [--json] [--config FILE]
       ballastd config unset KEY [KEY]... [--json] [--config FILE]
       ballastd config take FILE [--json] [--config FILE]

show prints the version of the file's form, and every key with its value; of a secret only whether
it is set. set and unset change these keys of the file and nothing else in it: comments, order and
line ends stay. Keys that need each other, such as mqtt.username and mqtt.password_file, are given
in one command. A configuration that can't be used isn't written; problems of files that it names
are said. The file before is kept beside it, as FILE.before. Nothing is restarted: the last line
says whether that is needed. take writes the settings that the service has left in FILE for its
unit, which runs this before a start, and removes FILE.

  KEY             section.name, such as http.listen
  VALUE           as in an environment variable, a list with commas; or as TOML in quotes or
                  brackets
  --origin        of show: also the origin of each: default, environment variable, or file and line
  --json          of show a JSON list of objects: key, value, origin; else a JSON object
  --config FILE   the configuration to show or to change

Examples:
  ballastd config set limits.uv_imo 300 limits.source 'certificate 4711'
  ballastd config set http.listen '["0.0.0.0:8080", "[::]:8080"]'
  ballastd config unset mqtt.username mqtt.password_file

The rules of a map ([[map.rule]]) are changed in the file. A secret typed here is seen by whoever
lists this machine's processes: leave auth.token out, and use auth.token_file.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args.map(marked), {
    origin: { type: "boolean", default: false },
  });
  const [action, ...rest] = positionals;
  const words = rest.map(unmarked);
  if (values.origin && action !== "show")
    throw new Failure(EXIT.usage, `config ${action} --origin: only config show takes it`);
  switch (action) {
    case "show":
      if (words.length > 0) break;
      return show(values);
    case "set":
      return changeOf(settingsIn(words), values);
    case "unset":
      if (words.length === 0) break;
      return changeOf(
        words.map((word) => ({ key: keyOf(word), value: null })),
        values,
      );
    case "take":
      if (words.length !== 1) break;
      return takeLeft(words[0], values);
  }
  const expected = "config show, config set KEY VALUE, config unset KEY or config take FILE";
  // The message leaves out the words after the action: they may be a secret.
  throw wrongAction("config", action ?? "", expected);
}

/**
 * An argument with a mark before a negative number, which the parser of options would otherwise
 * take for an option.
 */
function marked(arg: string): string {
  return /^-[\d.]/.test(arg) ? `\0${arg}` : arg;
}

function unmarked(word: string): string {
  return word.replace(/^\0/, "");
}

interface ConfigOptions {
  readonly origin: boolean;
  readonly json: boolean;
  readonly config?: string;
}

function show({ origin: isOrigin, json, config }: ConfigOptions): void {
  const keys = shownConfig(loadConfig({ file: config ?? null, env: process.env }));
  if (json) {
    printListDocument(keys.map(({ key, value, origin }) => ({ key, value, origin })));
    return;
  }
  const lines = keys.map(
    ({ key, value, origin }) =>
      `${key} = ${JSON.stringify(value)}${isOrigin ? `  # ${origin}` : ""}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}

function settingsIn(words: readonly string[]): readonly KeySetting[] {
  if (words.length === 0 || words.length % 2 !== 0)
    throw new Failure(
      EXIT.usage,
      `config set: got ${words.length} words, expected pairs of KEY and VALUE; ` +
        "a value with blanks in quotes",
    );
  return words.flatMap((word, index) => {
    if (index % 2 !== 0) return [];
    const key = keyOf(word);
    const typed = words[index + 1];
    // Node replaces bytes that aren't UTF-8 with this character.
    if (typed.includes("\uFFFD"))
      throw new Failure(EXIT.usage, `${key.key}: the value has characters that aren't UTF-8`);
    return [{ key, value: givenValue(key, typed) }];
  });
}

/** The key of this name. Throws a Failure for an unknown name, with similar keys. */
function keyOf(word: string): ConfigKey {
  const key = CONFIG_KEYS.find((one) => one.key === word);
  if (key?.key === "map.rule")
    throw new Failure(EXIT.usage, "map.rule: change its [[map.rule]] tables in the file by hand");
  if (key !== undefined) return key;
  const near = nearKeys(word);
  const isName = WORD.test(word);
  const advice =
    near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : "expected a key such as http.listen; ballastd config show lists all";
  // A secret may have been typed in a key's place.
  throw new Failure(EXIT.usage, `${isName ? word : "that key"} is unknown: ${advice}`);
}

/** Form of a name with sections; no secret typed here has this form. */
const WORD = /^[a-z_]{1,30}(\.[a-z_]{1,30}){1,3}$/;

/**
 * Keys similar to `word`: up to a quarter of the letters may differ, and the section may be
 * missing.
 */
function nearKeys(word: string): readonly string[] {
  const [asked = ""] = word.toLowerCase().split("=");
  if (asked.length > 64) return [];
  return CONFIG_KEYS.map(({ key, name }) => ({
    key,
    differences: name === asked ? 0 : differencesBetween(asked, key),
  }))
    .filter(({ differences }) => differences <= asked.length / 4)
    .toSorted((one, other) => one.differences - other.differences)
    .slice(0, 3)
    .map(({ key }) => key);
}

/**
 * Writes the settings that the service has left in a file. The file is deleted only when they were
 * accepted, so that the service keeps reporting refused ones.
 */
async function takeLeft(left: string, options: ConfigOptions): Promise<void> {
  const { config } = readableConfig({ file: fileOf(options), env: process.env });
  actAsOwnerOf(config.storage.dir);
  await change(settingsLeftIn(left, config), options);
  asOwner(() => rmSync(left));
}

const fileOf = ({ config }: ConfigOptions): string =>
  config ?? (process.env.BALLASTD_CONFIG || DEFAULT_FILE);

const changeOf = (settings: readonly KeySetting[], options: ConfigOptions) =>
  change({ settings, rules: NO_RULES }, options);

async function change({ settings, rules }: SettingsChange, options: ConfigOptions): Promise<void> {
  const keys = settings.map(({ key }) => key.key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    throw new Failure(EXIT.usage, `${twice}: is given twice, expected it once`);
  const file = fileOf(options);
  // Refuses anything but a readable file, before reading could block at a pipe.
  configTextAt(file);
  const before = readableConfig({ file, env: process.env }).config;
  actAsOwnerOf(before.storage.dir);
  // Read before the change: a service in recovery reads the new file at once.
  const service = await stateOf(before);
  const trial = { env: process.env, refuse: requireRules, rules };
  const all = await changeKeys(file, settings, trial);
  const changed = all.filter(({ isNew }) => isNew);
  const changes = [
    ...changed.map((one) => ({ key: one.key.key, ...shownChange(one) })),
    ...ruleChanges(rules),
  ];
  const kept = changes.length === 0 ? null : beforeOf(file);
  const isRestart = changes.length > 0 && service === "running";
  const result = { file, before: kept, restart: isRestart, changes };
  const unit =
    path.dirname(path.resolve(file)) === path.dirname(DEFAULT_FILE) ? serviceUnit(file) : null;
  const lines = [
    ...all.map(lineOf),
    ...rules.add.map((rule) => `map.rule: ${ruleLine(rule)} is added`),
    ...rules.remove.map((rule) => `map.rule: ${ruleLine(rule)} is taken out`),
    kept === null
      ? `${file}: nothing was changed`
      : `${file} was changed; the file before is ${kept}`,
    ...(kept === null ? [] : [nextStep(service, unit)]),
  ];
  printResult(options.json, result, escapedLines(lines.join("\n")));
  tellMore(file, changed);
}

type ServiceState = "running" | "recovery" | "stopped";

async function stateOf(config: Config): Promise<ServiceState> {
  if ((await runningInstance(config)) !== null) return "running";
  return (await checkRecovery(config)) === null ? "stopped" : "recovery";
}

function nextStep(service: ServiceState, unit: string | null): string {
  if (service === "recovery") return "the service is in recovery: it reads the file by itself now";
  if (service === "stopped") return "no instance runs: this counts from the next start";
  const needed = "restart needed, the running instance keeps the old values until then";
  return unit === null ? needed : `${needed}: systemctl restart ${unit}`;
}

function shownChange({ key, old, value }: ChangedKey) {
  const shown = (one: unknown) => shownInFile(key, one ?? key.fallback);
  const isHidden = key.secret === "value" && old !== null && old !== "" && value !== "";
  return { old: shown(old), new: isHidden && value !== null ? "set anew" : shown(value) };
}

/** A change as text: `mqtt.username: "" (default) -> "plc"`. */
function lineOf(changed: ChangedKey): string {
  const { key, old, value, isNew } = changed;
  const shown = shownChange(changed);
  const text = (given: unknown, one: unknown) =>
    `${escapedJson(JSON.stringify(given))}${one === null ? " (default)" : ""}`;
  if (!isNew) return `${key.key}: is ${text(shown.old, old)} already`;
  return `${key.key}: ${text(shown.old, old)} -> ${text(shown.new, value)}`;
}

/**
 * Warns on stderr about problems outside the file's text: unusable files that it names, and
 * variables that override it.
 */
function tellMore(file: string, changes: readonly ChangedKey[]): void {
  if (changes.length === 0) return;
  const { env } = process;
  const after = asCaller(() => loadConfig({ file, env }).config);
  const found = [
    ...checkLogins(after),
    ...checkShared(after),
    ...checkCertificates(after, Date.now()),
    ...checkLimits(
      after,
      changes.map(({ key }) => key.key),
    ),
  ];
  const lines = found
    .filter(({ state }) => state !== "ok")
    .map(({ what, says, fix }) => `${what}: ${says}${fix === null ? "" : `\n  do: ${fix}`}`);
  for (const { key } of changes)
    if (env[key.variable] !== undefined)
      lines.push(`${key.variable} is set here, and wins over the file`);
  const alone = refusalAlone(file, env);
  if (alone !== null) lines.push(alone);
  if (lines.length > 0) process.stderr.write(`${escapedLines(lines.join("\n"))}\n`);
}

/** The refusal by a start without this shell's variables; null if there is none. */
function refusalAlone(file: string, env: NodeJS.ProcessEnv): string | null {
  const names = CONFIG_KEYS.map(({ variable }) => variable).filter((name) => name in env);
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
  try {
    asCaller(() => loadConfig({ file, env: rest }));
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reason = error.message.replace(/^configuration: /, "");
    return `without ${names.join(", ")} a start would refuse the file: ${reason}`;
  }
}
