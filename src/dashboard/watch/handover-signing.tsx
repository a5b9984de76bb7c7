// Handing over the watch: the last handovers with both names, and the form that stores one. It
// becomes an entry of the audit log in the name of the token's holder; a correction is a later
// entry.

import type { TargetedSubmitEvent } from "preact";
import { notesWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import "./notes.css";
import { useDraft, useLatest } from "../parts/use-draft.ts";
import { readHandovers, type ShownHandover } from "../store/notes.ts";
import { TextField } from "./note-fields.tsx";

/** Path of the last handovers; more than are shown, because some were corrected. */
const HANDOVERS = "/api/handovers?limit=20";
const SHOWN = 3;
const REMARK_MAX = 1000;
const NAME_MAX = 100;

export function HandoverSigning({ now_ms }: { now_ms: number }) {
  const part = useAnswer(HANDOVERS, readHandovers, ["note"]);
  const draft = useDraft("handover");
  const correct = ({ id, remark, handed_over_by, taken_over_by }: ShownHandover) =>
    draft.type({ corrects: String(id), remark, handed_over_by, taken_over_by });
  return (
    <Panel name="signing" title={t("signing")} part={part}>
      {(handovers) => (
        <>
          {handovers.length === 0 && <p class="quiet">{t("no_handovers")}</p>}
          <ul class="note-list">
            {handovers.slice(0, SHOWN).map((one) => (
              <li key={one.id}>
                <HandoverLine handover={one} now_ms={now_ms} />{" "}
                <button type="button" onClick={() => correct(one)}>
                  {t("correct")}
                </button>
              </li>
            ))}
          </ul>
          <SigningForm draft={draft} />
        </>
      )}
    </Panel>
  );
}

function HandoverLine({ handover, now_ms }: { handover: ShownHandover; now_ms: number }) {
  const { remark, handed_over_by, taken_over_by, by, written_at_ms, corrects, damaged } = handover;
  return (
    <>
      <b>
        {t("handed_over", {
          ...{ from: handed_over_by, to: taken_over_by },
          moment: printMoment(written_at_ms, now_ms),
        })}
      </b>{" "}
      <span class="note-text">{remark}</span>{" "}
      <span class="quiet">
        {t(corrects === null ? "token" : "token_again", { by })}
        {damaged && ` ${t("damaged")}`}
      </span>
    </>
  );
}

function SigningForm({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const act = useAct(anyAnswer);
  const { remark = "", handed_over_by = "", taken_over_by = "", corrects = "" } = draft.fields;
  const names = { handed_over_by: handed_over_by.trim(), taken_over_by: taken_over_by.trim() };
  const body = useLatest({
    ...{ remark: remark.trim(), ...names, key: draft.key },
    ...(corrects === "" ? {} : { corrects: Number(corrects) }),
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    act.run("/admin/handovers", body, draft.clear);
  };
  return (
    <>
      <form class="note-form signing" onSubmit={submit} autocomplete="off">
        {corrects !== "" && <p class="wide">{t("corrects")}</p>}
        <TextField
          {...{ label: t("remark"), value: remark, max: REMARK_MAX, isLong: true, isNeeded: false }}
          type={(given) => draft.type({ remark: given })}
        />
        <TextField
          {...{
            label: t("by"),
            value: handed_over_by,
            max: NAME_MAX,
            isLong: false,
            isNeeded: true,
          }}
          type={(given) => draft.type({ handed_over_by: given })}
        />
        <TextField
          {...{ label: t("to_person"), value: taken_over_by, max: NAME_MAX }}
          isLong={false}
          isNeeded
          type={(given) => draft.type({ taken_over_by: given })}
        />
        <p class="wide">
          <button type="submit" class="act" disabled={act.isBusy}>
            {t("hand_over")}
          </button>{" "}
          {corrects !== "" && (
            <button type="button" onClick={draft.clear}>
              {t("cancel")}
            </button>
          )}
        </p>
      </form>
      {/* The line has a form of its own, so it is outside this one. */}
      <ActOutcomeLine act={act} />
    </>
  );
}
