// Audited writes: each is in one transaction with its entry in the audit log, so that neither can
// be on disk without the other.

import type { Act, AuditEntry } from "../../bwts/audit.ts";
import { type LampWord, wordAnswer } from "../../bwts/lamps/word.ts";
import type { NewPlant, PlantSaved } from "../../bwts/plant.ts";
import { type Holder, type StoredToken, TOKENS_MAX, type TokenAdded } from "../../bwts/token.ts";
import type { DueList } from "../derived/due.ts";
import { addLampWord } from "../derived/lamp-states.ts";
import { type Connection, prepare } from "../file/open.ts";
import { write } from "../file/transaction.ts";
import { openAuditLog } from "../records/audit.ts";
import type { ClockTrust } from "../records/clock-trust.ts";
import { beginRun, type RunStart } from "../records/runs.ts";

export interface AuditedWrites {
  /** Appends entries, all or none. */
  audit(entries: readonly AuditEntry[], now_ms: number): void;
  /** Writes the entries for the start of a run. */
  beginRun(run: RunStart, found: { readonly now_ms: number; readonly isLogMissing: boolean }): void;
  savePlant(plant: NewPlant, act: Act): PlantSaved;
  /**
   * Stores the engineer's statement about a lamp, which forecasts then follow. Returns null, or the
   * reason of a refusal.
   */
  saveLampWord(word: LampWord, act: Act): string | null;
  addToken(token: StoredToken, act: Act): TokenAdded;
  /** False if there is no token of that name. */
  revokeToken(name: string, act: Act): boolean;
}

/** Every valid token, by name. */
export function storedTokens(db: Connection): readonly StoredToken[] {
  return prepare<object, StoredToken>(db, "token.all").all({});
}

export function openAuditedWrites(
  db: Connection,
  {
    clock,
    due,
    floor,
  }: { readonly clock: ClockTrust; readonly due: DueList; readonly floor: () => void },
): AuditedWrites {
  const log = openAuditLog(db);
  const plantAt = prepare<object, { name: string; tag: string | null }>(db, "plant.at");
  const addPlant = prepare<object, never>(db, "plant.add");
  const addToken = prepare<object, never>(db, "token.add");
  const removeToken = prepare<object, Pick<Holder, "role">>(db, "token.remove");

  const append = (entry: AuditEntry) =>
    log.add(entry, { clock_trusted: clock.trusts(entry.at_ms) });
  const audited = <Result>(transaction: () => Result): Result => {
    floor();
    return write(db, transaction);
  };

  return {
    // Trust as of now: readings may have come since the recorded acts.
    audit: (entries, now_ms) =>
      audited(() => {
        const clock_trusted = clock.trusts(now_ms);
        for (const entry of entries) log.add(entry, { clock_trusted });
      }),
    beginRun: (run, { now_ms, isLogMissing }) =>
      audited(() =>
        beginRun(db, log, { ...run, isLogMissing, clock_trusted: clock.trusts(now_ms) }),
      ),
    savePlant: (plant, act) =>
      audited(() => {
        const { id, name, tag } = plant;
        const stored = plantAt.get({ id });
        if (stored !== undefined)
          return stored.name === name && stored.tag === tag ? "same" : "different";
        addPlant.run({ id, name, tag });
        // Text, because a JSON number would lose the last digits of an int64.
        append({ ...act, kind: "plant_added", detail: { id: String(id), name, tag } });
        return "stored";
      }),
    saveLampWord: (word, act) =>
      audited(() => {
        const problem = addLampWord(db, due.changed, word);
        if (problem === null)
          append({ ...act, kind: "lamp_replacement", detail: wordAnswer(word) });
        return problem;
      }),
    addToken: (token, act) =>
      audited(() => {
        if (storedTokens(db).length >= TOKENS_MAX) return "too_many";
        const { name, role, hash, added_ms } = token;
        if (addToken.run({ name, role, hash, added_ms }).changes === 0) return "name_taken";
        append({ ...act, kind: "token_added", detail: { name, role } });
        return "added";
      }),
    revokeToken: (name, act) =>
      audited(() => {
        const removed = removeToken.get({ name });
        if (removed === undefined) return false;
        append({ ...act, kind: "token_revoked", detail: { name, role: removed.role } });
        return true;
      }),
  };
}
