// The page Inspection: one sheet for the port State's officer, printable. To print it ballastd
// signs a head of the ledger first and notes that it left the ship. Its script is loaded when it is
// opened first.

import "./inspection.css";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { partsWords, inspectionWords as t } from "../lang/words.ts";
import { page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { type PagePart, renewed, replyTo, UNKNOWN } from "../store/ask.ts";
import { useAnswer } from "../store/use-store.ts";
import { readInspection, type ShownSheet } from "./inspection-answer.ts";
import { PATH, Sheet } from "./sheet.tsx";

export const inspectionPage = page({}, InspectionPage);

/** A sheet that stays open is made anew. */
const EVERY_MS = 5 * 60_000;
/** Signing waits for the disk, and a slow processor. */
const ANSWER_MAX_MS = 300_000;

function InspectionPage() {
  const asked = useAnswer(PATH, readInspection, [], EVERY_MS);
  const { printed, isBusy, print } = usePrint();
  useSheetOnPaper();
  const part = printed.problem === null && isNewer(printed, asked) ? printed : asked;
  return (
    <section aria-labelledby="inspection" class="inspection">
      <div class="before-sheet">
        <h2 id="inspection">{t("title")}</h2>
        <button type="button" disabled={isBusy} onClick={print}>
          {t("print")}
        </button>
        <p class="quiet" role="status">
          {isBusy ? t("printing") : t("print_about")}
        </p>
        <ProblemBanner problem={printed.problem ?? asked.problem} />
        {part.known === null && asked.problem === null && (
          <p class="quiet">{partsWords("loading")}</p>
        )}
      </div>
      <Guarded>{part.known !== null && <Sheet sheet={part.known.value} />}</Guarded>
    </section>
  );
}

function isNewer(one: PagePart<ShownSheet>, other: PagePart<ShownSheet>): boolean {
  const made = ({ known }: PagePart<ShownSheet>) => known?.value.made ?? "";
  return made(one) >= made(other);
}

/** Has the sheet given out, draws it, and then prints it. */
function usePrint() {
  const [printed, setPrinted] = useState<PagePart<ShownSheet>>(UNKNOWN);
  const [state, setState] = useState<"idle" | "asking" | "printing">("idle");
  const print = async () => {
    setState("asking");
    const asking = new AbortController();
    const limit = window.setTimeout(() => asking.abort(), ANSWER_MAX_MS);
    const next = renewed(UNKNOWN, await replyTo(PATH, asking.signal, {}), readInspection);
    window.clearTimeout(limit);
    setPrinted(next);
    setState(next.problem === null ? "printing" : "idle");
  };
  useEffect(() => {
    if (state !== "printing") return;
    setState("idle");
    window.print();
  }, [state]);
  return { printed, isBusy: state !== "idle", print: () => void print() };
}

/** While the page is open, paper bears the sheet alone. */
function useSheetOnPaper(): void {
  useLayoutEffect(() => {
    document.body.classList.add("sheet-alone");
    return () => document.body.classList.remove("sheet-alone");
  }, []);
}
