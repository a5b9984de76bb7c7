// The draft entries: letter, items with the facts in the log, and empty boxes for the others. Their
// texts are in the language of the record book.

import { recordBookWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { readDraft, type ShownDraft, type ShownDraftEntry } from "./book-answers.ts";

/** Interval of reading the draft again: an ended operation is judged within seconds. */
const EVERY_MS = 60_000;

export function DraftPanel({ path }: { path: string }) {
  const part = useAnswer(path, readDraft, ["event", "operation"], EVERY_MS);
  return (
    <Panel name="draft" title={t("draft")} part={part}>
      {(draft) => <Draft draft={draft} />}
    </Panel>
  );
}

function Draft({ draft }: { draft: ShownDraft }) {
  const { mark, language, entries, resolution } = draft;
  return (
    <>
      <p lang={language} data-test="mark">
        <strong>{mark}</strong>
      </p>
      <p class="quiet">
        {t("form", { resolution })} {draft.isToBeConfirmed && t("to_be_confirmed")}
      </p>
      {entries.length === 0 && <p role="status">{t("no_operations")}</p>}
      <ol class="draft-entries" lang={language}>
        {entries.map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} draft={draft} />
        ))}
      </ol>
    </>
  );
}

const keyOf = ({ operation_id, code, start_ms }: ShownDraftEntry) =>
  `${operation_id} ${code} ${start_ms}`;

function Entry({ entry, draft }: { entry: ShownDraftEntry; draft: ShownDraft }) {
  const { code, items, notes, operation_id } = entry;
  return (
    <li class="draft-entry">
      <h3>
        <span class="letter">{code ?? "?"}</span> {draft.titles.get(code ?? "") ?? ""}{" "}
        <small>#{operation_id}</small>
      </h3>
      <dl>
        {items.map(({ item, title, text, boxes }) => (
          <div key={item}>
            <dt>
              {code ?? ""}.{item} {title}
            </dt>
            <dd>
              {text !== null && <LongText text={text} max={400} />}{" "}
              {boxes.map((box) => (
                <Box key={box} label={box} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      <Box label={draft.signature} />
      <p class="small">{draft.mark}</p>
    </li>
  );
}

/** A box to fill in on paper. */
function Box({ label }: { label: string }) {
  return (
    <span class="book-box">
      <small>{label}</small>
    </span>
  );
}
