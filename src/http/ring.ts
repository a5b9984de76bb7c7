// The newest events of the stream as bytes, under ids that go up by one. A client that comes back
// within the ring goes on where it was; memory is bounded by count and by bytes, whatever comes.

/** Some 15 minutes of a reading each second. */
const EVENTS_MAX = 1000;
/** A reading has 4 KB or so. */
const BYTES_MAX = 4 * 1024 * 1024;

export interface Ring {
  /** Number of the newest event; 0 before the first. */
  last(): number;
  add(type: string, data: string): void;
  /** The event after number `sent`; null if it isn't there any more, or not yet. */
  after(sent: number): Buffer | null;
  /** True if every event after number `sent` is still there. */
  holdsAfter(sent: number): boolean;
  /** Forgets all events, and lets nobody go on from before. */
  forget(): void;
}

/** `idOf` makes the id of a number. */
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

/** An event as it stands in the stream; `data` has one line. */
export function eventText(type: string, data: string, id: string | null): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}
