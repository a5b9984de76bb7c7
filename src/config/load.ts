// Configuration, read once at the start: one TOML file, every key also as an environment variable,
// which wins. Unknown keys and values are refused with the allowed ones, never ignored: a misspelt
// limit that silently kept its default would be trusted aboard. So are keys that contradict each
// other, or would be dangerous aboard. A start stops at the first problem; recovery mode uses the
// keys that can be read.

import { existsSync } from "node:fs";
import { isIPv6 } from "node:net";
import path from "node:path";
import { isLoopback } from "../ground/admission.ts";
import { databaseFile } from "../ground/data-folder.ts";
import { reason } from "../ground/reasons.ts";
import type { Config, Section } from "./config.ts";
import { refuseProfile } from "./lamp-profile.ts";
import { type Environment, readKeys } from "./read.ts";
import { refused, shownPlace } from "./shown.ts";
import { type Listen, readableListen, shownListen, usesTls } from "./values.ts";

/** The configuration and its file; null: defaults and environment only. */
export interface LoadedConfig {
  readonly config: Config;
  readonly file: string | null;
  /**
   * Origin of each key: `default`, the name of its environment variable, or the place in the file.
   * By `section.key`, or `version`.
   */
  readonly origins: ReadonlyMap<string, string>;
}

export const DEFAULT_FILE = "/etc/ballastd/ballastd.toml";

/** The places from which a configuration is read. */
export interface ConfigSource {
  /** `--config`; null for the usual places. */
  readonly file: string | null;
  readonly env: Environment;
  /** Path of a file that is read if no other is named and it exists; null for none. */
  readonly defaultFile?: string | null;
  /** Text to read in place of the file's contents. */
  readonly text?: string | null;
}

/**
 * Reads `--config`, else `$BALLASTD_CONFIG`, else /etc/ballastd/ballastd.toml if it exists.
 * Environment variables override the file. Throws a Failure (exit 78) that names the key, its line
 * and the allowed values.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const { config, file, origins, problems } = readSource(source);
  if (problems[0] !== undefined) throw problems[0].failure;
  refuseContradictions(config);
  return { config, file, origins };
}

/** The keys of a configuration that can be read, even if others can't. */
export interface ReadableConfig {
  readonly config: Config;
  /** Path of the file, even if it can't be read. */
  readonly file: string | null;
  /** True if the value is the configured one; false if it is a default for an unreadable key. */
  isSure<S extends Section>(section: S, name: keyof Config[S] & string): boolean;
}

/** Reads each key on its own, to use those that can be read. Never throws. */
export function readableConfig(source: ConfigSource): ReadableConfig {
  const { config, file, origins, problems } = readSource(source);
  const refusedListen = problems.find((one) => one.section === "http" && one.name === "listen");
  const listen = readableListen(refusedListen?.given);
  return {
    config: listen.length === 0 ? config : { ...config, http: { ...config.http, listen } },
    file,
    isSure(section, name) {
      const about = problems.filter((one) => one.section === null || one.section === section);
      if (about.some((one) => one.name === name)) return false;
      const isGiven = origins.get(`${section}.${name}`) !== "default";
      return isGiven || about.every((one) => one.name !== null);
    },
  };
}

function readSource({ file, env, defaultFile = DEFAULT_FILE, text = null }: ConfigSource) {
  const named = file ?? (env.BALLASTD_CONFIG || null);
  const read = readKeys({ file: named, text }, defaultFile, env);
  const config = withDerived(read.values, env);
  if (!read.isBlank || !existsSync(databaseFile(config.storage.dir))) return { ...read, config };
  const failure = refused(
    `${read.file}`,
    "is empty, and there is data: it may have been lost in a power cut, put it back from a copy",
  );
  return { ...read, config, problems: [{ failure, section: null, name: null }, ...read.problems] };
}

/** The configuration with the defaults that follow from other keys. */
function withDerived(values: Config, env: Environment): Config {
  const { storage, backup, auth, mqtt, sparkplug, system } = values;
  const dir = path.resolve(storage.dir || env.STATE_DIRECTORY || "data");
  return {
    ...values,
    storage: { ...storage, dir },
    backup: { ...backup, dir: path.resolve(backup.dir || path.join(dir, "backup")) },
    auth: { ...auth, token_file: auth.token_file || path.join(dir, "token") },
    mqtt: { ...mqtt, client_id: mqtt.client_id || `ballastd-${system.id}` },
    sparkplug: {
      ...sparkplug,
      group: sparkplug.group || inTopic(system.imo) || "ballastd",
      node: sparkplug.node || system.id,
      client_id: sparkplug.client_id || `ballastd-sparkplug-${system.id}`,
    },
  };
}

