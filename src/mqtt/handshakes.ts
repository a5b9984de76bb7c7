// The embedded broker's memory, in place of aedes's own, which keeps messages, retained topics,
// wills and queues: all that is remembered is which QoS 2 packets of a connection are half done.
// aedes asks leave for every PUBLISH of QoS 2, repetitions too, answers PUBREC, and deletes at
// PUBREL: so a packet id is committed once in between, and PUBREC follows the commit. Sessions are
// clean: over a lost connection QoS 2 is "at least once", and a reading's identity does the rest.

import { Readable } from "node:stream";

interface HalfDone {
  /** Commits by packet id, from the PUBLISH on. */
  readonly commits: Map<number, Promise<void>>;
  /** Packet ids whose PUBREC has been sent, until PUBREL. */
  readonly received: Set<number>;
}

interface Identified {
  readonly messageId?: number;
}

export class Handshakes {
  readonly #halfDone = new WeakMap<object, HalfDone>();

  /** The commit of a QoS 2 packet: begun by its first PUBLISH, shared by the repetitions. */
  commitOnce(client: object, packet_id: number, commit: () => Promise<void>): Promise<void> {
    const { commits } = this.#of(client);
    const begun = commits.get(packet_id) ?? commit();
    commits.set(packet_id, begun);
    return begun;
  }

  async incomingStorePacket(client: object, { messageId = 0 }: Identified): Promise<void> {
    this.#of(client).received.add(messageId);
  }

  /** Throws unless the packet is half done: that is how aedes asks. */
  async incomingGetPacket(client: object, packet: Identified): Promise<Identified> {
    if (!this.#of(client).received.has(packet.messageId ?? 0)) throw new Error("no such packet");
    return packet;
  }

  async incomingDelPacket(client: object, { messageId = 0 }: Identified): Promise<void> {
    this.#of(client).received.delete(messageId);
    this.#of(client).commits.delete(messageId);
  }

  #of(client: object): HalfDone {
    const known = this.#halfDone.get(client);
    if (known !== undefined) return known;
    const fresh = { commits: new Map<number, Promise<void>>(), received: new Set<number>() };
    this.#halfDone.set(client, fresh);
    return fresh;
  }

  // The rest of what aedes asks of its memory: an ingest-only broker has nothing there.
  async setup(): Promise<void> {}
  async cleanIncoming(): Promise<void> {}
  async storeRetained(): Promise<void> {}
  async putWill(): Promise<void> {}
  async delWill(): Promise<void> {}
  async addSubscriptions(): Promise<void> {}
  async removeSubscriptions(): Promise<void> {}
  async cleanSubscriptions(): Promise<void> {}
  async outgoingEnqueue(): Promise<void> {}
  async outgoingEnqueueCombi(): Promise<void> {}
  async outgoingUpdate(): Promise<void> {}
  async outgoingClearMessageId(): Promise<void> {}
  subscriptionsByTopic = nothing;
  subscriptionsByClient = nothing;
  streamWill = emptyStream;
  outgoingStream = emptyStream;
  createRetainedStreamCombi = emptyStream;
}

const nothing = async (): Promise<readonly never[]> => [];
const emptyStream = (): Readable => Readable.from([]);
