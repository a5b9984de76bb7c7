// The settings as the next start will read them, whether a page can change them, and the addresses
// that a PLC needs to reach this instance.

import { isIP } from "node:net";
import type { SettingsNow } from "../bwts/settings.ts";
import type { Config } from "../config/config.ts";
import { plainRule } from "../config/edit-rules.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { type Listen, printListen, readableListen } from "../config/values.ts";
import { ownInterfaces } from "../ground/admission.ts";
import { Failure } from "../ground/errors.ts";
import type { StartConfig } from "./asked-support.ts";
import type { OpenedParts } from "./parts.ts";
import { settingsAtStart } from "./settings-at-start.ts";
import { SETTINGS } from "./settings-keys.ts";
import { shownConfig, shownLine } from "./shown-config.ts";
import { writingProblem } from "./writing-problem.ts";

interface SettingsNowTools {
  readonly given: StartConfig;
  readonly parts: Pick<OpenedParts, "config" | "mqtt" | "http" | "certificates">;
  /** The reason why the unit didn't take the last change before this start; null if it did. */
  readonly untaken: string | null;
}

export function settingsNow({ given, parts, untaken }: SettingsNowTools): SettingsNow {
  const problem = writingProblem(given);
  const loaded = loadedOr(given, parts.config);
  const isLeft = problem !== null && !problem.isInside && settingsAtStart(given.env) !== null;
  const lost =
    untaken === null
      ? null
      : `the last change was refused at the restart, and nothing was changed: ${untaken}`;
  return {
    file: given.file,
    writable: problem === null || isLeft,
    problem: problem !== null && !isLeft ? problem.text : lost,
    reasons: problem !== null && !isLeft ? [problem.reason] : [],
    restarts: isLeft,
    values: valuesOf(loaded),
    rules: loaded.config.map.rule.map((rule) => plainRule(rule)),
    plc: plcOf(parts),
    dashboard: onLan(parts.http?.addresses() ?? []).map(({ text }) => text),
  };
}

function valuesOf(loaded: LoadedConfig): SettingsNow["values"] {
  return shownConfig(loaded)
    .filter(({ key }) => SETTINGS.some((one) => one.key === key))
    .map(({ key, value, origin }) => ({
      ...{ key, value: shownLine(value), set: origin !== "default" },
    }));
}

/** The configuration from the file and the environment; this run's if the file can't be used. */
function loadedOr(given: StartConfig, config: Config): LoadedConfig {
  try {
    return loadConfig(given);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { config, file: given.file, origins: new Map() };
  }
}

function plcOf({ config, mqtt, certificates }: SettingsNowTools["parts"]): SettingsNow["plc"] {
  const { mode, prefix, username, password_file } = config.mqtt;
  const { where = "", problem = null } = mqtt?.status() ?? {};
  const bound = where.split(", ").filter((one) => one !== "");
  const listens = mode === "embedded" ? readableListen(bound).flatMap(reachable) : [];
  const lan = listens.filter(({ isLan }) => isLan);
  return {
    mode,
    addresses:
      mode === "client"
        ? [config.mqtt.url]
        : [...new Set((lan.length > 0 ? lan : listens).map(({ text }) => text))],
    is_lan: mode === "client" || lan.length > 0,
    tls: mode === "embedded" ? certificates.mqtt !== null : config.mqtt.url.startsWith("mqtts:"),
    topic: `${prefix}/${config.system.id}`,
    user: username === "" ? null : username,
    ...{ password: password_file !== "", problem },
  };
}

const onLan = (bound: readonly string[]) =>
  readableListen(bound)
    .flatMap(reachable)
    .filter(({ isLan }) => isLan);

/** The addresses under which this machine can be reached at a listening address. */
function reachable({ host, port }: Listen) {
  const own = ownInterfaces()
    .filter(({ address, internal }) => !internal && !address.startsWith("fe80:"))
    .filter(({ family }) => family === "IPv4" || host === "::")
    .map(({ address }) => ({ text: printListen({ host: address, port }), isLan: true }));
  const isAll = host === "0.0.0.0" || host === "::";
  const isOwn = host === "localhost" || host.startsWith("127.") || host === "::1";
  const single = { text: printListen({ host, port }), isLan: !isOwn };
  if (!isAll) return [single];
  const loopback = isIP(host) === 6 ? "::1" : "127.0.0.1";
  return own.length > 0 ? own : [{ text: printListen({ host: loopback, port }), isLan: false }];
}
