// The address of each connection to the embedded broker and, from CONNECT on, its client id. They
// are kept for as long as the library keeps the connection, because a will is published after the
// socket has closed.

import type { Client, Connection, ConnectPacket } from "aedes";
import type { AdmittedSocket } from "../../ground/admission.ts";
import type { Fields } from "../../ground/log.ts";
import { headOfWill } from "../endpoint.ts";
import { type Authenticate, type RefusedLogin, shortName } from "./authenticate.ts";

interface Arrival {
  readonly admitted: AdmittedSocket;
  /** The CONNECT packet, until the login is accepted or refused. */
  packet: ConnectPacket | null;
  /** The client id; the address if the client gave none. */
  publisher: string;
}

export class Arrivals {
  readonly #authenticate: Authenticate;
  readonly #known = new WeakMap<Connection, Arrival>();

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate;
  }

  add(connection: Connection, admitted: AdmittedSocket): void {
    this.#known.set(connection, { admitted, packet: null, publisher: admitted.address });
  }

  /** Notes a CONNECT. It is kept as long as the connection, without its long members. */
  connecting(client: Client, packet: ConnectPacket): void {
    const arrival = this.#known.get(client.conn);
    if (arrival !== undefined) arrival.packet = { ...packet };
    packet.username = undefined;
    packet.password = undefined;
    packet.clean = true;
    if (packet.will) packet.will = headOfWill(packet.will);
  }

  /** Null if the client is accepted, else the refusal. */
  async refusal(client: Client): Promise<RefusedLogin | null> {
    const arrival = this.#known.get(client.conn);
    const packet = arrival?.packet;
    if (arrival === undefined || !packet) throw new Error("authenticated before CONNECT");
    arrival.packet = null;
    const { clientId: client_id, username, password, clean = true } = packet;
    if (client_id !== "") arrival.publisher = client_id;
    return this.#authenticate({
      client_id,
      clean,
      username,
      password: typeof password === "string" ? Buffer.from(password) : password,
      address: arrival.admitted.address,
      isGone: () => client.closed,
    });
  }

  /** The client id, or the address of a client without one. */
  publisherOf(client: Client | null): string {
    return (client && this.#known.get(client.conn)?.publisher) ?? "";
  }

  /** The client's fields for the log. */
  fieldsOf(client: Client): Fields {
    const remote = this.#known.get(client.conn)?.admitted.remote ?? "gone";
    return { client: shortName(this.publisherOf(client)), remote };
  }
}
