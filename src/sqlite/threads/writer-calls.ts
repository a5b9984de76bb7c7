// THE CALLS TO THE WRITER beside messages: name to function, carried out in the writer's thread.
// Types follow from this table: `writer.call("expire", months)` takes what the function takes and
// resolves with what it returns. Most take one step; a generator takes several, between which
// messages are committed. A function that throws Declined has changed nothing.

import type { Act, AuditEntry, By } from "../../bwts/audit.ts";
import type { Event } from "../../bwts/event.ts";
import { lampWordOf } from "../../bwts/lamps/word.ts";
import type { NewPlant } from "../../bwts/plant.ts";
import { shelvingAsked } from "../../bwts/present/alarm-act.ts";
import { tokenRefusal } from "../../bwts/token.ts";
import { Declined } from "../../ground/errors.ts";
import { decodeImported, type ImportedReading, type RefusedLine } from "../../payload/import.ts";
import type { DerivedResult } from "../derived/derivation.ts";
import { noteShore, renumberHours, type ShoreNote } from "../exchange/shore-noted.ts";
import { type Faults, rejectOf, takeHalving } from "../file/faults.ts";
import { type Connection, prepare } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { acknowledgeAlarm, shelveAlarm } from "../records/alarm-acts.ts";
import type { AlarmKey } from "../records/alarms.ts";
import { giveOut } from "../records/give-out.ts";
import type { SignedHead } from "../records/head-rows.ts";
import { setLampSpares } from "../records/lamp-spares.ts";
import { ledgerNow, storeHead, storeKey } from "../records/ledger-heads.ts";
import { inUtc, writeNote } from "../records/notes.ts";
import { savePlant } from "../records/plants.ts";
import type { RunStart } from "../records/runs.ts";
import { addToken, revokeToken, storedTokens } from "../records/tokens.ts";
import type { CallArguments, CallOf } from "./calls.ts";
import type { ImportResult } from "./import.ts";
import type { JobRun } from "./operations.ts";
import type { EntryResult } from "./replay.ts";
import type { Store } from "./store.ts";
import type { Batches } from "./writer-batches.ts";
import type { CommandAnswer, CommandInput, WriterCommand } from "./writer-commands.ts";
import type { FromWriter, PackedMessages } from "./writer-messages.ts";

/** Number of a file's lines that share one commit. */
const LINES = 50;

/** The writer's parts, as its calls use them. */
export interface WriterParts {
  readonly db: Connection;
  readonly store: Store;
  readonly batches: Batches;
  readonly faults: Faults;
  readonly isLogMissing: boolean;
  readonly system_id: string;
  /** Queues a long correction after those before it. */
  readonly inTurn: <Result>(work: Generator<void, Result>) => Generator<void, Result>;
  /** Reports that readings or lamps were corrected, so that other readings may be the newest. */
  readonly corrected: () => void;
  readonly reply: (message: FromWriter) => void;
  readonly watchClocks: () => void;
}

