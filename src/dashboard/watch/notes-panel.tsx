// The notes of a range as a list, and the form that writes or corrects one. The token gives the
// writer's name; a correction is a later entry, and the earlier one stays in the audit log.

import "./notes.css";
import type { RefObject, TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { notesWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { clockName, printMoment } from "../parts/moments.ts";
import { useOpenForm } from "../parts/open-form.ts";
import { Panel } from "../parts/panel.tsx";
import { MomentInput } from "../parts/time-fields.tsx";
import { type DraftFields, useDraft, useLatest } from "../parts/use-draft.ts";
import { notesPath, readNotes, type ShownNote } from "../store/notes.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { TextField } from "./note-fields.tsx";

/** The moment of a note; with an end, its range. */
interface NoteTimes {
  readonly from_ms: number;
  readonly to_ms: number | null;
}

interface NotesPanelProps {
  readonly from_ms: number;
  readonly to_ms: number;
  /** Default moment or range of a new note. */
  readonly of: NoteTimes;
}

export function NotesPanel({ from_ms, to_ms, of }: NotesPanelProps) {
  const now_ms = useNow();
  const part = useAnswer(notesPath(from_ms, to_ms), readNotes, ["note"]);
  const draft = useDraft("note");
  const [storedFor, setStoredFor] = useState<NoteTimes | null>(null);
  const { isOpen, setOpen, opener, form } = useOpenForm(draft.isBegun);
  const correct = (note: ShownNote) => {
    draft.type({
      ...{ corrects: String(note.id), text: note.text, who: note.who },
      ...{ from: fieldOf(note.from_ms), to: fieldOf(note.to_ms), place: placeOf(window.location) },
    });
    setOpen(true);
  };
  const close = (times: NoteTimes | null) => {
    setStoredFor(times);
    setOpen(false);
  };
  const isElsewhere =
    storedFor !== null &&
    (storedFor.from_ms > to_ms || (storedFor.to_ms ?? storedFor.from_ms) < from_ms);
  return (
    <Panel name="notes" title={t("notes")} part={part}>
      {(notes) => (
        <>
          {notes.length === 0 && <p class="quiet">{t("no_notes")}</p>}
          <ul class="note-list">
            {notes.map((note) => (
              <li key={note.id}>
                <NoteLine note={note} now_ms={now_ms} />{" "}
                <button type="button" onClick={() => correct(note)}>
                  {t("correct")}
                </button>
              </li>
            ))}
          </ul>
          {isElsewhere && <StoredElsewhere times={storedFor} now_ms={now_ms} />}
          {isOpen ? (
            <NoteForm {...{ draft, of, form, close }} />
          ) : (
            <button type="button" class="note-write" ref={opener} onClick={() => setOpen(true)}>
              {t("write")}
            </button>
          )}
        </>
      )}
    </Panel>
  );
}

/** A line with a link to a stored note whose time isn't that of this page. */
function StoredElsewhere({ times, now_ms }: { times: NoteTimes; now_ms: number }) {
  const [from, to] = [times.from_ms, times.to_ms ?? times.from_ms].map((at_ms, end) =>
    new Date(at_ms + (end === 0 ? -AROUND_MS : AROUND_MS)).toISOString(),
  );
  return (
    <p role="status">
      {t("stored_elsewhere", { span: spanOf(times, now_ms) })}{" "}
      <a class="alone" href={`#/trends?${new URLSearchParams({ from, to })}`}>
        {t("show_there")}
      </a>
    </p>
  );
}

/** Time shown before and after a note on Trends. */
const AROUND_MS = 30 * 60_000;

function spanOf({ from_ms, to_ms }: NoteTimes, now_ms: number): string {
  const from = printMoment(from_ms, now_ms);
  return to_ms === null ? from : t("span", { from, to: printMoment(to_ms, now_ms) });
}

function NoteLine({ note, now_ms }: { note: ShownNote; now_ms: number }) {
  const { from_ms, to_ms, text, who, by, written_at_ms, corrects, damaged } = note;
  const signed = { who: who === "" ? by : who, by, moment: printMoment(written_at_ms, now_ms) };
  return (
    <>
      <b>{spanOf({ from_ms, to_ms }, now_ms)}</b> <span class="note-text">{text}</span>{" "}
      <span class="quiet">
        {t(corrects === null ? "signed" : "signed_again", signed)}
        {damaged && ` ${t("damaged")}`}
      </span>
    </>
  );
}

interface NoteFormProps {
  readonly draft: ReturnType<typeof useDraft>;
  readonly of: NotesPanelProps["of"];
  readonly form: RefObject<HTMLFormElement | null>;
  /** Closes the form; with the times of the note if one was stored. */
  readonly close: (stored: NoteTimes | null) => void;
}

const TEXT_MAX = 1000;
const NAME_MAX = 100;

function NoteForm({ draft, of, form, close }: NoteFormProps) {
  const act = useAct(anyAnswer);
  const now_ms = useNow();
  const { fields, key } = draft;
  const { from = fieldOf(of.from_ms), to = fieldOf(of.to_ms), text = "", who = "" } = fields;
  const here = placeOf(window.location);
  const { corrects = "", place = here } = fields;
  // A begun text keeps the time and the page at which it was begun.
  const type = (typed: DraftFields) => draft.type({ from, to, place, ...typed });
  const times = useLatest({ from_ms: instantOf(from) ?? now_ms, to_ms: instantOf(to) });
  const body = useLatest({
    ...{ from: `${from}Z`, text: text.trim(), who: who.trim(), key },
    ...(to === "" ? {} : { to: `${to}Z` }),
    ...(corrects === "" ? {} : { corrects: Number(corrects) }),
  });
  const end = (stored: NoteTimes | null) => {
    draft.clear();
    close(stored);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    act.run("/admin/notes", body, () => end(times()));
  };
  const useThisTime = () => type({ from: fieldOf(of.from_ms), to: fieldOf(of.to_ms), place: here });
  return (
    <>
      <form class="note-form" ref={form} onSubmit={submit} autocomplete="off">
        {corrects !== "" && <p class="wide">{t("corrects")}</p>}
        {place !== here && (
          <BegunElsewhere {...{ place }} span={spanOf(times(), now_ms)} useThis={useThisTime} />
        )}
        <TextField
          {...{ label: t("text"), value: text, max: TEXT_MAX, isLong: true }}
          isNeeded={corrects === ""}
          type={(given) => type({ text: given })}
        />
        <MomentInput
          label={t("from", { clock: clockName() })}
          at_ms={instantOf(from)}
          latest_ms={now_ms}
          isNeeded
          choose={(at_ms) => type({ from: fieldOf(at_ms) })}
        />
        <MomentInput
          label={t("to", { clock: clockName() })}
          at_ms={instantOf(to)}
          latest_ms={now_ms}
          choose={(at_ms) => type({ to: fieldOf(at_ms) })}
        />
        <TextField
          {...{ label: t("who"), value: who, max: NAME_MAX, isLong: false }}
          isNeeded={false}
          type={(given) => type({ who: given })}
        />
        <p class="wide">
          <button type="submit" class="act" disabled={act.isBusy}>
            {t("store")}
          </button>{" "}
          <button type="button" onClick={() => end(null)}>
            {t("cancel")}
          </button>
        </p>
      </form>
      {/* The line has a form of its own, so it is outside this one. */}
      <ActOutcomeLine act={act} />
    </>
  );
}

interface BegunElsewhereProps {
  readonly place: string;
  readonly span: string;
  readonly useThis: () => void;
}

/**
 * A warning that the text in the form was begun on another page, with the time for which it will be
 * stored.
 */
function BegunElsewhere({ place, span, useThis }: BegunElsewhereProps) {
  return (
    <p class="wide" data-test="begun-elsewhere">
      {t("begun_elsewhere", { span })}{" "}
      <a class="alone" href={`#/${place}`}>
        {t("begun_there")}
      </a>{" "}
      <button type="button" onClick={useThis}>
        {t("use_this_time")}
      </button>
    </p>
  );
}

/** The page, with the id on the page of one operation: `operations?id=7`. */
function placeOf({ hash }: Pick<Location, "hash">): string {
  const [page = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const id = new URLSearchParams(query).get("id");
  return id === null ? page : `${page}?${new URLSearchParams({ id })}`;
}

/** A time as the draft keeps it, in UTC to the minute; empty for none. */
const fieldOf = (at_ms: number | null) =>
  at_ms === null ? "" : new Date(at_ms).toISOString().slice(0, 16);

const instantOf = (kept: string) => (kept === "" ? null : Date.parse(`${kept}Z`));
