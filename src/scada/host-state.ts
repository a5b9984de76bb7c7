// The state of the primary host application. It publishes STATE, retained, at its birth, and the
// broker publishes another when it is gone. A late message of an earlier session is older and is
// ignored, as Sparkplug 3.0 requires. A time in the future counts as the time of receipt: else a
// host whose clock was once in 2100 would never be heard again.

import * as z from "zod";
import type { Clock } from "../ground/clock.ts";
import { HEARD_MAX_BYTES } from "./host-commands.ts";

const State = z.object({ online: z.boolean(), timestamp: z.number() });

export class HostState {
  readonly topic: string | null;
  readonly #clock: Pick<Clock, "now_ms">;
  #isOnline: boolean;
  /** Times of the newest STATE, and of the newest that was online. */
  #told_ms = Number.NEGATIVE_INFINITY;
  #online_ms = Number.NEGATIVE_INFINITY;

  /** The state of host `host_id`; with "" no host is waited for. */
  constructor(host_id: string, clock: Pick<Clock, "now_ms">) {
    this.#clock = clock;
    this.topic = host_id === "" ? null : `spBv1.0/STATE/${host_id}`;
    this.#isOnline = this.topic === null;
  }

  /** True if births may be published. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Forgets the state at a new connection: the broker sends the newest one again. */
  forget(): void {
    this.#told_ms = Number.NEGATIVE_INFINITY;
    this.#online_ms = Number.NEGATIVE_INFINITY;
    this.#isOnline = this.topic === null;
  }

  /** Processes a message on the topic; false if it isn't a STATE message. */
  hear(payload: Buffer): boolean {
    const state = read(payload);
    if (state === null) return false;
    const { online, timestamp } = state;
    if (timestamp < (online ? this.#told_ms : this.#online_ms)) return true;
    const at_ms = Math.min(timestamp, this.#clock.now_ms());
    this.#told_ms = Math.max(this.#told_ms, at_ms);
    if (online) this.#online_ms = at_ms;
    this.#isOnline = online;
    return true;
  }
}

function read(payload: Buffer): z.output<typeof State> | null {
  if (payload.length > HEARD_MAX_BYTES) return null;
  try {
    return State.safeParse(JSON.parse(payload.toString())).data ?? null;
  } catch {
    return null;
  }
}
