// The notes of a range as a list, and the form that writes one or corrects one. Who writes is named
// by the token; a correction is a later entry, and the earlier one stays in the audit log.

import "./notes.css";
import type { RefObject, TargetedSubmitEvent } from "preact";
import { notesWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { LongText } from "../parts/long-text.tsx";
import { clockName, printMoment } from "../parts/moments.ts";
import { useOpenForm } from "../parts/open-form.ts";
import { Panel } from "../parts/panel.tsx";
import { MomentInput } from "../parts/time-fields.tsx";
import { useDraft, useLatest } from "../parts/use-draft.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { TextField } from "./fields.tsx";
import { notesPath, readNotes, type ShownNote } from "./note-answers.ts";

interface NotesPanelProps {
  readonly from_ms: number;
  readonly to_ms: number;
  /** The moment or the range that a new note is of, unless another one is typed. */
  readonly of: { readonly from_ms: number; readonly to_ms: number | null };
}

export function NotesPanel({ from_ms, to_ms, of }: NotesPanelProps) {
  const now_ms = useNow();
  const part = useAnswer(notesPath(from_ms, to_ms), readNotes, ["note"]);
  const draft = useDraft("note");
  const { isOpen, setOpen, opener, form } = useOpenForm(draft.isBegun);
  const correct = (note: ShownNote) => {
    draft.type({
      ...{ corrects: String(note.id), text: note.text, who: note.who },
      ...{ from: fieldOf(note.from_ms), to: fieldOf(note.to_ms) },
    });
    setOpen(true);
  };
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
          {isOpen ? (
            <NoteForm {...{ draft, of, form }} close={() => setOpen(false)} />
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

function NoteLine({ note, now_ms }: { note: ShownNote; now_ms: number }) {
  const { from_ms, to_ms, text, who, by, written_at_ms, corrects, damaged } = note;
  const from = printMoment(from_ms, now_ms);
  const span = to_ms === null ? from : t("span", { from, to: printMoment(to_ms, now_ms) });
  const signed = { who: who === "" ? by : who, by, moment: printMoment(written_at_ms, now_ms) };
  return (
    <>
      <b>{span}</b> <LongText text={text} />{" "}
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
  readonly close: () => void;
}

const TEXT_MAX = 1000;
const NAME_MAX = 100;

function NoteForm({ draft, of, form, close }: NoteFormProps) {
  const act = useAct(anyAnswer);
  const now_ms = useNow();
  const { fields, key } = draft;
  const { from = fieldOf(of.from_ms), to = fieldOf(of.to_ms), text = "", who = "" } = fields;
  const { corrects = "" } = fields;
  const body = useLatest({
    ...{ from: `${from}Z`, text: text.trim(), who: who.trim(), key },
    ...(to === "" ? {} : { to: `${to}Z` }),
    ...(corrects === "" ? {} : { corrects: Number(corrects) }),
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    act.run("/admin/notes", body, () => {
      draft.clear();
      close();
    });
  };
  const cancel = () => {
    draft.clear();
    close();
  };
  return (
    <>
      <form class="note-form" ref={form} onSubmit={submit} autocomplete="off">
        {corrects !== "" && <p class="wide">{t("corrects")}</p>}
        <TextField
          {...{ label: t("text"), value: text, max: TEXT_MAX, isLong: true }}
          isNeeded={corrects === ""}
          type={(given) => draft.type({ text: given })}
        />
        <MomentInput
          label={t("from", { clock: clockName() })}
          at_ms={instantOf(from)}
          latest_ms={now_ms}
          isNeeded
          choose={(at_ms) => draft.type({ from: fieldOf(at_ms) })}
        />
        <MomentInput
          label={t("to", { clock: clockName() })}
          at_ms={instantOf(to)}
          latest_ms={now_ms}
          choose={(at_ms) => draft.type({ to: fieldOf(at_ms) })}
        />
        <TextField
          {...{ label: t("who"), value: who, max: NAME_MAX, isLong: false }}
          isNeeded={false}
          type={(given) => draft.type({ who: given })}
        />
        <p class="wide">
          <button type="submit" class="act" disabled={act.isBusy}>
            {t("store")}
          </button>{" "}
          <button type="button" onClick={cancel}>
            {t("cancel")}
          </button>
        </p>
      </form>
      {/* It has a form of its own. */}
      <ActOutcomeLine act={act} />
    </>
  );
}

/** As the draft keeps it, in UTC to the minute; empty for none. */
const fieldOf = (at_ms: number | null) =>
  at_ms === null ? "" : new Date(at_ms).toISOString().slice(0, 16);

const instantOf = (kept: string) => (kept === "" ? null : Date.parse(`${kept}Z`));