/** A text without the characters that topics may not have in an id. */
function inTopic(given: string): string {
  return given.replace(/[+#/\p{Cc}]/gu, "");
}

/** Minimum retention: 33 CFR 151.2070(d) and the BWMS Code ask for records of 24 months. */
const RETENTION_MONTHS_MIN = 24;

/** The sections of a configuration that the rules check. */
type RuledSections = Pick<
  Config,
  "http" | "mqtt" | "modbus" | "system" | "limits" | "lamps" | "storage" | "shore" | "sparkplug"
>;

/** Throws a Failure (exit 78) for the first broken rule. */
function refuseContradictions(sections: RuledSections): void {
  const { http, mqtt, limits, storage, shore, system } = sections;
  if (storage.retention_months < RETENTION_MONTHS_MIN && !storage.short_retention)
    throw refused(
      "storage.retention_months",
      `is ${storage.retention_months}, expected ${RETENTION_MONTHS_MIN} or more: records of two ` +
        "years are required; storage.short_retention = true allows less",
    );
  if (storage.free_warn < storage.free_stop)
    throw refused("storage.free_warn", "is less than storage.free_stop, expected at least that");
  refuseHalf("mqtt.username", mqtt.username, "mqtt.password_file", mqtt.password_file);
  refuseHalf("http.tls_cert", http.tls_cert, "http.tls_key", http.tls_key);
  refuseHalf("mqtt.tls_cert", mqtt.tls_cert, "mqtt.tls_key", mqtt.tls_key);
  if (mqtt.mode === "embedded" && mqtt.tls_ca !== "" && mqtt.tls_cert === "")
    throw refused("mqtt.tls_ca", "is set, but mqtt.tls_cert and mqtt.tls_key are not");
  if (mqtt.mode === "client" && !usesTls(mqtt.url) && mqtt.tls_ca + mqtt.tls_cert !== "")
    throw refused(
      "mqtt.url",
      `is ${shownPlace(new URL(mqtt.url))}, expected mqtts:// because mqtt.tls_ca or ` +
        "mqtt.tls_cert is set",
    );
  if (mqtt.mode === "embedded" && mqtt.status)
    throw refused(
      "mqtt.status",
      "is true, but mqtt.mode is embedded, where nothing is ever published: " +
        'set mqtt.mode = "client", or leave mqtt.status out',
    );
  const open = mqtt.mode === "embedded" && mqtt.listen.find((listen) => !isLoopback(listen.host));
  if (open && mqtt.username === "")
    throw refused(
      "mqtt.listen",
      `${shownListen(open)} is reachable from outside: set mqtt.username and mqtt.password_file`,
      reason("login_missing", { address: shownListen(open) }),
    );
  for (const name of ["cert", "key", "key_pin"] as const)
    if (shore.url.length > 0 && shore[name] === "")
      throw refused("shore.url", `is set, but shore.${name} is not: type ballastd shore join FILE`);
  refuseSharedAddress(sections);
  refuseSparkplug(sections.sparkplug);
  refuseLimits(limits);
  refuseFlows(limits, system);
  refuseProfile(sections.lamps);
}

/**
 * Throws a Failure if two servers have the same address: the second would take the first for
 * another program, and never be reached.
 */
function refuseSharedAddress({ http, mqtt, modbus }: RuledSections): void {
  const all = [
    ...http.listen.map((listen) => ({ key: "http.listen", listen })),
    ...(mqtt.mode === "embedded" ? mqtt.listen : []).map((listen) => ({
      ...{ key: "mqtt.listen", listen },
    })),
    ...modbus.listen.map((listen) => ({ key: "modbus.listen", listen })),
  ];
  for (const [index, { key, listen }] of all.entries()) {
    const other = all
      .slice(0, index)
      .find(
        (one) => isSameAddress(one.listen, listen) && !(one.key === key && isPair(one, listen)),
      );
    if (other === undefined) continue;
    const taken = `${other.key} (${shownListen(other.listen)})`;
    throw refused(
      key,
      `has ${shownListen(listen)}, which ${taken} takes: expected another port`,
      reason("address_shared", { setting: key, address: shownListen(listen), other: other.key }),
    );
  }
}

/**
 * True if two servers can't both listen on these addresses, since one contains the other: `::` has
 * those of IPv4 as well. Port 0 is a new port each time.
 */
function isSameAddress(one: Listen, other: Listen): boolean {
  if (one.port !== other.port || one.port === 0) return false;
  const hosts = [one.host, other.host].map((host) =>
    host === "localhost" ? "127.0.0.1" : host.replace(/^::ffff:(?=\d+\.)/i, ""),
  );
  if (hosts[0] === hosts[1] || hosts.includes("::")) return true;
  return hosts.includes("0.0.0.0") && isIPv6(hosts[0]) === isIPv6(hosts[1]);
}

/** True for all of IPv4 beside all of IPv6, which one section may have (`bindOptions`). */
const isPair = ({ listen: one }: { readonly listen: Listen }, other: Listen): boolean =>
  [one.host, other.host].toSorted().join(" ") === "0.0.0.0 ::";

/**
 * Throws a Failure for limits in the wrong order. Equal limits are refused as well: the warning
 * would never come before the alarm.
 */
function refuseLimits(limits: Config["limits"]): void {
  const { cabinet_warn, cabinet_trip, dp_warn, dp_alarm, uv_imo, uv_uscg, uv_target } = limits;
  if (cabinet_trip <= cabinet_warn)
    throw refused(
      "limits.cabinet_trip",
      `is ${cabinet_trip}, expected more than limits.cabinet_warn (${cabinet_warn})`,
      reason("limit_order", {
        ...{ setting: "limits.cabinet_trip", given: cabinet_trip },
        ...{ other: "limits.cabinet_warn", limit: cabinet_warn },
      }),
    );
  if (dp_alarm <= dp_warn)
    throw refused(
      "limits.dp_alarm",
      `is ${dp_alarm}, expected more than limits.dp_warn (${dp_warn})`,
      reason("limit_order", {
        ...{ setting: "limits.dp_alarm", given: dp_alarm },
        ...{ other: "limits.dp_warn", limit: dp_warn },
      }),
    );
  // A plant that is certified by only one of IMO and USCG may leave the other limit at its default.
  if (uv_target < Math.min(uv_imo, uv_uscg))
    throw refused(
      "limits.uv_target",
      `is ${uv_target}, expected limits.uv_imo (${uv_imo}) or limits.uv_uscg (${uv_uscg}) ` +
        "or more: an intensity below both limits would score 100",
      reason("target_low", { given: uv_target, uv_imo, uv_uscg }),
    );
}

/**
 * Throws a Failure for a certified flow above the rated capacity, which no plant has; 0: the
 * capacity isn't known.
 */
function refuseFlows(limits: Config["limits"], { capacity }: Config["system"]): void {
  if (capacity === 0) return;
  for (const name of ["flow_max_imo", "flow_max_uscg"] as const)
    if (limits[name] > capacity)
      throw refused(
        `limits.${name}`,
        `is ${limits[name]}, expected at most system.capacity (${capacity}): no plant is ` +
          "certified for more",
        reason("flow_high", { setting: `limits.${name}`, given: limits[name], capacity }),
      );
}

function refuseSparkplug(given: Config["sparkplug"]): void {
  const { url, username, password_file, tls_cert, tls_key, tls_ca } = given;
  refuseHalf("sparkplug.username", username, "sparkplug.password_file", password_file);
  refuseHalf("sparkplug.tls_cert", tls_cert, "sparkplug.tls_key", tls_key);
  if (url !== "" && !usesTls(url) && tls_ca + tls_cert !== "")
    throw refused(
      "sparkplug.url",
      `is ${shownPlace(new URL(url))}, expected mqtts:// because sparkplug.tls_ca or ` +
        "sparkplug.tls_cert is set",
    );
}

function refuseHalf(one: string, given: string, other: string, others: string): void {
  if ((given === "") === (others === "")) return;
  const [set, missing] = others === "" ? [one, other] : [other, one];
  const reasons = one === "mqtt.username" ? [reason("login_half", {})] : [];
  throw refused(set, `is set, but ${missing} is not: set both or neither`, ...reasons);
}
