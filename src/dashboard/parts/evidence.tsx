// A number as a button that opens its evidence, and the place of the panel that shows it: the page
// has one, at its lower edge.

import "./evidence.css";
import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { overviewWords as t } from "../lang/words.ts";
import type { EvidenceQuery } from "./evidence-panel.tsx";
import { Later } from "./later.tsx";

const loadEvidencePanel = () => import("./evidence-panel.tsx");

const EvidenceOf = createContext<(asked: EvidenceQuery) => void>(() => undefined);

/** Lets the numbers in `children` open their evidence in a panel below them. */
export function WithEvidence({ children }: { children: ComponentChildren }) {
  const [asked, ask] = useState<EvidenceQuery | null>(null);
  return (
    <EvidenceOf.Provider value={ask}>
      {children}
      {asked !== null && (
        <Later
          load={loadEvidencePanel}
          draw={({ EvidencePanel }) => <EvidencePanel asked={asked} close={() => ask(null)} />}
        />
      )}
    </EvidenceOf.Provider>
  );
}

interface NumberProps extends Omit<EvidenceQuery, "at_ms"> {
  /** Time of the reading; null: there is none, and the number is a dash. */
  readonly at_ms: number | null;
  readonly children: ComponentChildren;
  readonly test?: string;
  /** True if the whole surrounding tile acts as the button. */
  readonly isWhole?: boolean;
}

export function Evident({ name, at_ms, of, children, test, isWhole = false }: NumberProps) {
  const open = useContext(EvidenceOf);
  if (at_ms === null) return <span data-test={test}>{children}</span>;
  return (
    <button
      type="button"
      class={isWhole ? "evident whole" : "evident"}
      title={t("evidence_open", { name })}
      data-test={test}
      onClick={() => open({ name, at_ms, of })}
    >
      {children}
    </button>
  );
}
