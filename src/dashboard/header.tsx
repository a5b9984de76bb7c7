// The head of the page: ship, system, the box's clock, and whether data arrives. A reader must not
// mistake a ship, a system or a simulation for another, nor an old page for a live one.

import type { ShownReadiness } from "./answers.ts";
import { NightButton } from "./night.tsx";
import { printAge, printClock, printDay, printShipMinute, shipTime } from "./print.ts";
import type { PagePart } from "./refresh.ts";

interface Props {
  readonly readiness: PagePart<ShownReadiness>;
  /** Time of the answer. */
  readonly contact_ms: number;
  readonly now_ms: number;
}

export function Header(props: Props) {
  const readiness = props.readiness.known?.value ?? null;
  const vessel = readiness?.vessel ?? "Ballast water treatment";
  const imo = readiness?.imo ?? null;
  const minute = printShipMinute(props.now_ms);
  const clock = minute === null ? null : `${minute} ${shipTime()}`;
  return (
    <header>
      <div class="ship">
        <h1>{vessel}</h1>
        <p>
          System {readiness?.system_id ?? "—"}
          {imo === null ? "" : ` · IMO ${imo.replace(/^IMO\s*/i, "")}`}
        </p>
      </div>
      <p class="quiet" data-test="received">
        {received(props)}
      </p>
      <p class="clock">
        <span class="quiet">{printDay(props.now_ms)}</span> {printClock(props.now_ms)} UTC
        {clock !== null && <span class="ship-time"> {clock}</span>}
      </p>
      <NightButton />
    </header>
  );
}

function received({ readiness, contact_ms, now_ms }: Props): string {
  const seconds = readiness.known?.value.received_seconds_ago ?? null;
  if (seconds === null) return "";
  return `last reading received ${printAge(seconds * 1000 + Math.max(0, now_ms - contact_ms))} ago`;
}
