// The sheets of the newest ended operations, printed behind the inspection sheet: one each, as the
// page of an operation prints it, and in UTC like the inspection sheet. A sheet that can't be read
// shows that on paper.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { operationsWords } from "../lang/words.ts";
import { OperationSheet } from "../operations/operation-sheet.tsx";
import { printInUtc } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { readOperation } from "../store/operations.ts";
import { useAnswer } from "../store/use-store.ts";
import type { ShownSheet } from "./inspection-answer.ts";

/** The numbers of operations with a sheet that can be chosen. */
export const PACK_SIZES = ["0", "1", "2", "3", "5", "10"] as const;

/** Ids of the newest ended operations of the sheet; a running one has no verdict to show. */
export function packedIds({ operations }: ShownSheet, size: number): readonly number[] {
  const ended = (operations?.value ?? []).filter(({ end, version }) => end !== null && version > 0);
  return ended.slice(0, size).map(({ id }) => id);
}

interface PackSheetsProps {
  readonly ids: readonly number[];
  /** Called with true when all sheets have been drawn. */
  readonly setDrawn: (areDrawn: boolean) => void;
}

export function PackSheets({ ids, setDrawn }: PackSheetsProps) {
  const [endUtc] = useState(printInUtc);
  useEffect(() => endUtc, []);
  const [drawn, setDrawnIds] = useState<readonly number[]>([]);
  const areDrawn = ids.every((id) => drawn.includes(id));
  useLayoutEffect(() => setDrawn(areDrawn), [areDrawn]);
  return (
    <>
      {ids.map((id) => (
        <PackSheet key={id} id={id} onDrawn={() => setDrawnIds((all) => [...all, id])} />
      ))}
    </>
  );
}

function PackSheet({ id, onDrawn }: { readonly id: number; readonly onDrawn: () => void }) {
  const { known, problem } = useAnswer(`/api/operations/${id}`, readOperation, ["operation"]);
  const hasFailed = known === null && problem !== null;
  useEffect(() => {
    if (hasFailed) onDrawn();
  }, [hasFailed]);
  if (known !== null) return <OperationSheet operation={known.value} view={{}} onDrawn={onDrawn} />;
  return (
    <article class="operation-sheet" aria-hidden="true">
      <p class="big">{operationsWords("one", { id: String(id) })}</p>
      <ProblemBanner problem={problem} />
    </article>
  );
}
