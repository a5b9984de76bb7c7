// Queues the running instance's entries for the audit log. No caller waits: entries are kept until
// the writer has stored them, many in one commit and one commit at a time, so that readings come
// first. Entries that can't be written now (a full disk) are tried again each minute, up to a
// limit. Actions of clients are folded, and the entries of each kind limited, so that no flood
// fills the disk or hides another kind.

import { ACTORS, type AuditEntry, type AuditKind, type Happening } from "../bwts/audit.ts";
import { type Clock, MINUTE_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import type { RunStart } from "../sqlite/records/runs.ts";
import type { Writer } from "../sqlite/threads/writer.ts";

/** Maximum number of queued entries. Further ones are lost, which the log reports. */
const WAITING_MAX = 1000;

export interface AuditQueue {
  /** Queues an action of a client; repetitions become a count. */
  note(happening: Happening): void;
  /** Queues one entry unchanged, for rare actions. */
  write(entry: Omit<AuditEntry, "at_ms">): void;
  /** Writes the start of the run, then the queued and all later entries. */
  begin(writer: Writer, run: RunStart): Promise<void>;
  /** Writes the last entry. Resolves when all entries that can be written are. */
  close(last: Omit<AuditEntry, "at_ms">): Promise<void>;
}

export function openAuditQueue({ clock, log }: { clock: Clock; log: Log }): AuditQueue {
  const waiting: AuditEntry[] = [];
  let begun: { readonly writer: Writer; run: RunStart | null } | null = null;
  let writing: Promise<void> | null = null;

  const writeAll = async () => {
    try {
      if (begun === null) return;
      const { writer, run } = begun;
      if (run !== null) await writer.call("begin_run", run);
      begun.run = null;
      while (waiting.length > 0) {
        const entries = [...waiting];
        await writer.call("audit_entries", entries);
        waiting.splice(0, entries.length);
      }
    } catch (error) {
      log.error("the audit log can't be written, its entries are kept and tried again", {
        problem: messageOf(error),
        waiting: waiting.length,
      });
    }
  };
  const flush = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  };
  const write = (entry: Omit<AuditEntry, "at_ms">) => {
    if (waiting.length >= WAITING_MAX)
      log.error("an entry of the audit log is lost", { kind: entry.kind, waiting: WAITING_MAX });
    else waiting.push({ ...entry, at_ms: clock.now_ms() });
    void flush();
  };
  const folding = openFolding(write);
  const timer = setInterval(() => {
    folding.minute();
    if (waiting.length > 0 || begun?.run) void flush();
  }, MINUTE_MS).unref();

  return {
    note: folding.take,
    write,
    begin(writer, run) {
      begun = { writer, run };
      return flush();
    },
    async close(last) {
      clearInterval(timer);
      folding.minute();
      write(last);
      await flush();
      // Entries that arrived during that commit are written with the next one.
      if (waiting.length > 0) await flush();
    },
  };
}

/**
 * Maximum number of entries of a kind at once, and further ones allowed each minute: 6 MB a week.
 */
const BURST = 60;
const MINUTELY = 4;
/** Maximum number of actions counted separately; further ones are counted together. */
const FOLDS_MAX = 256;

type Fold = Omit<Happening, "fold">;

export interface Folding {
  take(happening: Happening): void;
  /** Writes the counts. To be called each minute and at the end. */
  minute(): void;
}

export function openFolding(emit: (entry: Fold) => void): Folding {
  const folds = new Map<string, { readonly entry: Fold; repeated: number }>();
  const allowances = new Map<AuditKind, number>();
  const beyond = new Map<AuditKind, number>();

  const isAllowed = (kind: AuditKind) => {
    const left = allowances.get(kind) ?? BURST;
    if (left > 0) allowances.set(kind, left - 1);
    return left > 0;
  };
  const countBeyond = (kind: AuditKind, count: number) =>
    beyond.set(kind, (beyond.get(kind) ?? 0) + count);

  return {
    take({ fold, ...entry }) {
      const { kind, actor, address } = entry;
      const key = JSON.stringify([kind, actor, address, fold]);
      const known = folds.get(key);
      if (known !== undefined) known.repeated += 1;
      else if (folds.size >= FOLDS_MAX || !isAllowed(kind)) countBeyond(kind, 1);
      else {
        folds.set(key, { entry, repeated: 0 });
        emit(entry);
      }
    },
    minute() {
      for (const [kind, left] of allowances) allowances.set(kind, Math.min(BURST, left + MINUTELY));
      for (const [key, fold] of folds) {
        const { entry, repeated } = fold;
        if (repeated === 0) folds.delete(key);
        else if (isAllowed(entry.kind)) emit({ ...entry, detail: { ...entry.detail, repeated } });
        else countBeyond(entry.kind, repeated);
        fold.repeated = 0;
      }
      for (const [kind, repeated] of beyond)
        emit({ kind, actor: ACTORS.stranger, address: null, detail: { repeated } });
      beyond.clear();
    },
  };
}
