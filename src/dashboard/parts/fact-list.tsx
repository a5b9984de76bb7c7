// Names and values below each other, in a list that a screen reader reads in pairs. An unknown
// value is a dash.

import type { ComponentChildren } from "preact";
import { MISSING } from "./numbers.ts";

export type Fact = readonly [name: string, value: ComponentChildren];

interface FactListProps {
  readonly facts: readonly Fact[];
  readonly class?: string;
}

export function FactList({ facts, ...rest }: FactListProps) {
  return (
    <dl class={rest.class ?? "facts"}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? MISSING}</dd>
        </div>
      ))}
    </dl>
  );
}
