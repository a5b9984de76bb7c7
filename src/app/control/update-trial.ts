// The first start after an update. Before a message is accepted, every kind of query is tried. If
// one fails, or the start dies twice, the version before returns: the link is switched, and this
// process ends so that the service manager starts that version, which restores its data if the
// schema was changed. Nothing was acknowledged in between, so nothing is lost.

import { existsSync } from "node:fs";
import path from "node:path";
import { type AuditEntry, BY_SELF } from "../../bwts/audit.ts";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import type { Query } from "../../sqlite/answers/queries.ts";
import { restoreBackup } from "../../sqlite/care/restore.ts";
import { missingMigrations } from "../../sqlite/file/migrate.ts";
import { databaseFile, openReader } from "../../sqlite/file/open.ts";
import type { Readers } from "../../sqlite/threads/readers.ts";
import { migrationCopy } from "./backups.ts";
import { readUpdateState, type UpdateState, writeUpdateState } from "./update-state.ts";
import { makeCurrent, readSwitch } from "./versions.ts";

/**
 * Maximum number of incomplete starts. A power cut may interrupt one; two are the program's fault.
 */
const ATTEMPTS_MAX = 2;
/**
 * Maximum number of interrupted returns; after more, nothing switches the versions, and a person
 * must act.
 */
const RETURNS_MAX = 1;

export interface UpdateTrial {
  /** The update's entry for the audit log; null for none. */
  readonly entry: Omit<AuditEntry, "at_ms"> | null;
  /** Tries every query; throws the first failure. Does nothing outside a trial. */
  prove(readers: Readers): Promise<void>;
  /** Notes that the update stays. */
  passed(): void;
  /** Goes back if this is a trial: throws a Failure (exit 75) in place of `error`. */
  failed(error: unknown): void;
}

/**
 * Determines if this start is a trial; the folder's lock must be held. May throw a Failure to go
 * back at once.
 */
export function openUpdateTrial(config: Config, build: Build, log: Log): UpdateTrial {
  const { dir } = config.storage;
  const state = begunState(config, build);
  if (state?.state === "returning" && state.from === build.version)
    return { ...NOTHING, entry: takeBack(state, config, log) };
  if (state?.state === "returning" && state.to === build.version) return goBackAgain(state, config);
  if (state?.state !== "trial" || state.to !== build.version) return NOTHING;
  const tried = { ...state, attempts: state.attempts + 1 };
  writeUpdateState(dir, tried);
  const trial: UpdateTrial = {
    entry: { ...BY_SELF, kind: "update", detail: { from: state.from, to: state.to } },
    prove: proveReaders,
    passed() {
      writeUpdateState(dir, { ...tried, state: "done", attempts: 0 });
      log.info("the update has proved itself", { from: state.from, to: state.to });
    },
    failed(error) {
      const reason = messageOf(error);
      const returning = { ...tried, state: "returning", reason } as const;
      writeUpdateState(dir, returning);
      goBack(returning, config);
    },
  };
  if (tried.attempts > ATTEMPTS_MAX) trial.failed(new Error("its starts were cut off"));
  return trial;
}

/** The folder's state, or a new one for an order that this folder hasn't seen yet. */
function begunState({ storage, update }: Config, { version }: Build): UpdateState | null {
  const { dir } = storage;
  const state = readUpdateState(dir);
  const ordered = readSwitch(update.prefix);
  if (ordered === null || ordered.to !== version || ordered.id === state?.order) return state;
  if (!existsSync(databaseFile(dir))) return state;
  const { id, ...versions } = ordered;
  const fresh = { state: "trial", attempts: 0, returns: 0, reason: "" } as const;
  return { ...fresh, ...versions, order: id, prefix: path.resolve(update.prefix) };
}

/**
 * Returns again: the trial had failed, but this version was started again, because the return was
 * interrupted between its two steps or nothing carries it out. After RETURNS_MAX the start fails
 * like any other, and recovery reports it.
 */
function goBackAgain(state: UpdateState, config: Config): never {
  const { from, to, reason, returns } = state;
  writeUpdateState(config.storage.dir, { ...state, returns: returns + 1 });
  if (returns < RETURNS_MAX) goBack(state, config);
  throw new Failure(
    EXIT.failed,
    `the update to ${to} failed (${reason}), but ${from} isn't started in its place; ` +
      "as root type: ballastd rollback",
  );
}

/**
 * Makes the service manager start the previous version. A service can't write the link: the unit's
 * switch-back (systemd/) reads the state and switches before the next start.
 */
function goBack({ from, to, reason }: UpdateState, { update }: Config): never {
  try {
    makeCurrent(update.prefix, from);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
  throw new Failure(EXIT.temporary, `the update to ${to} is undone, ${from} runs again: ${reason}`);
}

const NOTHING: UpdateTrial = {
  entry: null,
  prove: async () => {},
  passed: () => {},
  failed: () => {},
};

const ALWAYS = { start_ms: null, end_ms: null };

/** One query of each kind that the page and the API use. */
const QUESTIONS: readonly Query[] = [
  { name: "stats" },
  { name: "latest" },
  { name: "history", hours: 24 },
  { name: "health", range: ALWAYS, limit: 100 },
  { name: "events", range: ALWAYS, type: null, limit: 100 },
  { name: "predictions", range: ALWAYS, limit: 100 },
];

async function proveReaders(readers: Readers): Promise<void> {
  for (const query of QUESTIONS) {
    const { chunks } = await readers.ask(query);
    const texts: Buffer[] = [];
    for await (const chunk of chunks ?? []) texts.push(Buffer.from(chunk));
    if (chunks !== null) JSON.parse(Buffer.concat(texts).toString());
  }
}

/** Finishes the return in the previous version: data that it can't read is replaced by the copy. */
function takeBack(state: UpdateState, config: Config, log: Log): Omit<AuditEntry, "at_ms"> {
  const { from, to, reason } = state;
  const kept = isNewer(config) ? restoreKept(state, config) : null;
  writeUpdateState(config.storage.dir, { ...state, state: "returned", attempts: 0 });
  log.warn("an update was taken back", { from, to, reason, kept });
  return { ...BY_SELF, kind: "update", detail: { from: to, to: from, reason, kept } };
}

/** True if the database has a later schema than this program knows. */
export function isNewer({ storage }: Config): boolean {
  const file = databaseFile(storage.dir);
  if (!existsSync(file)) return false;
  const db = openReader(file);
  try {
    missingMigrations(db);
    return false;
  } catch (error) {
    if (error instanceof Failure) return true;
    throw error;
  } finally {
    db.close();
  }
}

function restoreKept({ to, schema }: UpdateState, config: Config): string | null {
  const { storage, auth } = config;
  const { kept } = restoreBackup({
    sha256: null,
    by: BY_SELF,
    file: migrationCopy(config, { to, schema }),
    dir: storage.dir,
    token_file: auth.token_file,
    now_ms: Date.now(),
    floor_bytes: storage.free_stop,
    // Damage from before the update must not prevent the return.
    takesDamaged: true,
  });
  return kept;
}
