// The onboard page. Each part shows a piece of the snapshot. The time is passed down once a second,
// by the box's clock, so that all ages on the page agree.

import { useEffect, useState } from "preact/hooks";
import { AskToken } from "./ask-token.tsx";
import { Banners } from "./banners.tsx";
import { EventList } from "./events.tsx";
import { Footer } from "./footer.tsx";
import { Glance } from "./glance.tsx";
import { Header } from "./header.tsx";
import { HealthCard } from "./health.tsx";
import { LampGrid } from "./lamps.tsx";
import { showShipTime } from "./print.ts";
import { ReadingTable } from "./reading.tsx";
import { blankSnapshot, keepRefreshing, type Snapshot } from "./refresh.ts";

export function Page() {
  const [snapshot, setSnapshot] = useState(blankSnapshot);
  const now_ms = useSeconds() + snapshot.clock_offset_ms;
  useEffect(() => keepRefreshing(setSnapshot), []);
  useTitle(snapshot);
  showShipTime(snapshot.readiness.known?.value.utc_offset ?? "");
  useReloadAfterUpdate(snapshot);
  return (
    <>
      <Header readiness={snapshot.readiness} contact_ms={snapshot.contact_ms} now_ms={now_ms} />
      <Banners snapshot={snapshot} now_ms={now_ms} />
      {snapshot.access.isNeeded ? (
        <AskToken access={snapshot.access} />
      ) : (
        <Plant snapshot={snapshot} now_ms={now_ms} />
      )}
      <Footer version={snapshot.version} />
    </>
  );
}

function Plant({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  return (
    <main class={snapshot.reached ? "" : "old"}>
      <Glance snapshot={snapshot} now_ms={now_ms} />
      <LampGrid
        reading={snapshot.reading}
        forecasts={snapshot.forecasts}
        alarms={snapshot.alarms}
        now_ms={now_ms}
      />
      <div class="columns">
        <HealthCard health={snapshot.health} now_ms={now_ms} />
        <ReadingTable reading={snapshot.reading} now_ms={now_ms} />
      </div>
      <EventList events={snapshot.events} now_ms={now_ms} />
    </main>
  );
}

/** The browser's clock, once a second. */
function useSeconds(): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return now_ms;
}

function useTitle({ readiness }: Snapshot): void {
  const { simulated, system_id, vessel } = readiness.known?.value ?? {};
  const parts = [simulated === true ? "SIMULATED" : null, vessel, system_id, "ballastd"];
  const title = parts.filter((part) => part !== null && part !== undefined).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A page left open during an update of ballastd would read the new answers by the old rules. */
function useReloadAfterUpdate({ version }: Snapshot): void {
  const [first, setFirst] = useState<string | null>(null);
  const now = version.known === null ? null : JSON.stringify(version.known.value);
  useEffect(() => {
    if (now === null || now === first) return;
    if (first === null) setFirst(now);
    else window.location.reload();
  }, [now, first]);
}