const COMMANDS: {
  readonly [C in WriterCommand]: (
    writer: WriterParts,
    input: CommandInput[C],
    by: By,
  ) => CommandAnswer[C] | Generator<void, CommandAnswer[C]>;
} = {
  import: ({ system_id, ...writer }, { records }) =>
    importLines(
      writer,
      records.map((record) => decodeImported(record, system_id)),
    ),
  audit({ store }, { kind, detail }, by) {
    store.audit([{ ...actOf(by), kind, detail }], Date.now());
    return null;
  },
  token_add({ db, store, reply }, { name, role, sha256 }, by) {
    const token = { name, role, hash: Buffer.from(sha256, "hex"), added_ms: Date.now() };
    const act = actOf(by);
    const outcome = store.audited((append) => addToken(db, append, { token, act }));
    if (outcome !== "added") throw tokenRefusal(name, outcome);
    reply({ kind: "tokens", tokens: storedTokens(db) });
    return null;
  },
  token_revoke({ db, store, reply }, { name }, by) {
    const act = actOf(by);
    if (!store.audited((append) => revokeToken(db, append, { name, act })))
      throw new Declined(`token ${name}: there is none of that name, see token list`);
    reply({ kind: "tokens", tokens: storedTokens(db) });
    return null;
  },
  lamp_word({ store, corrected }, { position, word }, by) {
    const problem = store.saveLampWord(lampWordOf(position, word), actOf(by));
    if (problem !== null) throw problem;
    corrected();
    return null;
  },
  lamp_spares({ db, store }, counted, by) {
    const act = actOf(by);
    return store.audited((append) => setLampSpares(db, append, { counted, act }));
  },
  acknowledge_alarm({ db, store }, { id, said: { note = null } }, by) {
    const act = actOf(by);
    return store.audited((append) => acknowledgeAlarm(db, append, { id, note, act }));
  },
  shelve_alarm({ db, store }, { id, said }, by) {
    const act = actOf(by);
    const shelving = shelvingAsked(said, act.at_ms);
    if (shelving instanceof Declined) throw shelving;
    return store.audited((append) => shelveAlarm(db, append, { id, ...shelving, act }));
  },
  write_note({ db, store }, { said: given }, by) {
    const said = inUtc(given);
    return store.audited((append) => writeNote(db, append, { kind: "note", said, act: actOf(by) }));
  },
  hand_over: ({ db, store }, { said }, by) =>
    store.audited((append) => writeNote(db, append, { kind: "handover", said, act: actOf(by) })),
  *void(writer, input, by) {
    const { voiding } = writer.store;
    return accepted("void", yield* correction(writer, voiding.add(input, actOf(by))));
  },
  *undo_void(writer, { id }, by) {
    const { voiding } = writer.store;
    return accepted(`void ${id}`, yield* correction(writer, voiding.undo(id, actOf(by))));
  },
  give_out({ db, store }, { range }) {
    store.audited(() => giveOut(db, { ids: null, range }, Date.now()));
    return null;
  },
  print_sheet({ db, store }, { ids }, by) {
    const act = actOf(by);
    store.audited((append) => {
      giveOut(db, { ids, range: EVER }, act.at_ms);
      append({ ...act, kind: "printed", detail: { operations: ids } });
    });
    return null;
  },
  note_pack: ({ db, store }, detail, by) =>
    store.audited((append) => {
      append({ ...actOf(by), kind: "printed", detail });
      return prepare(db, "audit.newest_of_kind").get({ kind: "printed" })?.id ?? 0;
    }),
  disown({ store, watchClocks, corrected }, { reason }, by) {
    const range = accepted("clock disown", store.disownReceipts(actOf(by), reason));
    watchClocks();
    corrected();
    return range;
  },
  replay: (writer, input, by) => correction(writer, replayed(writer.store, input, actOf(by))),
};

const OPERATIONS = {
  /** Proof of life: resolves after a turn of the event loop, even if nothing can be committed. */
  ping: (_: WriterParts) => null,
  /** Appends entries to the audit log, in one commit. */
  audit_entries: ({ store }: WriterParts, entries: readonly AuditEntry[]) =>
    store.audit(entries, Date.now()),
  /** Writes the start of a run into the audit log, and the end of the one before. */
  begin_run({ db, store, isLogMissing }: WriterParts, run: RunStart) {
    store.beginRun(run, { now_ms: Date.now(), isLogMissing });
    // Moved into the file, so that the start of the run is known even if the log is lost.
    prepare(db, "state.checkpoint_some").get({});
  },
  /** Stores a plant of interface B, or reports that another plant has its id. */
  save_plant: ({ db, store }: WriterParts, plant: NewPlant, by: By) =>
    store.audited((append) => savePlant(db, append, { plant, act: actOf(by) })),
  /** Takes the oldest due pieces of a derivation, as of `now_ms`. */
  take_due: ({ store }: WriterParts, name: string, now_ms: number) => store.takeDue(name, now_ms),
  /** Stores what a reader derived from these pieces. */
  save_made: ({ store }: WriterParts, made: DerivedResult) => store.saveMade(made, Date.now()),
  record_job: ({ store }: WriterParts, run: JobRun) => store.recordJob(run),
  /** Stores an alarm of ballastd's own; false if it is already active. */
  raise_alarm: ({ store }: WriterParts, event: Event, about: string) =>
    store.raiseAlarm(event, about, Date.now()),
  /** Records that an alarm cleared; false if it wasn't active. */
  clear_alarm: ({ store }: WriterParts, alarm: AlarmKey) => store.clearAlarm(alarm, Date.now()),
  /** Clears every alarm of a code; returns the number that were active. */
  clear_alarms: ({ store }: WriterParts, code: string) => store.clearAlarms(code, Date.now()),
  /**
   * Records that the links of these publishers aren't lost; null, at the start of a run, means no
   * link is. Returns the number of lost links.
   */
  end_links: ({ store }: WriterParts, publishers: readonly string[] | null) =>
    store.endLinks(publishers, Date.now()),
  /** Expires raw readings older than `months` before the newest, a day a step; null if none are. */
  expire: ({ store }: WriterParts, months: number) => store.expire(months),
  /** Seals readings that were hot for 24 hours. Returns the reason if sealing is stuck. */
  *seal({ store }: WriterParts) {
    while (store.sealOld(Date.now())) yield;
    return store.sealing();
  },
  /** Finishes the void that an earlier process left in progress. */
  end_void: (writer: WriterParts) => correction(writer, writer.store.voiding.end()),
  /** Records what the office acknowledged. */
  note_shore: ({ db }: WriterParts, note: ShoreNote) => noteShore(db, note),
  /** Gives all hours new revisions above one. */
  renumber_hours: ({ db }: WriterParts, above: number) => renumberHours(db, above),
  /** The ledger's present state, also over its first `before` leaves. */
  ledger_now: ({ db }: WriterParts, before: number | null) => ledgerNow(db, before),
  /** Appends a statement about a key. */
  ledger_key({ db, store }: WriterParts, content: string) {
    store.requireSpace();
    return storeKey(db, content);
  },
  /** Stores a signed head. */
  ledger_signed({ db, store }: WriterParts, head: SignedHead) {
    store.requireSpace();
    return storeHead(db, head);
  },
  /** Empties the write-ahead log into the database. */
  tidy: ({ store }: WriterParts) => store.tidy(),
};

