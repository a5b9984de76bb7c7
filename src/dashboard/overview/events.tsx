// Recent events: starts and stops of operations, alarms. Newest first. Descriptions are shown as
// sent, as text.

import { AnswerLink } from "../parts/answer-link.tsx";
import { printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ShownEvent } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

/** Events that fit the page; the rest is at /api/events. */
const SHOWN_MAX = 20;

export function EventList(props: { events: PagePart<readonly ShownEvent[]>; now_ms: number }) {
  const { events, now_ms } = props;
  const known = events.known?.value ?? [];
  return (
    <section aria-labelledby="events">
      <h2 id="events">Recent events</h2>
      <ProblemBanner problem={events.problem} />
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
  return (
    <li class={alarm ? "event alarm" : "event"}>
      <time dateTime={new Date(event.at_ms).toISOString()}>{printSecond(event.at_ms, now_ms)}</time>
      <b class="type">{event.event_type}</b>
      <span class="description">{event.description}</span>
    </li>
  );
}

/** Two events that agree in all of this look alike, whatever else they carry. */
function keyOf(event: ShownEvent): string {
  return `${event.at_ms} ${event.event_type} ${event.description}`;
}
