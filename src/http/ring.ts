// The newest events of the stream as bytes, under ids that go up by one. A client whose last event
// is still in the ring goes on from there; memory is bounded by count and by bytes.

/** Maximum number of events: some 15 minutes with a reading each second. */
const EVENTS_MAX = 1000;
/** Maximum bytes of the events; a reading has about 4 KB. */
const BYTES_MAX = 4 * 1024 * 1024;

export interface Ring {
  /** Number of the newest event; 0 before the first. */
  last(): number;
  add(type: string, data: string): void;
  /** The event after number `sent`; null if it isn't there any more, or not yet. */
  after(sent: number): Buffer | null;
  /** True if every event after number `sent` is still there. */
  holdsAfter(sent: number): boolean;
  /** Forgets all events; no client can go on from an earlier one. */
  forget(): void;
}

/** Opens an empty ring; `idOf` makes an event's id from its number. */
export function openRing(idOf: (number: number) => string): Ring {
  const kept: Buffer[] = [];
  let last = 0;
  let bytes = 0;
  /** Number of the event before the oldest one kept. */
  const before = () => last - kept.length;
  return {
    last: () => last,
    add(type, data) {
      last += 1;
      const event = Buffer.from(eventText(type, data, idOf(last)));
      kept.push(event);
      bytes += event.length;
      while (kept.length > 1 && (kept.length > EVENTS_MAX || bytes > BYTES_MAX))
        bytes -= kept.shift()?.length ?? 0;
    },
    after: (sent) => (sent < before() ? null : (kept[sent - before()] ?? null)),
    holdsAfter: (sent) => sent >= before() && sent <= last,
    forget() {
      kept.length = 0;
      bytes = 0;
      last += 1;
    },
  };
}

/** An event in the stream's text form; `data` has one line. */
export function eventText(type: string, data: string, id: string | null): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}
