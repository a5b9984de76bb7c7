// The embedded broker's memory, in place of aedes's own, which keeps messages, retained topics,
// wills and queues. It remembers only which QoS 2 packets of a connection are half done. aedes asks
// leave for every PUBLISH of QoS 2, repetitions too, answers PUBREC, and deletes at PUBREL: so a
// packet id is committed once in between, and PUBREC follows the commit. Sessions are clean: over a
// lost connection QoS 2 is "at least once", and a reading's identity does the rest.

import { Readable } from "node:stream";

interface HalfDone {
  /** Commits by packet id, from the PUBLISH on. */
  readonly commits: Map<number, Promise<void>>;
  /** Packet ids whose PUBREC has been sent, until PUBREL. */
  readonly received: Set<number>;
}

/** A client of aedes, which stands for its connection. */
interface Sender {
  readonly conn: { destroy(): unknown };
}

interface Identified {
  readonly messageId?: number;
}

export class Handshakes {
  readonly #halfDone = new Map<Sender, HalfDone>();
  readonly #count_max: number;
  #count = 0;

  /** Remembers at most `count_max` packets; above it the connection with most of them is closed. */
  constructor(count_max: number) {
    this.#count_max = count_max;
  }

  /** The commit of a QoS 2 packet: begun by its first PUBLISH, shared by the repetitions. */
  commitOnce(client: Sender, packet_id: number, commit: () => Promise<void>): Promise<void> {
    const { commits } = this.#of(client);
    const begun = commits.get(packet_id);
    if (begun !== undefined) return begun;
    if (this.#count >= this.#count_max) this.#closeLargest();
    this.#count += 1;
    const fresh = commit();
    commits.set(packet_id, fresh);
    return fresh;
  }

  /**
   * Notes that PUBREC will be sent. Throws for a client that has gone: nothing of it is remembered.
   */
  async incomingStorePacket(client: Sender, { messageId = 0 }: Identified): Promise<void> {
    const known = this.#halfDone.get(client);
    if (known === undefined) throw new Error("the client has gone");
    known.received.add(messageId);
  }

  /** Throws unless the packet is half done, as aedes expects. */
  async incomingGetPacket(client: Sender, packet: Identified): Promise<Identified> {
    if (this.#halfDone.get(client)?.received.has(packet.messageId ?? 0)) return packet;
    throw new Error("no such packet");
  }

  async incomingDelPacket(client: Sender, { messageId = 0 }: Identified): Promise<void> {
    const known = this.#halfDone.get(client);
    known?.received.delete(messageId);
    if (known?.commits.delete(messageId)) this.#count -= 1;
  }

  /** Forgets the client's packets: it has gone, or has just connected. */
  async cleanIncoming(client: Sender): Promise<void> {
    this.#count -= this.#halfDone.get(client)?.commits.size ?? 0;
    this.#halfDone.delete(client);
  }

  #of(client: Sender): HalfDone {
    const known = this.#halfDone.get(client);
    if (known !== undefined) return known;
    const fresh = { commits: new Map<number, Promise<void>>(), received: new Set<number>() };
    this.#halfDone.set(client, fresh);
    return fresh;
  }

  #closeLargest(): void {
    let largest: Sender | null = null;
    let most = 0;
    for (const [client, { commits }] of this.#halfDone)
      if (commits.size > most) {
        largest = client;
        most = commits.size;
      }
    if (largest === null) return;
    largest.conn.destroy();
    void this.cleanIncoming(largest);
  }

  // The other calls of aedes: an ingest-only broker stores nothing there.
  async setup(): Promise<void> {}
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
