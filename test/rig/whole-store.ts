// A store of which a batch and a void are one call each, as tests ask for them: the program does
// both step by step, with commits of messages in between.

import type { Act } from "../../src/bwts/audit.ts";
import type { Message } from "../../src/bwts/message.ts";
import type { BatchResult } from "../../src/sqlite/threads/ingest.ts";
import type { Store } from "../../src/sqlite/threads/store.ts";
import type { NewVoid, VoidOutcome } from "../../src/sqlite/threads/void-writes.ts";

export interface WholeStore extends Store {
  /** Stores a batch in one transaction. Throws, with nothing changed, if it can't be committed. */
  commit(messages: readonly Message[]): BatchResult;
  addVoid(given: NewVoid, act: Act): VoidOutcome;
  undoVoid(id: number, act: Act): VoidOutcome;
}

export function wholeStore(store: Store): WholeStore {
  const begun = (message: Message) => ({ message, progress: null });
  return {
    ...store,
    commit: (messages) => store.commitUntil(() => false, messages.map(begun)).result,
    addVoid: (given, act) => ended(store.voiding.add(given, act)),
    undoVoid: (id, act) => ended(store.voiding.undo(id, act)),
  };
}

/** Runs all steps at once. */
export function ended<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
