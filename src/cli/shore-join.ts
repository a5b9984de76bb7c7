// `ballastd shore join`: turns the office's one file into the ship's key and certificate in the
// data folder, and [shore] in the configuration. The file sets the whole connection: if it has no
// object store, keys for an earlier store are deleted. Settings of the crew, such as raw, stay.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { reloadShore } from "../app/control/client.ts";
import { ShoreFile } from "../bwts/documents/shore-file.ts";
import { CONFIG_KEYS } from "../config/config.ts";
import { configTextAt, replaceConfig, withConfigLock } from "../config/config-file.ts";
import { configText } from "../config/key-text.ts";
import { DEFAULT_FILE, type LoadedConfig, loadConfig } from "../config/load.ts";
import { readSmall, writeWhole } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { asCaller } from "../ground/owner.ts";
import { isStore } from "../shore/objects.ts";
import { printResult } from "./document.ts";
import { configOf } from "./instance-data.ts";
import { type ShoreOptions, trialText, tried } from "./shore-trial.ts";

export async function join(
  { json, ...given }: ShoreOptions,
  files: readonly string[],
): Promise<void> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `shore join: got ${files.length} files, expected one`);
  const shore = shoreFileIn(file);
  const place = given.config ?? (process.env.BALLASTD_CONFIG || DEFAULT_FILE);
  const variable = Object.keys(process.env).find((name) => name.startsWith("BALLASTD_SHORE_"));
  if (variable !== undefined)
    throw new Failure(
      EXIT.config,
      `${variable} is set: it would win over the file that is written`,
    );
  const before = loadConfig({ file: existsSync(place) ? place : null, env: process.env });
  requireSameShip(file, shore, before.config.system.imo);
  const { dir } = configOf(given).storage;
  const [cert, key] = [path.join(dir, "shore-cert.pem"), path.join(dir, "shore-key.pem")];
  const objectsKey = path.join(dir, "shore-objects-key");
  const objects = objectsIn(shore, objectsKey);
  const set = { url: shore.urls, cert, key, key_pin: shore.key_pin, ...objects };
  await withConfigLock(place, () => {
    const old = asCaller(() => existsSync(place)) ? configTextAt(place) : null;
    const text = withShore(old ?? "", { before, set });
    requireReadable(text, set);
    writeWhole(cert, shore.certificate);
    writeWhole(key, shore.key);
    if (shore.objects !== undefined) writeWhole(objectsKey, shore.objects.key);
    if (old === null) asCaller(() => writeWhole(place, text, { mode: 0o640 }));
    else replaceConfig(place, old, text);
  });
  const isTaken = await reloadShore(dir);
  // Deleted only now: a running instance reads it until it has reloaded.
  if (shore.objects === undefined) rmSync(objectsKey, { force: true });
  const isLeft = shore.objects === undefined && before.config.shore.objects !== "";
  const written =
    `${shore.ship} ${shore.name} is joined: [shore] in ${place}, key in ${dir}` +
    (isLeft ? `\nreadings go into the database: ${file} names no store, so that ${LEFT}` : "");
  const next = isTaken ? "the running instance sends from now on" : "it sends from the next start";
  const trial = await tried(configOf(given)).catch((error) => {
    throw new Failure(
      EXIT.unavailable,
      `${written}; ${next}, but the shore isn't reached now: ${messageOf(error)}`,
    );
  });
  const { ship, name } = shore;
  printResult(json, { ship, name, config: place, ...trial }, lines(written, next, trial, file));
}

const OBJECT_KEYS: readonly string[] = ["objects", "objects_key", "objects_pin"];
const LEFT = `shore.${OBJECT_KEYS.join(", ")} were taken out`;

/** The configuration keys for the object store; none if the file has no store. */
function objectsIn({ objects }: ShoreFile, objects_key: string) {
  if (objects === undefined) return {};
  return { objects: objects.url, objects_key, objects_pin: objects.pin ?? "" };
}

const lines = (
  written: string,
  next: string,
  trial: Parameters<typeof trialText>[0],
  file: string,
) => [written, next, trialText(trial), `delete ${file}: it holds the ship's key`].join("\n");

/** Reads the office's file. Throws a Failure that shows nothing of its content. */
function shoreFileIn(file: string): ShoreFile {
  let text: string;
  try {
    text = readSmall(file).toString();
  } catch (error) {
    throw new Failure(EXIT.io, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
  try {
    const shore = ShoreFile.parse(JSON.parse(text));
    if (fitsTogether(shore)) return shore;
  } catch {
    // The failure below leaves out the library's text, which could quote the key.
  }
  throw new Failure(
    EXIT.failed,
    `${file}: isn't a file of ballastd fleet add, or was cut off or altered`,
  );
}

/** True if certificate, key, login and store can be used together. Throws for invalid PEM. */
function fitsTogether({ certificate, key, urls, objects }: ShoreFile): boolean {
  const own = new X509Certificate(certificate);
  const roles = urls.map((url) => decodeURIComponent(new URL(url).username));
  return (
    own.checkPrivateKey(createPrivateKey(key)) &&
    roles.every((role) => own.subject === `CN=${role}`) &&
    (objects === undefined || isStore(objects))
  );
}

/** Throws a Failure if the file is for another ship, by the configuration's IMO number. */
function requireSameShip(file: string, { ship }: ShoreFile, imo: string): void {
  if (imo === "" || imo === ship) return;
  throw new Failure(
    EXIT.config,
    `${file} is the file of ship ${ship}, and system.imo of this one is ${imo}: ` +
      "expected her own file",
  );
}

type Set = Readonly<Record<"url" | "cert" | "key" | "key_pin", string | readonly string[]>> &
  Readonly<Partial<Record<"objects" | "objects_key" | "objects_pin", string>>>;

/** The configuration's text with a new [shore]. Keys that no office file sets are kept. */
function withShore(text: string, { before, set }: { before: LoadedConfig; set: Set }): string {
  const kept = CONFIG_KEYS.filter(
    ({ key, section, name }) =>
      section === "shore" &&
      !(name in set) &&
      !OBJECT_KEYS.includes(name) &&
      before.origins.get(key) !== "default",
  ).map(({ name }) => [name, Object(before.config.shore)[name]] as const);
  const rows = [...Object.entries(set), ...kept];
  const section = rows.map(([name, value]) => `${name} = ${configText(value)}`).join("\n");
  // A table reaches up to the head of the next one, in any spelling, and the comment above that.
  const others = text.replace(
    /^[ \t]*\[shore\][^\n]*\n?(?:(?!(?:[ \t]*#[^\n]*\n)*[ \t]*\[)[^\n]*\n?)*/m,
    "",
  );
  return `${others.trimEnd()}\n\n[shore]\n${section}\n`.trimStart();
}

/** Throws a Failure, before anything is written, if the new text can't be read as intended. */
function requireReadable(text: string, set: Set): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-join-"));
  try {
    const file = path.join(folder, "ballastd.toml");
    writeFileSync(file, text, { mode: 0o600 });
    const { shore } = loadConfig({ file, env: process.env }).config;
    if (shore.key === set.key && shore.key_pin === set.key_pin) return;
    throw new Failure(EXIT.config, "[shore] stands in the file in an odd form: take it out first");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
