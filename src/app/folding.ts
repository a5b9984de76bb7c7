// Folds actions of clients for the audit log. The first of each kind, actor, address and fold is
// written at once, its repetitions as one count a minute. The number of entries of each kind is
// limited, and the rest is one count, so that no flood fills the disk or hides another kind.

import { ACTORS, type AuditKind, type Happening } from "../bwts/audit.ts";

/** Entries of a kind that may come at once, and how many more each minute allows: 6 MB a week. */
const BURST = 60;
const MINUTELY = 4;
/** Most actions counted separately; further ones are counted together. */
const FOLDS_MAX = 256;

type Fold = Omit<Happening, "fold">;

export interface Folding {
  take(happening: Happening): void;
  /** Writes the counts. To be called each minute, and at the end. */
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
