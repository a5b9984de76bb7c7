// The checks that an update has to pass before anything is written: the installation stops at the
// first that fails, `update --verify` lists all of them. The rehearsal on a backup of the data and
// the trial at the first start come later: they need the new version unpacked.

import { closeSync, existsSync, lstatSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import { freeBytes, printedSize } from "../../ground/disk.ts";
import { openFile } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { hashOfRest } from "../../ground/file-copy.ts";
import { atPath } from "../../ground/owner.ts";
import { newestSchema } from "../../sqlite/file/migrate.ts";
import { databaseFile } from "../../sqlite/file/open.ts";
import { type Manifest, readUpdate, refuseUnsigned, type UpdateFile } from "./update-file.ts";
import { currentLink } from "./versions.ts";

/** The system for which an update is checked. */
export interface UpdateTarget {
  readonly file: string;
  readonly config: Config;
  readonly build: Build;
  /** `needed`: the update must have a good signature. */
  readonly signature: "needed" | "waived";
  /** `any` allows an older version. */
  readonly age: "newer" | "any";
}

/**
 * Result of all checks: the reasons why an update would not be installed; without reasons it would
 * be.
 */
export interface UpdateVerdict {
  /** Null for a file that isn't an update. */
  readonly manifest: Manifest | null;
  readonly signature: "good" | "bad" | "not checked";
  readonly failures: readonly Failure[];
}

type Check = (update: UpdateFile, target: UpdateTarget) => void;

/** Throws a Failure for the first reason against installing the update. */
export const refuseUnfit: Check = (update, target) => {
  for (const check of CHECKS) check(update, target);
};

/** Judges a file as the installation would, and writes nothing. */
export function verdictOn(target: UpdateTarget): UpdateVerdict {
  const found = attempt(() => readUpdate(target.file), target);
  if (found instanceof Failure)
    return { manifest: null, signature: "not checked", failures: [found] };
  const failureOf = (check: Check) => {
    const outcome = attempt(() => check(found, target), target);
    return outcome instanceof Failure ? [outcome] : [];
  };
  const unsigned = failureOf(refuseSigner);
  return {
    manifest: found.manifest,
    signature: signatureOf(unsigned, target),
    failures: [...unsigned, ...[...CHECKS.slice(1), refuseAltered].flatMap(failureOf)],
  };
}

/** Result of the signature's check. Without a usable key it isn't called bad. */
function signatureOf(
  [refused]: readonly Failure[],
  { signature }: UpdateTarget,
): UpdateVerdict["signature"] {
  if (signature === "waived" || refused?.exitCode === EXIT.config) return "not checked";
  return refused === undefined ? "good" : "bad";
}

function attempt<Result>(look: () => Result, { config }: UpdateTarget): Result | Failure {
  try {
    return look();
  } catch (error) {
    if (error instanceof Failure) return error;
    if (codeOf(error) === null) throw error;
    const problem = `${config.update.prefix}: ${messageOf(error)}; see update.prefix`;
    return new Failure(EXIT.cannot_create, problem);
  }
}

const refuseSigner: Check = (update, { signature, config }) => {
  if (signature === "needed") refuseUnsigned(update, config.update.key_file);
};

const refuseMachine: Check = ({ file, manifest: { arch } }) => {
  if (arch !== process.arch)
    throw new Failure(EXIT.failed, `${file}: is for ${arch}, this machine is ${process.arch}`);
};

const refuseVersion: Check = ({ file, manifest: { version } }, { build, age }) => {
  if (version === build.version)
    throw new Failure(EXIT.failed, `${file}: ${version} is installed already`);
  if (age === "newer" && isOlder(version, build.version))
    throw new Failure(
      EXIT.failed,
      `${file}: ${version} is older than ${build.version}; to go back: ballastd rollback`,
    );
};

/**
 * Refuses an update with an older schema. The rehearsal would find this too, but only after a
 * backup of all data.
 */
const refuseSchema: Check = ({ file, manifest: { version, schema } }, { config }) => {
  if (schema < newestSchema() && existsSync(databaseFile(config.storage.dir)))
    throw new Failure(
      EXIT.failed,
      `${file}: ${version} has schema ${schema}, the data in ${config.storage.dir} schema ` +
        `${newestSchema()}, which it can't read; to go back: ballastd rollback`,
    );
};

const refusePlace: Check = (_update, { config }) => {
  const link = currentLink(config.update.prefix);
  if (!existsSync(link) || !lstatSync(link).isSymbolicLink())
    throw new Failure(
      EXIT.config,
      `${link}: isn't there, so that nothing could be switched; see update.prefix, or use dpkg -i`,
    );
};

/** Space in bytes, beside the executable, for its start and the rehearsal. */
const ROOM_BYTES = 64 * 1024 * 1024;

const refuseSize: Check = ({ manifest: { bytes } }, { config: { update } }) => {
  const free = freeBytes(update.prefix);
  const expected = bytes + ROOM_BYTES;
  if (free < expected)
    throw new Failure(
      EXIT.io,
      `${update.prefix}: ${printedSize(free)} are free, expected ${printedSize(expected)}`,
    );
};

/** All checks in the order of the installation, the signature first. */
const CHECKS: readonly Check[] = [
  refuseSigner,
  refuseMachine,
  refuseVersion,
  refuseSchema,
  refusePlace,
  refuseSize,
];

/**
 * Checks the executable's hash; the installation checks it while unpacking, but here nothing is
 * unpacked.
 */
const refuseAltered: Check = (update) => {
  const from = atPath(update.file, () => openFile(update.file));
  try {
    if (hashOfRest(from, update.start) !== update.manifest.sha256) throw alteredIn(update.file);
  } finally {
    closeSync(from);
  }
};

export function alteredIn(file: string): Failure {
  return new Failure(EXIT.failed, `${file}: its executable isn't the one of its manifest`);
}

/** True if version `one` is older than `other`. */
function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((version) => version.split(/[.-]/).map(Number));
  for (let place = 0; place < 3; place += 1)
    if (ours[place] !== theirs[place]) return ours[place] < theirs[place];
  return false;
}
