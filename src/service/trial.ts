// The first start of an update, seen from inside: before a message is taken, everything that can be
// asked is asked. What fails, or dies twice, brings the version before back: the link is switched,
// and this process ends for the service manager to start the other one, which takes its data back
// where the schema was changed. Nothing was acknowledged in between, so that nothing is lost.

import { existsSync } from "node:fs";
import path from "node:path";
import type { Build } from "../assets.ts";
import { type AuditEntry, BY_SELF } from "../bwts/audit.ts";
import type { Config } from "../config.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { missingMigrations } from "../sqlite/migrate.ts";
import { databaseFile, openReader } from "../sqlite/open.ts";
import type { Query, Readers } from "../sqlite/query.ts";
import { restoreBackup } from "../sqlite/restore.ts";
import { migrationCopy } from "./backups.ts";
import { readUpdateState, type UpdateState, writeUpdateState } from "./update-state.ts";
import { makeCurrent, readSwitch } from "./versions.ts";

/** A start may be cut off by the power once; twice is the program's own doing. */
const ATTEMPTS_MAX = 2;
/** The way back may be cut off once; then nobody switches, and somebody has to be told. */
const RETURNS_MAX = 1;

export interface Trial {
  /** What is to be said of the update in the audit log; null for nothing. */
  readonly entry: Omit<AuditEntry, "at_ms"> | null;
  /** Asks everything; throws what is wrong. Does nothing where nothing is tried. */
  prove(readers: Readers): Promise<void>;
  /** The update stays. */
  passed(): void;
  /** Goes back, where something is tried: throws a Failure (exit 75) in place of `error`. */
  failed(error: unknown): void;
}

/** Looks what this start is; the folder's lock must be held. May throw to go back at once. */
export function openTrial(config: Config, build: Build, log: Log): Trial {
  const { dir } = config.storage;
  const state = begunState(config, build);
  if (state?.state === "returning" && state.from === build.version)
    return { ...NOTHING, entry: takeBack(state, config, log) };
  if (state?.state === "returning" && state.to === build.version) return goBackAgain(state, config);
  if (state?.state !== "trial" || state.to !== build.version) return NOTHING;
  const tried = { ...state, attempts: state.attempts + 1 };
  writeUpdateState(dir, tried);
  const trial: Trial = {
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

/** The folder's state, or the one that begins with an order that this folder hasn't heard yet. */
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
 * It had given up, and is started again: the way back was cut off between its two steps, or nobody
 * goes it. Then the start fails as any other, and recovery says so.
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
 * Has the service manager start the version before. As a service it may not write there: the unit's
 * switch-back (systemd/) reads what is returning, and does it before the next start.
 */
function goBack({ from, to, reason }: UpdateState, { update }: Config): never {
  try {
    makeCurrent(update.prefix, from);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
  throw new Failure(
    EXIT.temporary,
    `the update to ${to} is taken back, ${from} goes on: ${reason}`,
  );
}

const NOTHING: Trial = {
  entry: null,
  prove: async () => {},
  passed: () => {},
  failed: () => {},
};

const ALWAYS = { start_ms: null, end_ms: null };

/** One of each kind of question that the page and the API ask. */
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

/** The version before, started again: data that it can't read is replaced by what was kept. */
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
    // Going back must not fail by what was damaged before.
    takesDamaged: true,
  });
  return kept;
}
