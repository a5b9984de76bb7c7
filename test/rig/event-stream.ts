// A client of /stream: what a browser's EventSource makes of the bytes, with the time at which each
// event came. It never connects again by itself, so that a test sees each connection.

import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.ts";

export interface StreamEvent {
  readonly type: string;
  /** Null where the server sent none. */
  readonly id: string | null;
  /** Parsed. */
  readonly data: ReturnType<typeof JSON.parse>;
  /** By performance.now(). */
  readonly came_ms: number;
}

export interface EventStream extends Disposable {
  readonly response: IncomingMessage;
  readonly events: readonly StreamEvent[];
  /** True once the server has ended it in order; null while it goes on. */
  ended(): boolean | null;
  /** All that came, as text. */
  text(): string;
  /** Resolves with the events that `isWanted`, as soon as there are `count`. */
  waitFor(
    isWanted: (event: StreamEvent) => boolean,
    count?: number,
  ): Promise<readonly StreamEvent[]>;
  /** The last id that came. */
  lastId(): string | null;
  /** Takes no more, and keeps the connection. */
  freeze(): void;
}

export async function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const asked = request(url, { headers: { Accept: "text/event-stream", ...headers } });
  const response = await answered(asked);
  const events: StreamEvent[] = [];
  let [text, rest] = ["", ""];
  let ended: boolean | null = null;
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) events.push(...eventOf(block));
  });
  response.once("end", () => {
    ended = true;
  });
  response.once("close", () => {
    ended ??= false;
  });
  response.on("error", () => {});
  return {
    response,
    events,
    ended: () => ended,
    text: () => text,
    async waitFor(isWanted, count = 1) {
      const until_ms = performance.now() + PATIENCE_MS;
      for (;;) {
        const found = events.filter(isWanted);
        if (found.length >= count) return found;
        if (performance.now() > until_ms)
          throw new Error(`${found.length} of ${count} events came:\n${text.slice(-2000)}`);
        await pause(2);
      }
    },
    lastId: () => events.findLast(({ id }) => id !== null)?.id ?? null,
    freeze: () => void response.pause(),
    [Symbol.dispose]: () => void asked.destroy(),
  };
}

function answered(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once("response", resolve);
    asked.on("error", reject);
    asked.end();
  });
}

function eventOf(block: string): readonly StreamEvent[] {
  const fields = block.split("\n").map((line) => /^(\w+): (.*)$/.exec(line));
  const field = (name: string) => fields.find((one) => one?.[1] === name)?.[2] ?? null;
  const type = field("event");
  if (type === null) return [];
  const data = JSON.parse(field("data") ?? "null");
  return [{ type, id: field("id"), data, came_ms: performance.now() }];
}
