// Records the start of a run in the audit log, in one transaction: the unclean end of the run
// before, if it was cut off, the changes of the configuration since, and the start itself.

import { randomBytes, scryptSync } from "node:crypto";
import { type AuditDetail, BY_SELF } from "../../bwts/audit.ts";
import { printTime } from "../../ground/clock.ts";
import { putSetting, type StoredSetting } from "../file/mark.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type AuditLog, lastRun } from "./audit.ts";

/** A key of the configuration and its value. */
export interface Setting {
  /** The key as `section.name`. */
  readonly key: string;
  /** Any JSON value. */
  readonly value: unknown;
  readonly isSecret: boolean;
}

export interface RunStart {
  readonly at_ms: number;
  /** Detail of the entry `start`. */
  readonly detail: AuditDetail;
  readonly settings: readonly Setting[];
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Writes `start`, preceded by entries about the run before; in a transaction. Returns the keys of
 * the settings that have changed since that run.
 */
export function beginRun(
  db: Connection,
  log: AuditLog,
  {
    at_ms,
    detail,
    settings,
    clock_trusted,
    isLogMissing,
  }: RunStart & {
    readonly clock_trusted: boolean;
    readonly isLogMissing: boolean;
  },
): readonly string[] {
  const add = (kind: "unclean_stop" | "config_change" | "start", said: AuditDetail) =>
    log.add({ ...BY_SELF, at_ms, kind, detail: said }, { clock_trusted });
  const before = lastRun(db);
  if (before?.kind === "start")
    add("unclean_stop", {
      started: printTime(before.at_ms),
      // Without its write-ahead log the database has lost acknowledged data.
      ...(isLogMissing ? { write_ahead_log: "missing" } : {}),
    });
  const changes = replaceSettings(db, settings);
  // Before the first start there are no settings to compare with.
  const changed = before === null ? [] : Object.keys(changes);
  if (changed.length > 0) add("config_change", changes);
  add("start", detail);
  return changed;
}

/**
 * Stores the settings, and returns the changes since the run before; for a secret only that it
 * changed.
 */
function replaceSettings(db: Connection, settings: readonly Setting[]): AuditDetail {
  const stored = new Map(
    prepare(db, "setting.all")
      .all({})
      .map((setting) => [setting.key, setting]),
  );
  const changes: Record<string, unknown> = {};
  for (const setting of settings) {
    const { key, value } = setting;
    const known = stored.get(key) ?? null;
    stored.delete(key);
    const salt = saltOf(setting, known);
    const now = { key, value: keptValue(setting, salt), salt };
    if (now.value === known?.value) continue;
    putSetting(db, now);
    changes[key] = setting.isSecret ? "changed" : { before: readValue(known), after: value };
  }
  for (const known of stored.values()) {
    prepare(db, "setting.remove").run({ key: known.key });
    changes[known.key] = known.salt ? "changed" : { before: readValue(known), after: null };
  }
  return changes;
}

// The salt of a secret, which may be short and guessable and is therefore hashed slowly; null for
// an absent secret, and for other settings.
function saltOf({ isSecret, value }: Setting, known: StoredSetting | null): Uint8Array | null {
  return isSecret && value !== "" ? (known?.salt ?? randomBytes(SALT_BYTES)) : null;
}

function keptValue({ value }: Setting, salt: Uint8Array | null): string {
  if (salt === null) return JSON.stringify(value);
  return scryptSync(JSON.stringify(value), salt, HASH_BYTES).toString("hex");
}

/** The stored value of a setting; null for a new key. */
function readValue(known: StoredSetting | null): unknown {
  return known === null ? null : JSON.parse(known.value);
}