const WRITER_CALLS = { ...COMMANDS, ...OPERATIONS };
export type WriterCalls = typeof WRITER_CALLS;

/** The messages to the writer's thread; those from it are in writer-messages.ts. */
export type ToWriter =
  | { readonly kind: "ingest"; readonly packed: PackedMessages }
  | { readonly kind: "call"; readonly seq: number; readonly call: CallOf<WriterCalls> }
  | { readonly kind: "close"; readonly seq: number };

const functions: {
  readonly [K in keyof WriterCalls]: (
    writer: WriterParts,
    ...given: CallArguments<WriterCalls[K]>
  ) => ReturnType<WriterCalls[K]>;
} = WRITER_CALLS;

/** Carries out a call step by step; the return value is its result. */
export function* writerWork<N extends keyof WriterCalls>(
  { name, given }: CallOf<WriterCalls, N>,
  writer: WriterParts,
): Generator<void, unknown> {
  const begun: unknown = functions[name](writer, ...given);
  return isWork(begun) ? yield* begun : begun;
}

function isWork(begun: unknown): begun is Generator<void, unknown> {
  return typeof begun === "object" && begun !== null && Symbol.iterator in begun && "next" in begun;
}

const actOf = (by: By): Act => ({ ...by, at_ms: Date.now() });

/** Stores a file's lines, some in each commit. */
export function* importLines(
  { store, batches }: Pick<WriterParts, "store" | "batches">,
  lines: readonly (ImportedReading | RefusedLine)[],
): Generator<void, ImportResult> {
  const parts: ImportResult[] = [];
  let count = LINES;
  for (let from = 0; from < lines.length; from += count, count = Math.min(LINES, 2 * count)) {
    if (from > 0) yield;
    // After a failure the parts grow again: a bad line costs a few transactions, not one per line.
    const part = takeHalving(Math.min(count, lines.length - from), {
      take(limit) {
        count = limit;
        const imported = store.importReadings(lines.slice(from, from + limit), Date.now());
        batches.imported(imported.batch);
        return imported.result;
      },
      leave(error) {
        const { line } = lines[from];
        return { stored: 0, same: 0, refused: [{ line, problem: rejectOf(error).detail }] };
      },
    });
    parts.push(part);
  }
  return {
    stored: parts.reduce((sum, { stored }) => sum + stored, 0),
    same: parts.reduce((sum, { same }) => sum + same, 0),
    refused: parts.flatMap(({ refused }) => refused),
  };
}

/** Throws Declined if the outcome is the reason of a refusal; else returns it. */
function accepted<Outcome extends object>(
  what: string,
  outcome: Outcome | { readonly problem: string },
): Outcome {
  if ("problem" in outcome) throw new Declined(`${what}: ${outcome.problem}`);
  return outcome;
}

/** Carries out a long correction after those before it, then reports it. */
function* correction<Result>(
  { inTurn, corrected }: WriterParts,
  work: Generator<void, Result>,
): Generator<void, Result> {
  const result = yield* inTurn(work);
  corrected();
  return result;
}

/** Replays the next entries, a long one until it is done. A dry run changes nothing. */
function* replayed(
  store: Store,
  { isTrial, payload_base64, ...rest }: CommandInput["replay"],
  act: Act,
): Generator<void, readonly EntryResult[]> {
  const payload = payload_base64 === undefined ? null : Buffer.from(payload_base64, "base64");
  const asked = { ...rest, payload };
  const step = isTrial ? store.tryReplay : store.replay;
  let { entries, progress } = step(asked, act);
  while (progress !== null && entries.length === 0) {
    yield;
    ({ entries, progress } = step(asked, act, progress));
  }
  return entries;
}
