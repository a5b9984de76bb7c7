// A broker that says only what it is told to say, for what no healthy one does: it leaves CONNACK,
// SUBACK or PINGRESP out, refuses some filters, forgets sessions, sends what isn't MQTT.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { generate, type Packet, parser } from "mqtt-packet";

export interface LameBroker {
  readonly url: string;
  readonly port: number;
  /** Packets received, in order, by MQTT's names. */
  readonly asked: string[];
  /** Sends bytes to everyone connected. */
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Answers that it leaves out, or refuses. */
export interface Lameness {
  readonly connack?: "never" | "close" | number;
  readonly sessionPresent?: boolean;
  readonly suback?: "never" | "close";
  /** Filters whose subscription is refused. */
  readonly refused?: readonly string[];
  readonly pingresp?: "never";
  /** Closes a connection whose CONNECT has a last will. */
  readonly will?: "close";
  /** Closes a connection that publishes. */
  readonly publish?: "close";
}

/** Listens on a port of 127.0.0.1; `lameness` is asked anew for each answer. */
export async function openLameBroker(lameness: () => Lameness): Promise<LameBroker> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => null);
    const packets = parser();
    packets.on("packet", (packet) => {
      asked.push(packet.cmd.toUpperCase());
      answer(socket, packet, lameness());
    });
    socket.on("data", (chunk) => packets.parse(chunk));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    asked,
    send: (bytes) => {
      for (const socket of sockets) socket.write(bytes);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function answer(socket: Socket, packet: Packet, lameness: Lameness): void {
  const { connack = 0, sessionPresent = false, suback, refused = [] } = lameness;
  const { pingresp, will, publish } = lameness;
  const { cmd, messageId } = packet;
  const say = (answered: Packet) => socket.write(generate(answered));
  const codeOf = ({ topic }: { topic: string }) => (refused.includes(topic) ? 0x80 : 1);
  if (cmd === "connect" && will === "close" && packet.will !== undefined) socket.end();
  else if (cmd === "publish" && publish === "close") socket.end();
  else if (cmd === "publish" && packet.qos === 0) return;
  else if (cmd === "publish") say({ cmd: "puback", messageId });
  else if (cmd === "disconnect") socket.end();
  else if (cmd === "connect" && typeof connack === "number")
    say({ cmd: "connack", returnCode: connack, sessionPresent });
  else if (cmd === "subscribe" && suback === undefined)
    say({ cmd: "suback", messageId, granted: packet.subscriptions.map(codeOf) });
  else if (cmd === "unsubscribe") say({ cmd: "unsuback", messageId, granted: [] });
  else if (cmd === "pingreq" && pingresp !== "never") say({ cmd: "pingresp" });
  else if (cmd === "connect" && connack === "close") socket.end();
  else if (cmd === "subscribe" && suback === "close") socket.end();
}
