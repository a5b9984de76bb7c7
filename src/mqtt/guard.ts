// Limits one publisher's socket before the embedded broker, whose library buffers any announced
// packet, even before authentication, and handles all that a chunk holds at once. The guard reads
// the fixed headers: nothing reaches the broker before a whole CONNECT, an oversized packet closes
// the connection, and packets pass a few at a time, within this publisher's share of messages
// waiting for the disk.

import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { ConnectPacket } from "aedes";
import type { AdmittedSocket } from "../ground/admission.ts";
import { SECOND_MS } from "../ground/clock.ts";
import type { Fields } from "../ground/log.ts";
import { shortName } from "./authenticate.ts";
import { headOfWill } from "./endpoint.ts";
import { Framing, foreignLevel, LEVEL_REFUSED, languageOf, PACKET_MAX_BYTES } from "./framing.ts";
import type { LimitedConnection, SharedLimits } from "./shared-limits.ts";

/** Maximum size of CONNECT, the first packet, with a will; a stranger gets no more memory. */
export const CONNECT_MAX_BYTES = 64 * 1024;

/** Maximum size of other packets: acknowledgements, and SUBSCRIBE, whose filters are refused. */
export const OTHER_MAX_BYTES = 4 * 1024;

/** First byte of CONNECT (type and flags): how every MQTT connection begins. */
const CONNECT = 0x10;

/** Maximum size of a packet by its type: 1 is CONNECT, 3 is PUBLISH. */
const LIMITS_BYTES: Readonly<Record<number, number>> = {
  1: CONNECT_MAX_BYTES,
  3: PACKET_MAX_BYTES,
};

/** Bytes of a waiting message beside its payload (objects, promises), rounded up. */
const IN_HAND_OVERHEAD_BYTES = 1024;

/** Maximum number of packets passed at once, if none is large: the broker handles them together. */
const PACKETS_AT_ONCE = 128;

/** Smallest piece of an unfinished packet that is passed on, in bytes. */
const PIECE_MIN_BYTES = 16 * 1024;

/** Bytes of unwritten acknowledgements above which the broker waits. */
const UNWRITTEN_MAX_BYTES = 4096;

/** Time that a closed connection has to send its last acknowledgements. */
const LINGER_MS = 2 * SECOND_MS;

type Done = (error?: Error | null) => void;

/** The reasons why the guard closes a connection, and the counter of each. */
export const CLOSE_COUNTS = {
  oversized: "oversized_packets_total",
  foreign: "foreign_connections_total",
  version: "refused_connections_total",
  slow: "slow_connections_total",
  crowded: "crowded_out_connections_total",
} as const;
type CloseReason = keyof typeof CLOSE_COUNTS;

export interface GuardOptions {
  readonly admitted: AdmittedSocket;
  readonly shared: SharedLimits;
  /** After a whole CONNECT: the broker may read. */
  readonly onConnect: () => void;
  /** The guard closes the connection; called once at most. */
  readonly onRefused: (refusal: CloseReason, detail: string) => void;
}

/** Guards a fresh socket: the stream that the broker reads and writes in its place. */
export class Guard extends Duplex implements LimitedConnection {
  readonly admitted: AdmittedSocket;
  /** The client id; the address before CONNECT, and of a client that gave none. */
  publisher: string;
  /** The CONNECT packet, until its login is accepted or refused. */
  #login: ConnectPacket | null = null;
  readonly #socket: Socket;
  readonly #shared: SharedLimits;
  readonly #options: GuardOptions;
  #framing = new Framing();
  /** True after a whole CONNECT. */
  #isConnected = false;
  /** Bytes of CONNECT before its body. */
  #header_bytes = 0;
  /** Bytes received and not yet passed on, and the number of them that the framing has read. */
  #waiting: Buffer = Buffer.alloc(0);
  #scanned_bytes = 0;
  #isWanted = false;
  #isStopped = false;
  #hasEnded = false;
  #owing_ms = 0;
  #inHand_bytes = 0;

