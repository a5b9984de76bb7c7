// Shared by the tests of the MQTT broker and client: a `take` that the test controls, a log that is
// kept, and waiting for a condition. (The test gives `take` as the program gives the writer's.)

import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "../../src/bwts/message.ts";
import type { Fields, Log } from "../../src/ground/log.ts";
import { PATIENCE_MS } from "./patience.ts";

export interface Taken {
  readonly take: (message: Message) => Promise<void>;
  /** Every message that was offered, in order, the refused ones too. */
  readonly messages: Message[];
  /** From now on messages are committed only by `commit` or refused by `refuse`. */
  hold(): void;
  /** Commits all that are held. */
  commit(): void;
  /** From now on every message is refused, also those that are held. */
  refuse(): void;
  /** From now on every message is committed at once, also those that are held. */
  accept(): void;
  /** Messages offered and neither committed nor refused. */
  held(): number;
}

/** A `take` that commits at once until it is told otherwise. */
export function taken(): Taken {
  let mode: "accept" | "hold" | "refuse" = "accept";
  const messages: Message[] = [];
  let waiting: PromiseWithResolvers<void>[] = [];
  const settle = (how: (one: PromiseWithResolvers<void>) => void) => {
    const settled = waiting;
    waiting = [];
    settled.forEach(how);
  };
  const refused = () => new Error("disk full");
  return {
    messages,
    take: async (message) => {
      messages.push(message);
      if (mode === "refuse") throw refused();
      if (mode === "accept") return;
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      await one.promise;
    },
    hold: () => {
      mode = "hold";
    },
    commit: () => settle((one) => one.resolve()),
    refuse: () => {
      mode = "refuse";
      settle((one) => one.reject(refused()));
    },
    accept: () => {
      mode = "accept";
      settle((one) => one.resolve());
    },
    held: () => waiting.length,
  };
}

/** A log that keeps its lines, `level message`, and what stood in their fields. */
export function keptLog(): {
  readonly log: Log;
  readonly lines: string[];
  readonly fields: Fields[];
} {
  const lines: string[] = [];
  const fields: Fields[] = [];
  const entry =
    (level: string) =>
    (message: string, said: Fields = {}) => {
      lines.push(`${level} ${message}`);
      fields.push(said);
    };
  const log = {
    debug: entry("debug"),
    info: entry("info"),
    warn: entry("warn"),
    error: entry("error"),
  };
  return { log, lines, fields };
}

/** Waits until `condition` holds; throws naming `what` when it doesn't for a long time. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const began_ms = performance.now();
  while (!condition()) {
    if (performance.now() - began_ms > PATIENCE_MS) throw new Error(`waited in vain: ${what}`);
    await pause(10);
  }
}

/** Long enough for a wrong packet to arrive, when a test asserts that none does. */
export async function quiet(): Promise<void> {
  await pause(150);
}

export const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);
