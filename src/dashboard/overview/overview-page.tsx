// The overview: is water treated, are the lamps alive, how is the plant. Each panel shows a piece
// of the snapshot.

import { page } from "../parts/page.tsx";
import { useNow, useSnapshot } from "../store/use-store.ts";
import "./overview.css";
import "./lists.css";
import { AlertLines } from "./alert-lines.tsx";
import { EventList } from "./events.tsx";
import { Glance } from "./glance.tsx";
import { HealthCard } from "./health.tsx";
import { LampGrid } from "./lamps.tsx";
import { ReadingTable } from "./reading.tsx";

export const overviewPage = page({}, Overview);

function Overview() {
  const snapshot = useSnapshot();
  const now_ms = useNow();
  return (
    <>
      <AlertLines snapshot={snapshot} now_ms={now_ms} />
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
    </>
  );
}
