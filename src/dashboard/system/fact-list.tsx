// Names and values below each other, in a list that a screen reader reads in pairs. A value that
// isn't known is a dash.

import type { ComponentChildren } from "preact";
import { MISSING } from "../parts/numbers.ts";

export type Fact = readonly [name: string, value: ComponentChildren];

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? MISSING}</dd>
        </div>
      ))}
    </dl>
  );
}
