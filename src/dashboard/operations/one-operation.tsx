// The page of one operation: first its verdict in words with the reasons, then the curves and all
// data behind it.

import { written } from "../chart/level.ts";
import { shellWords, operationsWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import {
  notRecordedInWords,
  operationName,
  VerdictSign,
  verdictWord,
} from "../parts/operation-words.tsx";
import type { PageProps } from "../parts/page.tsx";
import { Guarded, Panel } from "../parts/panel.tsx";
import { type KnownOperation, readOperation } from "../store/operations.ts";
import { OPERATIONS_POLL_MS, useAnswer, useSnapshot } from "../store/use-store.ts";
import { NotesPanel } from "../watch/notes-panel.tsx";
import { OperationCurves } from "./operation-curves.tsx";
import { OperationFacts } from "./operation-facts.tsx";
import { OperationPieces } from "./operation-pieces.tsx";
import { LoneOperationSheet } from "./operation-sheet.tsx";
import { Listed } from "./pieces.tsx";
import { ReasonLine } from "./reason-line.tsx";
import { addressIn, type OPERATIONS_VIEW } from "./view.ts";

interface OneOperationProps extends PageProps<typeof OPERATIONS_VIEW> {
  readonly id: number;
}

export function OneOperation({ id, view, change }: OneOperationProps) {
  const path = `/api/operations/${id}`;
  const part = useAnswer(path, readOperation, ["event", "operation"], OPERATIONS_POLL_MS);
  const operation = part.known?.value ?? null;
  return (
    <>
      <p class="operation-ways">
        <a class="alone" href={addressIn({ ...view, id: null })}>
          {t("title")}
        </a>{" "}
        {operation !== null && <DraftLink start_ms={operation.start_ms} />}{" "}
        <button type="button" onClick={() => window.print()}>
          {t("print")}
        </button>
      </p>
      <Panel name="operation" title={t("one", { id })} part={part}>
        {(known) => <Judgement operation={known} path={path} />}
      </Panel>
      {operation !== null && (
        <>
          {/* Another version may be one of other readings, so its curves are asked for again. */}
          <Guarded key={operation.version}>
            <OperationCurves operation={operation} view={view} change={change} />
          </Guarded>
          <Guarded>
            <LoneOperationSheet operation={operation} view={view} />
          </Guarded>
          <Guarded>
            <NotesPanel
              from_ms={operation.start_ms}
              to_ms={operation.end_ms ?? operation.start_ms + LONGEST_MS}
              of={{ from_ms: operation.start_ms, to_ms: operation.end_ms }}
            />
          </Guarded>
          <div class="operation-pieces">
            <Guarded>
              <OperationFacts operation={operation} path={path} />
            </Guarded>
            <OperationPieces operation={operation} path={path} />
          </div>
        </>
      )}
    </>
  );
}

/** Maximum length of an operation under way. */
const LONGEST_MS = 7 * 86_400_000;

/**
 * The link to the draft of the operation's entries, which covers operations that start at this
 * time.
 */
function DraftLink({ start_ms }: { start_ms: number }) {
  const start = written(start_ms);
  return (
    <a class="alone" href={`#/record-book?from=${start}&to=${start}`}>
      {shellWords("record-book")}
    </a>
  );
}

interface JudgementProps {
  readonly operation: KnownOperation;
  readonly path: string;
}

function Judgement({ operation, path }: JudgementProps) {
  const { vessel, imo, system_id } = useSnapshot().readiness.known?.value ?? {};
  const ship = [vessel, imo && shellWords("imo", { number: imo }), system_id];
  const word = verdictWord(operation);
  const { verdict_with_hidden, reasons } = operation;
  const missing = notRecordedInWords(operation);
  return (
    <>
      <p>{ship.filter((one) => one).join(", ")}</p>
      <p class="big">
        <LongText text={operationName(operation)} />
      </p>
      <p class="big" data-test="verdict-of">
        <VerdictSign word={word} />
      </p>
      {missing !== null && <p data-test="not-recorded">{missing}</p>}
      <p>{t(`why_${word}`)}</p>
      {reasons?.length !== 0 && (
        <Listed of={reasons} path={path} print={(one) => <ReasonLine reason={one} />} />
      )}
      {verdict_with_hidden !== null && (
        <p data-test="with-hidden">{t("with_hidden", { verdict: t(verdict_with_hidden) })}</p>
      )}
      <p class="quiet">{t("about")}</p>
    </>
  );
}
