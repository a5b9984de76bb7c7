// The form for the officer's entries, as a file or pasted, and the result of comparing them. They
// are sent to be compared, and stored neither here nor aboard.

import { useRef, useState } from "preact/hooks";
import { recordBookWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { type PagePart, renewed, replyTo, UNKNOWN } from "../store/ask.ts";
import { useSnapshot } from "../store/use-store.ts";
import { readOutcome, type ShownOutcome } from "./book-answers.ts";
import { BookOutcome } from "./outcome.tsx";

const ANSWER_MAX_MS = 300_000;
const CSV = { type: "text/csv" };

export function ComparePanel({ dates }: { dates: string }) {
  const { readiness } = useSnapshot();
  const offset = readiness.known?.value.utc_offset ?? "";
  const [pasted, setPasted] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [zone, setZone] = useState("UTC");
  const [part, setPart] = useState<PagePart<ShownOutcome>>(UNKNOWN);
  const [isAsking, setAsking] = useState(false);
  const outcome = useRef<HTMLDivElement>(null);
  const compare = async () => {
    setAsking(true);
    const body = new Blob([file ?? pasted], CSV);
    const asking = new AbortController();
    const timer = window.setTimeout(() => asking.abort(), ANSWER_MAX_MS);
    // Times without a zone count as UTC; LT has a meaning only if ship's time is chosen.
    const asked = zone === "UTC" ? [] : [`zone=${encodeURIComponent(zone)}`];
    const query = [...asked, ...(dates === "" ? [] : [dates])].join("&");
    const reply = await replyTo(`/admin/reconcile?${query}`, asking.signal, body);
    window.clearTimeout(timer);
    setPart(renewed<ShownOutcome>(UNKNOWN, reply, readOutcome));
    setAsking(false);
    outcome.current?.focus();
  };
  const isEmpty = file === null && pasted.trim() === "";
  return (
    <section aria-labelledby="compare">
      <h2 id="compare">{t("compare")}</h2>
      <div class="compare-form">
        <p class="quiet">{t("about_file")}</p>
        <label>
          <span>{t("file")}</span>{" "}
          <input
            type="file"
            accept=".csv,.txt,.tsv,text/csv"
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
        </label>
        <label>
          <span>{t("paste")}</span>{" "}
          <textarea
            rows={5}
            value={pasted}
            disabled={file !== null}
            spellcheck={false}
            onInput={({ currentTarget }) => setPasted(currentTarget.value)}
          />
        </label>
        {offset !== "" && (
          <ChoiceInput
            label={t("zone")}
            chosen={zone}
            choices={[
              ["UTC", "UTC"],
              [offset, t("ship_time", { offset })],
            ]}
            choose={setZone}
          />
        )}
        <button type="button" disabled={isEmpty || isAsking} onClick={() => void compare()}>
          {isAsking ? t("comparing") : t("do_compare")}
        </button>{" "}
        <span class="quiet">{t("not_stored")}</span>
      </div>
      <ProblemBanner problem={part.problem} />
      <div ref={outcome} tabIndex={-1}>
        {part.known !== null && <BookOutcome outcome={part.known.value} />}
      </div>
    </section>
  );
}
