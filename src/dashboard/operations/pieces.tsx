// The parts from which the panels of an operation are made. A list of the answer that can't be read
// is null: then its own panel or line says so.

import type { ComponentChildren } from "preact";
import { operationsWords as t } from "../lang/words.ts";
import { Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { AnswerProblem } from "../store/ask.ts";

interface OperationPieceProps<T> {
  /** The key of the panel's title. */
  readonly name: "parts" | "limits" | "values" | "indications" | "versions";
  readonly of: readonly T[] | null;
  /** The path of the answer. */
  readonly path: string;
  readonly children: (known: readonly T[]) => ComponentChildren;
}

/** A panel; nothing if its list is empty. */
export function OperationPiece<T>({ name, of, path, children }: OperationPieceProps<T>) {
  if (of?.length === 0) return null;
  const part =
    of === null
      ? { known: null, problem: oddAnswer(path) }
      : { known: { value: of }, problem: null };
  return (
    <Panel name={`operation-${name}`} title={t(name)} part={part}>
      {children}
    </Panel>
  );
}

interface ListedProps<T> {
  readonly of: readonly T[] | null;
  readonly path: string;
  readonly print: (one: T) => ComponentChildren;
}

/**
 * The elements below each other; a word if there are none, and a problem if the list can't be read.
 */
export function Listed<T>({ of, path, print }: ListedProps<T>) {
  if (of === null) return <ProblemBanner problem={oddAnswer(path)} />;
  if (of.length === 0) return <>{t("nothing")}</>;
  return (
    <ul class="listed">
      {of.map((one, index) => (
        <li key={index}>{print(one)}</li>
      ))}
    </ul>
  );
}

const oddAnswer = (path: string): AnswerProblem => ({
  ...{ kind: "odd", path, status: null, message: null },
});

interface TableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table. The first cell of each row is a heading for the others. */
export function PieceTable({ head, rows }: TableProps) {
  return (
    <table class="operation-table">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others], index) => (
          <tr key={index}>
            <th scope="row">{first}</th>
            {others.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