  constructor(socket: Socket, options: GuardOptions) {
    super({
      readableHighWaterMark: 1, // asks for more only when all was read
      writableHighWaterMark: UNWRITTEN_MAX_BYTES,
    });
    this.admitted = options.admitted;
    this.publisher = options.admitted.address;
    this.#socket = socket;
    this.#shared = options.shared;
    this.#options = options;
    this.#shared.join(this);
    socket.on("data", (chunk) => this.#receive(chunk));
    const end = () => {
      this.#hasEnded = true;
      if (this.#isConnected) this.#feed();
      else socket.destroy();
    };
    socket.on("end", end);
    // Without an error, data received before is still read to its end.
    socket.on("close", (failed) => {
      this.#shared.leave(this);
      if (failed) this.destroy();
      else end();
    });
    socket.on("error", () => this.destroy());
    this.on("error", () => null); // the broker adds its own listener, but later
  }

  override _read(): void {
    this.#isWanted = true;
    process.nextTick(() => this.#feed()); // when what was read counts as in hand
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.#socket.write(chunk, done);
  }

  /** Acknowledgements are four bytes each: those of a commit leave in one system call. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    closeSocket(this.#socket, error);
    done(error);
  }

  /** Notes a CONNECT. It is kept as long as the connection, without its long members. */
  connecting(packet: ConnectPacket): void {
    this.#login = { ...packet };
    packet.username = undefined;
    packet.password = undefined;
    packet.clean = true;
    if (packet.will) packet.will = headOfWill(packet.will);
  }

  /** The CONNECT that is to be checked. From then on the publisher has its own name. */
  takeLogin(): ConnectPacket {
    const packet = this.#login;
    if (packet === null) throw new Error("authenticated before CONNECT");
    this.#login = null;
    if (packet.clientId !== "") this.publisher = packet.clientId;
    return packet;
  }

  /** Fields for the log: the publisher's name and its address. */
  get fields(): Fields {
    return { client: shortName(this.publisher), remote: this.admitted.remote };
  }

  /** True while received data waits, so that nothing more is read. */
  get isHeldBack() {
    return this.#waiting.length > 0 && this.#socket.isPaused();
  }

  /** Counts a message of `bytes` that waits for its commit. */
  hold(bytes: number): void {
    if (this.#inHand_bytes === 0) this.#shared.changeHolders(1);
    this.#inHand_bytes += bytes + IN_HAND_OVERHEAD_BYTES;
  }

  /** Counts the message as no longer waiting. */
  release(bytes: number): void {
    this.#inHand_bytes -= bytes + IN_HAND_OVERHEAD_BYTES;
    if (this.#inHand_bytes === 0) this.#shared.changeHolders(-1);
    this.#feed();
  }

  /** Stops reading from the publisher; pending data is still written. */
  stop(): void {
    this.#isStopped = true;
    this.#socket.pause();
  }

  tick(elapsed_ms: number): void {
    const { connect_ms, packet_ms } = this.#shared.limits;
    const isReading = this.#scanned_bytes === this.#waiting.length && this.#mayGoOn();
    const isOwing = !this.#isConnected || (this.#framing.passed_bytes > 0 && isReading);
    this.#owing_ms = isOwing ? this.#owing_ms + elapsed_ms : 0;
    const [packet, limit_ms] = this.#isConnected ? ["packet", packet_ms] : ["CONNECT", connect_ms];
    if (this.#owing_ms < limit_ms) return;
    this.#refuse("slow", `no whole ${packet} within ${limit_ms / SECOND_MS} s`);
  }

  giveWay(): void {
    this.#refuse("crowded", "others need the room");
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return;
    const isFirst = !this.#isConnected && this.#waiting.length === 0;
    if (isFirst && chunk[0] !== CONNECT) {
      this.#refuse("foreign", `it doesn't speak MQTT, but ${languageOf(chunk)}`);
      return;
    }
    this.#waiting = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    if (!this.#isConnected) this.#awaitConnect();
    if (this.#isConnected) this.#feed();
  }

  /** Reads up to the end of CONNECT; data that comes with it waits. */
  #awaitConnect(): void {
    while (this.#scanned_bytes < this.#waiting.length && !this.#isConnected) {
      this.#scanned_bytes = this.#framing.read(this.#waiting, this.#scanned_bytes);
      if (this.#isTooLong()) return;
      this.#header_bytes ||= this.#framing.announced?.header_bytes ?? 0;
      this.#isConnected = this.#framing.passed_bytes === 0;
    }
    this.#shared.buffered(this, this.#framing.passed_bytes);
    if (!this.#isConnected) return;
    const level = foreignLevel(this.#waiting, this.#header_bytes);
    if (level !== null) {
      this.#socket.write(LEVEL_REFUSED);
      this.#refuse("version", `MQTT's protocol level ${level}, expected 4 (3.1.1) or 3 (3.1)`);
      return;
    }
    this.#framing = new Framing();
    this.#scanned_bytes = 0;
    this.#options.onConnect();
  }

  /** Passes on the allowed packets, and reads on unless more than the start of a packet waits. */
  #feed(): void {
    while (this.#isWanted && this.#mayGoOn() && !this.destroyed) {
      const end = this.#scan();
      if (end === 0 || this.destroyed) break;
      this.#isWanted = this.push(this.#waiting.subarray(0, end));
      this.#waiting = this.#waiting.subarray(end);
      this.#scanned_bytes -= end;
    }
    if (this.destroyed) return;
    if (this.#scanned_bytes < this.#waiting.length || !this.#mayGoOn()) this.#socket.pause();
    else if (!this.#hasEnded) this.#socket.resume();
    else if (!this.readableEnded) this.push(null);
  }

  #mayGoOn(): boolean {
    return !this.#isStopped && this.#inHand_bytes < this.#shared.share_bytes();
  }

  /**
   * The end of the whole packets that may pass; 0 if none is complete. Long packets pass in parts,
   * but not in small pieces, since the library keeps each at some 200 bytes.
   */
  #scan(): number {
    const left_bytes = this.#shared.share_bytes() - this.#inHand_bytes;
    let packets = Math.min(PACKETS_AT_ONCE, Math.ceil(left_bytes / IN_HAND_OVERHEAD_BYTES));
    let end = 0;
    while (this.#scanned_bytes < this.#waiting.length && packets > 0) {
      this.#scanned_bytes = this.#framing.read(this.#waiting, this.#scanned_bytes);
      if (this.#isTooLong()) return 0;
      if (this.#framing.passed_bytes > 0) continue;
      end = this.#scanned_bytes;
      this.#owing_ms = 0;
      packets -= 1;
    }
    this.#shared.buffered(this, this.#framing.passed_bytes);
    return this.#scanned_bytes - end >= PIECE_MIN_BYTES ? this.#scanned_bytes : end;
  }

  #isTooLong(): boolean {
    const { announced } = this.#framing;
    if (announced === null) return false;
    const limit_bytes = LIMITS_BYTES[announced.first >> 4] ?? OTHER_MAX_BYTES;
    const packet_bytes = announced.header_bytes + announced.body_bytes;
    if (packet_bytes <= limit_bytes) return false;
    this.#refuse("oversized", `a packet announced ${packet_bytes} bytes, not ${limit_bytes}`);
    return true;
  }

  #refuse(refusal: CloseReason, detail: string): void {
    if (this.destroyed) return;
    this.#options.onRefused(refusal, detail);
    if (refusal !== "version") this.#socket.destroy(); // else its answer is sent first
    this.destroy();
  }
}

// After an orderly close, written acknowledgements are sent first.
function closeSocket(socket: Socket, error: Error | null): void {
  if (error !== null) return void socket.destroy();
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.destroySoon();
}
