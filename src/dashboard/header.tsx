// Whose page this is: ship, system, the box's clock. A reader must not take one ship, one of two
// systems or a simulation for another.

import type { Readiness } from "./answers.ts";
import { NightButton } from "./night.tsx";
import { printClock, printDay } from "./print.ts";
import type { Part } from "./refresh.ts";

export function Header(props: { readiness: Part<Readiness>; now_ms: number }) {
  const readiness = props.readiness.known?.value ?? null;
  const vessel = readiness?.vessel ?? "Ballast water treatment";
  const imo = readiness?.imo ?? null;
  return (
    <header>
      <div class="ship">
        <h1>{vessel}</h1>
        <p>
          System {readiness?.system_id ?? "—"}
          {imo === null ? "" : ` · IMO ${imo.replace(/^IMO\s*/i, "")}`}
        </p>
      </div>
      <p class="clock">
        <span class="quiet">{printDay(props.now_ms)}</span> {printClock(props.now_ms)} UTC
      </p>
      <NightButton />
    </header>
  );
}
