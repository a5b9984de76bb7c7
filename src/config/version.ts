// The version of the configuration file, `version = 1` at its top. It changes only when a key
// changes its name or its meaning; a new key doesn't change it. A program reads its own version and
// every older one, whose keys it translates here before they are read; a newer one is refused,
// because its meaning can't be known. The environment has no version: it belongs to one start.

import type { Failure } from "../ground/errors.ts";
import type { ConfigFile } from "./file.ts";
import { place } from "./place.ts";
import { refused } from "./rules.ts";
import { shownNumber } from "./shown.ts";

/** The version that this program writes, and the newest that it reads. */
export const CONFIG_VERSION = 1;

/** A file's sections without its version, and the reason why it can't be taken. */
export interface VersionedFile extends ConfigFile {
  /** `default`, or its place in the file. */
  readonly versionOrigin: string;
  readonly versionProblem: Failure | null;
}

/** Takes the version off a file; a file without one has version 1. */
export function versionedFile(from: ConfigFile): VersionedFile {
  const { version, ...values } = from.values;
  if (version === undefined) return { ...from, versionOrigin: "default", versionProblem: null };
  const where = place({ name: "version" }, from.text, from.file ?? "");
  return { ...from, values, versionOrigin: where, versionProblem: problemOf(version, where) };
}

function problemOf(version: unknown, where: string): Failure | null {
  if (version === CONFIG_VERSION) return null;
  const shown = shownNumber(version);
  const given = typeof version === "number" && shown !== null ? `is ${shown}` : "is no number";
  const isNewer = typeof version === "number" && version > CONFIG_VERSION;
  const advice = isNewer
    ? ": the file is for a newer ballastd; install that, or put back the older file"
    : "";
  return refused(where, `${given}, expected ${CONFIG_VERSION}${advice}`);
}
