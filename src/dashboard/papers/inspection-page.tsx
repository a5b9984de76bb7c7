// The page Inspection: one sheet for the port State's officer, printable. To print it ballastd
// signs a head of the ledger first and notes that it left the ship, which needs an engineer's
// token. Its script is loaded when it is opened first.

import "./inspection.css";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { partsWords, inspectionWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { type PagePart, UNKNOWN } from "../store/ask.ts";
import { useAnswer } from "../store/use-store.ts";
import { readInspection, type ShownSheet } from "./inspection-answer.ts";
import { configuredFacts, PATH, Sheet } from "./sheet.tsx";

export const inspectionPage = page({}, InspectionPage);

/** A sheet that stays open is made anew. */
const EVERY_MS = 5 * 60_000;
/** Signing waits for the disk, and a slow processor. */
const ANSWER_MAX_MS = 300_000;

function InspectionPage() {
  const asked = useAnswer(PATH, readInspection, [], EVERY_MS);
  const { act, print } = usePrint();
  useSheetOnPaper();
  const printed = act.outcome ?? UNKNOWN;
  const part = isNewer(printed, asked) ? printed : asked;
  return (
    <section aria-labelledby="inspection" class="inspection">
      <div class="before-sheet">
        <h2 id="inspection">{t("title")}</h2>
        <button type="button" disabled={act.isBusy} onClick={print}>
          {t("print")}
        </button>
        <p class="quiet" role="status">
          {act.isBusy ? t("printing") : t("print_about")}
        </p>
        <ActOutcomeLine act={act} />
        <Guarded>{part.known !== null && <MissingFacts sheet={part.known.value} />}</Guarded>
        <ProblemBanner problem={asked.problem} />
        {part.known === null && asked.problem === null && (
          <p class="quiet">{partsWords("loading")}</p>
        )}
      </div>
      <Guarded>{part.known !== null && <Sheet sheet={part.known.value} />}</Guarded>
    </section>
  );
}

/** Names what a sheet lacks because nobody entered it; nothing on paper. */
function MissingFacts({ sheet: { head } }: { readonly sheet: ShownSheet }) {
  const missing = (head === null ? [] : configuredFacts(head.value))
    .filter(([, value]) => value === null)
    .map(([key]) => t(key));
  if (missing.length === 0) return null;
  return (
    <p data-test="missing">
      <strong>{t("missing", { names: missing.join(", ") })}</strong> {t("missing_about")}{" "}
      <a class="alone" href="manual/inspection#what-is-on-it">
        {t("missing_how")}
      </a>
    </p>
  );
}

function isNewer(one: PagePart<ShownSheet>, other: PagePart<ShownSheet>): boolean {
  const made = ({ known }: PagePart<ShownSheet>) => known?.value.made ?? "";
  return made(one) >= made(other);
}

/** Has the sheet given out, draws it, and then prints it. */
function usePrint() {
  const act = useAct(readInspection, ANSWER_MAX_MS);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isDrawn) return;
    setDrawn(false);
    window.print();
  }, [isDrawn]);
  return { act, print: () => act.run("/admin/inspection", {}, () => setDrawn(true)) };
}

/** While the page is open, paper bears the sheet alone. */
function useSheetOnPaper(): void {
  useLayoutEffect(() => {
    document.body.classList.add("sheet-alone");
    return () => document.body.classList.remove("sheet-alone");
  }, []);
}
