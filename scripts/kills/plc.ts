// The PLCs of the kill test: several connections that publish parts of readings at QoS 1 as fast as
// a window allows. What isn't acknowledged when the connection breaks is sent again on the next one
// with its packet identifier and the DUP flag, before anything new: what a real client does.

import { IDS, openWire, type Wire } from "../../test/rig/mqtt-wire.ts";
import { publishPacket } from "../../test/rig/raw-mqtt.ts";
import type { Note } from "../../test/rig/voyage.ts";

/** Messages without PUBACK at a time, a connection. */
const WINDOW = 400;

export interface Plc {
  /** Connects, sends again what wasn't acknowledged, and goes on with new messages. */
  connect(url: string): Promise<void>;
  /** As `connect`, with nothing new; resolves when all is acknowledged. */
  finish(url: string): Promise<void>;
  /** Drops the connection. */
  cut(): void;
  /** Number of messages sent more than once. */
  readonly resent: number;
}

/** A PLC under `client_id` that says what `next` gives; `acknowledged` is told of each PUBACK. */
export function openPlc(client_id: string, next: () => Note): Plc {
  const inFlight = new Map<number, Note>();
  let wire: Wire | null = null;
  let last_id = 0;
  let resent = 0;
  let isFinishing = false;
  let finished: (() => void) | null = null;

  const send = (id: number, { topic, payload }: Note, dup: boolean) =>
    wire?.write(publishPacket({ topic, payload, qos: 1, packet_id: id, dup }));
  const pump = () => {
    while (!isFinishing && wire !== null && inFlight.size < WINDOW) {
      do last_id = (last_id % IDS) + 1;
      while (inFlight.has(last_id));
      const note = next();
      inFlight.set(last_id, note);
      note.sent();
      send(last_id, note, false);
    }
    if (isFinishing && inFlight.size === 0) finished?.();
  };
  const listener = {
    acknowledged(ids: readonly number[]) {
      for (const id of ids) {
        inFlight.get(id)?.acknowledged();
        inFlight.delete(id);
      }
      pump();
    },
    // It is killed in the middle of everything.
    ended() {
      wire?.cut();
      wire = null;
    },
  };

  return {
    get resent() {
      return resent;
    },
    async connect(url) {
      wire = await openWire(url, listener, { client_id, clean: false });
      resent += inFlight.size;
      for (const [id, note] of inFlight) send(id, note, true);
      pump();
    },
    async finish(url) {
      isFinishing = true;
      const done = new Promise<void>((resolve) => {
        finished = resolve;
      });
      await this.connect(url);
      await done;
    },
    cut: listener.ended,
  };
}
