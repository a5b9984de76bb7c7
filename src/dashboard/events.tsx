// Recent events: starts and stops of operations, alarms. Newest first. Descriptions are shown as
// sent, as text.

import { AnswerLink } from "./answer-link.tsx";
import type { ShownEvent } from "./answers.ts";
import { ProblemBanner } from "./banners.tsx";
import { printClock, printDay, printShipMinute, shipTime } from "./print.ts";
import type { PagePart } from "./refresh.ts";

/** Events that fit the page; the rest is at /api/events. */
const SHOWN_MAX = 20;

export function EventList(props: { events: PagePart<readonly ShownEvent[]>; now_ms: number }) {
  const { events, now_ms } = props;
  const known = events.known?.value ?? [];
  const ship = shipTime();
  return (
    <section aria-labelledby="events">
      <h2 id="events">
        Recent events <small>UTC{ship === null ? "" : `, in brackets ${ship}`}</small>
      </h2>
      <ProblemBanner text={events.problem} />
      {events.known !== null && known.length === 0 && <p>No event yet.</p>}
      <ul class="events">
        {known.slice(0, SHOWN_MAX).map((event) => (
          <EventRow key={keyOf(event)} event={event} now_ms={now_ms} />
        ))}
      </ul>
      {known.length > SHOWN_MAX && (
        <p class="quiet">
          {known.length - SHOWN_MAX} more: <AnswerLink path="/api/events" />
        </p>
      )}
    </section>
  );
}

function EventRow({ event, now_ms }: { event: ShownEvent; now_ms: number }) {
  const alarm = event.event_type === "ALARM_TRIGGERED";
  const minute = printShipMinute(event.at_ms);
  const today = printDay(event.at_ms) === printDay(now_ms);
  return (
    <li class={alarm ? "event alarm" : "event"}>
      <time dateTime={new Date(event.at_ms).toISOString()}>
        {today ? "" : `${printDay(event.at_ms)} `}
        {printClock(event.at_ms)}
        {minute === null ? "" : ` (${minute})`}
      </time>
      <b class="type">{event.event_type}</b>
      <span class="description">{event.description}</span>
    </li>
  );
}

/** Two events that agree in all of this look alike, whatever else they carry. */
function keyOf(event: ShownEvent): string {
  return `${event.at_ms} ${event.event_type} ${event.description}`;
}
