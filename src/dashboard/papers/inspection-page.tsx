// The page Inspection: one sheet for the port State's officer, and behind it one for each of the
// last operations, printable. Before printing, ballastd signs a head of the ledger and records that
// it left the ship, which needs an engineer's token. Its script is loaded when it is first opened.

import "./inspection.css";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { operationsWords, partsWords, inspectionWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { wordParameter } from "../parts/view-parameters.ts";
import { type PagePart, UNKNOWN } from "../store/ask.ts";
import { useAnswer } from "../store/use-store.ts";
import { readInspection, type ShownSheet } from "./inspection-answer.ts";
import { PACK_SIZES, PackSheets, packedIds } from "./pack.tsx";
import { configuredFacts, PATH, Sheet } from "./sheet.tsx";

const INSPECTION_VIEW = {
  /** Number of operations whose sheets follow the first one. */
  operations: wordParameter(PACK_SIZES, "3"),
};

export const inspectionPage = page(INSPECTION_VIEW, InspectionPage);

/** Interval of making an open sheet again. */
const EVERY_MS = 5 * 60_000;
/** Shorter interval while operations on the sheet wait for their verdicts. */
const SOON_MS = 5000;
/** Maximum wait for the signed sheet: signing waits for the disk, and for a slow processor. */
const ANSWER_MAX_MS = 300_000;

function InspectionPage({ view, change }: PageProps<typeof INSPECTION_VIEW>) {
  const [every_ms, setEvery] = useState(EVERY_MS);
  const asked = useAnswer(PATH, readInspection, ["operation", "alert"], every_ms);
  const waiting = asked.known?.value.summary?.value.counts.waiting ?? 0;
  useEffect(() => setEvery(waiting > 0 ? SOON_MS : EVERY_MS), [waiting > 0]);
  const { act, print, setDrawn } = usePrint();
  useSheetOnPaper();
  const printed = act.outcome ?? UNKNOWN;
  const part = isNewer(printed, asked) ? printed : asked;
  return (
    <section aria-labelledby="inspection" class="inspection">
      <div class="before-sheet">
        <h2 id="inspection">{t("title")}</h2>
        <ChoiceInput
          label={t("pack")}
          chosen={view.operations}
          choices={PACK_SIZES.map((size) => [size, size] as const)}
          choose={(operations) => change({ operations }, "none")}
        />{" "}
        <button type="button" disabled={act.isBusy} onClick={print}>
          {t("print")}
        </button>
        <p class="quiet" role="status">
          {act.isBusy ? t("printing") : t("print_about")}
        </p>
        <ActOutcomeLine act={act} />
        <Guarded>
          {part.known !== null && (
            <FewerSheets sheet={part.known.value} wanted={Number(view.operations)} />
          )}
        </Guarded>
        <Guarded>{part.known !== null && <MissingFacts sheet={part.known.value} />}</Guarded>
        <ProblemBanner problem={asked.problem} />
        {part.known === null && asked.problem === null && (
          <p class="quiet">{partsWords("loading")}</p>
        )}
      </div>
      <Guarded>{part.known !== null && <Sheet sheet={part.known.value} />}</Guarded>
      <Guarded>
        {part.known !== null && (
          <PackSheets
            ids={packedIds(part.known.value, Number(view.operations))}
            setDrawn={setDrawn}
          />
        )}
      </Guarded>
    </section>
  );
}

interface FewerSheetsProps {
  readonly sheet: ShownSheet;
  readonly wanted: number;
}

/** A note if fewer operations have ended than were chosen; one of the ten may still run. */
function FewerSheets({ sheet, wanted }: FewerSheetsProps) {
  const { length } = packedIds(sheet, wanted);
  if (length >= wanted) return null;
  return <p role="status">{operationsWords("fewer_ended", { n: length })}</p>;
}

/** A note about facts missing on the sheet because nobody configured them; not printed. */
function MissingFacts({ sheet: { head } }: { readonly sheet: ShownSheet }) {
  const missing = (head === null ? [] : configuredFacts(head.value))
    .filter(([, value]) => value === null)
    .map(([key]) => t(key));
  if (missing.length === 0) return null;
  return (
    <p data-test="missing">
      <strong>{t("missing", { names: missing.join(", ").replace(/\.$/, "") })}</strong>{" "}
      {t("missing_about")}{" "}
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

/** Gives the sheet out, draws it with the sheets behind it, and then prints. */
function usePrint() {
  const act = useAct(readInspection, ANSWER_MAX_MS);
  const [isDue, setDue] = useState(false);
  const [areDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isDue || !areDrawn) return;
    setDue(false);
    // Waits two frames: a chart is measured after it was drawn, and then drawn again.
    requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
  }, [isDue, areDrawn]);
  return { act, setDrawn, print: () => act.run("/admin/inspection", {}, () => setDue(true)) };
}

/** While the page is open, printing shows the sheet alone. */
function useSheetOnPaper(): void {
  useLayoutEffect(() => {
    document.body.classList.add("sheet-alone");
    return () => document.body.classList.remove("sheet-alone");
  }, []);
}
