// The PLCs of the kill test: several connections that publish parts of readings at QoS 1 as fast as
// a window allows. What isn't acknowledged when the connection breaks is sent again on the next one
// with its packet identifier and the DUP flag, before anything new: what a real client does.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connectPacket, publishPacket } from "../../test/rig/raw-mqtt.ts";
import type { Note } from "./voyage.ts";

/** Messages without PUBACK at a time, a connection. */
const WINDOW = 400;
const IDS = 65_535;
const CONNACK_BYTES = 4;
const PUBACK = 0x40;
const PUBACK_BYTES = 4;

export interface Plc {
  /** Connects, sends again what wasn't acknowledged, and goes on with new messages. */
  connect(port: number): Promise<void>;
  /** As `connect`, with nothing new; resolves when all is acknowledged. */
  finish(port: number): Promise<void>;
  /** Drops the connection. */
  cut(): void;
  /** Number of messages sent more than once. */
  readonly resent: number;
}

/** A PLC under `client_id` that says what `next` gives; `acknowledged` is told of each PUBACK. */
export function openPlc(client_id: string, next: () => Note): Plc {
  const inFlight = new Map<number, Note>();
  let socket: Socket | null = null;
  let last_id = 0;
  let resent = 0;
  let isFinishing = false;
  let finished: (() => void) | null = null;

  const send = (id: number, { topic, payload }: Note, dup: boolean) =>
    socket?.write(publishPacket({ topic, payload, qos: 1, packet_id: id, dup }));
  const pump = () => {
    while (!isFinishing && inFlight.size < WINDOW) {
      do last_id = (last_id % IDS) + 1;
      while (inFlight.has(last_id));
      const note = next();
      inFlight.set(last_id, note);
      note.sent();
      send(last_id, note, false);
    }
    if (isFinishing && inFlight.size === 0) finished?.();
  };
  const acknowledge = (id: number) => {
    inFlight.get(id)?.acknowledged();
    inFlight.delete(id);
  };

  return {
    get resent() {
      return resent;
    },
    async connect(port) {
      const opened = connect(port, "127.0.0.1").setNoDelay(true);
      socket = opened;
      opened.on("error", () => opened.destroy());
      await Promise.race([once(opened, "connect"), once(opened, "close")]);
      opened.write(connectPacket({ client_id, clean: false }));
      let rest: Buffer = Buffer.alloc(0);
      let isAccepted = false;
      opened.on("data", (bytes: Buffer) => {
        rest = Buffer.concat([rest, bytes]);
        if (!isAccepted && rest.length >= CONNACK_BYTES) {
          isAccepted = true;
          rest = rest.subarray(CONNACK_BYTES);
          resent += inFlight.size;
          for (const [id, note] of inFlight) send(id, note, true);
        }
        let at = 0;
        for (; at + PUBACK_BYTES <= rest.length; at += PUBACK_BYTES)
          if (rest[at] === PUBACK) acknowledge(rest.readUInt16BE(at + 2));
        rest = rest.subarray(at);
        if (isAccepted) pump();
      });
    },
    async finish(port) {
      isFinishing = true;
      const done = new Promise<void>((resolve) => {
        finished = resolve;
      });
      await this.connect(port);
      await done;
    },
    cut() {
      socket?.destroy();
      socket = null;
    },
  };
}
