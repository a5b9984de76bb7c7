// The spare lamps aboard, and the form by which an engineer stores the counted number. It asks for
// the token.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { SPARES_MAX } from "../../bwts/lamps/plan-words.ts";
import { lampsWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { useOpenForm } from "../parts/open-form.ts";
import { refusalReasons } from "../parts/refused.tsx";

/** The panel of spares; `spares` is null if they were never counted. */
export function SparesForm({ spares }: { spares: number | null }) {
  const { isOpen, setOpen, opener, form } = useOpenForm();
  // Kept from the start, because another user may count while the form is open: the shown number is
  // the one that is replaced.
  const [shown, setShown] = useState(spares);
  const act = useAct(anyAnswer);
  // Whoever has read in the refusal what is stored by now replaces that.
  const stored = refusalReasons(act.outcome?.problem?.reasons).find(
    ({ code }) => code === "count_changed",
  );
  const old = typeof stored?.values.now === "number" ? stored.values.now : shown;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const counted = event.currentTarget;
    const body = () => ({ spares: Number(new FormData(counted).get("spares")), old });
    act.run("/admin/lamps/spares", body, () => setOpen(false));
  };
  const open = () => {
    setShown(spares);
    setOpen(true);
  };
  const words = spares === null ? t("spares_unknown") : t("spares", { n: spares });
  if (!isOpen)
    return (
      <p data-test="spares">
        {words}{" "}
        <button type="button" class="plain" ref={opener} onClick={open}>
          {t("spares_count")}
        </button>
      </p>
    );
  return (
    <>
      <form class="spares-form" ref={form} onSubmit={submit} autocomplete="off">
        <label>
          <span>{t("spares_counted")}</span>
          <input
            name="spares"
            type="number"
            min="0"
            max={SPARES_MAX}
            step="1"
            defaultValue={spares === null ? "" : String(spares)}
            required
          />
        </label>{" "}
        <button type="submit" disabled={act.isBusy}>
          {t("spares_store")}
        </button>{" "}
        <button type="button" onClick={() => setOpen(false)}>
          {t("back")}
        </button>
      </form>
      <ActOutcomeLine act={act} />
    </>
  );
}
