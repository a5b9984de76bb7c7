// Acknowledging and shelving an alert. Neither reaches the treatment system, and the button says
// so. Shelving needs a reason and an end.

import type { TargetedSubmitEvent } from "preact";
import type { AcknowledgeBody } from "../../bwts/present/alarm-act.ts";
import { isAwaited } from "../../bwts/present/priority.ts";
import { alertsWords as t } from "../lang/words.ts";
import { type ActBody, ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { type OpenForm, useOpenForm } from "../parts/open-form.ts";
import type { ShownAlert } from "../store/alerts.ts";

const HOUR_MS = 3_600_000;

/**
 * Choices of the shelving time, in hours. ballastd accepts at most seven days by its own clock, so
 * the longest is an hour less.
 */
const SHELVED_HOURS = [1, 4, 8, 24, 72, 167] as const;

/** The path of an action on an alert; only alerts with an id have actions. */
export const actPath = (id: string | null, name: "acknowledge" | "shelve") =>
  `/admin/alarms/${encodeURIComponent(id ?? "")}/${name}`;

interface AlertActsProps {
  readonly alert: ShownAlert;
  readonly id: string;
  readonly now_ms: number;
}

export function AlertActs({ alert, id, now_ms }: AlertActsProps) {
  const act = useAct(anyAnswer);
  const { isOpen: isShelving, setOpen: setShelving, opener, form } = useOpenForm();
  return (
    <div class="acts">
      {isAwaited({ ...alert, isShelved: false }) && (
        <AcknowledgeForm
          isBusy={act.isBusy}
          acknowledge={(said) => act.run(actPath(id, "acknowledge"), said)}
        />
      )}
      {alert.isShelved ? (
        <button
          type="button"
          class="act"
          disabled={act.isBusy}
          onClick={() => act.run(actPath(id, "shelve"), { until: null })}
        >
          {t("unshelve")}
        </button>
      ) : (
        <button
          type="button"
          class="act"
          ref={opener}
          aria-expanded={isShelving}
          onClick={() => setShelving(!isShelving)}
        >
          {t("shelve")}
        </button>
      )}
      {isShelving && !alert.isShelved && (
        <ShelveForm
          {...{ isBusy: act.isBusy, now_ms, form }}
          shelve={(said) => act.run(actPath(id, "shelve"), said, () => setShelving(false))}
        />
      )}
      <ActOutcomeLine act={act} />
    </div>
  );
}

/** The remark in an acknowledgement's form; empty without one. */
export function remarkIn(form: HTMLFormElement): AcknowledgeBody {
  const note = new FormData(form).get("note");
  return typeof note === "string" && note.trim() !== "" ? { note: note.trim() } : {};
}

interface AcknowledgeFormProps {
  readonly isBusy: boolean;
  readonly acknowledge: (said: ActBody) => void;
}

function AcknowledgeForm({ isBusy, acknowledge }: AcknowledgeFormProps) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    acknowledge(() => remarkIn(form));
  };
  return (
    <form onSubmit={submit} autocomplete="off" class="form acknowledge">
      <label>
        <span>{t("note")}</span>
        <input name="note" maxLength={500} />
      </label>
      <button type="submit" class="act" disabled={isBusy}>
        {t("acknowledge")}
      </button>
    </form>
  );
}

interface ShelveFormProps {
  readonly isBusy: boolean;
  readonly now_ms: number;
  readonly form: OpenForm["form"];
  readonly shelve: (said: ActBody) => void;
}

function ShelveForm({ isBusy, now_ms, form, shelve }: ShelveFormProps) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = event.currentTarget;
    shelve(() => {
      const given = new FormData(filled);
      const until = new Date(now_ms + Number(given.get("hours")) * HOUR_MS).toISOString();
      return { until, reason: String(given.get("reason")).trim() };
    });
  };
  return (
    <form ref={form} onSubmit={submit} autocomplete="off" class="form shelve">
      <label>
        <span>{t("reason")}</span>
        <input name="reason" maxLength={200} pattern=".*\S.*" required />
      </label>
      <label>
        <span>{t("shelve_for")}</span>
        <select name="hours">
          {SHELVED_HOURS.map((hours) => (
            <option key={hours} value={hours}>
              {t("for_hours", { n: hours })}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isBusy}>
        {t("shelve_now")}
      </button>
    </form>
  );
}
